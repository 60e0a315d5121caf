-- How often a recording was tried to the end: what kills a worker, or stops it, is no try.
alter table memos add column tries integer not null default 0;
