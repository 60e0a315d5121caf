-- Recordings: memos and the versions of their words, uploads that are still coming in, and what was heard and not kept.

create table memos (
    user_id     uuid not null references users on delete cascade,
    id          uuid not null,
    title       text not null default '',
    transcript  text,
    language    text,
    segments    jsonb not null default '[]',
    engine      text,
    confidence  double precision,
    captured_at timestamptz not null,
    timezone    text not null,
    state       text not null check (state in
        ('receiving', 'received', 'transcribing', 'transcribed', 'indexed', 'acted', 'needs_you', 'failed')),
    reason      text,
    retryable   boolean not null default false,
    turn_id     uuid,
    container   text not null,
    size        bigint not null,
    sha256      bytea not null,
    duration_ms bigint,
    created_at  timestamptz not null default now(),
    updated_at  timestamptz not null default now(),
    tries       integer not null default 0, -- to the end: what kills a worker, or stops it, is no try
    -- A deleted memo is hidden at once and can be brought back until it is purged.
    deleted_at  timestamptz,
    external_id text,
    transcript_id uuid, -- the version of its words in force, null while they are the engine's own
    outcome     text, -- how the last try to turn it into words ended, in the words of app.ports.voice.HearingOutcome
    primary key (user_id, id)
);
create index memos_latest on memos (user_id, captured_at desc, id);
create index memos_deleted on memos (user_id, deleted_at) where deleted_at is not null;
-- How much a user had heard lately is looked up before each recording is accepted.
create index memos_recent on memos (user_id, created_at) where container <> 'text';

-- A memo's words in versions: those that the user wrote or corrected, and what the engine heard, kept once somebody corrects
-- it; that is in force whenever the record names no version. The ledger's rows name a version and copy no words.
create table memo_transcripts (
    user_id    uuid not null,
    id         uuid not null,
    memo_id    uuid not null,
    text       text not null,
    segments   jsonb not null default '[]',
    created_at timestamptz not null default now(),
    heard      boolean not null default false,
    primary key (user_id, id),
    foreign key (user_id, memo_id) references memos (user_id, id) on delete cascade
);
create index memo_transcripts_of_memo on memo_transcripts (user_id, memo_id, created_at);
create unique index memo_transcripts_heard on memo_transcripts (user_id, memo_id) where heard;

-- Recordings that are still coming in: each is a memo in state receiving, and here what the end of it needs.
create table uploads (
    user_id    uuid not null,
    memo_id    uuid not null,
    form       text not null check (form in ('file', 'pcm16')),
    received   bigint not null default 0,
    act        boolean not null,
    closed     boolean not null default false,
    wanted     jsonb not null,
    updated_at timestamptz not null default now(),
    primary key (user_id, memo_id),
    foreign key (user_id, memo_id) references memos on delete cascade
);
create index uploads_idle on uploads (updated_at);

-- Recordings that were heard and not kept: how long each was, for as long as that counts against its user's limit of a day.
create table heard_clips (
    user_id     uuid not null references users on delete cascade,
    id          uuid not null,
    duration_ms integer not null,
    heard_at    timestamptz not null default now(),
    primary key (user_id, id)
);
create index heard_clips_latest on heard_clips (user_id, heard_at);

do $$
declare
    name text;
begin
    foreach name in array array['memos', 'memo_transcripts', 'uploads', 'heard_clips']
    loop
        execute format('alter table %I enable row level security', name);
        execute format('alter table %I force row level security', name);
        execute format(
            'create policy tenant on %I using (user_id = (select nullif(current_setting(''summit.user_id'', true), '''')::uuid))
             with check (user_id = (select nullif(current_setting(''summit.user_id'', true), '''')::uuid))', name);
    end loop;
end $$;

-- What names a memo without a title of its own.
create function first_words(words text) returns text language sql immutable parallel safe as $$
    select coalesce(array_to_string((regexp_split_to_array(btrim(words), '\s+'))[1:10], ' '), '')
$$;

-- Ids only: those that nothing came for in so many seconds.
create function idle_uploads(seconds double precision, how_many integer) returns table (owner uuid, memo uuid)
language sql stable security definer set search_path = summit, pg_temp as $$
    select u.user_id, u.memo_id from uploads u where u.updated_at < now() - make_interval(secs => seconds)
    order by u.updated_at limit how_many
$$;

create policy system_reads on uploads for select to summit_system using (true);
grant select (user_id, memo_id, updated_at) on uploads to summit_system;
grant create on schema summit to summit_system;
alter function idle_uploads(double precision, integer) owner to summit_system;
revoke create on schema summit from summit_system;
revoke execute on function idle_uploads(double precision, integer) from public;
grant execute on function idle_uploads(double precision, integer) to summit_app;
