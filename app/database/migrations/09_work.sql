-- Long work beside the conversation: runs and what they learned, projects, workflows, and mail.

-- One row a run; everything else of a run hangs on it.
create table runs (
    user_id          uuid not null references users on delete cascade,
    id               uuid not null,
    goal             text not null,
    thread_id        uuid,
    parent_id        uuid,
    planner          text not null check (planner in ('auto', 'react', 'plan_first')),
    status           text not null default 'queued' check (status in ('queued', 'running', 'waiting', 'done')),
    stop_reason      text check (stop_reason in (
        'goal_achieved', 'max_steps', 'timeout', 'budget_exceeded', 'loop_detected', 'no_state_change', 'no_progress',
        'kill_switch', 'unsafe_action_blocked', 'cancelled', 'needs_input', 'failed')),
    limits           jsonb not null,
    allowed          text[] not null default '{}',
    usage            jsonb not null default '{}',
    result           jsonb,
    lease_generation bigint not null default 0,
    event_seq        bigint not null default 0,
    cancel_requested boolean not null default false,
    created_at       timestamptz not null default now(),
    started_at       timestamptz,
    finished_at      timestamptz,
    project          jsonb, -- work of coding agents on a project: {project_id, agent, kind}
    -- What a child takes over: what the user said to its parent, as a goal that a model wrote is not the user's own words,
    -- and what has tainted the parent.
    given            jsonb,
    -- Until when it waits without a worker, because its agent has reached a usage limit: a restart changes nothing, and no
    -- time of the run is used.
    parked_until     timestamptz,
    primary key (user_id, id),
    check ((status = 'done') = (stop_reason is not null))
);
create index runs_latest on runs (user_id, created_at desc, id desc);
create index runs_open on runs (user_id, status) where status <> 'done';
create index runs_children on runs (user_id, parent_id) where parent_id is not null;
create index runs_parked on runs (parked_until) where parked_until is not null;

-- The trace: seq has no gap, because it is counted in the row of the run by the transaction that writes the event.
-- A step that is run again after a crash tells under the same key, and so tells once.
create table run_events (
    user_id uuid not null,
    run_id  uuid not null,
    seq     bigint not null,
    key     text not null,
    type    text not null,
    ts      timestamptz not null default clock_timestamp(),
    data    jsonb not null,
    primary key (user_id, run_id, seq),
    unique (user_id, run_id, key),
    foreign key (user_id, run_id) references runs on delete cascade
);

create table run_messages (
    user_id    uuid not null,
    run_id     uuid not null,
    seq        bigint generated always as identity,
    text       text not null,
    created_at timestamptz not null default now(),
    origin     uuid not null default gen_random_uuid(), -- words that are sent again say the same thing once
    primary key (user_id, run_id, seq),
    foreign key (user_id, run_id) references runs on delete cascade
);
create unique index run_messages_once on run_messages (user_id, run_id, origin);

create table approvals (
    user_id    uuid not null,
    id         uuid not null,
    run_id     uuid not null,
    kind       text not null check (kind in ('approval', 'question', 'unknown')),
    call       jsonb not null,
    reason     text not null,
    status     text not null default 'pending'
        check (status in ('pending', 'approved', 'edited', 'rejected', 'responded', 'expired', 'withdrawn')),
    answer     jsonb,
    created_at timestamptz not null default now(),
    expires_at timestamptz not null,
    decided_at timestamptz,
    primary key (user_id, id),
    foreign key (user_id, run_id) references runs on delete cascade
);
create index approvals_of_run on approvals (user_id, run_id, created_at);
create index approvals_expiring on approvals (expires_at) where status = 'pending';

-- What each call of a tool did: `started` without an end is a call whose outcome nobody knows after a crash.
create table tool_effects (
    user_id    uuid not null,
    call_id    uuid not null,
    run_id     uuid not null,
    tool       text not null,
    state      text not null check (state in ('started', 'done')),
    outcome    jsonb,
    started_at timestamptz not null default clock_timestamp(),
    ended_at   timestamptz,
    primary key (user_id, call_id),
    foreign key (user_id, run_id) references runs on delete cascade
);
create index tool_effects_of_run on tool_effects (user_id, run_id, started_at);

-- What an administrator allows a user's runs beyond their own records and their own folder.
create table run_grants (
    user_id    uuid not null references users on delete cascade,
    programs   text[] not null default '{}',
    roots      text[] not null default '{}',
    updated_at timestamptz not null default now(),
    primary key (user_id)
);

-- One row stops all runs: of its user, or, with only zeros, of the server. There is no such row in users.
create table kill_switches (
    user_id    uuid not null,
    engaged    boolean not null,
    reason     text not null default '',
    changed_at timestamptz not null default now(),
    primary key (user_id)
);

