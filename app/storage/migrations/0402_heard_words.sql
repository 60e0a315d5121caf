-- A recording is in the ledger from the moment at which it is a memo, when nobody has heard it yet. What the engine heard
-- is kept once somebody corrects it; it is in force whenever the record names no version.
alter table memo_transcripts add column heard boolean not null default false;
create unique index memo_transcripts_heard on memo_transcripts (user_id, memo_id) where heard;
