-- What models cost each user: an account, what is held for calls that are under way, and a ledger that is only added to.
-- At any time: sum(entries.available) = accounts.available and sum(entries.held) = accounts.held = sum(holds.credits).

create table credit_accounts (
    user_id   uuid primary key references users on delete cascade,
    available bigint not null check (available >= 0),
    held      bigint not null default 0 check (held >= 0)
);

create table credit_holds (
    user_id    uuid not null references users on delete cascade,
    id         uuid not null,
    credits    bigint not null check (credits >= 0),
    turn_id    uuid,
    created_at timestamptz not null default clock_timestamp(),
    primary key (user_id, id)
);

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
    foreach name in array array['credit_accounts', 'credit_holds', 'credit_entries']
    loop
        execute format('alter table %I enable row level security', name);
        execute format('alter table %I force row level security', name);
        execute format(
            'create policy tenant on %I using (user_id = (select nullif(current_setting(''summit.user_id'', true), '''')::uuid))
             with check (user_id = (select nullif(current_setting(''summit.user_id'', true), '''')::uuid))', name);
    end loop;
end $$;
revoke update, delete on credit_entries from summit_app;

-- Moves credits: every change of an account is an entry of the ledger.
create function move_credits(
    owner uuid, sort text, more_available bigint, more_held bigint, cost bigint, hold uuid, turn uuid,
    named text, used_in bigint, used_out bigint, price bigint
) returns void language plpgsql as $$
begin
    update credit_accounts set available = available + more_available, held = held + more_held where user_id = owner;
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

-- Holds credits for a call; false when there are not enough. What a killed server left held is given back first.
create function hold_credits(owner uuid, hold uuid, wanted bigint, turn uuid, starter bigint, stale interval) returns boolean
language plpgsql as $$
declare
    account credit_accounts;
    forgotten credit_holds;
begin
    account := credit_account(owner, starter);
    for forgotten in delete from credit_holds where user_id = owner and created_at < clock_timestamp() - stale returning *
    loop
        perform move_credits(owner, 'release', forgotten.credits, -forgotten.credits, 0, forgotten.id, forgotten.turn_id,
                             null, 0, 0, 0);
        account.available := account.available + forgotten.credits;
    end loop;
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
    kept bigint;
    paid bigint;
begin
    account := credit_account(owner, starter);
    delete from credit_holds where user_id = owner and id = hold returning credits into kept;
    kept := coalesce(kept, 0);
    paid := least(cost, kept + account.available);
    perform move_credits(owner, 'settle', kept - paid, -kept, paid, hold, turn, named, used_in, used_out, price);
    return paid;
end $$;

-- Gives back what was held for a call that failed.
create function release_credits(owner uuid, hold uuid, starter bigint) returns void language plpgsql as $$
declare
    kept credit_holds;
begin
    perform credit_account(owner, starter);
    delete from credit_holds where user_id = owner and id = hold returning * into kept;
    if found then
        perform move_credits(owner, 'release', kept.credits, -kept.credits, 0, hold, kept.turn_id, null, 0, 0, 0);
    end if;
end $$;

-- Adds credits, once for each `entry`: a request that is sent again adds nothing.
create function grant_credits(owner uuid, entry uuid, amount bigint, starter bigint) returns void language plpgsql as $$
begin
    perform credit_account(owner, starter);
    insert into credit_entries (user_id, id, kind, available, held) values (owner, entry, 'grant', amount, 0)
    on conflict do nothing;
    if found then
        update credit_accounts set available = available + amount where user_id = owner;
    end if;
end $$;