-- What runs learned, for those that come after: each with its run and how well that went. The same words learned again
-- are the same lesson. `taught` is what a goal is compared with, `is_foreign` that words which are not the user's are in it.
create table run_lessons (
    user_id    uuid not null references users on delete cascade,
    id         uuid not null,
    kind       text not null check (kind in ('experience', 'procedure', 'knowledge', 'user_info')),
    text       text not null,
    taught     text not null,
    run_id     uuid,
    score      real not null check (score between 0 and 1),
    is_foreign boolean not null,
    times      integer not null default 1,
    created_at timestamptz not null default now(),
    learned_at timestamptz not null default now(),
    edited_at  timestamptz,
    primary key (user_id, id)
);
create index run_lessons_latest on run_lessons (user_id, learned_at desc, id desc);

create table run_lesson_vectors (
    user_id   uuid not null,
    lesson    uuid not null,
    model     text not null,
    embedding halfvec not null,
    primary key (user_id, lesson, model),
    foreign key (user_id, lesson) references run_lessons on delete cascade
);

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

-- Workflows: what their users wrote, the runs of them, and what each step came to.
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

-- Mail accounts of users, their passwords sealed, and what is to be sent from them: nothing goes out without a yes.
create table mail_accounts (
    user_id    uuid not null references users on delete cascade,
    id         uuid not null,
    name       text not null,
    address    text not null,
    username   text not null,
    password   bytea not null,
    imap       jsonb,
    smtp       jsonb,
    created_at timestamptz not null default now(),
    primary key (user_id, id),
    unique (user_id, name)
);

-- `sending` is committed before the first byte leaves. Found again after a crash it becomes `unknown`: only its user can
-- find out, and nothing is sent a second time by itself. `decided_in` is the turn whose words decided it.
create table outgoing_mail (
    user_id    uuid not null references users on delete cascade,
    id         uuid not null,
    account_id uuid not null,
    account    text not null,
    sender     text not null,
    recipients text[] not null,
    subject    text not null,
    text       text not null,
    workflow   text not null,
    run_id     uuid not null,
    status     text not null default 'held'
        check (status in ('held', 'approved', 'sending', 'sent', 'failed', 'unknown', 'rejected')),
    message    text not null default '',
    generation bigint not null default 0,
    decided_in text,
    created_at timestamptz not null default now(),
    decided_at timestamptz,
    sent_at    timestamptz,
    primary key (user_id, id)
);
create index outgoing_mail_latest on outgoing_mail (user_id, created_at desc, id desc);
create index outgoing_mail_held on outgoing_mail (user_id) where status in ('held', 'failed', 'unknown');
create index outgoing_mail_open on outgoing_mail (created_at) where status in ('approved', 'sending');

do $$
declare
    name text;
begin
    foreach name in array array['runs', 'run_events', 'run_messages', 'approvals', 'tool_effects', 'run_grants',
                                'kill_switches', 'run_lessons', 'run_lesson_vectors', 'projects', 'workflows',
                                'workflow_runs', 'workflow_steps', 'mail_accounts', 'outgoing_mail']
    loop
        execute format('alter table %I enable row level security', name);
        execute format('alter table %I force row level security', name);
        execute format(
            'create policy tenant on %I using (user_id = (select nullif(current_setting(''summit.user_id'', true), '''')::uuid))
             with check (user_id = (select nullif(current_setting(''summit.user_id'', true), '''')::uuid))', name);
    end loop;
end $$;
create policy everybody on kill_switches for select using (user_id = '00000000-0000-0000-0000-000000000000');

-- The fencing check of what writes the run itself. The user's counter is locked first, as everywhere, then the row: with a
-- share lock two writers of one run would each wait for the other.
create function fence_run(owner uuid, run uuid, generation bigint) returns void language plpgsql as $$
begin
    perform 1 from counters c where c.user_id = owner for update;
    perform 1 from runs r
    where r.user_id = owner and r.id = run and r.status = 'running' and r.lease_generation = generation
    for update;
    if not found then
        raise exception 'the lease of run % (generation %) is gone', run, generation using errcode = 'SM001';
    end if;
end $$;

-- Adds events to a run's trace, each key once, and tells the user's stream of those that are new. The user's counter is
-- locked before the run's row, in the order in which the ledger does it. Returns how many were new.
create function tell_run(owner uuid, run uuid, keys text[], types text[], data jsonb[]) returns integer
language plpgsql as $$
declare
    told integer := 0;
    place bigint;
begin
    perform 1 from counters c where c.user_id = owner for update;
    for n in 1 .. coalesce(cardinality(keys), 0) loop
        continue when exists (select from run_events e where e.user_id = owner and e.run_id = run and e.key = keys[n]);
        update runs r set event_seq = r.event_seq + 1 where r.user_id = owner and r.id = run returning r.event_seq into place;
        insert into run_events (user_id, run_id, seq, key, type, data) values (owner, run, place, keys[n], types[n], data[n]);
        perform tell_events(owner, null, array[types[n]],
                            array[data[n] || jsonb_build_object('run_id', run, 'run_seq', place)]);
        told := told + 1;
    end loop;
    return told;
end $$;

-- A run that is claimed anew takes back what its last worker held for calls; one that waits or has ended holds nothing.
create function keep_run_hold() returns trigger language plpgsql as $$
declare
    pool credit_holds;
