-- Models: where they are, which is used for what, and what they cost each user.

-- Rows of the user with only zeros are everybody's: the administrator writes them, all read them. There is no such row in
-- users, hence no foreign key.
create table providers (
    user_id      uuid not null,
    slug         text not null,
    name         text,
    base_url     text,
    kind         text check (kind in ('direct', 'gateway')),
    capabilities text[],
    api_key      bytea,
    hint         text not null default '',
    updated_at   timestamptz not null default now(),
    primary key (user_id, slug)
);

create table active_models (
    user_id    uuid not null,
    capability text not null check (capability in ('chat', 'embeddings', 'transcription', 'speech')),
    tier       text not null check (tier in ('fast', 'reason')),
    provider   text not null,
    model      text not null,
    updated_at timestamptz not null default now(),
    primary key (user_id, capability, tier)
);

-- An account, what is held for calls that are under way, and a ledger that is only added to. At any time:
-- sum(entries.available) = accounts.available and sum(entries.held) = accounts.held = sum(holds.credits);
-- spent = sum(entries.spent) and granted = sum(entries.available) of the grants, so that reading them costs the same however
-- old an account is.
create table credit_accounts (
    user_id   uuid primary key references users on delete cascade,
    available bigint not null check (available >= 0),
    held      bigint not null default 0 check (held >= 0),
    spent     bigint not null default 0 check (spent >= 0),
    granted   bigint not null default 0
);

-- The cap of a run is a hold, too. Its first call of a model that costs anything opens a hold of the run, which is filled up
-- to what the run may still spend, and each call takes what it may cost from there: the row of a call has `run_id`, that of
-- the run has its own id as `run_id`, and `taken` counts what was paid. A child spends from the hold of its parent.
create table credit_holds (
    user_id    uuid not null references users on delete cascade,
    id         uuid not null,
    credits    bigint not null check (credits >= 0),
    turn_id    uuid,
    created_at timestamptz not null default clock_timestamp(),
    run_id     uuid,
    taken      bigint not null default 0 check (taken >= 0),
    primary key (user_id, id)
);
create index credit_holds_of_runs on credit_holds (user_id, run_id) where run_id is not null;

-- `spent` is what a settled call cost; micros are millionths of a US dollar.
create table credit_entries (
    user_id    uuid not null references users on delete cascade,
    id         uuid not null default gen_random_uuid(),
    kind       text not null check (kind in ('grant', 'hold', 'settle', 'release')),
    available  bigint not null,
    held       bigint not null,
    spent      bigint not null default 0,
    hold_id    uuid,
    turn_id    uuid,
    model      text,
    tokens_in  bigint not null default 0,
    tokens_out bigint not null default 0,
    micros     bigint not null default 0,
    created_at timestamptz not null default clock_timestamp(),
    primary key (user_id, id)
);
create index credit_entries_spent on credit_entries (user_id, created_at) where kind = 'settle';

do $$
declare
    name text;
begin
    foreach name in array array['providers', 'active_models', 'credit_accounts', 'credit_holds', 'credit_entries']
    loop
        execute format('alter table %I enable row level security', name);
        execute format('alter table %I force row level security', name);
        execute format(
            'create policy tenant on %I using (user_id = (select nullif(current_setting(''summit.user_id'', true), '''')::uuid))
             with check (user_id = (select nullif(current_setting(''summit.user_id'', true), '''')::uuid))', name);
    end loop;
end $$;
create policy everybody on providers for select using (user_id = '00000000-0000-0000-0000-000000000000');
create policy everybody on active_models for select using (user_id = '00000000-0000-0000-0000-000000000000');
revoke update, delete on credit_entries from summit_app;

-- Moves credits: every change of an account is an entry of the ledger.
create function move_credits(
    owner uuid, sort text, more_available bigint, more_held bigint, cost bigint, hold uuid, turn uuid,
    named text, used_in bigint, used_out bigint, price bigint
) returns void language plpgsql as $$
begin
    update credit_accounts
    set available = available + more_available, held = held + more_held, spent = spent + cost,
        granted = granted + case when sort = 'grant' then more_available else 0 end
    where user_id = owner;
    insert into credit_entries (user_id, kind, available, held, spent, hold_id, turn_id, model, tokens_in, tokens_out, micros)
    values (owner, sort, more_available, more_held, cost, hold, turn, named, used_in, used_out, price);
end $$;

-- The account, opened with its starter credits at first use, and locked until the end of the transaction.
create function credit_account(owner uuid, starter bigint) returns credit_accounts language plpgsql as $$
declare
    found_one credit_accounts;
begin
    insert into credit_accounts (user_id, available) values (owner, 0) on conflict do nothing;
    if found then
        perform move_credits(owner, 'grant', starter, 0, 0, null, null, null, 0, 0, 0);
    end if;
    select * into found_one from credit_accounts where user_id = owner for update;
    return found_one;
end $$;

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

-- Holds credits for a call; false when there are not enough. What a killed server left held is given back first.
create function hold_credits(
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

-- Pays what a call used out of its hold; the credits taken. An account never goes below zero.
create function settle_credits(
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

-- Gives back what was held for a call that failed.
create function release_credits(owner uuid, hold uuid, starter bigint) returns void language plpgsql as $$
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

-- What a run's killed worker held for calls goes back to the hold of the run. Only its own, not those of its children.
create function return_calls(owner uuid, turn uuid) returns void language plpgsql as $$
begin
    with forgotten as (
        delete from credit_holds h where h.user_id = owner and h.turn_id = turn and h.run_id <> h.id returning h.run_id, h.credits
    ), whole as (select run_id, sum(credits) as credits from forgotten group by run_id)
    update credit_holds h set credits = h.credits + w.credits
    from whole w where h.user_id = owner and h.id = w.run_id;
end $$;

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

-- Adds credits, once for each `entry`: a request that is sent again adds nothing.
create function grant_credits(owner uuid, entry uuid, amount bigint, starter bigint) returns void
language plpgsql as $$
begin
    perform credit_account(owner, starter);
    insert into credit_entries (user_id, id, kind, available, held) values (owner, entry, 'grant', amount, 0)
    on conflict do nothing;
    if found then
        update credit_accounts set available = available + amount, granted = granted + amount where user_id = owner;
    end if;
end $$;
