-- Calendars of elsewhere that are kept in step in both directions. An account is how to get there, its password sealed.
create table calendar_accounts (
    user_id    uuid not null references users on delete cascade,
    id         uuid not null,
    name       text not null,
    url        text not null,
    username   text not null,
    password   bytea not null,
    created_at timestamptz not null default now(),
    primary key (user_id, id)
);

-- `gone` are names of files that vanished all at once: a person says what that means. `next_sync` is null while off,
-- and `collects_since` is the last change here before it began to collect.
create table synced_calendars (
    user_id     uuid not null,
    id          uuid not null,
    account_id  uuid not null,
    url         text not null,
    name        text not null,
    color       text,
    writable    boolean not null,
    direction   text not null default 'off' check (direction in ('off', 'in', 'both')),
    collects    text not null default 'none' check (collects in ('none', 'new', 'all')),
    collects_since bigint not null default 0,
    token       text,
    generation  bigint not null default 0,
    gone        jsonb not null default '[]',
    failures    integer not null default 0,
    error       text,
    error_at    timestamptz,
    last_synced timestamptz,
    next_sync   timestamptz,
    primary key (user_id, id),
    unique (user_id, account_id, url),
    foreign key (user_id, account_id) references calendar_accounts on delete cascade
);
create unique index synced_calendars_collecting on synced_calendars (user_id) where collects <> 'none';
create index synced_calendars_due on synced_calendars (next_sync) where next_sync is not null;

-- A file there, as it was read or written last. It stays, without being `there`, when it is deleted: an undo brings it
-- back whole.
create table synced_items (
    user_id     uuid not null,
    calendar_id uuid not null,
    name        text not null,
    uid         text not null,
    etag        text,
    content     text,
    there       boolean not null,
    problem     text,
    refused     text,
    refused_at  timestamptz,
    primary key (user_id, calendar_id, name),
    foreign key (user_id, calendar_id) references synced_calendars on delete cascade
);

-- One instance in a file and the event here that stands for it. `version` is the event's when it was looked at last,
-- 0 for one that is gone; the bases are what both sides agreed on; `pending` is what is being written there.
create table synced_events (
    user_id     uuid not null,
    calendar_id uuid not null,
    name        text not null,
    instance    text not null,
    record_id   text not null,
    version     bigint not null default 0,
    remote      jsonb,
    base_local  jsonb,
    base_remote jsonb,
    pending     jsonb,
    goes_out    boolean not null default false,
    conflict_id uuid,
    conflict_at timestamptz,
    primary key (user_id, calendar_id, name, instance),
    foreign key (user_id, calendar_id, name) references synced_items on delete cascade
);
create unique index synced_events_record on synced_events (user_id, record_id);
create index synced_events_out on synced_events (user_id, calendar_id) where goes_out;
create unique index synced_events_conflicts on synced_events (user_id, conflict_id) where conflict_id is not null;

do $$
declare
    name text;
begin
    foreach name in array array['calendar_accounts', 'synced_calendars', 'synced_items', 'synced_events']
    loop
        execute format('alter table %I enable row level security', name);
        execute format('alter table %I force row level security', name);
        execute format(
            'create policy tenant on %I using (user_id = (select nullif(current_setting(''summit.user_id'', true), '''')::uuid))
             with check (user_id = (select nullif(current_setting(''summit.user_id'', true), '''')::uuid))', name);
    end loop;
end $$;

-- Which calendars are to be looked at: ids only.
create function synced_calendars_due(how_many integer) returns table (owner uuid, calendar uuid)
language sql stable security definer set search_path = summit, pg_temp as $$
    select c.user_id, c.id from synced_calendars c where c.next_sync <= now() order by c.next_sync limit how_many
$$;
create policy system_reads on synced_calendars for select to summit_system using (true);
grant select (user_id, id, next_sync) on synced_calendars to summit_system;
grant create on schema summit to summit_system;
alter function synced_calendars_due(integer) owner to summit_system;
revoke create on schema summit from summit_system;
revoke execute on function synced_calendars_due(integer) from public;
grant execute on function synced_calendars_due(integer) to summit_app;