begin
    perform 1 from credit_accounts where user_id = new.user_id for update;
    if not found then
        return new;
    end if;
    perform return_calls(new.user_id, new.id);
    if new.status in ('waiting', 'done') then
        select * into pool from credit_holds where user_id = new.user_id and id = new.id;
        if pool.credits > 0 then
            perform move_credits(new.user_id, 'release', pool.credits, -pool.credits, 0, new.id, new.id, null, 0, 0, 0);
        end if;
        update credit_holds set credits = 0 where user_id = new.user_id and id = new.id;
    end if;
    if new.status = 'done' then
        delete from credit_holds where user_id = new.user_id and id = new.id;
    end if;
    return new;
end $$;
create trigger run_claimed before update of lease_generation on runs for each row
    when (new.lease_generation <> old.lease_generation) execute function keep_run_hold();
create trigger run_still before update of status on runs for each row
    when (new.status <> old.status and new.status in ('waiting', 'done')) execute function keep_run_hold();

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

-- Approvals that nobody decided in time. Ids alone, across tenants.
create function approvals_expired(how_many integer) returns table (owner uuid, approval uuid)
language sql stable security definer set search_path = summit, pg_temp as $$
    select a.user_id, a.id from approvals a where a.status = 'pending' and a.expires_at < now()
    order by a.expires_at limit how_many
$$;

-- Runs that wait for somebody while the switch of the server is engaged: these are ended. Ids alone, across tenants.
create function runs_stopped(how_many integer) returns table (owner uuid, run uuid)
language sql stable security definer set search_path = summit, pg_temp as $$
    select r.user_id, r.id from runs r
    where r.status = 'waiting'
      and exists (select 1 from kill_switches k
                  where k.user_id = '00000000-0000-0000-0000-000000000000' and k.engaged)
    order by r.user_id, r.id limit how_many
$$;

-- Runs whose agent's usage limit has ended: ids alone, across tenants.
create function runs_parked_enough(how_many integer) returns table (owner uuid, run uuid)
language sql stable security definer set search_path = summit, pg_temp as $$
    select r.user_id, r.id from runs r
    where r.status = 'waiting' and r.parked_until <= now()
    order by r.parked_until limit how_many
$$;

-- Open runs without a job: a worker that had lost its run to another one ended that one's job. Ids alone, across tenants.
create function runs_without_job(how_many integer) returns table (owner uuid, run uuid)
language sql stable security definer set search_path = summit, pg_temp as $$
    select r.user_id, r.id from runs r
    where r.status in ('queued', 'running')
      and not exists (select from procrastinate_jobs j where j.lock = 'run:' || r.id and j.status in ('todo', 'doing'))
    order by r.user_id, r.id limit how_many
$$;

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

-- What has its yes and no job: a worker that had lost it ended the job of another. Ids alone, across tenants.
create function outgoing_mail_without_job(how_many integer) returns table (owner uuid, mail uuid)
language sql stable security definer set search_path = summit, pg_temp as $$
    select m.user_id, m.id from outgoing_mail m
    where m.status in ('approved', 'sending')
      and not exists (select from procrastinate_jobs j where j.lock = 'mail:' || m.id and j.status in ('todo', 'doing'))
    order by m.created_at limit how_many
$$;

create policy system_reads on approvals for select to summit_system using (true);
create policy system_reads on runs for select to summit_system using (true);
create policy system_reads on workflows for select to summit_system using (true);
create policy system_reads on workflow_runs for select to summit_system using (true);
create policy system_reads on outgoing_mail for select to summit_system using (true);
grant select (user_id, id, status, expires_at) on approvals to summit_system;
grant select (user_id, id, status, parked_until) on runs to summit_system;
grant select (user_id, engaged) on kill_switches to summit_system;
grant select (user_id, slug, next_at) on workflows to summit_system;
grant select (user_id, id, status, created_at) on workflow_runs to summit_system;
grant select (user_id, id, status, created_at) on outgoing_mail to summit_system;
grant select (lock, status) on procrastinate_jobs to summit_system;
grant create on schema summit to summit_system;
alter function approvals_expired(integer) owner to summit_system;
alter function runs_stopped(integer) owner to summit_system;
alter function runs_parked_enough(integer) owner to summit_system;
alter function runs_without_job(integer) owner to summit_system;
alter function workflows_due(integer) owner to summit_system;
alter function workflow_runs_without_job(integer) owner to summit_system;
alter function outgoing_mail_without_job(integer) owner to summit_system;
revoke create on schema summit from summit_system;
revoke execute on function approvals_expired(integer), runs_stopped(integer), runs_parked_enough(integer),
    runs_without_job(integer), workflows_due(integer), workflow_runs_without_job(integer),
    outgoing_mail_without_job(integer) from public;
grant execute on function approvals_expired(integer), runs_stopped(integer), runs_parked_enough(integer),
    runs_without_job(integer), workflows_due(integer), workflow_runs_without_job(integer),
    outgoing_mail_without_job(integer) to summit_app;
