-- Whether a change is undone now: an undo counts unless it was itself undone (that is a redo).
create function change_undone(owner uuid, change uuid) returns boolean language plpgsql stable as $$
begin
    return exists (
        select 1 from changes undo
        where undo.user_id = owner and undo.undo_of = change and undo.status = 'applied'
          and not change_undone(owner, undo.id));
end $$;

-- The fencing check of every write that a turn makes: a server that lost its lease may not write any more.
create function check_fence(owner uuid, turn uuid, generation bigint) returns void language plpgsql as $$
begin
    perform 1 from turns t
    where t.user_id = owner and t.id = turn and t.state = 'running' and t.lease_generation = generation
    for share;
    if not found then
        raise exception 'the lease of turn % (generation %) is gone', turn, generation using errcode = 'SM001';
    end if;
end $$;

-- The few reads that must see across tenants. They return ids and no content, and run as summit_system.
create function turns_to_run(how_many integer) returns table (owner uuid, thread uuid)
language sql stable security definer set search_path = summit, pg_temp as $$
    select t.user_id, t.thread_id from turns t
    where t.state in ('queued', 'running') and (t.text is not null or t.cancel_requested)
      and (t.state = 'queued' or t.lease_until < now())
      and not exists (select 1 from turns other
                      where other.user_id = t.user_id and other.thread_id = t.thread_id and other.id <> t.id
                        and (other.state = 'running' and other.lease_until >= now()
                             or other.state in ('queued', 'running') and other.seq < t.seq))
    order by t.lease_until nulls first limit how_many
$$;

create function find_key(wanted bytea)
returns table (user_id uuid, id uuid, name text, hint text, scopes text[], created_at timestamptz, expires_at timestamptz)
language sql stable security definer set search_path = summit, pg_temp as $$
    select k.user_id, k.id, k.name, k.hint, k.scopes, k.created_at, k.expires_at from api_keys k where k.digest = wanted
$$;

create function any_key() returns boolean
language sql stable security definer set search_path = summit, pg_temp as $$
    select exists (select 1 from api_keys)
$$;

create function all_users() returns table (user_id uuid, name text, settings jsonb, created_at timestamptz)
language sql stable security definer set search_path = summit, pg_temp as $$
    select u.user_id, u.name, u.settings, u.created_at from users u order by u.created_at, u.user_id
$$;

grant create, usage on schema summit to summit_system;
grant select (user_id, id, thread_id, seq, state, lease_until, text, cancel_requested) on turns to summit_system;
grant select on api_keys, users to summit_system;
alter function turns_to_run(integer) owner to summit_system;
alter function find_key(bytea) owner to summit_system;
alter function any_key() owner to summit_system;
alter function all_users() owner to summit_system;
revoke create on schema summit from summit_system;
revoke execute on function turns_to_run(integer), find_key(bytea), any_key(), all_users() from public;
grant execute on function turns_to_run(integer), find_key(bytea), any_key(), all_users() to summit_app;

-- A record's time as an instant: a day begins at midnight in the record's zone.
create function instant_of(moment text, zone text) returns timestamptz language sql immutable as $$
    select case when length(moment) = 10 then moment::timestamp at time zone coalesce(zone, 'UTC')
                else moment::timestamptz end
$$;
