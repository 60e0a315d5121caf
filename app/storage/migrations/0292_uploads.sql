-- Recordings that are still coming in: each is a memo in state receiving, and here what the end of it needs.
create table uploads (
    user_id    uuid not null,
    memo_id    uuid not null,
    form       text not null check (form in ('file', 'pcm16')),
    received   bigint not null default 0,
    act        boolean not null,
    closed     boolean not null default false,
    wanted     jsonb not null,
    updated_at timestamptz not null default now(),
    primary key (user_id, memo_id),
    foreign key (user_id, memo_id) references memos on delete cascade
);
create index uploads_idle on uploads (updated_at);

alter table uploads enable row level security;
alter table uploads force row level security;
create policy tenant on uploads using (user_id = (select nullif(current_setting('summit.user_id', true), '')::uuid))
    with check (user_id = (select nullif(current_setting('summit.user_id', true), '')::uuid));
create policy system_reads on uploads for select to summit_system using (true);

-- Ids only: those that nothing came for in so many seconds.
create function idle_uploads(seconds double precision, how_many integer) returns table (owner uuid, memo uuid)
language sql stable security definer set search_path = summit, pg_temp as $$
    select u.user_id, u.memo_id from uploads u where u.updated_at < now() - make_interval(secs => seconds)
    order by u.updated_at limit how_many
$$;
grant create, usage on schema summit to summit_system;
grant select (user_id, memo_id, updated_at) on uploads to summit_system;
alter function idle_uploads(double precision, integer) owner to summit_system;
revoke create on schema summit from summit_system;
revoke execute on function idle_uploads(double precision, integer) from public;
grant execute on function idle_uploads(double precision, integer) to summit_app;
