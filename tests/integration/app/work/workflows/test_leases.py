"""A worker that lost its run of a workflow to another one keeps nothing more of it."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any
from uuid import uuid4

import pytest

from app.database.database import Database
from app.database.signals import Signals
from app.http.accounts.store.users import Users
from app.principal import StaleLease
from app.work.workflows.model import NewWorkflowRun, StepEnd, WorkflowRun
from app.work.workflows.store import PostgresWorkflowWork, Workflows

TIDY: dict[str, Any] = {"slug": "tidy", "name": "Tidy", "steps": []}
Write = Callable[[PostgresWorkflowWork, WorkflowRun], Awaitable[object]]
WRITES: dict[str, Write] = {
    "begin": lambda work, run: work.begin(run, 0, "one", 2),
    "end": lambda work, run: work.end(run, 0, StepEnd("done", "late")),
    "finish": lambda work, run: work.finish(run, "failed", "late"),
}


async def no_job(*_: Any) -> None:
    """Runs are claimed by hand."""


@pytest.mark.parametrize("name", WRITES)
async def test_who_lost_a_run_writes_nothing(database: Database, name: str) -> None:
    user, signals = (await Users(database).create("Ada")).id, Signals(database)
    kept, work = Workflows(database, signals, no_job, most=9), PostgresWorkflowWork(database, signals)
    await kept.put(user, "tidy", TIDY, None)
    run = await kept.start(NewWorkflowRun(user, uuid4(), "tidy", TIDY, {}, "request"))
    before, now = await work.claim(user, run.id), await work.claim(user, run.id)
    assert before is not None
    assert now is not None
    assert await work.begin(now, 0, "one", 1)
    with pytest.raises(StaleLease):
        await WRITES[name](work, before)
    [step] = await work.steps(user, run.id)
    found = await kept.run(user, run.id)
    assert found is not None
    assert (step.attempt, step.state, found.status) == (1, "running", "running")
