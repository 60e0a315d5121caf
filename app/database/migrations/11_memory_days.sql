-- What was said in a stretch of time is read without looking at all that its user ever said.

create index memory_documents_of_day on memory_documents (user_id, captured_at);
