-- A calendar of elsewhere may be a list of tasks, and one of each collects what began here. The server there may give a
-- file another name than the one it was written under.
alter table synced_calendars add column holds text not null default 'events' check (holds in ('events', 'tasks'));
drop index synced_calendars_collecting;
create unique index synced_calendars_collecting on synced_calendars (user_id, holds) where collects <> 'none';
alter table synced_events
    drop constraint synced_events_user_id_calendar_id_name_fkey,
    add constraint synced_events_user_id_calendar_id_name_fkey foreign key (user_id, calendar_id, name)
        references synced_items on delete cascade on update cascade;
