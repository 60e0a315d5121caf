-- What was spent and granted stands in the account, so that reading it costs the same however old it is.
-- At any time: spent = sum(entries.spent) and granted = sum(entries.available) of the grants.
alter table credit_accounts
    add column spent   bigint not null default 0 check (spent >= 0),
    add column granted bigint not null default 0;

do $$
declare
    owner uuid;
begin
    for owner in select user_id from all_users() loop
        perform set_config('summit.user_id', owner::text, true);
        update credit_accounts a
        set spent = e.spent, granted = e.granted
        from (select coalesce(sum(spent), 0) as spent,
                     coalesce(sum(available) filter (where kind = 'grant'), 0) as granted
              from credit_entries where user_id = owner) as e
        where a.user_id = owner;
    end loop;
    perform set_config('summit.user_id', '', true);
end $$;

create or replace function move_credits(
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

create or replace function grant_credits(owner uuid, entry uuid, amount bigint, starter bigint) returns void
language plpgsql as $$
begin
    perform credit_account(owner, starter);
    insert into credit_entries (user_id, id, kind, available, held) values (owner, entry, 'grant', amount, 0)
    on conflict do nothing;
    if found then
        update credit_accounts set available = available + amount, granted = granted + amount where user_id = owner;
    end if;
end $$;
