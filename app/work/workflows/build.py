"""The part of the composition root that is about workflows: their steps and their worker."""

from __future__ import annotations

from collections.abc import Sequence

from app.database.jobs import Job
from app.turns.service import TurnService
from app.turns.store.threads import Threads
from app.voice.store.memos import Memos
from app.work.runs.build import RunNeeds, RunServices
from app.work.workflows.jobs import WorkflowStarter, workflow_jobs
from app.work.workflows.mail import MailOfSteps
from app.work.workflows.steps import Steps, StepSurroundings
from app.work.workflows.store import PostgresWorkflowWork
from app.work.workflows.worker import WorkflowWorker


def compose_workflows(around: RunNeeds, runs: RunServices, turns: TurnService, threads: Threads) -> Sequence[Job]:
    """Return their jobs; nothing is started."""
    settings, mail = around.settings, runs.mail
    steps = Steps(
        StepSurroundings(
            turns=turns,
            threads=threads,
            users=around.users,
            memo=Memos(around.database).get,
            memory=around.memory.service,
            thinker=around.models.thinker,
            servers=runs.servers,
            mail=MailOfSteps(mail.accounts, mail.out, mail.servers, most_chars=settings.max_text_chars),
            timezone=settings.default_timezone,
            most_chars=settings.max_text_chars,
        )
    )
    worker = WorkflowWorker(PostgresWorkflowWork(around.database, around.signals, around.tellers), steps)
    starter = WorkflowStarter(runs.workflows, around.users, mail.out, settings.default_timezone)
    return workflow_jobs(worker, starter, settings.workflow_concurrency)
