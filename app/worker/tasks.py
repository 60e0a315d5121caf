"""The background jobs. Their arguments are ids only; each job acts for the user it is given."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Iterable, Sequence
from dataclasses import asdict, dataclass
from functools import partial
from typing import Any
from uuid import UUID

from procrastinate import BaseRetryStrategy, Blueprint, JobContext, RetryDecision, RetryStrategy
from procrastinate.exceptions import UniqueViolation
from procrastinate.jobs import Job, Status

from app.calendars.jobs.calendar_sync import add_calendar_sync
from app.calendars.jobs.calendars import look_for_calendars, refresh_calendar
from app.calendars.model.calendars import CalendarKeeping
from app.calendars.model.synced import CalendarSyncing
from app.database.job_context import SERVICES, SPEECH
from app.memory.jobs.memory import Indexing, add_memory
from app.memory.jobs.topics import TopicFinding, add_topics
from app.principal import Principal, acting_as
from app.records.jobs.deliveries import ExternalDelivery, add_deliveries
from app.records.store.event_log import EventLog
from app.tracing import Attributes, span
from app.turns.model.turns import Inbox
from app.turns.service import TurnService
from app.voice.model import Clips, MemoState, Segment, Transcriber, Transcript, Transcription
from app.voice.store.memos import Memos
from app.work.runs.jobs import RunJobs, add_runs
from app.work.workflows.jobs import WorkflowJobs, add_workflows
from app.worker.cleanup import Cleanup, add_cleanup

log = logging.getLogger(__name__)

ATTEMPTS = 4
MOST_RUNS = 30  # of a clip that kills its workers, or is taken from them, each time
LONGEST_PAUSE_SECONDS = 10
STALLED_SECONDS = 4.0
NOTHING_SAID = frozenset({"expected_silence"})
NO_USE_AGAIN = frozenset({"config_error", "empty_unexpected"})
"""What another try of the queue would not change, though its user may want one."""
DELETED = "The recording was deleted before its words were known, so nothing was done."
UNCERTAIN = "The transcript is uncertain; nothing happens without your yes."
BROKEN_OFF = "The recording breaks off; nothing happens without your yes."
NOT_TRANSCRIBED = "The recording is kept as a memo, but I could not turn it into words: {reason}"


@dataclass(frozen=True)
class JobServices:
    """What jobs work with; the worker hands it in."""

    memos: Memos
    inbox: Inbox
    events: EventLog
    turns: TurnService
    clips: Clips
    speech: Transcriber
    min_confidence: float
    move_occurrences: Callable[[], Awaitable[int]]
    calendars: CalendarKeeping
    elsewhere: ExternalDelivery
    tidying: Cleanup
    likely_words: Callable[[UUID], Awaitable[str]]
    indexing: Indexing
    runs: RunJobs
    topics: TopicFinding
    workflows: WorkflowJobs
    calendar_sync: CalendarSyncing


BROKE = Transcription("upstream_error", reason="something broke on my side each time I tried.", retryable=True)
"""How a transcription ends that broke each time it was tried."""


class NotTranscribedYet(Exception):  # noqa: N818 - field of the retry strategy
    """A transcription that may work later; the queue tries again."""


class SoonAgain(BaseRetryStrategy):
    """Later messages of the thread wait for a clip's words: it is taken up again within seconds, whatever happened."""

    def get_retry_decision(self, *, exception: BaseException, job: Job) -> RetryDecision | None:
        """Pauses grow from two seconds to ten; a worker that was stopped needs none."""
        if job.attempts > 2 * MOST_RUNS:
            return None
        stopped = isinstance(exception, asyncio.CancelledError)
        return RetryDecision(
            retry_in={"seconds": 0 if stopped else min(2 << min(job.attempts, MOST_RUNS), LONGEST_PAUSE_SECONDS)}
        )


