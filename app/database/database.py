"""The pool of connections that requests and turns use, and the two ways in: as one tenant, or as nobody."""

from __future__ import annotations

import math
import select
import time
from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from contextlib import asynccontextmanager, contextmanager
from hashlib import sha256
from types import TracebackType
from typing import Any, Self
from uuid import UUID

import orjson
from psycopg import AsyncConnection, AsyncCursor, OperationalError, sql
from psycopg.errors import (
    DiskFull,
    IdleInTransactionSessionTimeout,
    InsufficientPrivilege,
    ReadOnlySqlTransaction,
    TransactionTimeout,
)
from psycopg.pq import PipelineStatus
from psycopg.rows import DictRow, dict_row
from psycopg.types.json import set_json_loads

from app.database.pool import FairPool, Pool
from app.database.roles import APP_ROLE
from app.errors import OutOfReach, StorageFull
from app.principal import StaleLease, current_actor, current_fence, current_principal

BECOME_USER = "select set_config('summit.user_id', %s, true)"
BECOME_ACTOR = "select set_config('summit.actor', %s, true)"
CHECK_FENCE = "select check_fence(%s, %s, %s)"
CONNECT_SECONDS = 30.0
IDENTITY_LENGTH = 16
MOST_WAITING = 500
"""Callers that wait for a connection at once; while the database is gone, further ones are sent away at once."""
STALE_LEASE = "SM001"
TRANSACTION_TIMEOUT_SINCE = 17_00_00

ROLE_PROBLEMS = """
select format('The role %s is a superuser: row-level security does not bind it.', rolname) as problem
from pg_roles where rolname = current_user and rolsuper
union all
select format('The role %s has BYPASSRLS: row-level security does not bind it.', rolname)
from pg_roles where rolname = current_user and rolbypassrls
union all
select format('The role %s owns the table summit.%s and could lift its row-level security.', current_user, c.relname)
from pg_class c
join pg_roles r on r.rolname = current_user and not r.rolsuper
where c.relnamespace = 'summit'::regnamespace and c.relkind in ('r', 'p') and pg_has_role(r.oid, c.relowner, 'MEMBER')
union all
select format('The table summit.%s has no forced row-level security.', c.relname)
from pg_class c
where c.relnamespace = 'summit'::regnamespace and c.relkind in ('r', 'p')
  and not (c.relrowsecurity and c.relforcerowsecurity)
  and c.relname not like 'procrastinate\\_%'
  and c.relname not in ('migrations', 'checkpoint_migrations', 'store_migrations')
"""

IDENTITY = """
select system_identifier::text || '/' || d.oid as name from pg_control_system(), pg_database d
where d.datname = current_database()
"""

Connection = AsyncConnection[DictRow]
REFUSALS = (OperationalError, ReadOnlySqlTransaction, TransactionTimeout, IdleInTransactionSessionTimeout)
Query = Mapping[str, Any] | Sequence[Any]


