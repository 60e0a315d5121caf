-- Open runs without a job: a worker that had lost its run to another one ended that one's job. Ids alone, across tenants.
create function runs_without_job(how_many integer) returns table (owner uuid, run uuid)
language sql stable security definer set search_path = summit, pg_temp as $$
    select r.user_id, r.id from runs r
    where r.status in ('queued', 'running')
      and not exists (select from procrastinate_jobs j where j.lock = 'run:' || r.id and j.status in ('todo', 'doing'))
    order by r.user_id, r.id limit how_many
$$;
grant create on schema summit to summit_system;
alter function runs_without_job(integer) owner to summit_system;
revoke create on schema summit from summit_system;
revoke execute on function runs_without_job(integer) from public;
grant execute on function runs_without_job(integer) to summit_app;
