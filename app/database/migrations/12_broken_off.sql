-- The recording of a turn breaks off: what is missing may turn its words round, so that they are read back first.
alter table turns add column breaks_off boolean not null default false;
