-- LangGraph's tables hold tenants' data: nobody sees or writes rows but those of the user that the transaction names.

-- A column of its own, because LangGraph searches with `prefix like`, which a policy would have to run on every
-- tenant's rows; an equality on this column is checked first and finds its rows by index.
alter table store
    add column user_id uuid generated always as (split_part(prefix, '.', 2)::uuid) stored;
alter table store alter column user_id set not null;
create index store_user_idx on store (user_id, prefix, key);
alter table store enable row level security;
alter table store force row level security;
create policy tenant on store
    using (user_id = (select nullif(current_setting('summit.user_id', true), '')::uuid))
    with check (user_id = (select nullif(current_setting('summit.user_id', true), '')::uuid));

-- Checkpoint threads are named `<user id>:<thread id>`.
do $$
declare
    name text;
begin
    foreach name in array array['checkpoints', 'checkpoint_blobs', 'checkpoint_writes'] loop
        execute format('alter table %I enable row level security', name);
        execute format('alter table %I force row level security', name);
        execute format(
            'create policy tenant on %I
                using (split_part(thread_id, '':'', 1) = (select nullif(current_setting(''summit.user_id'', true), '''')))
                with check (split_part(thread_id, '':'', 1) = (select nullif(current_setting(''summit.user_id'', true), '''')))',
            name
        );
    end loop;
end $$;

-- Version counters hold no tenant's data.
revoke insert, update, delete on checkpoint_migrations, store_migrations from summit_app;
