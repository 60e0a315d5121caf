-- The tenants, their keys and sessions, and the counters that order what each of them does.
-- Every key begins with the user, so that the data can be sharded by it later.

create table users (
    user_id    uuid primary key,
    name       text not null,
    settings   jsonb not null default '{}',
    created_at timestamptz not null default now()
);

create table api_keys (
    user_id    uuid not null references users on delete cascade,
    id         uuid not null,
    name       text not null,
    digest     bytea not null unique,
    hint       text not null,
    scopes     text[] not null,
    created_at timestamptz not null default now(),
    expires_at timestamptz,
    primary key (user_id, id)
);

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

-- One row a user: taking a number from it is also the user's write lock.
create table counters (
    user_id       uuid primary key references users on delete cascade,
    change_cursor bigint not null default 0,
    event_seq     bigint not null default 0,
    store_stamp   bigint not null default 0,
    store_gone    bigint not null default 0,
    -- What has still to happen to the user's files after their rows were taken in or erased, committed with these rows:
    -- whoever comes next does it, if the server that began is gone.
    files_due     jsonb
);
create index counters_files_due on counters (user_id) where files_due is not null;

-- A row is reserved by `owner` before the request is done; `status` and `body` stay null until it is. The administrator is
-- no tenant and sends POSTs, too: they are remembered under the user with only zeros, who has no row in users.
create table replays (
    user_id    uuid not null,
    key        text not null,
    body_hash  bytea not null,
    owner      uuid not null,
    status     integer,
    body       jsonb,
    created_at timestamptz not null default now(),
    primary key (user_id, key)
);

-- Row-level security on every table of ours: a query that forgets its filter still sees one tenant, or nobody.
do $$
declare
    name text;
begin
    foreach name in array array['users', 'api_keys', 'sessions', 'counters', 'replays']
    loop
        execute format('alter table %I enable row level security', name);
        execute format('alter table %I force row level security', name);
        execute format(
            'create policy tenant on %I using (user_id = (select nullif(current_setting(''summit.user_id'', true), '''')::uuid))
             with check (user_id = (select nullif(current_setting(''summit.user_id'', true), '''')::uuid))', name);
    end loop;
end $$;

-- Names the tenant for the rest of the transaction.
create function act_as(owner uuid) returns void language plpgsql as $$
begin
    perform set_config('summit.user_id', owner::text, true);
end $$;

-- The few reads that must see across tenants. They return ids and no content, and run as summit_system, which owns these
-- functions and nothing else; it may look, never write.
create function find_key(wanted bytea)
returns table (user_id uuid, id uuid, name text, hint text, scopes text[], created_at timestamptz, expires_at timestamptz)
language sql stable security definer set search_path = summit, pg_temp as $$
    select k.user_id, k.id, k.name, k.hint, k.scopes, k.created_at, k.expires_at from api_keys k where k.digest = wanted
$$;

create function any_key() returns boolean
language sql stable security definer set search_path = summit, pg_temp as $$
    select exists (select 1 from api_keys)
$$;

create function all_users() returns table (user_id uuid, name text, settings jsonb, created_at timestamptz)
language sql stable security definer set search_path = summit, pg_temp as $$
    select u.user_id, u.name, u.settings, u.created_at from users u order by u.created_at, u.user_id
$$;

-- The key behind a session that has not ended: it is looked up before anybody knows whose it is.
create function find_session(wanted bytea)
returns table (user_id uuid, id uuid, name text, hint text, scopes text[], created_at timestamptz, expires_at timestamptz)
language sql stable security definer set search_path = summit, pg_temp as $$
    select k.user_id, k.id, k.name, k.hint, k.scopes, k.created_at, least(s.expires_at, k.expires_at)
    from sessions s join api_keys k on k.user_id = s.user_id and k.id = s.key_id
    where s.digest = wanted and s.expires_at > now()
$$;

create function owing_files(how_many integer) returns setof uuid
language sql stable security definer set search_path = summit, pg_temp as $$
    select c.user_id from counters c where c.files_due is not null and c.files_due ->> 'kind' <> 'imported' limit how_many
$$;

grant usage on schema summit to summit_system;
create policy system_reads on users for select to summit_system using (true);
create policy system_reads on api_keys for select to summit_system using (true);
create policy system_reads on sessions for select to summit_system using (true);
create policy system_reads on counters for select to summit_system using (true);
grant select on api_keys, users, sessions to summit_system;
grant select (user_id, files_due) on counters to summit_system;
grant create on schema summit to summit_system;
alter function find_key(bytea) owner to summit_system;
alter function any_key() owner to summit_system;
alter function all_users() owner to summit_system;
alter function find_session(bytea) owner to summit_system;
alter function owing_files(integer) owner to summit_system;
revoke create on schema summit from summit_system;
revoke execute on function find_key(bytea), any_key(), all_users(), find_session(bytea),
    owing_files(integer) from public;
grant execute on function find_key(bytea), any_key(), all_users(), find_session(bytea),
    owing_files(integer) to summit_app;
