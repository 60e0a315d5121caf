"""The part of the composition root that is about workflows: their steps and their worker."""

from __future__ import annotations

from app.composition.runs import RunNeeds, RunServices
from app.jobs.workflows import WorkflowJobs
from app.ports import Threads, Turns
from app.storage.workflows import PostgresWorkflowWork
from app.workflows.steps import Steps, Surroundings
from app.workflows.worker import WorkflowWorker


def compose_workflows(around: RunNeeds, runs: RunServices, turns: Turns, threads: Threads) -> WorkflowJobs:
    """What their jobs work with; nothing is started."""
    settings = around.settings
    steps = Steps(
        Surroundings(
            turns=turns,
            threads=threads,
            users=around.users,
            memory=around.memory.service,
            thinker=around.models.thinker,
            servers=runs.servers,
            timezone=settings.default_timezone,
            most_chars=settings.max_text_chars,
        )
    )
    worker = WorkflowWorker(PostgresWorkflowWork(around.database, around.signals, around.tellers), steps)
    return WorkflowJobs(worker, runs.workflows, around.users, settings.default_timezone)
