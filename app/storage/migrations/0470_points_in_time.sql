-- What ends when it starts is a point in time: the range [a, a]. One at the very beginning of a stretch lies within it.
create or replace function occurrences_between(owner uuid, since timestamptz, until timestamptz) returns setof occurrences
language sql stable as $$
    select o.* from occurrences o
    where o.user_id = owner and o.reach = 0 and o.starts_at < until
      and o.starts_at > since - interval '24 hours' and (o.ends_at > since or o.starts_at = since)
    union all
    select o.* from occurrences o
    where o.user_id = owner and o.reach = 1 and o.starts_at < until
      and o.starts_at > since - interval '768 hours' and o.ends_at > since
    union all
    select o.* from occurrences o
    where o.user_id = owner and o.reach = 2 and o.starts_at < until and o.ends_at > since
$$;
