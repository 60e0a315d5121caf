"""LangGraph's store on our pool as the current principal, and on one connection inside a ledger's transaction."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager

from langgraph.store.base import BaseStore, PutOp
from langgraph.store.postgres.aio import AsyncPostgresStore
from psycopg import AsyncConnection, AsyncCursor
from psycopg.rows import DictRow

from app.principal import current_principal
from app.storage.database import Database, check_fence


class DirectStore(AsyncPostgresStore):
    """Every call runs at once and in its caller's context.

    LangGraph's own queues calls for one background task, which has the context, and so the principal, of whoever
    called first.
    """

    aget = BaseStore.aget
    asearch = BaseStore.asearch
    aput = BaseStore.aput
    adelete = BaseStore.adelete
    alist_namespaces = BaseStore.alist_namespaces

    def _ensure_task(self) -> None:
        """No background task: nothing is queued."""


class TenantStore(DirectStore):
    """Items of the current principal; writes raise StaleLease once its turn was taken over."""

    def __init__(self, database: Database) -> None:
        super().__init__(database.pool)
        self._database = database

    @asynccontextmanager
    async def _cursor(self, *, pipeline: bool = False) -> AsyncIterator[AsyncCursor[DictRow]]:  # noqa: ARG002 - always one
        async with self._database.pipeline() as cursor:
            yield cursor

    async def _batch_put_ops(self, put_ops: Sequence[tuple[int, PutOp]], cur: AsyncCursor[DictRow]) -> None:
        await check_fence(cur.connection, current_principal())
        await super()._batch_put_ops(put_ops, cur)


def bound_store(conn: AsyncConnection[DictRow]) -> AsyncPostgresStore:
    """A store whose calls are part of the transaction open on ``conn``, and of its tenant."""
    return DirectStore(conn)