def blueprint() -> Blueprint:
    """Every task with its retries; a new one for each queue, because adding it to a queue renames its tasks."""
    made = Blueprint()
    made.task(name="transcribe_memo", queue=SPEECH, pass_context=True, retry=SoonAgain())(transcribe_memo)
    rescue = made.task(
        name="rescue_stalled_jobs",
        queueing_lock="rescue_stalled_jobs",
        pass_context=True,
        retry=RetryStrategy(max_attempts=3, wait=1),
    )(rescue_stalled_jobs)
    made.periodic(cron="* * * * * */2")(rescue)  # the sixth field is the seconds
    ahead = made.task(
        name="move_occurrences",
        queueing_lock="move_occurrences",
        pass_context=True,
        retry=RetryStrategy(max_attempts=3, wait=60),
    )(move_occurrences)
    made.periodic(cron="17 * * * *")(ahead)
    add_deliveries(made)
    add_cleanup(made)
    add_memory(made)
    add_topics(made)
    add_runs(made)
    add_workflows(made)
    add_calendar_sync(made)
    again = RetryStrategy(max_attempts=3, wait=5)
    made.task(name="refresh_calendar", queue="calendars", pass_context=True, retry=again)(refresh_calendar)
    look = made.task(name="look_for_calendars", queueing_lock="look_for_calendars", pass_context=True, retry=again)(
        look_for_calendars
    )
    made.periodic(cron="* * * * *")(look)
    return made


async def transcribe_memo(context: JobContext, *, user_id: str, memo_id: str) -> None:
    """Give a memo its transcript, and the turn that waits for it its words. Each step commits alone.

    Only a transcription that came to its end counts as a try, not a worker that was killed or lost its database.
    """
    services: JobServices = context.additional_context[SERVICES]
    user, memo = UUID(user_id), UUID(memo_id)
    with acting_as(Principal(user)):
        known = await services.memos.get(user, memo)
        if known is None:
            await _wake_turn(services, user, memo, "", reply=DELETED)
            return
        if known.transcript:  # its user was faster, or another worker, which had lost or got this job
            unsure = known.state == "needs_you" and not known.edited
            breaks_off = unsure and known.reason == BROKEN_OFF
            await _wake_turn(services, user, memo, known.transcript, unsure=unsure, breaks_off=breaks_off)
            return
        tries, worn_out = known.tries + 1, context.job.attempts >= MOST_RUNS
        await services.memos.set_state(user, memo, "transcribing")
        hearing = BROKE if worn_out else await _heard_in_a_span(services, user, memo, tries)
        if hearing.transcript:
            await _store_transcript(services, user, memo, hearing, hearing.transcript)
        else:
            await _not_transcribed(services, user, memo, hearing, tries, last=worn_out or tries >= ATTEMPTS)


async def rescue_stalled_jobs(context: JobContext, timestamp: int) -> None:  # noqa: ARG001 - the schedule passes it
    """Jobs whose worker died begin again; without this a kill -9 would leave them running for ever."""
    manager = context.app.job_manager
    stalled: Iterable[Any] = await manager.get_stalled_jobs(seconds_since_heartbeat=STALLED_SECONDS)
    for job in stalled:
        log.warning("job %s (%s) lost its worker, starting it again", job.id, job.task_name)
        try:
            await manager.retry_job(job)
        except UniqueViolation:  # a later one of its kind waits already, and does the same
            await manager.finish_job(job, Status.FAILED, delete_job=True)


async def move_occurrences(context: JobContext, timestamp: int) -> None:  # noqa: ARG001 - the schedule passes it
    """Move the window of materialised occurrences forward as time passes."""
    services: JobServices = context.additional_context[SERVICES]
    await services.move_occurrences()


async def _heard_in_a_span(services: JobServices, user: UUID, memo: UUID, tries: int) -> Transcription:
    told: Attributes = {"summit.memo.id": str(memo), "summit.user.id": str(user), "summit.clip.attempt": tries}
    with span("clip", told, trace=memo) as clip:
        hearing = await _hear(services, user, memo, tries)
        clip.tell({"summit.outcome": hearing.outcome, "summit.clip.ms": hearing.duration_ms or 0})
        if hearing.transcript is None and hearing.outcome not in NOTHING_SAID:
            clip.fail(hearing.outcome)
        return hearing


