-- The private address at which a user's calendar can be subscribed to; only its token's digest is kept.
create table calendar_feeds (
    user_id    uuid primary key references users on delete cascade,
    digest     bytea not null unique,
    todos      text not null check (todos in ('task', 'event', 'none')),
    created_at timestamptz not null default now()
);
alter table calendar_feeds enable row level security;
alter table calendar_feeds force row level security;
create policy tenant on calendar_feeds
    using (user_id = (select nullif(current_setting('summit.user_id', true), '')::uuid))
    with check (user_id = (select nullif(current_setting('summit.user_id', true), '')::uuid));
create policy system_reads on calendar_feeds for select to summit_system using (true);
create policy system_reads on counters for select to summit_system using (true);

-- Whose feed a token opens, and where that user's changes stand: all that an unchanged feed needs to know.
create function find_feed(wanted bytea) returns table (user_id uuid, digest bytea, todos text, cursor bigint, timezone text)
language sql stable security definer set search_path = summit, pg_temp as $$
    select f.user_id, f.digest, f.todos, c.change_cursor, u.settings->>'timezone'
    from calendar_feeds f join counters c on c.user_id = f.user_id join users u on u.user_id = f.user_id
    where f.digest = wanted
$$;
grant create on schema summit to summit_system;
grant select on calendar_feeds to summit_system;
grant select (user_id, change_cursor) on counters to summit_system;
alter function find_feed(bytea) owner to summit_system;
revoke create on schema summit from summit_system;
revoke execute on function find_feed(bytea) from public;
grant execute on function find_feed(bytea) to summit_app;
