-- Conversations: threads, the inbox of turns, messages, the stream of events, and LangGraph's checkpoints.

create table threads (
    user_id       uuid not null references users on delete cascade,
    id            uuid not null,
    title         text not null default '',
    summary       text not null default '',
    status        text not null default 'active' check (status in ('active', 'completed', 'archived')),
    is_main       boolean not null default false,
    message_count bigint not null default 0,
    next_seq      bigint not null default 1,
    created_at    timestamptz not null default now(),
    updated_at    timestamptz not null default now(),
    metadata      jsonb not null default '{}', -- what a client of LangGraph's API says of it
    primary key (user_id, id)
);
create index threads_latest on threads (user_id, updated_at desc, id);

create table turns (
    user_id          uuid not null,
    id               uuid not null,
    thread_id        uuid not null,
    seq              bigint not null,
    idempotency_key  text,
    body_hash        bytea not null,
    text             text,
    memo_id          uuid,
    unsure           boolean not null default false,
    captured_at      timestamptz not null,
    timezone         text not null,
    state            text not null check (state in ('queued', 'running', 'done', 'failed', 'cancelled', 'waiting')),
    lease_until      timestamptz,
    lease_generation bigint not null default 0,
    attempt          integer not null default 0,
    cancel_requested boolean not null default false,
    result           jsonb,
    canned_reply     text,
    usage            jsonb not null default '{}',
    created_at       timestamptz not null default now(),
    finished_at      timestamptz,
    -- A yes or no that came by a door: which turn's question it answers, whatever was said in the thread meanwhile.
    answers          uuid,
    -- What it was read as, where its sender saw that and changed it: proposals that are not read from its words again.
    reading          jsonb,
    -- Whether the reply is also wanted aloud.
    speak            boolean not null default false,
    -- In words that may not be its user's own: what it asks for waits for a yes.
    borrowed         boolean not null default false,
    -- What a client of LangGraph's API says of a run for itself: its metadata and config, how it names the message, and
    -- the turn that the run goes on from where that is not the last one.
    client           jsonb,
    -- Which question it is the answer to, where its sender named one: it answers no other.
    question         uuid,
    primary key (user_id, id),
    foreign key (user_id, thread_id) references threads (user_id, id) on delete cascade
);
create unique index turns_key on turns (user_id, idempotency_key) where idempotency_key is not null;
create unique index turns_order on turns (user_id, thread_id, seq);
-- One writer per thread, whatever the servers believe.
create unique index turns_one_writer on turns (user_id, thread_id) where state = 'running';
create index turns_open on turns (user_id, thread_id, seq) where state in ('queued', 'running');
create index turns_waiting on turns (user_id, thread_id) where state = 'waiting';
create index turns_of_memo on turns (user_id, memo_id) where memo_id is not null;
create index turns_answering on turns (user_id, answers) where answers is not null;
create index turns_due on turns (lease_until) where state in ('queued', 'running');

create table messages (
    user_id     uuid not null,
    thread_id   uuid not null,
    seq         bigint not null,
    turn_id     uuid not null,
    role        text not null check (role in ('user', 'assistant')),
    content     text not null,
    token_count integer not null,
    model       text,
    created_at  timestamptz not null default now(),
    primary key (user_id, thread_id, seq),
    foreign key (user_id, thread_id) references threads (user_id, id) on delete cascade
);

create table turn_events (
    user_id uuid not null references users on delete cascade,
    seq     bigint not null,
    turn_id uuid,
    type    text not null,
    ts      timestamptz not null default clock_timestamp(),
    data    jsonb not null,
    primary key (user_id, seq)
);
create index turn_events_of_turn on turn_events (user_id, turn_id, seq);

do $$
declare
    name text;
begin
    foreach name in array array['threads', 'turns', 'messages', 'turn_events']
    loop
        execute format('alter table %I enable row level security', name);
        execute format('alter table %I force row level security', name);
        execute format(
            'create policy tenant on %I using (user_id = (select nullif(current_setting(''summit.user_id'', true), '''')::uuid))
             with check (user_id = (select nullif(current_setting(''summit.user_id'', true), '''')::uuid))', name);
    end loop;
end $$;

-- LangGraph's tables hold tenants' data: nobody sees or writes rows but those of the user that the transaction names.
-- Checkpoint threads are named `<user id>:<thread id>`.
do $$
declare
    name text;
