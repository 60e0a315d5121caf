"""The job that transcribes a recording, and gives the turn that waits for it its words."""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import asdict, dataclass
from functools import partial
from typing import Any
from uuid import UUID

from procrastinate import App, JobContext
from psycopg import AsyncConnection

from app.database.jobs import Job, Queue, TakenUpAgain, defer
from app.records.store.event_log import EventLog
from app.tracing import Attributes, span
from app.turns.service import TurnService
from app.turns.store.inbox import Inbox
from app.voice.model import Clips, MemoState, Segment, Transcriber, Transcript, Transcription
from app.voice.store.memos import Memos

log = logging.getLogger(__name__)

TRANSCRIBE = "transcribe_memo"
ATTEMPTS = 4
MOST_RUNS = 30  # of a clip that kills its workers, or is taken from them, each time
NOTHING_SAID = frozenset({"expected_silence"})
NO_USE_AGAIN = frozenset({"config_error", "empty_unexpected"})
"""What another try of the queue would not change, though its user may want one."""
DELETED = "The recording was deleted before its words were known, so nothing was done."
UNCERTAIN = "The transcript is uncertain; nothing happens without your yes."
BROKEN_OFF = "The recording breaks off; nothing happens without your yes."
NOT_TRANSCRIBED = "The recording is kept as a memo, but I could not turn it into words: {reason}"


BROKE = Transcription("upstream_error", reason="something broke on my side each time I tried.", retryable=True)
"""How a transcription ends that broke each time it was tried."""


class NotTranscribedYet(Exception):  # noqa: N818 - field of the retry strategy
    """A transcription that may work later; the queue tries again."""


async def defer_transcription(queue: App, conn: AsyncConnection[Any], user_id: UUID, memo_id: UUID) -> None:
    """Transcribe a memo once ``conn`` commits."""
    await defer(queue, TRANSCRIBE, conn, user_id=user_id, memo_id=memo_id)


@dataclass(frozen=True)
class MemoTranscription:
    """Gives memos their transcripts, and turns their words."""

    memos: Memos
    inbox: Inbox
    events: EventLog
    turns: TurnService
    clips: Clips
    speech: Transcriber
    min_confidence: float
    likely_words: Callable[[UUID], Awaitable[str]]

    def job(self, at_once: int) -> Job:
        """Return the job of a recording, ``at_once`` of them.

        Later messages of the thread wait for its words: it is taken up again within seconds, whatever happened.
        """
        again = TakenUpAgain(max_tries=2 * MOST_RUNS, pause_seconds=2)
        return Job(TRANSCRIBE, self.transcribe, again, Queue("speech", at_once), pass_context=True)

    async def transcribe(self, context: JobContext, *, user_id: UUID, memo_id: UUID) -> None:
        """Give a memo its transcript, and the turn that waits for it its words. Each step commits alone.

        Only a transcription that came to its end counts as a try, not a worker that was killed or lost its database.
        """
        user, memo = user_id, memo_id
        known = await self.memos.get(user, memo)
        if known is None:
            await self._wake_turn(user, memo, "", reply=DELETED)
            return
        if known.transcript:  # its user was faster, or another worker, which had lost or got this job
            unsure = known.state == "needs_you" and not known.edited
            breaks_off = unsure and known.reason == BROKEN_OFF
            await self._wake_turn(user, memo, known.transcript, unsure=unsure, breaks_off=breaks_off)
            return
        tries, worn_out = known.tries + 1, context.job.attempts >= MOST_RUNS
        await self.memos.set_state(user, memo, "transcribing")
        hearing = BROKE if worn_out else await self._heard_in_a_span(user, memo, tries)
        if hearing.transcript:
            await self._store_transcript(user, memo, hearing, hearing.transcript)
        else:
            await self._not_transcribed(user, memo, hearing, tries, last=worn_out or tries >= ATTEMPTS)

    async def _heard_in_a_span(self, user: UUID, memo: UUID, tries: int) -> Transcription:
        told: Attributes = {"summit.memo.id": str(memo), "summit.user.id": str(user), "summit.clip.attempt": tries}
        with span("clip", told, trace=memo) as clip:
            hearing = await self._hear(user, memo, tries)
            clip.tell({"summit.outcome": hearing.outcome, "summit.clip.ms": hearing.duration_ms or 0})
            if hearing.transcript is None and hearing.outcome not in NOTHING_SAID:
                clip.fail(hearing.outcome)
            return hearing

    async def _hear(self, user: UUID, memo: UUID, tries: int) -> Transcription:
        """One try; a turn waits for its words, so that what fails again and again must end, too."""
        try:
            so_far = partial(self._keep_so_far, user, memo)
            prompt = await self.likely_words(user)
            return await self.speech.transcribe(self.clips.path(user, memo), prompt, so_far)
        except Exception:
            log.exception("try %d of a clip broke", tries)
            return BROKE

    async def _keep_so_far(self, user: UUID, memo: UUID, segments: Sequence[Segment], duration_ms: int) -> None:
        """What is heard of a long recording can be read, and shows how far it is; nothing acts on it."""
        known = await self.memos.get(user, memo)
        if known is not None and not known.edited and not known.transcript:
            rows = [_segment(segment) for segment in segments]
            await self.memos.set_state(user, memo, "transcribing", segments=rows, duration_ms=duration_ms)

    async def _store_transcript(self, user: UUID, memo: UUID, hearing: Transcription, words: Transcript) -> None:
        known = await self.memos.get(user, memo)
        if known is None:
            await self._wake_turn(user, memo, "", reply=DELETED)
            return
        if known.edited or known.transcript:  # its user was faster, or a worker that took this job over
            return
        # What is missing may be what turns the rest round: "... no, leave it".
        unsure = hearing.breaks_off or not words.may_act(self.min_confidence)
        await self.memos.set_state(
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
        await self._wake_turn(user, memo, words.text, unsure=unsure, breaks_off=hearing.breaks_off)

    async def _not_transcribed(self, user: UUID, memo: UUID, hearing: Transcription, tries: int, *, last: bool) -> None:
        known = await self.memos.get(user, memo)
        if known and known.transcript:
            return
        silent = hearing.outcome in NOTHING_SAID
        state: MemoState = "transcribed" if silent else "failed"
        values = {"reason": hearing.reason, "retryable": hearing.retryable, "duration_ms": hearing.duration_ms}
        values |= {"outcome": hearing.outcome, "tries": tries}
        await self.memos.set_state(user, memo, state, transcript="" if silent else None, **values)
        if hearing.retryable and hearing.outcome not in NO_USE_AGAIN and not last:
            raise NotTranscribedYet(hearing.outcome)
        await self._wake_turn(
            user, memo, "", reply=hearing.reason if silent else NOT_TRANSCRIBED.format(reason=hearing.reason)
        )

    async def _wake_turn(
        self,
        user: UUID,
        memo: UUID,
        text: str,
        *,
        unsure: bool = False,
        breaks_off: bool = False,
        reply: str | None = None,
    ) -> None:
        turn = await self.inbox.deliver_transcript(user, memo, text, unsure=unsure, breaks_off=breaks_off, reply=reply)
        if turn is None:
            return
        await self.events.append(user, turn.id, [("transcript.final", {"memo_id": str(memo), "text": text})])
        self.turns.kick(user, turn.thread_id)


def _segment(segment: Any) -> dict[str, Any]:
    """What is kept of a segment; the times of its words where they are known."""
    kept = asdict(segment)
    return kept if kept.get("words") else {name: value for name, value in kept.items() if name != "words"}
