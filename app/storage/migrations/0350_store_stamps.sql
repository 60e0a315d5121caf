-- Each record has a number that is larger than those of all records which its user changed before, so that whoever has
-- read a user's records reads only those that changed since. The counter's row is locked with it, so that the numbers of
-- a user come in the order of commits. A deletion is counted: then everything is read again.
alter table counters
    add column store_stamp bigint not null default 0,
    add column store_gone bigint not null default 0;
alter table store add column stamp bigint not null default 0;
create index store_changed on store (user_id, stamp) where stamp > 0;

create function stamp_record() returns trigger language plpgsql set search_path = summit, pg_temp as $$
begin
    -- user_id is generated after this trigger has run
    update counters set store_stamp = store_stamp + 1 where user_id = split_part(new.prefix, '.', 2)::uuid
    returning store_stamp into new.stamp;
    new.stamp := coalesce(new.stamp, 0);
    return new;
end $$;

create function count_gone_record() returns trigger language plpgsql set search_path = summit, pg_temp as $$
begin
    update counters set store_gone = store_gone + 1 where user_id = old.user_id;
    return null;
end $$;

create trigger stamp_record before insert or update on store
    for each row when (split_part(new.prefix, '.', 1) in ('todo', 'event', 'note', 'instruction', 'profile'))
    execute function stamp_record();
create trigger count_gone_record after delete on store
    for each row when (split_part(old.prefix, '.', 1) in ('todo', 'event', 'note', 'instruction', 'profile'))
    execute function count_gone_record();
