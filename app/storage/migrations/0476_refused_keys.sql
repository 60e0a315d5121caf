-- Wrong keys, in the audit log beside what was done: rows of the whole server, of these two kinds alone.
create function note_refusal(actor text, action text, subject text) returns void
language plpgsql volatile security definer set search_path = summit, pg_temp as $$
begin
    if action not in ('key.refused', 'sign-in.refused') then
        raise exception 'the audit log is written by what is done' using errcode = 'insufficient_privilege';
    end if;
    insert into audit_log (user_id, actor, action, subject)
    values ('00000000-0000-0000-0000-000000000000', actor, action, subject);
end $$;
grant create on schema summit to summit_system;
alter function note_refusal(text, text, text) owner to summit_system;
revoke create on schema summit from summit_system;
revoke execute on function note_refusal(text, text, text) from public;
grant execute on function note_refusal(text, text, text) to summit_app;
