-- Mail accounts of users, their passwords sealed, and what is to be sent from them: nothing goes out without a yes.
create table mail_accounts (
    user_id    uuid not null references users on delete cascade,
    id         uuid not null,
    name       text not null,
    address    text not null,
    username   text not null,
    password   bytea not null,
    imap       jsonb,
    smtp       jsonb,
    created_at timestamptz not null default now(),
    primary key (user_id, id),
    unique (user_id, name)
);

-- `sending` is committed before the first byte leaves. Found again after a crash it becomes `unknown`: only its user can
-- find out, and nothing is sent a second time by itself. `decided_in` is the turn whose words decided it.
create table outgoing_mail (
    user_id    uuid not null references users on delete cascade,
    id         uuid not null,
    account_id uuid not null,
    account    text not null,
    sender     text not null,
    recipients text[] not null,
    subject    text not null,
    text       text not null,
    workflow   text not null,
    run_id     uuid not null,
    status     text not null default 'held'
        check (status in ('held', 'approved', 'sending', 'sent', 'failed', 'unknown', 'rejected')),
    message    text not null default '',
    generation bigint not null default 0,
    decided_in text,
    created_at timestamptz not null default now(),
    decided_at timestamptz,
    sent_at    timestamptz,
    primary key (user_id, id)
);
create index outgoing_mail_latest on outgoing_mail (user_id, created_at desc, id desc);
create index outgoing_mail_held on outgoing_mail (user_id) where status in ('held', 'failed', 'unknown');
create index outgoing_mail_open on outgoing_mail (created_at) where status in ('approved', 'sending');

do $$
declare
    name text;
begin
    foreach name in array array['mail_accounts', 'outgoing_mail']
    loop
        execute format('alter table %I enable row level security', name);
        execute format('alter table %I force row level security', name);
        execute format(
            'create policy tenant on %I using (user_id = (select nullif(current_setting(''summit.user_id'', true), '''')::uuid))
             with check (user_id = (select nullif(current_setting(''summit.user_id'', true), '''')::uuid))', name);
    end loop;
end $$;

-- What has its yes and no job: a worker that had lost it ended the job of another. Ids alone, across tenants.
create function outgoing_mail_without_job(how_many integer) returns table (owner uuid, mail uuid)
language sql stable security definer set search_path = summit, pg_temp as $$
    select m.user_id, m.id from outgoing_mail m
    where m.status in ('approved', 'sending')
      and not exists (select from procrastinate_jobs j where j.lock = 'mail:' || m.id and j.status in ('todo', 'doing'))
    order by m.created_at limit how_many
$$;
grant select (user_id, id, status, created_at) on outgoing_mail to summit_system;
create policy system_reads on outgoing_mail for select to summit_system using (true);
grant create on schema summit to summit_system;
alter function outgoing_mail_without_job(integer) owner to summit_system;
revoke create on schema summit from summit_system;
revoke execute on function outgoing_mail_without_job(integer) from public;
grant execute on function outgoing_mail_without_job(integer) to summit_app;
