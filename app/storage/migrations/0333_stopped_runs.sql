-- Runs that wait for somebody while the switch of the server is engaged: these are ended. Ids alone, across tenants.
create function runs_stopped(how_many integer) returns table (owner uuid, run uuid)
language sql stable security definer set search_path = summit, pg_temp as $$
    select r.user_id, r.id from runs r
    where r.status = 'waiting'
      and exists (select 1 from kill_switches k
                  where k.user_id = '00000000-0000-0000-0000-000000000000' and k.engaged)
    order by r.user_id, r.id limit how_many
$$;
grant select (user_id, id, status) on runs to summit_system;
create policy system_reads on runs for select to summit_system using (true);
grant select (user_id, engaged) on kill_switches to summit_system;
grant create on schema summit to summit_system;
alter function runs_stopped(integer) owner to summit_system;
revoke create on schema summit from summit_system;
revoke execute on function runs_stopped(integer) from public;
grant execute on function runs_stopped(integer) to summit_app;
