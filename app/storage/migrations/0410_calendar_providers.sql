-- How an account is spoken to. With Google the sealed password is a refresh token.
alter table calendar_accounts
    add column provider text not null default 'caldav' check (provider in ('caldav', 'google'));
