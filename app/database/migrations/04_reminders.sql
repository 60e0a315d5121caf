-- What will remind users, what did, and where else it is told.

-- The outbox of reminders, written with the records that they come from. Only the next moment of a record waits.
create table reminders (
    user_id          uuid not null references users on delete cascade,
    kind             text not null,
    record_id        text not null,
    due_at           timestamptz not null,
    stated           boolean not null,
    fire_at          timestamptz not null, -- later than due_at for a nudge that waits for the end of quiet hours
    state            text not null default 'pending' check (state in ('pending', 'fired')),
    lease_until      timestamptz,
    lease_generation bigint not null default 0,
    primary key (user_id, kind, record_id, due_at)
);
create index reminders_due on reminders (fire_at) where state = 'pending';
create unique index reminders_next on reminders (user_id, kind, record_id) where state = 'pending';

-- A reminder is delivered when its row is here. `event_seq` is its place in the user's stream.
create table notifications (
    user_id         uuid not null references users on delete cascade,
    id              uuid not null,
    kind            text not null check (kind in ('reminder', 'briefing', 'question', 'workflow')),
    record_kind     text not null,
    record_id       text not null,
    title           text not null,
    text            text not null,
    due_at          timestamptz not null,
    fired_at        timestamptz not null,
    late_seconds    bigint not null,
    event_seq       bigint not null,
    outcome         text check (outcome in ('acknowledged', 'snoozed', 'done')),
    acknowledged_at timestamptz,
    snoozed_until   timestamptz,
    mailed_at       timestamptz,
    primary key (user_id, id)
);
create index notifications_latest on notifications (user_id, fired_at desc, id desc);
create index notifications_open on notifications (user_id, event_seq) where outcome is null;

-- `secret` is sealed: the database alone cannot sign.
create table webhooks (
    user_id    uuid not null references users on delete cascade,
    id         uuid not null,
    url        text not null,
    format     text not null check (format in ('json', 'text')),
    secret     bytea not null,
    created_at timestamptz not null default now(),
    primary key (user_id, id)
);

create table webhook_deliveries (
    user_id         uuid not null,
    id              uuid not null,
    webhook_id      uuid not null,
    notification_id uuid not null,
    state           text not null default 'pending' check (state in ('pending', 'delivered', 'dead')),
    attempts        integer not null default 0,
    status          integer,
    error           text,
    next_at         timestamptz,
    created_at      timestamptz not null default now(),
    finished_at     timestamptz,
    primary key (user_id, id),
    foreign key (user_id, webhook_id) references webhooks (user_id, id) on delete cascade
);
create unique index webhook_deliveries_once on webhook_deliveries (user_id, webhook_id, notification_id);
create index webhook_deliveries_latest on webhook_deliveries (user_id, webhook_id, created_at desc, id desc);
create index webhook_deliveries_unsettled on webhook_deliveries (state) where state <> 'delivered';

do $$
declare
    name text;
begin
    foreach name in array array['reminders', 'notifications', 'webhooks', 'webhook_deliveries']
    loop
        execute format('alter table %I enable row level security', name);
        execute format('alter table %I force row level security', name);
        execute format(
            'create policy tenant on %I using (user_id = (select nullif(current_setting(''summit.user_id'', true), '''')::uuid))
             with check (user_id = (select nullif(current_setting(''summit.user_id'', true), '''')::uuid))', name);
    end loop;
end $$;

-- Who has a reminder to be told up to a moment, and when: ids and times of all tenants, no content.
create function reminders_due(moment timestamptz, how_many integer) returns table (owner uuid, at timestamptz)
language sql stable security definer set search_path = summit, pg_temp as $$
    select r.user_id, min(r.fire_at) from reminders r
    where r.state = 'pending' and r.fire_at <= moment and (r.lease_until is null or r.lease_until < now())
    group by r.user_id order by min(r.fire_at) limit how_many
$$;

create policy system_reads on reminders for select to summit_system using (true);
grant select (user_id, state, fire_at, lease_until) on reminders to summit_system;
grant create on schema summit to summit_system;
alter function reminders_due(timestamptz, integer) owner to summit_system;
revoke create on schema summit from summit_system;
revoke execute on function reminders_due(timestamptz, integer) from public;
grant execute on function reminders_due(timestamptz, integer) to summit_app;
