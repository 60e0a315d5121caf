-- What became of suggestions has numbers like records, so that it, too, is read only where it changed.
drop trigger stamp_record on store;
drop trigger count_gone_record on store;
create trigger stamp_record before insert or update on store
    for each row when (split_part(new.prefix, '.', 1) in ('todo', 'event', 'note', 'instruction', 'profile', 'focus'))
    execute function stamp_record();
create trigger count_gone_record after delete on store
    for each row when (split_part(old.prefix, '.', 1) in ('todo', 'event', 'note', 'instruction', 'profile', 'focus'))
    execute function count_gone_record();