class Database:
    """Open it once per process: ``async with Database(url) as database``.

    A transaction that lasts ``transaction_seconds`` loses its connection, and with it its locks: else a server that is
    frozen in one, or behind a broken network, would hold up its user's turns at every other server.
    Every way in raises OutOfReach when the server cannot be used, StorageFull when it has no space left, and StaleLease
    when the turn that writes was taken over.
    """

    def __init__(
        self, url: str, *, pool_size: int = 10, app_role: str = APP_ROLE, transaction_seconds: float = 30.0
    ) -> None:
        self.url = url
        self.app_role = app_role
        self._identity: str | None = None
        self._longest = f"{transaction_seconds * 1000:.0f}ms"
        self._refused_for_space = -math.inf
        self.pool: Pool[Connection] = FairPool(
            url,
            connection_class=Connection,
            # Autocommit: transactions are opened where they are meant, and LangGraph's pipelines need it.
            kwargs={"autocommit": True, "row_factory": dict_row},
            min_size=min(2, pool_size),
            max_size=pool_size,
            open=False,
            timeout=CONNECT_SECONDS,
            max_waiting=MOST_WAITING,
            configure=self.configure,
            # A server that was killed leaves dead connections behind: noticed here, not in a turn.
            check=check_open,
            reset=refuse_half_done,
        )

    async def __aenter__(self) -> Self:
        await self.open()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()

    async def open(self) -> None:
        """Connect; raises psycopg_pool.PoolTimeout when the server does not answer in time."""
        await self.pool.open(wait=True, timeout=CONNECT_SECONDS)

    async def close(self) -> None:
        """Close every connection."""
        await self.pool.close()

    async def configure(self, conn: AsyncConnection[DictRow]) -> None:
        """Make a new connection work as the app role in schema ``summit``; other pools may use it, too."""
        set_json_loads(orjson.loads, conn)  # records are JSON: with many of them this is most of reading
        await conn.execute(
            sql.SQL(
                "set role {}; set search_path = summit, public; set application_name = 'summit'; set {} = {}"
            ).format(sql.Identifier(self.app_role), _limit_of(conn), self._longest)
        )
        if not conn.autocommit:
            await conn.commit()

    async def identity(self) -> str:
        """A name that differs for every database, whatever the address; empty where the role may not read it.

        It says nothing about where the database is, and is asked for once.
        """
        if self._identity is None:
            async with self.system() as conn:
                try:
                    [row] = await (await conn.execute(IDENTITY)).fetchall()
                except InsufficientPrivilege:
                    row = {"name": ""}
            self._identity = row["name"] and sha256(row["name"].encode()).hexdigest()[:IDENTITY_LENGTH]
        return self._identity

    @asynccontextmanager
    async def connect(self) -> AsyncIterator[Connection]:
        """A connection outside the pool, as the app role and in autocommit, closed at the end."""
        async with await Connection.connect(self.url, autocommit=True, row_factory=dict_row) as conn:
            await self.configure(conn)
            yield conn

    @asynccontextmanager
    async def connect_without_timeout(self) -> AsyncIterator[Connection]:
        """The same for a transaction that may last: reading or removing everything of a user."""
        with self.reaching():
            async with self.connect() as conn:
                await conn.execute(sql.SQL("set {} = 0").format(_limit_of(conn)))
                yield conn

    @asynccontextmanager
    async def tenant(self, user_id: UUID | None = None) -> AsyncIterator[Connection]:
        """One transaction that sees and writes the rows of one user: the given one, or the current principal's.

        Fetch what a statement returns before you decide by it; without, its error comes with a later statement's.
        """
        user = user_id or current_principal().user_id
        # In a pipeline a statement waits only for what is read of it: BEGIN and the first query are one trip.
        with self.reaching():
            async with self._pipeline_of() as conn, conn.transaction():
                await conn.execute(BECOME_USER, (str(user),))
                await _sign(conn)
                yield conn

    @asynccontextmanager
    async def one_statement(self, user_id: UUID) -> AsyncIterator[Connection]:
        """One statement as one user, in one trip: a transaction without the cost of beginning and ending one.

        What was sent is kept even if an exception is raised here, so this is not for several writes.
        """
        with self.reaching():
            async with self._pipeline_of() as conn:
                await conn.execute(BECOME_USER, (str(user_id),))
                await _sign(conn)
                yield conn

    async def step(self, function: str, values: Query) -> DictRow:
        """The one row of a call to a function that names its tenant itself: a transaction of its own in one trip."""
        [row] = await self.rows(function, values)
        return row

    async def rows(self, function: str, values: Query) -> list[DictRow]:
        """The rows of a call to a function that names its tenant itself."""
        with self.reaching():
            async with self.pool.connection() as conn:
                return await (await conn.execute(function, values)).fetchall()

    @asynccontextmanager
    async def system(self) -> AsyncIterator[Connection]:
        """Statements without a tenant: they see no tenant's rows, only what definer functions return."""
        with self.reaching():
            async with self.pool.connection() as conn:
                yield conn

    @asynccontextmanager
    async def pipeline(self, *, fenced: bool = False) -> AsyncIterator[AsyncCursor[DictRow]]:
        """One round trip as the current principal, for a single call of LangGraph's saver or store.

        The server runs it as one transaction, but an exception raised in Python still commits what was sent.
        With ``fenced`` it raises StaleLease, and keeps nothing, when the principal's claim is gone.
        """
        principal = current_principal()
        with self.reaching():
            async with self._pipeline_of() as conn, conn.cursor(binary=True) as cursor:
                await conn.execute(BECOME_USER, (str(principal.user_id),))
                if fenced:
                    await check_fence(conn, principal.user_id)
                yield cursor

    @asynccontextmanager
    async def _pipeline_of(self) -> AsyncIterator[Connection]:
        """A connection in a pipeline; after one that did not end well, every statement is prepared anew.

        The driver takes for prepared what stood behind an error, though the server skipped it: each later use would
        fail.
        """
        async with self.pool.connection() as conn:
            try:
                async with conn.pipeline():
                    yield conn
            except BaseException:
                conn._prepared.clear()  # noqa: SLF001 - it has no public name
                raise

    async def check_role(self) -> list[str]:
        """What would let a query see other tenants' rows, as sentences; empty when all is well."""
        async with self.system() as conn:
            rows = await (await conn.execute(ROLE_PROBLEMS)).fetchall()
        return [row["problem"] for row in rows]

    @property
    def seconds_since_full(self) -> float:
        """How long ago a write of this process was refused for want of space; infinite if none was."""
        return time.monotonic() - self._refused_for_space

    @contextmanager
    def reaching(self) -> Iterator[None]:
        """Raise OutOfReach, StorageFull or StaleLease instead of the driver's errors that say the same."""
        try:
            yield
        except Exception as error:
            if getattr(error, "sqlstate", None) == STALE_LEASE:
                raise StaleLease from error
            refused = _refusal(error)
            if isinstance(refused, DiskFull):
                self._refused_for_space = time.monotonic()
                raise StorageFull from error
            if refused:
                raise OutOfReach from error
            raise


