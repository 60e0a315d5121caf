-- What waits in the whole house, as numbers: for /metrics, where every server must tell the same.
create index webhook_deliveries_unsettled on webhook_deliveries (state) where state <> 'delivered';
create policy system_reads on webhook_deliveries for select to summit_system using (true);

create function backlog() returns table (
    queued_turns bigint, running_turns bigint, oldest_turn_seconds double precision,
    due_reminders bigint, oldest_reminder_seconds double precision,
    pending_deliveries bigint, dead_deliveries bigint
)
language sql stable security definer set search_path = summit, pg_temp as $$
    select t.queued, t.running, t.oldest, r.due, r.oldest, d.pending, d.dead
    from (select count(*) filter (where state = 'queued') as queued, count(*) filter (where state = 'running') as running,
                 coalesce(extract(epoch from now() - min(created_at)), 0)::double precision as oldest
          from turns where state in ('queued', 'running')) t,
         (select count(*) as due, coalesce(extract(epoch from now() - min(fire_at)), 0)::double precision as oldest
          from reminders where state = 'pending' and fire_at <= now()) r,
         (select count(*) filter (where state = 'pending') as pending, count(*) filter (where state = 'dead') as dead
          from webhook_deliveries where state <> 'delivered') d
$$;
grant create on schema summit to summit_system;
grant select (created_at) on turns to summit_system;
grant select (state) on webhook_deliveries to summit_system;
alter function backlog() owner to summit_system;
revoke create on schema summit from summit_system;
revoke execute on function backlog() from public;
grant execute on function backlog() to summit_app;
