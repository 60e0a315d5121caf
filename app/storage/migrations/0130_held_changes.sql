-- Changes that wait for a yes: until when, and what their status follows from.
alter table changes add column expires_at timestamptz;
alter table changes add constraint changes_held check (status <> 'needs_confirmation' or expires_at is not null);
create index changes_answering on changes (user_id, confirms, cursor) where confirms is not null;
-- Whatever the servers believe, a held change is applied once.
create unique index changes_confirmed_once on changes (user_id, confirms) where status = 'applied' and confirms is not null;

-- A held change is as its answer: the first change that names it, a yes or a no. Without one it waits until it is too late.
create function held_status(owner uuid, held uuid, until timestamptz) returns text language plpgsql stable as $$
declare
    answer record;
begin
    select c.id, c.status into answer from changes c
    where c.user_id = owner and c.confirms = held order by c.cursor limit 1;
    if answer.id is null then
        return case when until <= now() then 'failed' else 'needs_confirmation' end;
    end if;
    return case when answer.status = 'applied' and change_undone(owner, answer.id) then 'undone' else answer.status end;
end $$;

create function held_error(owner uuid, held uuid, until timestamptz) returns text language plpgsql stable as $$
declare
    answer record;
begin
    select c.id, c.error into answer from changes c
    where c.user_id = owner and c.confirms = held order by c.cursor limit 1;
    if answer.id is null then
        return case when until <= now() then 'nobody said yes in time' end;
    end if;
    return answer.error;
end $$;
