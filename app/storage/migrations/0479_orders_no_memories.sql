-- Orders, answers and questions to the assistant are no memories: what came in before that is looked at again. Nobody
-- but the tables' owner sees every user's rows, and the owner only while the policies are not forced.
alter table memory_documents no force row level security;
alter table memory_queue no force row level security;
alter table turns no force row level security;

insert into memory_queue (user_id, source, document)
select distinct d.user_id, d.source, d.id
from memory_documents d
join turns t on t.user_id = d.user_id
    and (d.source = 'message' and t.id::text = d.id or d.source = 'memo' and t.memo_id::text = d.id)
where d.hidden_at is null and jsonb_array_length(coalesce(t.result -> 'targets', '[]')) > 0
  and not t.result -> 'targets' ? 'update_profile'
on conflict (user_id, source, document) do nothing;

alter table memory_documents force row level security;
alter table memory_queue force row level security;
alter table turns force row level security;
