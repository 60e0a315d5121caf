-- Memory: documents cut into short units that are found by words and by meaning, and the topics in them.

create table memory_documents (
    user_id     uuid not null references users on delete cascade,
    source      text not null check (source in ('memo', 'note', 'message', 'fact')),
    id          text not null,
    title       text not null,
    captured_at timestamptz not null,
    digest      bytea not null,
    hidden_at   timestamptz,
    indexed_at  timestamptz not null default now(),
    primary key (user_id, source, id)
);
create index memory_documents_hidden on memory_documents (user_id, hidden_at) where hidden_at is not null;
create index memory_documents_hidden_since on memory_documents (hidden_at) where hidden_at is not null;

-- `words` holds the unit (weight A), its neighbours (B, C), speaker, title and date (D), and the token of its user.
create table memory_units (
    user_id     uuid not null,
    id          bigint generated always as identity,
    source      text not null,
    document    text not null,
    place       integer not null,
    text        text not null,
    speaker     text not null,
    start_char  integer not null,
    end_char    integer not null,
    start_ms    bigint,
    end_ms      bigint,
    occurred_at timestamptz not null,
    words       tsvector not null,
    primary key (user_id, id),
    foreign key (user_id, source, document) references memory_documents (user_id, source, id) on delete cascade
);
create unique index memory_units_of_document on memory_units (user_id, source, document, place);
create index memory_units_words on memory_units using gin (words);

-- What is near in meaning is looked for among the signs of the vectors first: a bit a dimension, a sixteenth of what the
-- vectors themselves take, so that one index holds them for models of any length. The exact search inside a tenant goes
-- through all of them, and reads them from the index alone.
create table memory_vectors (
    user_id     uuid not null,
    model       text not null,
    unit        bigint not null,
    occurred_at timestamptz not null,
    embedding   halfvec not null,
    bits        bit varying not null generated always as (binary_quantize(embedding)) stored,
    primary key (user_id, unit, model)
);
alter table memory_vectors alter column embedding set storage plain;
alter table memory_vectors alter column bits set storage plain;
create index memory_vectors_bits on memory_vectors (user_id, model, occurred_at) include (unit, bits);

-- How many units of a user have a word: what makes a word telling.
create table memory_terms (
    user_id uuid not null references users on delete cascade,
    term    text not null,
    units   bigint not null,
    primary key (user_id, term)
);

create table memory_totals (
    user_id uuid primary key references users on delete cascade,
    units   bigint not null,
    model   text not null default '',
    -- When its memory is embedded again: at once when another model is chosen, some minutes after one was not reached.
    next_try timestamptz
);
create index memory_totals_next_try on memory_totals (next_try) where next_try is not null;

-- What has to be indexed, written by the transaction that changes it: nothing is ever missed, and work that was cut
-- short goes on where it was. A document that goes is hidden in that same transaction.
create table memory_queue (
    user_id   uuid not null,
    source    text not null,
    document  text not null,
    queued_at timestamptz not null default clock_timestamp(),
    primary key (user_id, source, document)
);

-- What a user talks about: the units that were looked at last, the topic that each belongs to if to any, and the words of
-- that topic which the unit itself has. A topic has no row of its own: with its units goes all that was known of it.
create table memory_topic_units (
    user_id uuid not null,
    unit    bigint not null,
    topic   uuid,
    words   text[] not null,
    near    real not null,
    primary key (user_id, unit),
    foreign key (user_id, unit) references memory_units (user_id, id) on delete cascade
);
create index memory_topic_units_of_topic on memory_topic_units (user_id, topic, unit) where topic is not null;

-- When a user's topics were made, from which units on and with which model.
create table memory_topic_runs (
    user_id   uuid not null references users on delete cascade,
    made_at   timestamptz not null default now(),
    last_unit bigint not null,
    model     text not null,
    primary key (user_id)
);

do $$
declare
    name text;
