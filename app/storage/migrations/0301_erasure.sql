-- The ledger is never changed, but a person may take it back whole: the rows of the tenant that the transaction names.
create function erase_changes() returns bigint
language sql volatile security definer set search_path = summit, pg_temp as $$
    with gone as (
        delete from changes
        where user_id = (select nullif(current_setting('summit.user_id', true), '')::uuid) returning 1
    )
    select count(*) from gone
$$;
grant create on schema summit to summit_system;
grant select (user_id), delete on changes to summit_system;
alter function erase_changes() owner to summit_system;
revoke create on schema summit from summit_system;
revoke execute on function erase_changes() from public;
grant execute on function erase_changes() to summit_app;
