-- The same for a user who may have so many turns waiting in all threads together; one more `verdict` is crowded.
create function accept_turn(
    owner uuid, thread uuid, turn uuid, key text, fingerprint bytea, words text, clip uuid, said_at timestamptz,
    zone text, usual_zone text, lease_seconds double precision, alone boolean, most bigint, most_of_user bigint
) returns table (verdict text, waiting bigint, settings jsonb, accepted turns) language plpgsql as $$
#variable_conflict use_column
begin
    perform act_as(owner);
    select count(*) into waiting from turns t where t.user_id = owner and t.state in ('queued', 'running');
    if waiting >= most_of_user
       and not exists (select from turns t where t.user_id = owner and t.idempotency_key = key) then
        verdict := 'crowded'; return next; return;
    end if;
    return query select * from accept_turn(
        owner, thread, turn, key, fingerprint, words, clip, said_at, zone, usual_zone, lease_seconds, alone, most);
end $$;
