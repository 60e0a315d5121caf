-- What has to be indexed, written by the transaction that changes it: nothing is ever missed, and work that was cut
-- short goes on where it was. A document that goes is hidden in that same transaction.

create table memory_queue (
    user_id   uuid not null,
    source    text not null,
    document  text not null,
    queued_at timestamptz not null default clock_timestamp(),
    primary key (user_id, source, document)
);
alter table memory_queue enable row level security;
alter table memory_queue force row level security;
create policy tenant on memory_queue using (user_id = (select nullif(current_setting('summit.user_id', true), '')::uuid))
    with check (user_id = (select nullif(current_setting('summit.user_id', true), '')::uuid));

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

-- Whoever has something to index, or something hidden for so long that it is to be removed. Ids alone.
create function memory_users_waiting(hidden_before timestamptz, how_many integer) returns table (owner uuid)
language sql stable security definer set search_path = summit, pg_temp as $$
    select q.user_id from memory_queue q
    union
    select d.user_id from memory_documents d where d.hidden_at < hidden_before
    limit how_many
$$;
create index memory_documents_hidden_since on memory_documents (hidden_at) where hidden_at is not null;

grant select (user_id) on memory_queue to summit_system;
grant select (user_id, hidden_at) on memory_documents to summit_system;
create policy system_reads on memory_queue for select to summit_system using (true);
create policy system_reads on memory_documents for select to summit_system using (true);
grant create on schema summit to summit_system;
alter function memory_users_waiting(timestamptz, integer) owner to summit_system;
revoke create on schema summit from summit_system;
revoke execute on function memory_users_waiting(timestamptz, integer) from public;
grant execute on function memory_users_waiting(timestamptz, integer) to summit_app;
