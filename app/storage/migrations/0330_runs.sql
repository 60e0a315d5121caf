-- Runs: long work beside the conversation. One row a run; everything else of a run hangs on it.

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
    primary key (user_id, id),
    check ((status = 'done') = (stop_reason is not null))
);
create index runs_latest on runs (user_id, created_at desc, id desc);
create index runs_open on runs (user_id, status) where status <> 'done';

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
    primary key (user_id, run_id, seq),
    foreign key (user_id, run_id) references runs on delete cascade
);

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

do $$
declare
    name text;
begin
    foreach name in array array['runs', 'run_events', 'run_messages', 'approvals', 'tool_effects', 'run_grants',
                                'kill_switches']
    loop
        execute format('alter table %I enable row level security', name);
        execute format('alter table %I force row level security', name);
        execute format(
            'create policy tenant on %I using (user_id = (select nullif(current_setting(''summit.user_id'', true), '''')::uuid))
             with check (user_id = (select nullif(current_setting(''summit.user_id'', true), '''')::uuid))', name);
    end loop;
end $$;
create policy everybody on kill_switches for select using (user_id = '00000000-0000-0000-0000-000000000000');

-- A run claims its work as a turn does: whatever it writes, to the ledger and to checkpoints too, fails once another
-- worker has taken it over.
create or replace function check_fence(owner uuid, turn uuid, generation bigint) returns void language plpgsql as $$
begin
    perform 1 from turns t
    where t.user_id = owner and t.id = turn and t.state = 'running' and t.lease_generation = generation
    for share;
    if found then
        return;
    end if;
    perform 1 from runs r
    where r.user_id = owner and r.id = turn and r.status = 'running' and r.lease_generation = generation
    for share;
    if not found then
        raise exception 'the lease of turn % (generation %) is gone', turn, generation using errcode = 'SM001';
    end if;
end $$;

-- The same for what writes the run itself. The user's counter is locked first, as everywhere, then the row: with a
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

-- Approvals that nobody decided in time. Ids alone, across tenants.
create function approvals_expired(how_many integer) returns table (owner uuid, approval uuid)
language sql stable security definer set search_path = summit, pg_temp as $$
    select a.user_id, a.id from approvals a where a.status = 'pending' and a.expires_at < now()
    order by a.expires_at limit how_many
$$;
grant select (user_id, id, status, expires_at) on approvals to summit_system;
create policy system_reads on approvals for select to summit_system using (true);
grant create on schema summit to summit_system;
alter function approvals_expired(integer) owner to summit_system;
revoke create on schema summit from summit_system;
revoke execute on function approvals_expired(integer) from public;
grant execute on function approvals_expired(integer) to summit_app;
