-- When memory is embedded again: as soon as another model is chosen, or some minutes after one could not be reached.
alter table memory_totals add column next_try timestamptz;
create index memory_totals_next_try on memory_totals (next_try) where next_try is not null;

-- Whoever has something to index, something hidden for so long that it is to be removed, or vectors of another model
-- than the one in use: the user's choice, else everybody's, else the local one. Ids alone.
create function memory_users_to_index(hidden_before timestamptz, usual_model text, how_many integer)
returns table (owner uuid)
language sql stable security definer set search_path = summit, pg_temp as $$
    select q.user_id from memory_queue q
    union
    select d.user_id from memory_documents d where d.hidden_at < hidden_before
    union
    select t.user_id from memory_totals t where t.next_try <= now()
    union
    select t.user_id from memory_totals t where t.next_try is null and t.units > 0 and t.model <> coalesce(
        (select a.provider || '/' || a.model from active_models a
         where a.user_id = t.user_id and a.capability = 'embeddings' order by a.tier limit 1),
        (select a.provider || '/' || a.model from active_models a
         where a.user_id = '00000000-0000-0000-0000-000000000000' and a.capability = 'embeddings'
         order by a.tier limit 1),
        usual_model)
    limit how_many
$$;

grant select (user_id, units, model, next_try) on memory_totals to summit_system;
grant select (user_id, capability, tier, provider, model) on active_models to summit_system;
create policy system_reads on memory_totals for select to summit_system using (true);
create policy system_reads on active_models for select to summit_system using (true);
grant create on schema summit to summit_system;
alter function memory_users_to_index(timestamptz, text, integer) owner to summit_system;
revoke create on schema summit from summit_system;
revoke execute on function memory_users_to_index(timestamptz, text, integer) from public;
grant execute on function memory_users_to_index(timestamptz, text, integer) to summit_app;
drop function memory_users_waiting(timestamptz, integer);
