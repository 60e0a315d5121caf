-- The cap of a run as a hold. Its first call of a model that costs anything opens a hold of the run, which is filled up to
-- what the run may still spend, and each call takes what it may cost from there: the row of a call has `run_id`, that of
-- the run has its own id as `run_id`, and `taken` counts what was paid. A child spends from the hold of its parent.
-- As before: sum(entries.available) = accounts.available and sum(entries.held) = accounts.held = sum(holds.credits).
alter table credit_holds
    add column run_id uuid,
    add column taken bigint not null default 0 check (taken >= 0);
create index credit_holds_of_runs on credit_holds (user_id, run_id) where run_id is not null;

-- Fills the hold of a run, so that `wanted` can be taken from it; false where its cap or the account does not allow that.
-- Of an account that has less than the cap, a run takes half: its user's conversation goes on beside it.
create function fill_run_hold(owner uuid, run uuid, cap bigint, wanted bigint, available bigint) returns boolean
language plpgsql as $$
declare
    pool credit_holds;
    calls bigint;
    lacking bigint;
    more bigint;
begin
    insert into credit_holds (user_id, id, credits, run_id) values (owner, run, 0, run) on conflict do nothing;
    select * into pool from credit_holds where user_id = owner and id = run;
    select coalesce(sum(h.credits), 0) into calls from credit_holds h
    where h.user_id = owner and h.run_id = run and h.id <> run;
    lacking := wanted - pool.credits;
    if lacking > available or pool.taken + calls + wanted > cap then
        return false;
    end if;
    more := least(cap - pool.taken - calls - pool.credits, greatest(lacking, available / 2));
    if more > 0 then
        update credit_holds set credits = credits + more where user_id = owner and id = run;
        perform move_credits(owner, 'hold', -more, more, 0, run, run, null, 0, 0, 0);
    end if;
    return true;
end $$;

-- What a run's killed worker held for calls goes back to the hold of the run. Only its own, not those of its children.
create function return_calls(owner uuid, turn uuid) returns void language plpgsql as $$
begin
    with forgotten as (
        delete from credit_holds h where h.user_id = owner and h.turn_id = turn and h.run_id <> h.id returning h.run_id, h.credits
    ), whole as (select run_id, sum(credits) as credits from forgotten group by run_id)
    update credit_holds h set credits = h.credits + w.credits
    from whole w where h.user_id = owner and h.id = w.run_id;
end $$;

create or replace function hold_credits(
    owner uuid, hold uuid, wanted bigint, turn uuid, starter bigint, stale interval
) returns boolean language plpgsql as $$
declare
    account credit_accounts;
    forgotten credit_holds;
    root uuid;
    cap bigint;
begin
    account := credit_account(owner, starter);
    for forgotten in delete from credit_holds
        where user_id = owner and run_id is null and created_at < clock_timestamp() - stale returning *
    loop
        perform move_credits(owner, 'release', forgotten.credits, -forgotten.credits, 0, forgotten.id, forgotten.turn_id,
                             null, 0, 0, 0);
        account.available := account.available + forgotten.credits;
    end loop;
    select r.id, (r.limits ->> 'credits')::bigint into root, cap from runs r
    where r.user_id = owner
      and r.id = (select coalesce(one.parent_id, one.id) from runs one where one.user_id = owner and one.id = turn);
    if root is not null then
        if not fill_run_hold(owner, root, cap, wanted, account.available) then
            return false;
        end if;
        update credit_holds set credits = credits - wanted where user_id = owner and id = root;
        insert into credit_holds (user_id, id, credits, turn_id, run_id) values (owner, hold, wanted, turn, root);
        return true;
    end if;
    if account.available < wanted then
        return false;
    end if;
    insert into credit_holds (user_id, id, credits, turn_id) values (owner, hold, wanted, turn);
    perform move_credits(owner, 'hold', -wanted, wanted, 0, hold, turn, null, 0, 0, 0);
    return true;
end $$;

create or replace function settle_credits(
    owner uuid, hold uuid, turn uuid, named text, used_in bigint, used_out bigint, price bigint, cost bigint, starter bigint
) returns bigint language plpgsql as $$
declare
    account credit_accounts;
    call credit_holds;
    pool bigint;
    paid bigint;
    from_held bigint;
begin
    account := credit_account(owner, starter);
    delete from credit_holds where user_id = owner and id = hold returning * into call;
    call.credits := coalesce(call.credits, 0);
    select credits into pool from credit_holds where user_id = owner and id = call.run_id;
    paid := least(cost, call.credits + coalesce(pool, 0) + account.available);
    from_held := least(paid, call.credits + coalesce(pool, 0));
    if pool is null then
        perform move_credits(owner, 'settle', call.credits - paid, -call.credits, paid, hold, turn, named, used_in, used_out,
                             price);
        return paid;
    end if;
    update credit_holds set credits = pool + call.credits - from_held, taken = taken + paid
    where user_id = owner and id = call.run_id;
    perform move_credits(owner, 'settle', from_held - paid, -from_held, paid, hold, turn, named, used_in, used_out, price);
    return paid;
end $$;

create or replace function release_credits(owner uuid, hold uuid, starter bigint) returns void language plpgsql as $$
declare
    kept credit_holds;
begin
    perform credit_account(owner, starter);
    delete from credit_holds where user_id = owner and id = hold returning * into kept;
    if not found then
        return;
    end if;
    update credit_holds set credits = credits + kept.credits where user_id = owner and id = kept.run_id;
    if not found then
        perform move_credits(owner, 'release', kept.credits, -kept.credits, 0, hold, kept.turn_id, null, 0, 0, 0);
    end if;
end $$;

-- A run that is claimed anew takes back what its last worker held for calls; one that waits or has ended holds nothing.
create function keep_run_hold() returns trigger language plpgsql as $$
declare
    pool credit_holds;
begin
    perform 1 from credit_accounts where user_id = new.user_id for update;
    if not found then
        return new;
    end if;
    perform return_calls(new.user_id, new.id);
    if new.status in ('waiting', 'done') then
        select * into pool from credit_holds where user_id = new.user_id and id = new.id;
        if pool.credits > 0 then
            perform move_credits(new.user_id, 'release', pool.credits, -pool.credits, 0, new.id, new.id, null, 0, 0, 0);
        end if;
        update credit_holds set credits = 0 where user_id = new.user_id and id = new.id;
    end if;
    if new.status = 'done' then
        delete from credit_holds where user_id = new.user_id and id = new.id;
    end if;
    return new;
end $$;
create trigger run_claimed before update of lease_generation on runs for each row
    when (new.lease_generation <> old.lease_generation) execute function keep_run_hold();
create trigger run_still before update of status on runs for each row
    when (new.status <> old.status and new.status in ('waiting', 'done')) execute function keep_run_hold();
