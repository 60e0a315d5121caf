"""Jobs of workflows, on a queue of their own: one a run, and a look every few seconds for what is to be started."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime
from uuid import UUID

from procrastinate import Blueprint, JobContext, RetryStrategy

from app.database.job_context import SERVICES, WORKFLOWS
from app.database.job_retries import TakenUpAgain
from app.http.accounts.store.users import Users
from app.principal import Principal, acting_as
from app.work.workflows.definition import Definition
from app.work.workflows.delivering import Delivery
from app.work.workflows.schedule import next_moment
from app.work.workflows.store import Workflows
from app.work.workflows.worker import WorkflowWorker

WORKFLOW = "work_on_workflow"
SEND_MAIL = "send_mail_of_user"
LOOK_TASK = "look_for_workflows"
AT_ONCE = 100


@dataclass(frozen=True)
class WorkflowJobs:
    """What the jobs of workflows work with; ``timezone`` is that of users who have not set one."""

    worker: WorkflowWorker
    starts: Workflows
    users: Users
    mail: Delivery
    timezone: str


def add_workflows(made: Blueprint) -> None:
    """The tasks of this module and their schedule."""
    made.task(name=WORKFLOW, queue=WORKFLOWS, pass_context=True, retry=TakenUpAgain())(work_on_workflow)
    made.task(name=SEND_MAIL, queue=WORKFLOWS, pass_context=True, retry=TakenUpAgain())(send_mail)
    again = RetryStrategy(max_attempts=3, wait=1)
    look = made.task(name=LOOK_TASK, queueing_lock=LOOK_TASK, pass_context=True, retry=again)(look_for_workflows)
    made.periodic(cron="* * * * * */5")(look)  # the sixth field is the seconds


async def work_on_workflow(context: JobContext, *, user_id: str, run_id: str) -> None:
    """Work on a run until it ends."""
    await _jobs(context).worker.run(UUID(user_id), UUID(run_id))


async def send_mail(context: JobContext, *, user_id: str, mail_id: str) -> None:
    """Send what its user said yes to."""
    user = UUID(user_id)
    with acting_as(Principal(user)):
        await _jobs(context).mail.send(user, UUID(mail_id))


async def look_for_workflows(context: JobContext, timestamp: int) -> None:  # noqa: ARG001 - the schedule passes it
    """Start what is due, and put what memos started into the queue. After a pause one run makes up for all missed."""
    jobs = _jobs(context)
    for user_id, slug, at in await jobs.starts.due(AT_ONCE):
        kept = await jobs.starts.get(user_id, slug)
        if kept:
            user = await jobs.users.get(user_id)
            zone = (user.settings.get("timezone") if user else None) or jobs.timezone
            next_at = next_moment(Definition.model_validate(kept.definition), datetime.now(UTC), zone)
            await jobs.starts.come(user_id, slug, at, next_at)
    while await jobs.starts.defer(AT_ONCE) == AT_ONCE:
        continue
    await jobs.mail.defer_lost(AT_ONCE)


def _jobs(context: JobContext) -> WorkflowJobs:
    jobs: WorkflowJobs = context.additional_context[SERVICES].workflows
    return jobs
