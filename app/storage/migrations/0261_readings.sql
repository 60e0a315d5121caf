-- What a message was read as, where its sender saw that and changed it: proposals that are not read from its words again.
alter table turns add column reading jsonb;
