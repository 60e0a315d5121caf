-- Which sentences of a message state something is told by the trained reader: what is in memory is looked at again.
alter table memory_documents no force row level security;
alter table memory_queue no force row level security;
insert into memory_queue (user_id, source, document)
select user_id, source, id from memory_documents where source in ('memo', 'message') and hidden_at is null
on conflict (user_id, source, document) do nothing;
alter table memory_documents force row level security;
alter table memory_queue force row level security;
