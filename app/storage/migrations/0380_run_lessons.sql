-- What runs learned, for those that come after: each with its run and how well that went. The same words learned again
-- are the same lesson. `taught` is what a goal is compared with, `is_foreign` that words which are not the user's are in it.
create table run_lessons (
    user_id    uuid not null references users on delete cascade,
    id         uuid not null,
    kind       text not null check (kind in ('experience', 'procedure', 'knowledge', 'user_info')),
    text       text not null,
    taught     text not null,
    run_id     uuid,
    score      real not null check (score between 0 and 1),
    is_foreign boolean not null,
    times      integer not null default 1,
    created_at timestamptz not null default now(),
    learned_at timestamptz not null default now(),
    edited_at  timestamptz,
    primary key (user_id, id)
);
create index run_lessons_latest on run_lessons (user_id, learned_at desc, id desc);

create table run_lesson_vectors (
    user_id   uuid not null,
    lesson    uuid not null,
    model     text not null,
    embedding halfvec not null,
    primary key (user_id, lesson, model),
    foreign key (user_id, lesson) references run_lessons on delete cascade
);

do $$
declare
    name text;
begin
    foreach name in array array['run_lessons', 'run_lesson_vectors']
    loop
        execute format('alter table %I enable row level security', name);
        execute format('alter table %I force row level security', name);
        execute format(
            'create policy tenant on %I using (user_id = (select nullif(current_setting(''summit.user_id'', true), '''')::uuid))
             with check (user_id = (select nullif(current_setting(''summit.user_id'', true), '''')::uuid))', name);
    end loop;
end $$;
