"""LangGraph's checkpointer on our pool: as many calls at once as there are connections, one tenant each, fenced."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from typing import Literal

from langgraph.checkpoint.postgres.aio import AsyncPostgresSaver
from langgraph.checkpoint.serde.base import SerializerProtocol
from psycopg import AsyncCursor
from psycopg.rows import DictRow

from app.principal import current_principal
from app.storage.database import Database

BECOME_USER_FOR_GOOD = "select set_config('summit.user_id', %s, false)"


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
