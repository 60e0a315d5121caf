"""Open the migrated database; refuse a role that could see more than one user's rows."""

from __future__ import annotations

import asyncio
import shutil
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import AsyncExitStack, asynccontextmanager

from app.database.address import within_limits
from app.database.database import Database
from app.database.embedded import EmbeddedServer
from app.database.migrate import migrate
from app.database.model import ReadyCheck
from app.settings import Settings
from app.voice.speech.service import SpeechService

Say = Callable[[str], None]
FULL_SECONDS = 30.0
ANSWER_SECONDS = 5.0


@asynccontextmanager
async def open_database(settings: Settings, say: Say, kind: type[Database] = Database) -> AsyncIterator[Database]:
    """The migrated database: the one at DATABASE_URL, or the embedded server in the data folder."""
    async with AsyncExitStack() as stack:
        url = within_limits(settings.database_url.get_secret_value()) if settings.database_url else None
        if url is None:
            url = await stack.enter_async_context(_run_embedded(settings, say))
        await migrate(url, say)
        yield await stack.enter_async_context(
            kind(url, pool_size=settings.pool_size, transaction_seconds=settings.transaction_seconds)
        )


class UnsafeRole(RuntimeError):  # noqa: N818 - it names what is wrong
    """The database would let one user's queries see another's rows; run `summit doctor` for the remedy."""

    def __init__(self, problems: list[str]) -> None:
        super().__init__(" ".join([*problems, self.__doc__ or ""]))


async def refuse_unsafe_role(database: Database) -> None:
    """Raise UnsafeRole unless row-level security binds this server."""
    problems = await database.check_role()
    if problems:
        raise UnsafeRole(problems)


async def readiness(
    settings: Settings,
    database: Database,
    speech: SpeechService,
    more: Sequence[ReadyCheck] = (),
    *,
    full_seconds: float = FULL_SECONDS,
) -> list[ReadyCheck]:
    """The lines of /readyz and ``summit doctor``; ``more`` are those that only a running server can tell.

    A write that was refused for want of space counts for ``full_seconds``.
    """
    try:
        async with asyncio.timeout(ANSWER_SECONDS):
            problems = await database.check_role()
        checks = [ReadyCheck("database", ok=True, detail="answers")]
    except Exception as error:  # noqa: BLE001 - whatever keeps the database from answering is the finding
        return [ReadyCheck("database", ok=False, detail=f"does not answer ({type(error).__name__})")]
    detail = " ".join(problems) or "row-level security binds this server"
    checks.append(ReadyCheck("tenancy", ok=not problems, detail=detail))
    checks.append(space(settings, refused=database.seconds_since_full < full_seconds))
    return [*checks, await speech.check(), *more]


def space(settings: Settings, *, refused: bool = False) -> ReadyCheck:
    """Whether what comes in can be kept; ``refused`` if the database had no space for a write lately."""
    folder = next(path for path in (settings.data_dir, *settings.data_dir.parents) if path.exists())
    free = shutil.disk_usage(folder).free
    told = f"{free / 1e9:.1f} GB free for {settings.data_dir}"
    if refused:
        return ReadyCheck(
            "space", ok=False, detail=f"the database refused a write lately, it has no space left; {told}"
        )
    return ReadyCheck("space", ok=free >= settings.min_free_bytes, detail=told)


@asynccontextmanager
async def _run_embedded(settings: Settings, say: Say) -> AsyncIterator[str]:
    server = await asyncio.to_thread(EmbeddedServer.start, settings.data_dir / "postgres", say)
    try:
        yield server.url
    finally:
        await asyncio.to_thread(server.stop)