async def _hear(services: JobServices, user: UUID, memo: UUID, tries: int) -> Transcription:
    """One try; a turn waits for its words, so that what fails again and again must end, too."""
    try:
        so_far = partial(_keep_so_far, services, user, memo)
        prompt = await services.likely_words(user)
        return await services.speech.transcribe(services.clips.path(user, memo), prompt, so_far)
    except Exception:
        log.exception("try %d of a clip broke", tries)
        return BROKE


async def _keep_so_far(
    services: JobServices, user: UUID, memo: UUID, segments: Sequence[Segment], duration_ms: int
) -> None:
    """What is heard of a long recording can be read, and shows how far it is; nothing acts on it."""
    known = await services.memos.get(user, memo)
    if known is not None and not known.edited and not known.transcript:
        rows = [_segment(segment) for segment in segments]
        await services.memos.set_state(user, memo, "transcribing", segments=rows, duration_ms=duration_ms)


async def _store_transcript(
    services: JobServices, user: UUID, memo: UUID, hearing: Transcription, words: Transcript
) -> None:
    known = await services.memos.get(user, memo)
    if known is None:
        await _wake_turn(services, user, memo, "", reply=DELETED)
        return
    if known.edited or known.transcript:  # its user was faster, or a worker that took this job over
        return
    # What is missing may be what turns the rest round: "... no, leave it".
    unsure = hearing.breaks_off or not words.may_act(services.min_confidence)
    await services.memos.set_state(
        user,
        memo,
        "needs_you" if unsure else "transcribed",
        outcome=hearing.outcome,
        transcript=words.text,
        title=known.title or " ".join(words.text.split()[:10]),
        language=words.language,
        segments=[_segment(segment) for segment in words.segments],
        engine=words.engine,
        confidence=words.confidence,
        duration_ms=hearing.duration_ms,
        reason=(BROKEN_OFF if hearing.breaks_off else UNCERTAIN) if unsure else None,
        retryable=False,
    )
    await _wake_turn(services, user, memo, words.text, unsure=unsure, breaks_off=hearing.breaks_off)


async def _not_transcribed(
    services: JobServices, user: UUID, memo: UUID, hearing: Transcription, tries: int, *, last: bool
) -> None:
    known = await services.memos.get(user, memo)
    if known and known.transcript:
        return
    silent = hearing.outcome in NOTHING_SAID
    state: MemoState = "transcribed" if silent else "failed"
    values = {"reason": hearing.reason, "retryable": hearing.retryable, "duration_ms": hearing.duration_ms}
    values |= {"outcome": hearing.outcome, "tries": tries}
    await services.memos.set_state(user, memo, state, transcript="" if silent else None, **values)
    if hearing.retryable and hearing.outcome not in NO_USE_AGAIN and not last:
        raise NotTranscribedYet(hearing.outcome)
    await _wake_turn(
        services, user, memo, "", reply=hearing.reason if silent else NOT_TRANSCRIBED.format(reason=hearing.reason)
    )


async def _wake_turn(
    services: JobServices,
    user: UUID,
    memo: UUID,
    text: str,
    *,
    unsure: bool = False,
    breaks_off: bool = False,
    reply: str | None = None,
) -> None:
    turn = await services.inbox.deliver_transcript(user, memo, text, unsure=unsure, breaks_off=breaks_off, reply=reply)
    if turn is None:
        return
    await services.events.append(user, turn.id, [("transcript.final", {"memo_id": str(memo), "text": text})])
    services.turns.kick(user, turn.thread_id)


def _segment(segment: Any) -> dict[str, Any]:
    """What is kept of a segment; the times of its words where they are known."""
    kept = asdict(segment)
    return kept if kept.get("words") else {name: value for name, value in kept.items() if name != "words"}
