-- Gives back what an earlier try of a turn held for calls to models: its server died before it could.
create function release_turn_credits(owner uuid, turn uuid) returns void language plpgsql as $$
declare
    forgotten credit_holds;
begin
    -- Whoever moves credits locks the account first.
    perform 1 from credit_accounts where user_id = owner for update;
    for forgotten in delete from credit_holds h where h.user_id = owner and h.turn_id = turn returning *
    loop
        perform move_credits(owner, 'release', forgotten.credits, -forgotten.credits, 0, forgotten.id, turn, null, 0, 0, 0);
    end loop;
end $$;
