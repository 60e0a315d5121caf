"""What a migration consists of, in order: LangGraph's tables, procrastinate's, then the .sql files of this folder."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from hashlib import sha256
from pathlib import Path

from langgraph.checkpoint.postgres.aio import AsyncPostgresSaver
from langgraph.store.postgres.aio import AsyncPostgresStore
from procrastinate.schema import SchemaManager
from psycopg import AsyncConnection
from psycopg.rows import DictRow

from app.database.baseline import FILES, LAST_OF_BASELINE, MigrationError, replaced_files, stands_at_baseline

NO_TRANSACTION = "-- no-transaction"
QUEUE_SCHEMA = "procrastinate/schema.sql"

Recorded = dict[str, str]
Apply = Callable[[AsyncConnection[DictRow]], Awaitable[None]]


@dataclass(frozen=True)
class MigrationStep:
    """One named change; ``changed`` says what a different checksum of an applied step means."""

    name: str
    sha256: str
    apply: Apply
    changed: str  # "refuse", "again" or "ignore"
    in_transaction: bool = True

    def is_pending(self, recorded: Recorded) -> bool:
        """Whether this step has to run; raises MigrationError when an applied one was edited."""
        if self.name not in recorded:
            return True
        if recorded[self.name] == self.sha256 or self.changed == "ignore":
            return False
        if self.changed == "refuse":
            raise MigrationError(
                f"{self.name} was edited after this database applied it. Restore the file as it was, "
                "and put the change into a new file."
            )
        return True

    async def run(self, conn: AsyncConnection[DictRow]) -> None:
        """Apply and record it, in one transaction unless the step cannot run in one."""
        if self.in_transaction:
            async with conn.transaction():
                await self._apply_and_record(conn)
        else:
            await self._apply_and_record(conn)

    async def _apply_and_record(self, conn: AsyncConnection[DictRow]) -> None:
        await self.apply(conn)
        await conn.execute(
            "insert into summit.migrations (name, sha256) values (%s, %s) "
            "on conflict (name) do update set sha256 = excluded.sha256, applied_at = now()",
            (self.name, self.sha256),
        )


def plan(recorded: Recorded) -> list[MigrationStep]:
    """All steps of this version in order, for a database that has ``recorded`` applied.

    Raises MigrationError where that database has only some of the files from before the baseline.
    """
    return [*_langgraph_steps(), *_queue_steps(fresh=QUEUE_SCHEMA not in recorded), *_our_steps(recorded)]


def known_names() -> set[str]:
    """Names of all steps that a database of this version or of an older one may have applied."""
    return {step.name for step in plan({})} | replaced_files()


def _our_steps(recorded: Recorded) -> list[MigrationStep]:
    steps = file_steps(FILES)
    if not stands_at_baseline(recorded):
        return steps
    return [_mark(step) if step.name <= LAST_OF_BASELINE else step for step in steps]


def _mark(step: MigrationStep) -> MigrationStep:
    """Record a step whose work is done already."""
    return replace(step, apply=_execute([]))


def file_steps(folder: Path) -> list[MigrationStep]:
    """One step for each .sql file, in the order of their names."""
    return [_file_step(path.name, path.read_text("utf-8")) for path in sorted(folder.glob("*.sql"))]


def _file_step(name: str, text: str) -> MigrationStep:
    alone = text.startswith(NO_TRANSACTION)
    # Outside a transaction each statement is sent by itself, or the server would wrap them into one.
    statements = text.split(";\n") if alone else [text]
    return MigrationStep(name, _checksum(text), _execute(statements), "refuse", in_transaction=not alone)


def _langgraph_steps() -> Iterator[MigrationStep]:
    # Their set-ups know which of their own migrations ran, and use CREATE INDEX CONCURRENTLY.
    async def checkpointer(conn: AsyncConnection[DictRow]) -> None:
        await AsyncPostgresSaver(conn).setup()

    async def store(conn: AsyncConnection[DictRow]) -> None:
        await AsyncPostgresStore(conn).setup()

    saver_checksum = _checksum(*AsyncPostgresSaver.MIGRATIONS)
    yield MigrationStep("langgraph/checkpointer", saver_checksum, checkpointer, "again", in_transaction=False)
    store_checksum = _checksum(*AsyncPostgresStore.MIGRATIONS)
    yield MigrationStep("langgraph/store", store_checksum, store, "again", in_transaction=False)


def _queue_steps(*, fresh: bool) -> Iterator[MigrationStep]:
    schema = SchemaManager.get_schema()
    yield MigrationStep(QUEUE_SCHEMA, _checksum(schema), _execute([schema]), "ignore")
    for path in sorted(Path(SchemaManager.get_migrations_path()).glob("*.sql")):
        # A fresh schema has all of them in it; an older one takes those that came since.
        text = path.read_text("utf-8")
        yield MigrationStep(f"procrastinate/{path.name}", _checksum(text), _execute([] if fresh else [text]), "ignore")


def _execute(statements: Sequence[str]) -> Apply:
    async def apply(conn: AsyncConnection[DictRow]) -> None:
        for statement in filter(str.strip, statements):
            await conn.execute(statement.encode())

    return apply


def _checksum(*texts: str) -> str:
    return sha256("\n".join(texts).encode()).hexdigest()
