-- What was made as one is found by the id that it shares: an edit by hand belongs to no turn.
create index changes_together on changes (user_id, together) where together is not null;
