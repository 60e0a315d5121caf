"""LangGraph's store on our pool as the current principal, and on one connection inside a ledger's transaction."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterable, Sequence
from contextlib import asynccontextmanager
from datetime import datetime
from operator import attrgetter
from typing import Any

from langgraph.store.base import BaseStore, GetOp, Op, PutOp, Result, SearchItem, SearchOp
from langgraph.store.postgres.aio import AsyncPostgresStore
from psycopg import AsyncConnection, AsyncCursor
from psycopg.rows import DictRow

from agents.ports import Mark
from app.database.database import Database, check_fence
from app.principal import current_principal

AS_JSON = "json_agg(json_build_array(prefix, key, value, created_at, updated_at))"


MAX_CHANGED_ROWS = 500
"""Changes that are read one by one; where there are more, all records are read."""
CHANGED = f"""
select c.store_stamp as stamp, c.store_gone as gone,
       (select {AS_JSON}
        from (select prefix, key, value, created_at, updated_at from store s
              where s.user_id = %s and s.stamp > 0 and s.stamp > %s order by s.stamp limit %s) found) as page
from counters c where c.user_id = %s
"""  # noqa: S608 - constants


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

    async def abatch(self, ops: Iterable[Op]) -> list[Result]:
        # Nothing of ours expires; LangGraph would make an update of every read to put an end off.
        lasting = [op._replace(refresh_ttl=False) if isinstance(op, GetOp | SearchOp) else op for op in ops]
        return await super().abatch(lasting)

    async def _batch_search_ops(
        self, search_ops: Sequence[tuple[int, SearchOp]], results: list[Result], cur: AsyncCursor[DictRow]
    ) -> None:
        # LangGraph's own waits for each search before it sends the next; here all of them are one statement, and a page
        # comes as one value: to read hundreds of rows one by one takes several times as long.
        queries, _ = self._prepare_batch_search_queries(search_ops)
        numbered = [
            f"(select {place} as place, {AS_JSON} as page from ({query}) as found)"  # noqa: S608 - LangGraph's own queries
            for place, (query, _) in enumerate(queries)
        ]
        await cur.execute(
            " union all ".join(numbered), [value for _, values in queries for value in values], binary=True
        )
        pages = {row["place"]: row["page"] for row in await cur.fetchall()}
        for place, (index, _) in enumerate(search_ops):
            found = [_search_item(*columns) for columns in pages[place] or ()]
            results[index] = sorted(found, key=attrgetter("updated_at"), reverse=True)


class TenantStore(DirectStore):
    """Items of the current principal; writes raise StaleLease once its turn was taken over."""

    def __init__(self, database: Database) -> None:
        super().__init__(database.pool)
        self._database = database

    @asynccontextmanager
    async def _cursor(self, *, pipeline: bool = False) -> AsyncIterator[AsyncCursor[DictRow]]:  # noqa: ARG002 - always one
        async with self._database.pipeline() as cursor:
            yield cursor

    async def changed_since(self, user_id: str, since: Mark | None) -> tuple[Mark, list[SearchItem] | None]:
        """See agents.ports.FollowedStore."""
        async with self._cursor() as cursor:
            await cursor.execute(CHANGED, (user_id, since[0] if since else None, MAX_CHANGED_ROWS + 1, user_id))
            row = await cursor.fetchone()
        mark = (row["stamp"], row["gone"]) if row else (0, 0)
        page = (row and row["page"]) or []
        if since is None or row is None or mark[1] != since[1] or mark[0] < since[0] or len(page) > MAX_CHANGED_ROWS:
            return mark, None
        return mark, [_search_item(*columns) for columns in page]

    async def _batch_put_ops(self, put_ops: Sequence[tuple[int, PutOp]], cur: AsyncCursor[DictRow]) -> None:
        await check_fence(cur.connection, current_principal().user_id)
        await super()._batch_put_ops(put_ops, cur)


def bound_store(conn: AsyncConnection[DictRow]) -> AsyncPostgresStore:
    """A store whose calls are part of the transaction open on ``conn``, and of its tenant."""
    return DirectStore(conn)


def _search_item(prefix: str, key: str, value: dict[str, Any], created: str, updated: str) -> SearchItem:
    return SearchItem(
        namespace=tuple(prefix.split(".")),
        key=key,
        value=value,
        created_at=datetime.fromisoformat(created),
        updated_at=datetime.fromisoformat(updated),
    )
