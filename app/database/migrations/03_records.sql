-- Records, which live in LangGraph's store, and the ledger of their changes.

-- A column of its own, because LangGraph searches with `prefix like`, which a policy would have to run on every
-- tenant's rows; an equality on this column is checked first and finds its rows by index.
alter table store
    add column user_id uuid generated always as (split_part(prefix, '.', 2)::uuid) stored,
    add column stamp bigint not null default 0;
alter table store alter column user_id set not null;
create index store_user_idx on store (user_id, prefix, key);
create index store_changed on store (user_id, stamp) where stamp > 0;
-- The series of a user, which are looked through where the table does not reach.
create index store_series on store (user_id, prefix) where value->>'recurrence' is not null;

-- Rows are only ever inserted. `origin` is the turn, or the request of an edit, that caused the row.
create table changes (
    user_id    uuid not null references users on delete cascade,
    id         uuid not null,
    cursor     bigint not null,
    origin     uuid not null,
    turn_id    uuid,
    agent      text not null,
    seq        integer not null,
    place      integer not null default 0,
    op         text not null,
    kind       text not null,
    record_id  text,
    title      text not null,
    fields     jsonb not null,
    before     jsonb,
    after      jsonb,
    status     text not null check (status in ('applied', 'failed', 'needs_confirmation')),
    error      text,
    reason     text not null,
    conflicts  jsonb not null default '[]',
    undo_of    uuid,
    confirms   uuid,
    created_at timestamptz not null default now(),
    -- What else a change of an event ran into, and where there is room.
    alternatives jsonb not null default '[]',
    -- Until when a held change waits for a yes.
    expires_at timestamptz,
    -- What was made as one, such as turning an idea into a task, and is undone as one: the id of its first change.
    together   uuid,
    constraint changes_held check (status <> 'needs_confirmation' or expires_at is not null),
    primary key (user_id, id)
);
create unique index changes_once on changes (user_id, origin, agent, seq);
create unique index changes_cursor on changes (user_id, cursor);
create index changes_of_turn on changes (user_id, turn_id) where turn_id is not null;
create index changes_of_record on changes (user_id, kind, record_id, cursor);
create index changes_undoing on changes (user_id, undo_of) where undo_of is not null;
create index changes_answering on changes (user_id, confirms, cursor) where confirms is not null;
-- Whatever the servers believe, a held change is applied once.
create unique index changes_confirmed_once on changes (user_id, confirms) where status = 'applied' and confirms is not null;
-- What was made as one is found by the id that it shares: an edit by hand belongs to no turn.
create index changes_together on changes (user_id, together) where together is not null;
-- "Undo what you did this morning" reads the ledger by the time of its changes.
create index changes_by_time on changes (user_id, created_at desc, cursor desc);

do $$
declare
    name text;
begin
    foreach name in array array['store', 'changes']
    loop
        execute format('alter table %I enable row level security', name);
        execute format('alter table %I force row level security', name);
        execute format(
            'create policy tenant on %I using (user_id = (select nullif(current_setting(''summit.user_id'', true), '''')::uuid))
             with check (user_id = (select nullif(current_setting(''summit.user_id'', true), '''')::uuid))', name);
    end loop;
end $$;
-- The ledger and the history are append-only for the application. Version counters hold no tenant's data.
revoke update, delete on changes from summit_app;
revoke insert, update, delete on store_migrations from summit_app;

-- Each record has a number that is larger than those of all records which its user changed before, so that whoever has
-- read a user's records reads only those that changed since; what became of suggestions has such numbers, too. The counter's
-- row is locked with it, so that the numbers of a user come in the order of commits. A deletion is counted: then everything
-- is read again.
create function stamp_record() returns trigger language plpgsql set search_path = summit, pg_temp as $$
begin
    -- user_id is generated after this trigger has run
    update counters set store_stamp = store_stamp + 1 where user_id = split_part(new.prefix, '.', 2)::uuid
    returning store_stamp into new.stamp;
    new.stamp := coalesce(new.stamp, 0);
    return new;
end $$;

create function count_gone_record() returns trigger language plpgsql set search_path = summit, pg_temp as $$
begin
    update counters set store_gone = store_gone + 1 where user_id = old.user_id;
    return null;
end $$;

create trigger stamp_record before insert or update on store
    for each row when (split_part(new.prefix, '.', 1) in ('todo', 'event', 'note', 'instruction', 'profile', 'focus'))
    execute function stamp_record();
create trigger count_gone_record after delete on store
    for each row when (split_part(old.prefix, '.', 1) in ('todo', 'event', 'note', 'instruction', 'profile', 'focus'))
    execute function count_gone_record();

-- A record's time as an instant: a day begins at midnight in the record's zone.
create function instant_of(moment text, zone text) returns timestamptz language sql immutable as $$
    select case when length(moment) = 10 then moment::timestamp at time zone coalesce(zone, 'UTC')
                else moment::timestamptz end
$$;

-- Whether a change is undone now: an undo counts unless it was itself undone (that is a redo).
create function change_undone(owner uuid, change uuid) returns boolean language plpgsql stable as $$
begin
    return exists (
        select 1 from changes undo
        where undo.user_id = owner and undo.undo_of = change and undo.status = 'applied'
          and not change_undone(owner, undo.id));
end $$;

-- A held change is as its answer: the first change that names it, a yes or a no. Without one it waits until it is too late.
create function held_status(owner uuid, held uuid, until timestamptz) returns text language plpgsql stable as $$
declare
    answer record;
begin
    select c.id, c.status into answer from changes c
    where c.user_id = owner and c.confirms = held order by c.cursor limit 1;
    if answer.id is null then
        return case when until <= now() then 'failed' else 'needs_confirmation' end;
    end if;
    return case when answer.status = 'applied' and change_undone(owner, answer.id) then 'undone' else answer.status end;
end $$;

create function held_error(owner uuid, held uuid, until timestamptz) returns text language plpgsql stable as $$
declare
    answer record;
begin
    select c.id, c.error into answer from changes c
    where c.user_id = owner and c.confirms = held order by c.cursor limit 1;
    if answer.id is null then
        return case when until <= now() then 'nobody said yes in time' end;
    end if;
    return answer.error;
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

-- The ledger is never changed, but a person may take it back whole: the rows of the tenant that the transaction names.
create function erase_changes() returns bigint
language sql volatile security definer set search_path = summit, pg_temp as $$
    with gone as (
        delete from changes
        where user_id = (select nullif(current_setting('summit.user_id', true), '')::uuid) returning 1
    )
    select count(*) from gone
$$;

grant select (user_id), delete on changes to summit_system;
grant create on schema summit to summit_system;
alter function erase_changes() owner to summit_system;
revoke create on schema summit from summit_system;
revoke execute on function erase_changes() from public;
grant execute on function erase_changes() to summit_app;
