-- Changes that were made as one, such as turning an idea into a task, and are undone as one: the id of their first.
alter table changes add column together uuid;
