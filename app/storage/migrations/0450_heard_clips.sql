-- Recordings that were heard and not kept: how long each was, for as long as that counts against its user's limit of a day.
create table heard_clips (
    user_id     uuid not null references users on delete cascade,
    id          uuid not null,
    duration_ms integer not null,
    heard_at    timestamptz not null default now(),
    primary key (user_id, id)
);
create index heard_clips_latest on heard_clips (user_id, heard_at);
alter table heard_clips enable row level security;
alter table heard_clips force row level security;
create policy tenant on heard_clips
    using (user_id = (select nullif(current_setting('summit.user_id', true), '')::uuid))
    with check (user_id = (select nullif(current_setting('summit.user_id', true), '')::uuid));
