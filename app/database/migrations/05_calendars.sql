-- When things take place: occurrences, the feed of a user's calendar, and calendars of elsewhere.

-- Own and imported events alike, as ranges of time: written with the events that they come from.
-- `source` is 'own' or the id of an imported calendar; `item` is the event's id there.
create table occurrences (
    user_id   uuid not null references users on delete cascade,
    source    text not null,
    item      text not null,
    title     text not null,
    during    tstzrange not null check (not isempty(during) and not lower_inf(during) and not upper_inf(during)),
    whole_day boolean not null default false,
    busy      boolean not null default true,
    series    boolean not null default false,
    starts_at timestamptz not null generated always as (lower(during)) stored,
    ends_at   timestamptz not null generated always as (upper(during)) stored,
    -- How far before a moment an occurrence that covers it may begin: a day, a month, or any time.
    reach     smallint not null generated always as (
        case when upper(during) - lower(during) <= interval '24 hours' then 0
             when upper(during) - lower(during) <= interval '768 hours' then 1 else 2 end) stored,
    primary key (user_id, source, item, starts_at)
);
-- Range operators are not leakproof: under row-level security no index on `during` would be used, and one that were
-- would not begin with the user. Comparisons of instants are, and by reach each search has two ends.
create index occurrences_when on occurrences (user_id, reach, starts_at);

-- For which time the series of a user's own events are in the table.
create table occurrence_windows (
    user_id uuid primary key references users on delete cascade,
    since   timestamptz not null,
    until   timestamptz not null check (until > since)
);
create index occurrence_windows_due on occurrence_windows (until);

-- The private address at which a user's calendar can be subscribed to; only its token's digest is kept.
create table calendar_feeds (
    user_id    uuid primary key references users on delete cascade,
    digest     bytea not null unique,
    todos      text not null check (todos in ('task', 'event', 'none')),
    created_at timestamptz not null default now()
);

-- Calendars of elsewhere: files that were imported and addresses that are subscribed to. What keeps the user busy in
-- them stands in `occurrences`, with the calendar's id as source; `content` is what it was read from, compressed.
create table calendars (
    user_id         uuid not null references users on delete cascade,
    id              uuid not null,
    name            text not null,
    named           boolean not null,
    url             text,
    content         bytea,
    digest          bytea,
    etag            text,
    last_modified   text,
    refresh_seconds bigint,
    read_until      timestamptz,
    events          integer not null default 0,
    occurrences     integer not null default 0,
    warnings        jsonb not null default '[]',
    failures        integer not null default 0,
    error           text,
    error_at        timestamptz,
    created_at      timestamptz not null default now(),
    last_refreshed  timestamptz,
    next_refresh    timestamptz not null,
    primary key (user_id, id)
);
create unique index calendars_url on calendars (user_id, url) where url is not null;
create index calendars_due on calendars (next_refresh);

-- Calendars of elsewhere that are kept in step in both directions. An account is how to get there, its password sealed;
-- with Google the sealed password is a refresh token.
create table calendar_accounts (
    user_id    uuid not null references users on delete cascade,
    id         uuid not null,
    name       text not null,
    url        text not null,
    username   text not null,
    password   bytea not null,
    created_at timestamptz not null default now(),
    provider   text not null default 'caldav' check (provider in ('caldav', 'google')),
    primary key (user_id, id)
);

-- `gone` are names of files that vanished all at once: a person says what that means. `next_sync` is null while off,
-- and `collects_since` is the last change here before it began to collect.
-- What a CalDAV server calls a calendar may hold events and tasks: it is a calendar and a list of tasks here, and one of
-- each collects what began here.
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
    holds       text not null default 'events' check (holds in ('events', 'tasks')),
    primary key (user_id, id),
    unique (user_id, account_id, url, holds),
    foreign key (user_id, account_id) references calendar_accounts on delete cascade
);
create unique index synced_calendars_collecting on synced_calendars (user_id, holds) where collects <> 'none';
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
    foreign key (user_id, calendar_id, name) references synced_items
        on delete cascade on update cascade -- a server may give a file another name than the one it was written under
);
create unique index synced_events_record on synced_events (user_id, record_id);
create index synced_events_out on synced_events (user_id, calendar_id) where goes_out;
create unique index synced_events_conflicts on synced_events (user_id, conflict_id) where conflict_id is not null;