async def _sign(conn: Connection) -> None:
    """Name whoever acts, for the audit log; most work is not audited and names nobody."""
    if actor := current_actor():
        await conn.execute(BECOME_ACTOR, (actor,))


def _refusal(error: BaseException) -> Exception | None:
    """The driver's error behind another library's: the job queue wraps what it meets on our connection.

    A server that only reads, as a standby or one in maintenance does, will write again. One that ended a transaction
    of ours for its length closed the connection, too.
    """
    if isinstance(error, REFUSALS):
        return error
    return _refusal(error.__cause__) if error.__cause__ else None


def _limit_of(conn: AsyncConnection[DictRow]) -> sql.SQL:
    """What ends a transaction that a client has forgotten; older servers do not see it in the midst of a pipeline."""
    newer = conn.info.server_version >= TRANSACTION_TIMEOUT_SINCE
    return sql.SQL("transaction_timeout" if newer else "idle_in_transaction_session_timeout")


async def refuse_half_done(conn: AsyncConnection[DictRow]) -> None:
    """Let the pool close a connection whose pipeline was never ended, as a cancel at the wrong moment leaves it.

    It looks idle; whoever got it next would open a transaction that never ends, with every lock it takes.
    """
    if conn.info.pipeline_status != PipelineStatus.OFF:
        raise OperationalError("a cancelled task left its pipeline open")


async def check_open(conn: AsyncConnection[DictRow]) -> None:
    """Ask the server only when an idle connection has something to say, which is as a rule that it was closed."""
    waiting = select.poll()
    waiting.register(conn.fileno(), select.POLLIN)
    if waiting.poll(0):
        await Pool.check_connection(conn)


async def check_fence(conn: AsyncConnection[DictRow], user_id: UUID) -> None:
    """Let the transaction fail with ``STALE_LEASE`` unless the claim of this context, if it has one, still holds."""
    if fence := current_fence():
        await conn.execute(CHECK_FENCE, (user_id, fence.turn_id, fence.generation))
