"""The job that sends mail; it waits beside the runs of workflows, which it often comes from."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any
from uuid import UUID

from procrastinate import App
from psycopg import AsyncConnection

from app.database.jobs import Job, Queue, TakenUpAgain, defer
from app.work.mail.delivering import Delivery

SEND_MAIL = "send_mail_of_user"
QUEUE = "workflows"


def mail_jobs(delivery: Delivery, at_once: int) -> Sequence[Job]:
    """Return what sends the mail that its user said yes to, ``at_once`` of it."""
    return [Job(SEND_MAIL, delivery.send, TakenUpAgain(), Queue(QUEUE, at_once))]


async def defer_mail(queue: App, conn: AsyncConnection[Any], user_id: UUID, mail_id: UUID) -> None:
    """Send a user's mail once ``conn`` commits; one job of a mail works at a time."""
    await defer(queue, SEND_MAIL, conn, lock=f"mail:{mail_id}", user_id=user_id, mail_id=mail_id)
