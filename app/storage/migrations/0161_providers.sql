-- Where language models are, and which one is used for what. Rows of the user with only zeros are everybody's: the
-- administrator writes them, all read them. There is no such row in users, hence no foreign key.
create table providers (
    user_id      uuid not null,
    slug         text not null,
    name         text,
    base_url     text,
    kind         text check (kind in ('direct', 'gateway')),
    capabilities text[],
    api_key      bytea,
    hint         text not null default '',
    updated_at   timestamptz not null default now(),
    primary key (user_id, slug)
);

create table active_models (
    user_id    uuid not null,
    capability text not null check (capability in ('chat', 'embeddings', 'transcription')),
    tier       text not null check (tier in ('fast', 'reason')),
    provider   text not null,
    model      text not null,
    updated_at timestamptz not null default now(),
    primary key (user_id, capability, tier)
);

do $$
declare
    name text;
begin
    foreach name in array array['providers', 'active_models']
    loop
        execute format('alter table %I enable row level security', name);
        execute format('alter table %I force row level security', name);
        execute format(
            'create policy tenant on %I using (user_id = (select nullif(current_setting(''summit.user_id'', true), '''')::uuid))
             with check (user_id = (select nullif(current_setting(''summit.user_id'', true), '''')::uuid))', name);
        execute format(
            'create policy everybody on %I for select using (user_id = ''00000000-0000-0000-0000-000000000000'')', name);
    end loop;
end $$;
