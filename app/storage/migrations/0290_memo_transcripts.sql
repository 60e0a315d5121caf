-- A memo's words in versions: those that the user wrote or corrected. The ledger's rows name a version and copy no words.
create table memo_transcripts (
    user_id    uuid not null,
    id         uuid not null,
    memo_id    uuid not null,
    text       text not null,
    segments   jsonb not null default '[]',
    created_at timestamptz not null default now(),
    primary key (user_id, id),
    foreign key (user_id, memo_id) references memos (user_id, id) on delete cascade
);
create index memo_transcripts_of_memo on memo_transcripts (user_id, memo_id, created_at);
alter table memo_transcripts enable row level security;
alter table memo_transcripts force row level security;
create policy tenant on memo_transcripts
    using (user_id = (select nullif(current_setting('summit.user_id', true), '')::uuid))
    with check (user_id = (select nullif(current_setting('summit.user_id', true), '')::uuid));

-- A deleted memo is hidden at once and can be brought back until it is purged. `transcript_id` is the version in force,
-- null while the words are the engine's own.
alter table memos add column deleted_at timestamptz;
alter table memos add column external_id text;
alter table memos add column transcript_id uuid;
create index memos_deleted on memos (user_id, deleted_at) where deleted_at is not null;

-- What names a memo without a title of its own.
create function first_words(words text) returns text language sql immutable parallel safe as $$
    select coalesce(array_to_string((regexp_split_to_array(btrim(words), '\s+'))[1:10], ' '), '')
$$;
