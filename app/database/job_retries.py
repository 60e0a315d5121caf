"""How soon the queue takes up again what a worker did not finish."""

from __future__ import annotations

import asyncio

from procrastinate import BaseRetryStrategy, RetryDecision
from procrastinate.jobs import Job

MOST_TRIES = 200
LONGEST_PAUSE_SECONDS = 10


class TakenUpAgain(BaseRetryStrategy):
    """A run whose worker stopped or broke goes on within seconds; how often one may break is counted by the run."""

    def get_retry_decision(self, *, exception: BaseException, job: Job) -> RetryDecision | None:
        """Pauses grow from one second to ten; a worker that was stopped needs none."""
        if job.attempts > MOST_TRIES:
            return None
        stopped = isinstance(exception, asyncio.CancelledError)
        return RetryDecision(
            retry_in={"seconds": 0 if stopped else min(1 << min(job.attempts, 4), LONGEST_PAUSE_SECONDS)}
        )