begin
    foreach name in array array['memory_documents', 'memory_units', 'memory_vectors', 'memory_terms', 'memory_totals',
                                'memory_queue', 'memory_topic_units', 'memory_topic_runs']
    loop
        execute format('alter table %I enable row level security', name);
        execute format('alter table %I force row level security', name);
        execute format(
            'create policy tenant on %I using (user_id = (select nullif(current_setting(''summit.user_id'', true), '''')::uuid))
             with check (user_id = (select nullif(current_setting(''summit.user_id'', true), '''')::uuid))', name);
    end loop;
end $$;

create function memory_token(owner uuid) returns tsvector language sql immutable parallel safe as $$
    select array_to_tsvector(array['/' || replace(owner::text, '-', '')])
$$;

-- The score of a unit as an expression: each word counts by its weight, and by where it stands: in the unit, beside it,
-- or in its frame. Spelled out, because a loop over the words in a function takes five times as long.
create function memory_score(terms text[], weights real[]) returns text language sql immutable parallel safe as $$
    select coalesce(string_agg(format('%s * ts_rank(''{0.5, 0.2, 0.4, 1.0}'', u.words, %L::tsquery)', weight, term), ' + '),
                    '0')
    from unnest(terms, weights) as told (term, weight)
$$;

-- Text search is not leakproof, so under a policy it would read every row of the user. This function may use the index:
-- it names the user of the transaction itself and returns numbers alone, which the caller joins under the policy.
create function memory_by_words(
    wanted text, terms text[], weights real[], since timestamptz, until timestamptz, hidden bigint[], most integer
) returns table (unit bigint, score double precision)
language plpgsql stable security definer set search_path = summit, pg_temp as $$
declare
    owner uuid := nullif(current_setting('summit.user_id', true), '')::uuid;
