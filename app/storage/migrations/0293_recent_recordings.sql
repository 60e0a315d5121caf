-- How much a user had heard lately is looked up before each recording is accepted.
create index memos_recent on memos (user_id, created_at) where container <> 'text';
