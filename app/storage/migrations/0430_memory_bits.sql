-- What is near in meaning is looked for among the signs of the vectors first: a bit a dimension, a sixteenth of what the
-- vectors themselves take, so that one index holds them for models of any length.
alter table memory_vectors add column bits bit varying not null generated always as (binary_quantize(embedding)) stored;
drop index memory_vectors_short, memory_vectors_long;
alter table memory_vectors drop column long;
alter table memory_vectors alter column bits set storage plain;
create index memory_vectors_bits on memory_vectors (user_id, model, occurred_at) include (unit, bits);
