-- When events take place, own and imported ones alike, as ranges of time: written with the events that they come from.
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

do $$
declare
    name text;
begin
    foreach name in array array['occurrences', 'occurrence_windows']
    loop
        execute format('alter table %I enable row level security', name);
        execute format('alter table %I force row level security', name);
        execute format(
            'create policy tenant on %I using (user_id = (select nullif(current_setting(''summit.user_id'', true), '''')::uuid))
             with check (user_id = (select nullif(current_setting(''summit.user_id'', true), '''')::uuid))', name);
    end loop;
end $$;

-- The occurrences that overlap [since, until): one search of the index for each reach.
create function occurrences_between(owner uuid, since timestamptz, until timestamptz) returns setof occurrences
language sql stable as $$
    select o.* from occurrences o
    where o.user_id = owner and o.reach = 0 and o.starts_at < until
      and o.starts_at > since - interval '24 hours' and o.ends_at > since
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
create index occurrence_windows_due on occurrence_windows (until);
create policy system_reads on occurrence_windows for select to summit_system using (true);
grant create on schema summit to summit_system;
grant select on occurrence_windows to summit_system;
alter function windows_ending(timestamptz, integer) owner to summit_system;
revoke create on schema summit from summit_system;
revoke execute on function windows_ending(timestamptz, integer) from public;
grant execute on function windows_ending(timestamptz, integer) to summit_app;

-- What else a change of an event ran into, and where there is room.
alter table changes add column alternatives jsonb not null default '[]';
-- The series of a user, which are looked through where the table does not reach.
create index store_series on store (user_id, prefix) where value->>'recurrence' is not null;
