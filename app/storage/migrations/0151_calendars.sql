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
alter table calendars enable row level security;
alter table calendars force row level security;
create policy tenant on calendars
    using (user_id = (select nullif(current_setting('summit.user_id', true), '')::uuid))
    with check (user_id = (select nullif(current_setting('summit.user_id', true), '')::uuid));
create policy system_reads on calendars for select to summit_system using (true);

-- Which calendars are to be read again: ids only.
create function calendars_due(how_many integer) returns table (owner uuid, calendar uuid)
language sql stable security definer set search_path = summit, pg_temp as $$
    select c.user_id, c.id from calendars c where c.next_refresh <= now() order by c.next_refresh limit how_many
$$;
grant create on schema summit to summit_system;
grant select (user_id, id, next_refresh) on calendars to summit_system;
alter function calendars_due(integer) owner to summit_system;
revoke create on schema summit from summit_system;
revoke execute on function calendars_due(integer) from public;
grant execute on function calendars_due(integer) to summit_app;
