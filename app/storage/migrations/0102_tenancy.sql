-- Row-level security on every table of ours: a query that forgets its filter still sees one tenant, or nobody.
do $$
declare
    name text;
begin
    foreach name in array array['users', 'api_keys', 'counters', 'threads', 'turns', 'messages', 'changes',
                                'turn_events', 'memos', 'replays']
    loop
        execute format('alter table %I enable row level security', name);
        execute format('alter table %I force row level security', name);
        execute format(
            'create policy tenant on %I using (user_id = (select nullif(current_setting(''summit.user_id'', true), '''')::uuid))
             with check (user_id = (select nullif(current_setting(''summit.user_id'', true), '''')::uuid))', name);
    end loop;
end $$;

-- summit_system owns the functions above and nothing else; it may look, never write.
create policy system_reads on turns for select to summit_system using (true);
create policy system_reads on api_keys for select to summit_system using (true);
create policy system_reads on users for select to summit_system using (true);

-- The ledger and the history are append-only for the application.
revoke update, delete on changes from summit_app;
