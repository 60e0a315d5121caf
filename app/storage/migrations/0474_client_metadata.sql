-- What a client of LangGraph's API says of a thread for itself, and of a run: its metadata and config, how it names the
-- message, and the turn that the run goes on from where that is not the last one.
alter table threads add column metadata jsonb not null default '{}';
alter table turns add column client jsonb;
