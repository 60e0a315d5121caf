-- A yes or no that came by a door: which turn's question it answers, whatever was said in the thread meanwhile.
alter table turns add column answers uuid;
create index turns_answering on turns (user_id, answers) where answers is not null;
