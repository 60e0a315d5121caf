-- The tenants, their conversations, the inbox of turns, the ledger and the stream of events.
-- Every key begins with the user, so that the data can be sharded by it later.

create table users (
    user_id    uuid primary key,
    name       text not null,
    settings   jsonb not null default '{}',
    created_at timestamptz not null default now()
);

create table api_keys (
    user_id    uuid not null references users on delete cascade,
    id         uuid not null,
    name       text not null,
    digest     bytea not null unique,
    hint       text not null,
    scopes     text[] not null,
    created_at timestamptz not null default now(),
    expires_at timestamptz,
    primary key (user_id, id)
);

-- One row a user: taking a number from it is also the user's write lock.
create table counters (
    user_id       uuid primary key references users on delete cascade,
    change_cursor bigint not null default 0,
    event_seq     bigint not null default 0
);

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
    primary key (user_id, id)
);
create unique index changes_once on changes (user_id, origin, agent, seq);
create unique index changes_cursor on changes (user_id, cursor);
create index changes_of_turn on changes (user_id, turn_id) where turn_id is not null;
create index changes_of_record on changes (user_id, kind, record_id, cursor);
create index changes_undoing on changes (user_id, undo_of) where undo_of is not null;

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
    primary key (user_id, id)
);
create index memos_latest on memos (user_id, captured_at desc, id);

-- A row is reserved by `owner` before the request is done; `status` and `body` stay null until it is.
create table replays (
    user_id    uuid not null references users on delete cascade,
    key        text not null,
    body_hash  bytea not null,
    owner      uuid not null,
    status     integer,
    body       jsonb,
    created_at timestamptz not null default now(),
    primary key (user_id, key)
);
