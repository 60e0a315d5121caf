-- A run whose agent has reached a usage limit waits without a worker until the limit ends, so that a restart changes
-- nothing and no time of the run is used. Which of them may go on: ids alone, across tenants.
alter table runs add column parked_until timestamptz;
create index runs_parked on runs (parked_until) where parked_until is not null;
grant select (parked_until) on runs to summit_system;
create function runs_parked_enough(how_many integer) returns table (owner uuid, run uuid)
language sql stable security definer set search_path = summit, pg_temp as $$
    select r.user_id, r.id from runs r
    where r.status = 'waiting' and r.parked_until <= now()
    order by r.parked_until limit how_many
$$;
grant create on schema summit to summit_system;
alter function runs_parked_enough(integer) owner to summit_system;
revoke create on schema summit from summit_system;
revoke execute on function runs_parked_enough(integer) from public;
grant execute on function runs_parked_enough(integer) to summit_app;
