-- A run may hand a part of its goal to a child. `given` is what that takes over: what the user said to its parent, as a
-- goal that a model wrote is not the user's own words, and what has tainted the parent.
alter table runs add column given jsonb;
create index runs_children on runs (user_id, parent_id) where parent_id is not null;