do $$
declare
    name text;
begin
    foreach name in array array['occurrences', 'occurrence_windows', 'calendar_feeds', 'calendars',
                                'calendar_accounts', 'synced_calendars', 'synced_items', 'synced_events']
    loop
        execute format('alter table %I enable row level security', name);
        execute format('alter table %I force row level security', name);
        execute format(
            'create policy tenant on %I using (user_id = (select nullif(current_setting(''summit.user_id'', true), '''')::uuid))
             with check (user_id = (select nullif(current_setting(''summit.user_id'', true), '''')::uuid))', name);
    end loop;
end $$;

-- The occurrences that overlap [since, until): one search of the index for each reach.
-- What ends when it starts is a point in time: the range [a, a]. One at the very beginning of a stretch lies within it.
create function occurrences_between(owner uuid, since timestamptz, until timestamptz) returns setof occurrences
language sql stable as $$
    select o.* from occurrences o
    where o.user_id = owner and o.reach = 0 and o.starts_at < until
      and o.starts_at > since - interval '24 hours' and (o.ends_at > since or o.starts_at = since)
    union all
    select o.* from occurrences o
    where o.user_id = owner and o.reach = 1 and o.starts_at < until
      and o.starts_at > since - interval '768 hours' and o.ends_at > since
    union all
    select o.* from occurrences o
    where o.user_id = owner and o.reach = 2 and o.starts_at < until and o.ends_at > since
$$;

-- Whose windows end before a moment: ids across tenants, and nothing else.
create function windows_ending(before timestamptz, how_many integer) returns table (owner uuid)
language sql stable security definer set search_path = summit, pg_temp as $$
    select w.user_id from occurrence_windows w where w.until < before order by w.until limit how_many
$$;

-- Whose feed a token opens, and where that user's changes stand: all that an unchanged feed needs to know.
create function find_feed(wanted bytea) returns table (user_id uuid, digest bytea, todos text, cursor bigint, timezone text)
language sql stable security definer set search_path = summit, pg_temp as $$
    select f.user_id, f.digest, f.todos, c.change_cursor, u.settings->>'timezone'
    from calendar_feeds f join counters c on c.user_id = f.user_id join users u on u.user_id = f.user_id
    where f.digest = wanted
$$;

-- Which calendars are to be read again: ids only.
create function calendars_due(how_many integer) returns table (owner uuid, calendar uuid)
language sql stable security definer set search_path = summit, pg_temp as $$
    select c.user_id, c.id from calendars c where c.next_refresh <= now() order by c.next_refresh limit how_many
$$;

-- Which calendars are to be looked at: ids only.
create function synced_calendars_due(how_many integer) returns table (owner uuid, calendar uuid)
language sql stable security definer set search_path = summit, pg_temp as $$
    select c.user_id, c.id from synced_calendars c where c.next_sync <= now() order by c.next_sync limit how_many
$$;

create policy system_reads on occurrence_windows for select to summit_system using (true);
create policy system_reads on calendar_feeds for select to summit_system using (true);
create policy system_reads on calendars for select to summit_system using (true);
create policy system_reads on synced_calendars for select to summit_system using (true);
grant select on occurrence_windows, calendar_feeds to summit_system;
grant select (user_id, change_cursor) on counters to summit_system;
grant select (user_id, id, next_refresh) on calendars to summit_system;
grant select (user_id, id, next_sync) on synced_calendars to summit_system;
grant create on schema summit to summit_system;
alter function windows_ending(timestamptz, integer) owner to summit_system;
alter function find_feed(bytea) owner to summit_system;
alter function calendars_due(integer) owner to summit_system;
alter function synced_calendars_due(integer) owner to summit_system;
revoke create on schema summit from summit_system;
revoke execute on function windows_ending(timestamptz, integer), find_feed(bytea), calendars_due(integer),
    synced_calendars_due(integer) from public;
grant execute on function windows_ending(timestamptz, integer), find_feed(bytea), calendars_due(integer),
    synced_calendars_due(integer) to summit_app;