begin
    return query execute format(
        'select u.id, (%s)::double precision from memory_units u
         where u.words @@ %L::tsquery and u.user_id = %L and u.occurred_at >= %L and u.occurred_at < %L and u.id <> all ($1)
         order by 2 desc, 1 limit %s',
        memory_score(terms, weights), format('''/%s'' & (%s)', replace(owner::text, '-', ''), wanted), owner, since, until,
        most) using hidden;
end $$;

-- The same score for units that the other arm brought; the caller's policy counts.
create function memory_scores(units bigint[], terms text[], weights real[])
returns table (unit bigint, score double precision) language plpgsql stable as $$
begin
    return query execute format(
        'select u.id, (%s)::double precision from memory_units u
         where u.user_id = (select nullif(current_setting(''summit.user_id'', true), '''')::uuid) and u.id = any ($1)',
        memory_score(terms, weights)) using units;
end $$;

create function queue_memory(owner uuid, kind text, name text) returns void language sql as $$
    insert into memory_queue (user_id, source, document)
    select owner, kind, name where exists (select from users u where u.user_id = owner)
    on conflict (user_id, source, document) do update set queued_at = clock_timestamp()
$$;

create function memory_changed() returns trigger language plpgsql set search_path = summit, pg_temp as $$
declare
    told jsonb := to_jsonb(case when tg_op = 'DELETE' then old else new end);
    owner uuid := (told ->> 'user_id')::uuid;
    kind text := case tg_table_name when 'memos' then 'memo' when 'messages' then 'message'
                 else case split_part(told ->> 'prefix', '.', 1) when 'profile' then 'fact' else 'note' end end;
    name text := case tg_table_name when 'memos' then told ->> 'id' when 'messages' then told ->> 'turn_id'
                 else told ->> 'key' end;
begin
    -- A memo that its user deleted may be kept for a while to be brought back.
    if tg_op = 'DELETE' or told ->> 'deleted_at' is not null then
        update memory_documents set hidden_at = coalesce(hidden_at, now())
        where user_id = owner and source = kind and id = name;
    end if;
    perform queue_memory(owner, kind, name);
    return null;
end $$;

create trigger memory_changed after insert or update or delete on memos
    for each row execute function memory_changed();
create trigger memory_changed_user after insert on messages
    for each row when (new.role = 'user') execute function memory_changed();
create trigger memory_changed_gone after delete on messages
    for each row when (old.role = 'user') execute function memory_changed();
create trigger memory_changed_new after insert or update on store
    for each row when (new.prefix like 'note.%' or new.prefix like 'profile.%') execute function memory_changed();
create trigger memory_changed_gone after delete on store
    for each row when (old.prefix like 'note.%' or old.prefix like 'profile.%') execute function memory_changed();

-- Whoever has something to index, something hidden for so long that it is to be removed, or vectors of another model
-- than the one in use: the user's choice, else everybody's, else the local one. Ids alone.
create function memory_users_to_index(hidden_before timestamptz, usual_model text, how_many integer)
returns table (owner uuid)
language sql stable security definer set search_path = summit, pg_temp as $$
    select q.user_id from memory_queue q
    union
    select d.user_id from memory_documents d where d.hidden_at < hidden_before
    union
    select t.user_id from memory_totals t where t.next_try <= now()
    union
    select t.user_id from memory_totals t where t.next_try is null and t.units > 0 and t.model <> coalesce(
        (select a.provider || '/' || a.model from active_models a
         where a.user_id = t.user_id and a.capability = 'embeddings' order by a.tier limit 1),
        (select a.provider || '/' || a.model from active_models a
         where a.user_id = '00000000-0000-0000-0000-000000000000' and a.capability = 'embeddings'
         order by a.tier limit 1),
        usual_model)
    limit how_many
$$;

-- Whoever has units that no topic knows of, or another model, and whose topics were not made since then. Ids alone.
create function memory_users_for_topics(made_before timestamptz, how_many integer) returns table (owner uuid)
language sql stable security definer set search_path = summit, pg_temp as $$
    select t.user_id from memory_totals t left join memory_topic_runs r on r.user_id = t.user_id
    where t.units > 0 and (r.user_id is null or (r.made_at <= made_before and (
        r.model <> t.model
        or exists (select from memory_units u where u.user_id = t.user_id and u.id > r.last_unit))))
    order by r.made_at nulls first limit how_many
$$;

create policy system_reads on memory_units for select to summit_system using (true);
create policy system_reads on memory_queue for select to summit_system using (true);
create policy system_reads on memory_documents for select to summit_system using (true);
create policy system_reads on memory_totals for select to summit_system using (true);
create policy system_reads on active_models for select to summit_system using (true);
create policy system_reads on memory_topic_runs for select to summit_system using (true);
grant select (user_id, id, words, occurred_at) on memory_units to summit_system;
grant select (user_id) on memory_queue to summit_system;
grant select (user_id, hidden_at) on memory_documents to summit_system;
grant select (user_id, units, model, next_try) on memory_totals to summit_system;
grant select (user_id, capability, tier, provider, model) on active_models to summit_system;
grant select (user_id, made_at, last_unit, model) on memory_topic_runs to summit_system;
grant create on schema summit to summit_system;
alter function memory_by_words(text, text[], real[], timestamptz, timestamptz, bigint[], integer) owner to summit_system;
alter function memory_users_to_index(timestamptz, text, integer) owner to summit_system;
alter function memory_users_for_topics(timestamptz, integer) owner to summit_system;
revoke create on schema summit from summit_system;
revoke execute on function memory_by_words(text, text[], real[], timestamptz, timestamptz, bigint[], integer),
    memory_users_to_index(timestamptz, text, integer), memory_users_for_topics(timestamptz, integer) from public;
grant execute on function memory_by_words(text, text[], real[], timestamptz, timestamptz, bigint[], integer),
    memory_users_to_index(timestamptz, text, integer), memory_users_for_topics(timestamptz, integer) to summit_app;