begin
    foreach name in array array['checkpoints', 'checkpoint_blobs', 'checkpoint_writes'] loop
        execute format('alter table %I enable row level security', name);
        execute format('alter table %I force row level security', name);
        execute format(
            'create policy tenant on %I
                using (split_part(thread_id, '':'', 1) = (select nullif(current_setting(''summit.user_id'', true), '''')))
                with check (split_part(thread_id, '':'', 1) = (select nullif(current_setting(''summit.user_id'', true), '''')))',
            name
        );
    end loop;
end $$;
-- Version counters hold no tenant's data.
revoke insert, update, delete on checkpoint_migrations from summit_app;

-- The fencing check of every write that a turn or a run makes, to the ledger and to checkpoints too: a server that lost its
-- lease may not write any more.
create function check_fence(owner uuid, turn uuid, generation bigint) returns void language plpgsql as $$
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

-- The steps of a turn that every message takes, each one statement: a round trip and the work around it cost more than
-- what is done here. Each names its tenant first, so it needs no transaction of its caller's.

-- Events get their numbers from the user's row in counters, which orders them.
create function tell_events(owner uuid, turn uuid, types text[], data jsonb[]) returns void language plpgsql as $$
declare
    last bigint;
begin
    update counters set event_seq = event_seq + cardinality(types) where user_id = owner returning event_seq into last;
    insert into turn_events (user_id, seq, turn_id, type, data)
    select owner, last - cardinality(types) + event.number, turn, event.type, event.data
    from unnest(types, data) with ordinality as event (type, data, number);
end $$;

-- What a running turn tells before its end: not worth a log flush, and refused to a server that lost its lease.
create function tell_progress(owner uuid, turn uuid, generation bigint, types text[], data jsonb[]) returns void
language plpgsql as $$
begin
    perform act_as(owner), set_config('synchronous_commit', 'off', true);
    if generation is not null then
        perform check_fence(owner, turn, generation);
    end if;
    perform tell_events(owner, turn, types, data);
end $$;

-- Commits a message before it is acknowledged, leased to the caller when its thread is free and its words are there.
-- `verdict` is accepted, known (its key came before), or why it is refused: unknown, archived, busy or full.
create function accept_turn(
    owner uuid, thread uuid, turn uuid, key text, fingerprint bytea, words text, clip uuid, said_at timestamptz,
    zone text, usual_zone text, lease_seconds double precision, alone boolean, most bigint
) returns table (verdict text, waiting bigint, settings jsonb, accepted turns) language plpgsql as $$
#variable_conflict use_column
declare
    place threads;
begin
    perform act_as(owner);
    -- Locks the thread: whoever comes next waits here, so seq is the order of acknowledgement.
    select * into place from threads t where t.user_id = owner and t.id = thread for update;
    if not found then
        verdict := 'unknown'; return next; return;
    end if;
    select * into accepted from turns t where t.user_id = owner and t.idempotency_key = key;
    if found then
        verdict := 'known'; return next; return;
    end if;
    select count(*) into waiting from turns t
    where t.user_id = owner and t.thread_id = thread and t.state in ('queued', 'running');
    verdict := case when place.status = 'archived' then 'archived'
                    when alone and waiting > 0 then 'busy'
                    when waiting >= most then 'full' end;
    if verdict is not null then
        return next; return;
    end if;
    select u.settings into settings from users u where u.user_id = owner;
    insert into turns (user_id, id, thread_id, seq, idempotency_key, body_hash, text, memo_id, captured_at, timezone,
                       state, lease_until, lease_generation, attempt)
    select owner, turn, thread, place.next_seq, key, fingerprint, words, clip, said_at,
           coalesce(zone, settings ->> 'timezone', usual_zone),
           case when free then 'running' else 'queued' end,
           case when free then now() + make_interval(secs => lease_seconds) end, free::int, free::int
    from (values (words is not null and waiting = 0)) as room (free)
    on conflict (user_id, idempotency_key) where idempotency_key is not null do nothing
    returning * into accepted;
    if not found then -- the same key won a race on another thread
        select * into accepted from turns t where t.user_id = owner and t.idempotency_key = key;
        verdict := 'known'; return next; return;
    end if;
    update threads t set next_seq = t.next_seq + 1, updated_at = now() where t.user_id = owner and t.id = thread;
    perform tell_events(owner, turn, array['turn.accepted'], array[jsonb_strip_nulls(jsonb_build_object(
        'turn_id', turn, 'thread_id', thread, 'status', accepted.state, 'idempotency_key', key))]);
    verdict := 'accepted';
    return next;
end $$;

-- The same for a user who may have so many turns waiting in all threads together; one more `verdict` is crowded.
create function accept_turn(
    owner uuid, thread uuid, turn uuid, key text, fingerprint bytea, words text, clip uuid, said_at timestamptz,
    zone text, usual_zone text, lease_seconds double precision, alone boolean, most bigint, most_of_user bigint
) returns table (verdict text, waiting bigint, settings jsonb, accepted turns) language plpgsql as $$
#variable_conflict use_column
begin
    perform act_as(owner);
    select count(*) into waiting from turns t where t.user_id = owner and t.state in ('queued', 'running');
    if waiting >= most_of_user
       and not exists (select from turns t where t.user_id = owner and t.idempotency_key = key) then
        verdict := 'crowded'; return next; return;
    end if;
    return query select * from accept_turn(
        owner, thread, turn, key, fingerprint, words, clip, said_at, zone, usual_zone, lease_seconds, alone, most);
end $$;

-- Result, messages and the last events at once; `more` counts what waits in the thread after it.
create function finish_turn(
    owner uuid, turn uuid, generation bigint, ending text, outcome jsonb, used jsonb, replied text, said_tokens integer,
    replied_tokens integer, types text[], data jsonb[]
) returns table (more bigint, finished turns) language plpgsql as $$
#variable_conflict use_column
declare
    last bigint;
begin
    perform act_as(owner);
    update turns t set state = ending, result = outcome, usage = used, lease_until = null, finished_at = now()
    where t.user_id = owner and t.id = turn and t.state = 'running' and t.lease_generation = generation
    returning * into finished;
    if not found then
        raise exception 'the lease of turn % (generation %) is gone', turn, generation using errcode = 'SM001';
    end if;
    -- The question of an earlier turn is answered, or dropped, once a later turn of the thread is done.
    update turns t set state = 'done'
    where t.user_id = owner and t.thread_id = finished.thread_id and t.state = 'waiting' and t.seq < finished.seq;
    -- Locks the thread: who counts what waits after this misses nobody.
    update threads t set message_count = t.message_count + 2, updated_at = now()
    where t.user_id = owner and t.id = finished.thread_id returning t.message_count into last;
    insert into messages (user_id, thread_id, seq, turn_id, role, content, token_count)
    values (owner, finished.thread_id, last - 1, turn, 'user', coalesce(finished.text, ''), said_tokens),
           (owner, finished.thread_id, last, turn, 'assistant', replied, replied_tokens);
    perform tell_events(owner, turn, types, data);
    select count(*) into more from turns t
    where t.user_id = owner and t.thread_id = finished.thread_id and t.state in ('queued', 'running');
    return next;
end $$;

-- A checkpoint with all its channels in one statement, under the claim of the turn that writes it.
create function keep_checkpoint(
    owner uuid, turn uuid, generation bigint, thread text, place text, id text, parent text, content jsonb, about jsonb,
    channels text[], versions text[], types text[], blobs bytea[]
) returns void language plpgsql as $$
begin
    perform act_as(owner);
    if generation is not null then
        perform check_fence(owner, turn, generation);
    end if;
    insert into checkpoint_blobs (thread_id, checkpoint_ns, channel, version, type, blob)
    select thread, place, kept.* from unnest(channels, versions, types, blobs) as kept
    on conflict (thread_id, checkpoint_ns, channel, version) do nothing;
    insert into checkpoints (thread_id, checkpoint_ns, checkpoint_id, parent_checkpoint_id, checkpoint, metadata)
    values (thread, place, id, parent, content, about)
    on conflict (thread_id, checkpoint_ns, checkpoint_id)
    do update set checkpoint = excluded.checkpoint, metadata = excluded.metadata;
end $$;

-- Turns that nobody works on: ids alone, across tenants.
create function turns_to_run(how_many integer) returns table (owner uuid, thread uuid)
language sql stable security definer set search_path = summit, pg_temp as $$
    select t.user_id, t.thread_id from turns t
    where t.state in ('queued', 'running') and (t.text is not null or t.cancel_requested)
      and (t.state = 'queued' or t.lease_until < now())
      and not exists (select 1 from turns other
                      where other.user_id = t.user_id and other.thread_id = t.thread_id and other.id <> t.id
                        and (other.state = 'running' and other.lease_until >= now()
                             or other.state in ('queued', 'running') and other.seq < t.seq))
    order by t.lease_until nulls first limit how_many
$$;

create policy system_reads on turns for select to summit_system using (true);
grant select (user_id, id, thread_id, seq, state, lease_until, text, cancel_requested, created_at) on turns to summit_system;
grant create on schema summit to summit_system;
alter function turns_to_run(integer) owner to summit_system;
revoke create on schema summit from summit_system;
revoke execute on function turns_to_run(integer) from public;
grant execute on function turns_to_run(integer) to summit_app;
