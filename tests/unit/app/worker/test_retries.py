"""How often a job is tried again that breaks each time."""

from __future__ import annotations

import pytest
from procrastinate.jobs import Job

from app.worker.tasks import blueprint

TASKS = blueprint().tasks
MOST_TRIES = 1000


@pytest.mark.parametrize("name", TASKS)
def test_every_job_is_given_up_at_last(name: str) -> None:
    strategy = TASKS[name].retry_strategy
    job = Job(id=1, queue="any", lock=None, queueing_lock=None, task_name=name, attempts=MOST_TRIES)
    assert strategy is None or strategy.get_retry_decision(exception=RuntimeError("broken"), job=job) is None
