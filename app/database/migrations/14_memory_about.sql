-- All that mentions a person or a thing by one of its names, or was said by them, the latest first, with how many units
-- that are and from when to when. Its own words count, not its neighbours'. As in memory_by_words, the function names the
-- user of the transaction itself and returns numbers and moments alone.
grant select (speaker) on memory_units to summit_system;
create function memory_about(
    names text[], hidden bigint[], before timestamptz, before_unit bigint, most integer
) returns table (unit bigint, occurred_at timestamptz, units bigint, first_at timestamptz, last_at timestamptz)
language plpgsql stable security definer set search_path = summit, pg_temp as $$
declare
    owner uuid := nullif(current_setting('summit.user_id', true), '')::uuid;
    token tsquery := quote_literal('/' || replace(owner::text, '-', ''))::tsquery;
    wanted tsquery := ''::tsquery;
    name text;
begin
    foreach name in array names loop
        wanted := wanted || phraseto_tsquery('english', name);
    end loop;
    return query
    with told as (
        select u.id, u.occurred_at as moment from memory_units u
        where u.words @@ (token && wanted) and numnode(wanted) > 0 and u.user_id = owner
          and ts_filter(u.words, '{a}') @@ wanted
        union
        select u.id, u.occurred_at from memory_units u where u.user_id = owner and lower(u.speaker) = any (names)
    ), shown as (
        select t.id, t.moment, count(*) over () as units, min(t.moment) over () as first_at,
               max(t.moment) over () as last_at
        from told t where t.id <> all (hidden)
    )
    select s.id, s.moment, s.units, s.first_at, s.last_at from shown s
    where before is null or (s.moment, s.id) < (before, before_unit)
    order by s.moment desc, s.id desc limit most;
end $$;
grant create on schema summit to summit_system;
alter function memory_about(text[], bigint[], timestamptz, bigint, integer) owner to summit_system;
revoke create on schema summit from summit_system;
revoke execute on function memory_about(text[], bigint[], timestamptz, bigint, integer) from public;
grant execute on function memory_about(text[], bigint[], timestamptz, bigint, integer) to summit_app;
