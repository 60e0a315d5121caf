"""LangGraph's checkpointer on our pool: as many calls at once as there are connections, one tenant each, fenced."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from typing import Any, Literal, cast

from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.base import (
    ChannelVersions,
    Checkpoint,
    CheckpointMetadata,
    CheckpointTuple,
    get_serializable_checkpoint_metadata,
)
from langgraph.checkpoint.postgres.aio import AsyncPostgresSaver
from langgraph.checkpoint.serde.base import SerializerProtocol
from psycopg import AsyncCursor
from psycopg.rows import DictRow
from psycopg.types.json import Jsonb

from app.database.database import Database
from app.principal import current_principal

BECOME_USER_FOR_GOOD = "select set_config('summit.user_id', %s, false)"


KEEP = """
select keep_checkpoint(%(user_id)s, %(turn_id)s, %(generation)s, %(thread_id)s, %(checkpoint_ns)s, %(id)s, %(parent)s,
                       %(checkpoint)s, %(metadata)s, %(channels)s, %(versions)s, %(types)s, %(blobs)b)
"""


class TenantSaver(AsyncPostgresSaver):
    """Checkpoints of the current principal; writes raise StaleLease once its turn was taken over.

    ``serde`` carries the list of types that checkpoints may contain.
    """

    def __init__(self, database: Database, *, serde: SerializerProtocol | None = None) -> None:
        super().__init__(database.pool, serde=serde)
        self._database = database

    @asynccontextmanager
    async def _cursor(self, *, pipeline: bool = False) -> AsyncIterator[AsyncCursor[DictRow]]:
        # LangGraph's own holds one lock for all callers. It asks for a pipeline exactly where it writes.
        async with self._database.pipeline(fenced=pipeline) as cursor:
            yield cursor

    async def aput(
        self,
        config: RunnableConfig,
        checkpoint: Checkpoint,
        metadata: CheckpointMetadata,
        new_versions: ChannelVersions,
    ) -> RunnableConfig:
        """As LangGraph's own, in one statement and without a thread."""
        place = config["configurable"]
        where = {"thread_id": place["thread_id"], "checkpoint_ns": place["checkpoint_ns"]}
        values = checkpoint["channel_values"]
        plain = {name: value for name, value in values.items() if _fits_in_place(value)}
        apart = {name: value for name, value in values.items() if name not in plain}
        changed = {name: version for name, version in new_versions.items() if name in apart}
        rows = self._dump_blobs(where["thread_id"], where["checkpoint_ns"], apart, changed)
        *_, channels, versions, types, blobs = zip(*rows, strict=True) if rows else ((),) * 6
        principal = current_principal()
        await self._database.step(
            KEEP,
            {
                **where,
                "user_id": principal.user_id,
                "turn_id": principal.fence and principal.fence.turn_id,
                "generation": principal.fence and principal.fence.generation,
                "id": checkpoint["id"],
                "parent": place.get("checkpoint_id"),
                "checkpoint": Jsonb({**checkpoint, "channel_values": plain}),
                "metadata": Jsonb(get_serializable_checkpoint_metadata(config, metadata)),
                "channels": list(channels),
                "versions": list(versions),
                "types": list(types),
                "blobs": list(blobs),
            },
        )
        return {"configurable": {**where, "checkpoint_id": checkpoint["id"]}}

    async def _load_checkpoint_tuple(self, value: DictRow) -> CheckpointTuple:
        # LangGraph's own reads the writes in a thread, also where there are none.
        plain = value["checkpoint"].get("channel_values") or {}
        return CheckpointTuple(
            _config_of(value, value["checkpoint_id"]),
            cast(
                "Checkpoint",
                {**value["checkpoint"], "channel_values": plain | self._load_blobs(value["channel_values"])},
            ),
            value["metadata"],
            _config_of(value, value["parent_checkpoint_id"]) if value["parent_checkpoint_id"] else None,
            self._load_writes(value["pending_writes"]),
        )

    async def aprune(self, thread_ids: Sequence[str], *, strategy: str = "keep_latest") -> None:
        # On a connection of its own: pruning sets its transactions' isolation, which a pipeline cannot.
        async with self._database.connect() as conn:
            await conn.execute(BECOME_USER_FOR_GOOD, (str(current_principal().user_id),))
            await AsyncPostgresSaver(conn, serde=self.serde).aprune(thread_ids, strategy=strategy)

    async def prune_thread(self, thread_id: str, keep: Literal["latest", "nothing"] = "latest") -> None:
        """Delete a thread's checkpoints: all but the latest, or all.

        Raises psycopg's SerializationFailure when the thread is written meanwhile; nothing is deleted then.
        """
        await self.aprune([thread_id], strategy="keep_latest" if keep == "latest" else "delete")


def _config_of(row: DictRow, checkpoint_id: str) -> RunnableConfig:
    place = {"thread_id": row["thread_id"], "checkpoint_ns": row["checkpoint_ns"]}
    return {"configurable": {**place, "checkpoint_id": checkpoint_id}}


def _fits_in_place(value: Any) -> bool:
    """Whether a channel's value is part of the checkpoint's own JSON; the others have rows of their own."""
    return value is None or isinstance(value, str | int | float | bool)
