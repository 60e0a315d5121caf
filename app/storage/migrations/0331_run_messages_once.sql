-- Words that are sent again say the same thing once.
alter table run_messages add column origin uuid not null default gen_random_uuid();
create unique index run_messages_once on run_messages (user_id, run_id, origin);
