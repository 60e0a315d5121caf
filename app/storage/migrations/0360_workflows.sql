-- Workflows: what their users wrote, the runs of them, and what each step came to.

-- A message in words that may not be its user's own: what it asks for waits for a yes.
alter table turns add column borrowed boolean not null default false;

alter table notifications drop constraint notifications_kind_check;
alter table notifications add constraint notifications_kind_check
    check (kind in ('reminder', 'briefing', 'question', 'workflow'));

create table workflows (
    user_id    uuid not null references users on delete cascade,
    slug       text not null,
    definition jsonb not null,
    next_at    timestamptz,
    created_at timestamptz not null default now(),
    updated_at timestamptz not null default now(),
    primary key (user_id, slug)
);
create index workflows_due on workflows (next_at) where next_at is not null;

-- A run keeps the definition that it began with.
create table workflow_runs (
    user_id          uuid not null references users on delete cascade,
    id               uuid not null,
    slug             text not null,
    definition       jsonb not null,
    inputs           jsonb not null default '{}',
    origin           text not null check (origin in ('request', 'words', 'memo', 'schedule')),
    status           text not null default 'queued' check (status in ('queued', 'running', 'done', 'failed', 'cancelled')),
    message          text not null default '',
    lease_generation bigint not null default 0,
    cancel_requested boolean not null default false,
    created_at       timestamptz not null default now(),
    started_at       timestamptz,
    finished_at      timestamptz,
    primary key (user_id, id)
);
create index workflow_runs_latest on workflow_runs (user_id, slug, created_at desc, id desc);
create index workflow_runs_open on workflow_runs (created_at) where status in ('queued', 'running');

create table workflow_steps (
    user_id     uuid not null,
    run_id      uuid not null,
    place       integer not null,
    step        text not null,
    attempt     integer not null default 1,
    state       text not null default 'running' check (state in ('running', 'done', 'failed')),
    output      text not null default '',
    details     jsonb not null default '{}',
    started_at  timestamptz not null default clock_timestamp(),
    finished_at timestamptz,
    primary key (user_id, run_id, place),
    foreign key (user_id, run_id) references workflow_runs on delete cascade
);

do $$
declare
    name text;
begin
    foreach name in array array['workflows', 'workflow_runs', 'workflow_steps']
    loop
        execute format('alter table %I enable row level security', name);
        execute format('alter table %I force row level security', name);
        execute format(
            'create policy tenant on %I using (user_id = (select nullif(current_setting(''summit.user_id'', true), '''')::uuid))
             with check (user_id = (select nullif(current_setting(''summit.user_id'', true), '''')::uuid))', name);
    end loop;
end $$;

-- A memo that has its words starts what waits for such memos, in the transaction that gives it them, once. What comes
-- out of an archive is put there whole, and starts nothing.
create function memo_starts_workflows() returns trigger language plpgsql set search_path = summit, pg_temp as $$
begin
    insert into workflow_runs (user_id, id, slug, definition, inputs, origin)
    select new.user_id, md5(format('%s %s %s', new.user_id, w.slug, new.id))::uuid, w.slug, w.definition,
           jsonb_build_object('memo_id', new.id, 'memo_title', new.title, 'memo_text', new.transcript), 'memo'
    from workflows w
    where w.user_id = new.user_id and w.definition #>> '{trigger,kind}' = 'memo'
      and (jsonb_array_length(coalesce(w.definition #> '{trigger,words}', '[]')) = 0
           or exists (select from jsonb_array_elements_text(w.definition #> '{trigger,words}') said
                      where position(lower(said) in lower(new.transcript)) > 0))
    on conflict do nothing;
    return null;
end $$;
create trigger memo_starts_workflows after update of state, transcript on memos for each row
    when (new.state in ('transcribed', 'indexed', 'acted') and coalesce(new.transcript, '') <> ''
          and not (old.state in ('transcribed', 'indexed', 'acted') and coalesce(old.transcript, '') <> ''))
    execute function memo_starts_workflows();

-- Workflows whose time has come. Names and moments of all tenants, no content.
create function workflows_due(how_many integer) returns table (owner uuid, workflow text, at timestamptz)
language sql stable security definer set search_path = summit, pg_temp as $$
    select w.user_id, w.slug, w.next_at from workflows w where w.next_at <= now() order by w.next_at limit how_many
$$;
-- Runs that are not over and have no job: a memo started them, or a worker that had lost the run ended the job of another.
create function workflow_runs_without_job(how_many integer) returns table (owner uuid, run uuid)
language sql stable security definer set search_path = summit, pg_temp as $$
    select r.user_id, r.id from workflow_runs r
    where r.status in ('queued', 'running')
      and not exists (select from procrastinate_jobs j where j.lock = 'workflow:' || r.id and j.status in ('todo', 'doing'))
    order by r.created_at limit how_many
$$;
grant select (user_id, slug, next_at) on workflows to summit_system;
grant select (user_id, id, status, created_at) on workflow_runs to summit_system;
grant select (lock, status) on procrastinate_jobs to summit_system;
create policy system_reads on workflows for select to summit_system using (true);
create policy system_reads on workflow_runs for select to summit_system using (true);
grant create on schema summit to summit_system;
alter function workflows_due(integer) owner to summit_system;
alter function workflow_runs_without_job(integer) owner to summit_system;
revoke create on schema summit from summit_system;
revoke execute on function workflows_due(integer) from public;
revoke execute on function workflow_runs_without_job(integer) from public;
grant execute on function workflows_due(integer) to summit_app;
grant execute on function workflow_runs_without_job(integer) to summit_app;
