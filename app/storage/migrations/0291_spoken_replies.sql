-- Whether the reply to a message is also wanted aloud, and servers that speak.
alter table turns add column speak boolean not null default false;
alter table active_models drop constraint active_models_capability_check;
alter table active_models add constraint active_models_capability_check
    check (capability in ('chat', 'embeddings', 'transcription', 'speech'));
