-- What has still to happen to a user's files after their rows were taken in or erased, committed with these rows: whoever
-- comes next does it, if the server that began is gone.
alter table counters add column files_due jsonb;
create index counters_files_due on counters (user_id) where files_due is not null;

-- Ids only.
create function owing_files(how_many integer) returns setof uuid
language sql stable security definer set search_path = summit, pg_temp as $$
    select c.user_id from counters c where c.files_due is not null and c.files_due ->> 'kind' <> 'imported' limit how_many
$$;
grant create on schema summit to summit_system;
grant select (user_id, files_due) on counters to summit_system;
alter function owing_files(integer) owner to summit_system;
revoke create on schema summit from summit_system;
revoke execute on function owing_files(integer) from public;
grant execute on function owing_files(integer) to summit_app;
