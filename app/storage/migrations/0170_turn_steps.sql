-- The steps of a turn that every message takes, each one statement: a round trip and the work around it cost more than
-- what is done here. Each names its tenant first, so it needs no transaction of its caller's.

create function act_as(owner uuid) returns void language plpgsql as $$
begin
    perform set_config('summit.user_id', owner::text, true);
end $$;

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

-- Opens a batch of the ledger inside its transaction: takes the user's lock with the cursors the batch needs, checks the
-- turn's claim, and says whether the batch was settled before. No row: there is no such user.
create function open_batch(owner uuid, cause uuid, worker text, size bigint, turn uuid, generation bigint)
returns table (last_cursor bigint, settled boolean) language plpgsql
-- A plan kept from when the table was small reads all of a user's rows instead of one entry of an index.
set plan_cache_mode = force_custom_plan as $$
begin
    update counters set change_cursor = change_cursor + size where user_id = owner returning change_cursor into last_cursor;
    if not found then
        return;
    end if;
    if generation is not null then
        perform check_fence(owner, turn, generation);
    end if;
    settled := exists (select 1 from changes c where c.user_id = owner and c.origin = cause and c.agent = worker);
    return next;
end $$;

-- Turns' changes, each turn's in the order they were said: its agents committed them side by side.
create function changes_of_turns(owner uuid, wanted uuid[]) returns table (told changes, status_now text, error_now text)
language plpgsql set plan_cache_mode = force_custom_plan as $$
begin
    perform act_as(owner);
    return query
    select c, case when c.status = 'needs_confirmation' then held_status(owner, c.id, c.expires_at)
                   when c.status = 'applied' and change_undone(owner, c.id) then 'undone' else c.status end,
           case when c.status = 'needs_confirmation' then held_error(owner, c.id, c.expires_at) else c.error end
    from changes c where c.user_id = owner and c.turn_id = any(wanted)
    order by min(c.cursor) over (partition by c.turn_id), c.place, c.cursor;
end $$;
