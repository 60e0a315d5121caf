-- A checkpoint with all its channels in one statement, under the claim of the turn that writes it.
create function keep_checkpoint(
    owner uuid, turn uuid, generation bigint, thread text, place text, id text, parent text, content jsonb, about jsonb,
    channels text[], versions text[], types text[], blobs bytea[]
) returns void language plpgsql as $$
begin
    perform act_as(owner);
    if generation is not null then
        perform check_fence(owner, turn, generation);
    end if;
    insert into checkpoint_blobs (thread_id, checkpoint_ns, channel, version, type, blob)
    select thread, place, kept.* from unnest(channels, versions, types, blobs) as kept
    on conflict (thread_id, checkpoint_ns, channel, version) do nothing;
    insert into checkpoints (thread_id, checkpoint_ns, checkpoint_id, parent_checkpoint_id, checkpoint, metadata)
    values (thread, place, id, parent, content, about)
    on conflict (thread_id, checkpoint_ns, checkpoint_id)
    do update set checkpoint = excluded.checkpoint, metadata = excluded.metadata;
end $$;
