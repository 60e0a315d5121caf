-- Memory: documents cut into short units that are found by words and by meaning.

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

-- Narrow, and read from the index alone: the exact search inside a tenant goes through all of them. An entry of a
-- B-tree holds at most 2.7 kB, so longer vectors are read from the table.
create table memory_vectors (
    user_id     uuid not null,
    model       text not null,
    unit        bigint not null,
    occurred_at timestamptz not null,
    long        boolean not null,
    embedding   halfvec not null,
    primary key (user_id, unit, model)
);
alter table memory_vectors alter column embedding set storage plain;
create index memory_vectors_short on memory_vectors (user_id, model, occurred_at) include (unit, embedding)
    where not long;
create index memory_vectors_long on memory_vectors (user_id, model, occurred_at) where long;

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
    model   text not null default ''
);

do $$
declare
    name text;
begin
    foreach name in array array['memory_documents', 'memory_units', 'memory_vectors', 'memory_terms', 'memory_totals']
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

grant select (user_id, id, words, occurred_at) on memory_units to summit_system;
create policy system_reads on memory_units for select to summit_system using (true);
grant create on schema summit to summit_system;
alter function memory_by_words(text, text[], real[], timestamptz, timestamptz, bigint[], integer) owner to summit_system;
revoke create on schema summit from summit_system;
revoke execute on function memory_by_words(text, text[], real[], timestamptz, timestamptz, bigint[], integer) from public;
grant execute on function memory_by_words(text, text[], real[], timestamptz, timestamptz, bigint[], integer) to summit_app;
