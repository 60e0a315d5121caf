-- Folders of code that coding agents may work on. They lie on the server's machine; only their names are kept here.
create table projects (
    user_id     uuid not null references users on delete cascade,
    id          uuid not null default gen_random_uuid(),
    name        text not null,
    root        text not null,
    description text not null default '',
    facts       jsonb,
    created_at  timestamptz not null default now(),
    scanned_at  timestamptz,
    primary key (user_id, id),
    constraint projects_name unique (user_id, name),
    constraint projects_root unique (user_id, root)
);

alter table projects enable row level security;
alter table projects force row level security;
create policy tenant on projects
    using (user_id = (select nullif(current_setting('summit.user_id', true), '')::uuid))
    with check (user_id = (select nullif(current_setting('summit.user_id', true), '')::uuid));
