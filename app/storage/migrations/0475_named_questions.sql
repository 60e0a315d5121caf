-- Which question a message is the answer to, where its sender named one: it answers no other.
alter table turns add column question uuid;
