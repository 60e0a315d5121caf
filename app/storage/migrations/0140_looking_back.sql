-- "Undo what you did this morning" reads the ledger by the time of its changes.
create index changes_by_time on changes (user_id, created_at desc, cursor desc);
