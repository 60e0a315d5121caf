-- What a CalDAV server calls a calendar may hold events and tasks: it is a calendar and a list of tasks here.
alter table synced_calendars
    drop constraint synced_calendars_user_id_account_id_url_key,
    add constraint synced_calendars_user_id_account_id_url_holds_key unique (user_id, account_id, url, holds);
