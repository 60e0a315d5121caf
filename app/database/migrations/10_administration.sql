-- What an administrator sees of everybody: the audit log, and the backlog of the whole house.

-- Who did what to accounts, keys, sign-ins, providers, models, switches, grants and credits: ids and names of things, never
-- contents. Rows of the user with only zeros are the server's. Triggers write it in the transaction of the act itself, so
-- that no door can forget to; the application can read it and nothing else, and nobody can change a row.
create table audit_log (
    user_id uuid not null,
    id      bigint generated always as identity,
    at      timestamptz not null default clock_timestamp(),
    actor   text not null,
    action  text not null,
    subject text not null,
    primary key (user_id, id)
);
create index audit_latest on audit_log (id desc);

alter table audit_log enable row level security;
alter table audit_log force row level security;
create policy tenant on audit_log for select
    using (user_id = (select nullif(current_setting('summit.user_id', true), '')::uuid));
create policy system_adds on audit_log for insert to summit_system with check (true);
revoke insert, update, delete, truncate on audit_log from summit_app;

create function refuse_rewriting() returns trigger language plpgsql as $$
begin
    raise exception 'the audit log is only ever added to' using errcode = 'insufficient_privilege';
end $$;
create trigger append_only before update or delete or truncate on audit_log execute function refuse_rewriting();

-- Its arguments: what kind of thing it is, then the columns that name one. `summit.actor` is set by whoever acts.
create function audit() returns trigger
language plpgsql security definer set search_path = summit, pg_temp as $$
declare
    thing jsonb;
begin
    if tg_op = 'DELETE' then
        thing := to_jsonb(old);
    else
        thing := to_jsonb(new);
    end if;
    insert into audit_log (user_id, actor, action, subject)
    select (thing ->> 'user_id')::uuid, coalesce(nullif(current_setting('summit.actor', true), ''), 'system'),
           tg_argv[0] || '.' || case tg_op when 'INSERT' then 'added' when 'UPDATE' then 'changed' else 'removed' end,
           coalesce(string_agg(thing ->> column_name, ' ' order by place), '')
    from unnest(tg_argv[1:]) with ordinality as named (column_name, place);
    return null;
end $$;

-- The whole log, for the administrator; the latest first.
create function audit_of_everybody(before bigint, how_many integer)
returns table (user_id uuid, id bigint, at timestamptz, actor text, action text, subject text)
language sql stable security definer set search_path = summit, pg_temp as $$
    select a.user_id, a.id, a.at, a.actor, a.action, a.subject from audit_log a
    where before is null or a.id < before order by a.id desc limit how_many
$$;

-- Wrong keys, in the audit log beside what was done: rows of the whole server, of these two kinds alone.
create function note_refusal(actor text, action text, subject text) returns void
language plpgsql volatile security definer set search_path = summit, pg_temp as $$
begin
    if action not in ('key.refused', 'sign-in.refused') then
        raise exception 'the audit log is written by what is done' using errcode = 'insufficient_privilege';
    end if;
    insert into audit_log (user_id, actor, action, subject)
    values ('00000000-0000-0000-0000-000000000000', actor, action, subject);
end $$;

-- What waits in the whole house, as numbers: for /metrics, where every server must tell the same.
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

create policy system_reads on audit_log for select to summit_system using (true);
create policy system_reads on webhook_deliveries for select to summit_system using (true);
grant select, insert on audit_log to summit_system;
grant select (state) on webhook_deliveries to summit_system;
grant create on schema summit to summit_system;
alter function audit() owner to summit_system;
alter function audit_of_everybody(bigint, integer) owner to summit_system;
alter function note_refusal(text, text, text) owner to summit_system;
alter function backlog() owner to summit_system;
revoke create on schema summit from summit_system;
revoke execute on function audit_of_everybody(bigint, integer), note_refusal(text, text, text), backlog() from public;
grant execute on function audit_of_everybody(bigint, integer), note_refusal(text, text, text), backlog() to summit_app;

create trigger audited after insert or delete on users for each row execute function audit('user', 'user_id');
create trigger audited after insert or update or delete on api_keys
    for each row execute function audit('key', 'id', 'scopes', 'expires_at');
create trigger audited after insert or delete on sessions for each row execute function audit('sign-in', 'id', 'key_id');
create trigger audited after insert or update or delete on providers
    for each row execute function audit('provider', 'slug', 'base_url');
create trigger audited after insert or update or delete on active_models
    for each row execute function audit('model', 'capability', 'tier', 'provider', 'model');
create trigger audited after insert or update on kill_switches
    for each row execute function audit('switch', 'engaged');
create trigger audited after insert or update on run_grants
    for each row execute function audit('grant', 'programs', 'roots');
create trigger audited after insert on credit_entries
    for each row when (new.kind = 'grant') execute function audit('credits', 'available');
