-- What a user talks about: the units that were looked at last, the topic that each belongs to if to any, and the words of
-- that topic which the unit itself has. A topic has no row of its own: with its units goes all that was known of it.

create table memory_topic_units (
    user_id uuid not null,
    unit    bigint not null,
    topic   uuid,
    words   text[] not null,
    near    real not null,
    primary key (user_id, unit),
    foreign key (user_id, unit) references memory_units (user_id, id) on delete cascade
);
create index memory_topic_units_of_topic on memory_topic_units (user_id, topic, unit) where topic is not null;

-- When a user's topics were made, from which units on and with which model.
create table memory_topic_runs (
    user_id   uuid not null references users on delete cascade,
    made_at   timestamptz not null default now(),
    last_unit bigint not null,
    model     text not null,
    primary key (user_id)
);

do $$
declare
    name text;
begin
    foreach name in array array['memory_topic_units', 'memory_topic_runs']
    loop
        execute format('alter table %I enable row level security', name);
        execute format('alter table %I force row level security', name);
        execute format(
            'create policy tenant on %I using (user_id = (select nullif(current_setting(''summit.user_id'', true), '''')::uuid))
             with check (user_id = (select nullif(current_setting(''summit.user_id'', true), '''')::uuid))', name);
    end loop;
end $$;

-- Whoever has units that no topic knows of, or another model, and whose topics were not made since then. Ids alone.
create function memory_users_for_topics(made_before timestamptz, how_many integer) returns table (owner uuid)
language sql stable security definer set search_path = summit, pg_temp as $$
    select t.user_id from memory_totals t left join memory_topic_runs r on r.user_id = t.user_id
    where t.units > 0 and (r.user_id is null or (r.made_at <= made_before and (
        r.model <> t.model
        or exists (select from memory_units u where u.user_id = t.user_id and u.id > r.last_unit))))
    order by r.made_at nulls first limit how_many
$$;
grant select (user_id, made_at, last_unit, model) on memory_topic_runs to summit_system;
create policy system_reads on memory_topic_runs for select to summit_system using (true);
grant create on schema summit to summit_system;
alter function memory_users_for_topics(timestamptz, integer) owner to summit_system;
revoke create on schema summit from summit_system;
revoke execute on function memory_users_for_topics(timestamptz, integer) from public;
grant execute on function memory_users_for_topics(timestamptz, integer) to summit_app;
