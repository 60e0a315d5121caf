-- Sessions of the page: each belongs to a key, has no more rights than it, and ends with it.
create table sessions (
    user_id    uuid not null,
    id         uuid not null default gen_random_uuid(),
    key_id     uuid not null,
    digest     bytea not null unique,
    created_at timestamptz not null default now(),
    expires_at timestamptz not null,
    primary key (user_id, id),
    foreign key (user_id, key_id) references api_keys on delete cascade
);

alter table sessions enable row level security;
alter table sessions force row level security;
create policy tenant on sessions
    using (user_id = (select nullif(current_setting('summit.user_id', true), '')::uuid))
    with check (user_id = (select nullif(current_setting('summit.user_id', true), '')::uuid));
create policy system_reads on sessions for select to summit_system using (true);

-- The key behind a session that has not ended: it is looked up before anybody knows whose it is.
create function find_session(wanted bytea)
returns table (user_id uuid, id uuid, name text, hint text, scopes text[], created_at timestamptz, expires_at timestamptz)
language sql stable security definer set search_path = summit, pg_temp as $$
    select k.user_id, k.id, k.name, k.hint, k.scopes, k.created_at, least(s.expires_at, k.expires_at)
    from sessions s join api_keys k on k.user_id = s.user_id and k.id = s.key_id
    where s.digest = wanted and s.expires_at > now()
$$;
grant create on schema summit to summit_system;
grant select on sessions to summit_system;
alter function find_session(bytea) owner to summit_system;
revoke create on schema summit from summit_system;
revoke execute on function find_session(bytea) from public;
grant execute on function find_session(bytea) to summit_app;
