"""Recordings over the real queue: what becomes of a clip, whatever happens to its engine and its worker."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from uuid import UUID, uuid4

import pytest
from procrastinate.jobs import Job
from psycopg.types.json import Jsonb

from agents.understanding import BuiltIn
from app.database.jobs import defer
from app.errors import OutOfReach
from app.principal import Principal, acting_as
from app.turns.answers import answer_question
from app.turns.jobs.transcription import (
    ATTEMPTS,
    DELETED,
    MOST_RUNS,
    TRANSCRIBE,
    NotTranscribedYet,
    defer_transcription,
)
from app.turns.model.turns import Turn
from app.turns.undo import undo_change
from app.voice.model import SoFar, Transcription
from tests.support.servers.turn_server import reply_of
from tests.support.speech.studio import Script, ScriptedTranscriber, Studio, heard, open_studio
from tests.support.waiting import HANG_SECONDS

LATER = Transcription("upstream_error", reason="the engine is down.", retryable=True)
NewStudio = Callable[..., Awaitable[Studio]]


@pytest.fixture
async def studio(database_url: str, tmp_path: Path) -> AsyncIterator[NewStudio]:
    async with AsyncExitStack() as stack:

        async def open_one(*script: Script) -> Studio:
            return await stack.enter_async_context(open_studio(database_url, tmp_path, ScriptedTranscriber(*script)))

        yield open_one


async def test_a_clip_gets_its_transcript_and_its_turn_an_answer(studio: NewStudio) -> None:
    room = await studio(heard("call mom"))
    memo_id, turn = await room.record()
    await room.work()
    assert reply_of(await room.server.wait(turn)) == "Added “call mom” to your tasks."
    memo = await room.memo(memo_id)
    assert (memo.state, memo.transcript, memo.engine, memo.duration_ms) == ("acted", "call mom", "whisper", 900)
    assert memo.segments == [{"start_ms": 0, "end_ms": 900, "text": "call mom", "confidence": 0.9}]
    (change,) = await room.server.changes(turn)
    assert (change.after or {})["source"]["memo_id"] == str(memo_id)
    kinds = [event.type async for event in room.server.events.follow(room.server.user, turn_id=turn.id) if event]
    assert kinds[:2] == ["turn.accepted", "transcript.final"]
    assert await room.states() == ["succeeded"]


async def test_uncertain_words_ask_first(studio: NewStudio) -> None:
    room = await studio(heard("call mom", 0.3))
    memo_id, turn = await room.record()
    await room.work()
    assert (await room.memo(memo_id)).state == "needs_you"
    answered = await room.server.wait(turn)
    assert (answered.state, await room.server.changes(turn)) == ("waiting", [])
    assert "Did I hear that right: “call mom”?" in reply_of(answered)


async def test_a_recording_that_breaks_off_is_read_back_and_says_so(database_url: str, tmp_path: Path) -> None:
    surely = replace(heard("call mom"), breaks_off=True)
    async with open_studio(database_url, tmp_path, ScriptedTranscriber(surely), understanding=BuiltIn()) as room:
        memo_id, turn = await room.record()
        await room.work()
        memo = await room.memo(memo_id)
        assert (memo.state, memo.transcript) == ("needs_you", "call mom")
        assert memo.reason == "The recording breaks off; nothing happens without your yes."
        asked = await room.server.wait(turn)
        assert reply_of(asked) == "The recording breaks off. Is this what you said: “call mom”?"
        assert await room.server.changes(turn) == []
        assert reply_of(await room.server.say("yes")) == "Added “call mom” to your tasks."


async def test_a_worker_that_goes_on_with_a_recording_that_breaks_off_says_so_too(studio: NewStudio) -> None:
    room = await studio(replace(heard("call mom"), breaks_off=True))
    memo_id, turn = await room.record()
    reason = "The recording breaks off; nothing happens without your yes."
    await room.memos.set_state(
        room.server.user, memo_id, "needs_you", transcript="call mom", title="call mom", reason=reason
    )
    await room.work()
    assert reply_of(await room.server.wait(turn)).startswith("The recording breaks off.")


@pytest.mark.parametrize("by", ["words", "door"])
async def test_a_yes_to_uncertain_words_moves_their_memo_on(database_url: str, tmp_path: Path, by: str) -> None:
    doubtful = ScriptedTranscriber(heard("call mom", 0.3))
    async with open_studio(database_url, tmp_path, doubtful, understanding=BuiltIn()) as room:
        memo_id, turn = await room.record()
        await starts_at_a_memo(room, "each")
        await room.work()
        await room.server.wait(turn)
        assert await started_by_memos(room) == []
        answer = await say_yes(room, turn, by)
        assert reply_of(answer) == "Added “call mom” to your tasks."
        memo = await room.memo(memo_id)
        assert (memo.state, memo.reason, memo.turn_id) == ("acted", None, answer.id)
        assert await started_by_memos(room) == ["each"]


@pytest.mark.parametrize("said", ["no", "add buy milk"])
async def test_without_a_yes_uncertain_words_still_need_it(database_url: str, tmp_path: Path, said: str) -> None:
    doubtful = ScriptedTranscriber(heard("call mom", 0.3))
    async with open_studio(database_url, tmp_path, doubtful, understanding=BuiltIn()) as room:
        memo_id, turn = await room.record()
        await room.work()
        await room.server.wait(turn)
        await room.server.say(said)
        assert (await room.memo(memo_id)).state == "needs_you"
        assert "call mom" not in await room.server.tasks()


async def say_yes(room: Studio, asked: Turn, by: str) -> Turn:
    if by == "words":
        return await room.server.say("yes")
    turns, inbox = room.server.turns, room.server.inbox
    with acting_as(Principal(room.server.user)):
        answer = await answer_question(
            inbox, turns, await inbox_row(room, asked), uuid4(), accept=True, seconds=HANG_SECONDS
        )
    assert answer is not None
    return answer


async def inbox_row(room: Studio, turn: Turn) -> Turn:
    found = await room.server.inbox.get(room.server.user, turn.id)
    assert found is not None
    return found


async def starts_at_a_memo(room: Studio, slug: str) -> None:
    """A workflow that every memo with words starts."""
    async with room.server.database.tenant(room.server.user) as conn:
        definition = Jsonb({"trigger": {"kind": "memo"}})
        made = "insert into workflows (user_id, slug, definition) values (%s, %s, %s)"
        await conn.execute(made, (room.server.user, slug, definition))


async def started_by_memos(room: Studio) -> list[str]:
    async with room.server.database.tenant(room.server.user) as conn:
        rows = await conn.execute("select slug from workflow_runs where origin = 'memo'")
        return [row["slug"] for row in await rows.fetchall()]


async def test_silence_is_said_and_nothing_is_tried_again(studio: NewStudio) -> None:
    room = await studio(Transcription("expected_silence", reason="I heard no speech in the clip."))
    memo_id, turn = await room.record()
    await room.work()
    memo = await room.memo(memo_id)
    assert (memo.state, memo.transcript, memo.outcome) == ("transcribed", "", "expected_silence")
    assert reply_of(await room.server.wait(turn)) == "I heard no speech in the clip."
    assert await room.states() == ["succeeded"]


class Interrupted(ScriptedTranscriber):
    """Does something else before it hears."""

    before: Callable[[], Awaitable[None]] | None = None

    async def transcribe(self, path: Path, prompt: str = "", so_far: SoFar | None = None) -> Transcription:
        if self.before:
            await self.before()
        return await super().transcribe(path, prompt, so_far)


@pytest.mark.parametrize("while_heard", [False, True])
async def test_a_recording_that_is_undone_before_it_is_heard_ends_its_turn(
    database_url: str, tmp_path: Path, *, while_heard: bool
) -> None:
    transcriber = Interrupted(heard("call mom"))
    async with open_studio(database_url, tmp_path, transcriber) as room:
        memo_id, turn = await room.record()
        user = room.server.user

        async def undo() -> None:
            [made] = await room.server.ledger.changes_after(str(user), 0, 9, str(memo_id))
            assert (made.op, made.turn_id) == ("create", None)
            await undo_change(room.server.ledger, user, UUID(made.id), uuid4(), "UTC")

        if while_heard:
            transcriber.before = undo
        else:
            with acting_as(Principal(user)):
                await undo()
        await room.work()
        assert reply_of(await room.server.wait(turn)) == DELETED
        assert await room.server.changes(turn) == []
        assert await room.memos.get(user, memo_id) is None
        assert await room.states() == ["succeeded"]


async def test_what_may_work_later_is_tried_again(studio: NewStudio) -> None:
    room = await studio(LATER, heard("call mom"))
    memo_id, turn = await room.record()
    await room.work()
    memo = await room.memo(memo_id)
    assert (memo.state, memo.retryable, memo.reason) == ("failed", True, "the engine is down.")
    assert [one["text"] for one in memo.segments] == ["the beginning"]  # what was heard so far can be read
    assert (await room.server.wait(turn, 0)).state == "queued"
    await room.work()
    assert (await room.server.wait(turn)).state == "done"
    assert (await room.memo(memo_id)).state == "acted"


@pytest.mark.parametrize("failure", [LATER, RuntimeError("scripted")], ids=["retryable", "broken"])
async def test_what_never_works_ends_with_an_answer(studio: NewStudio, failure: Script) -> None:
    room = await studio(failure)
    memo_id, turn = await room.record()
    for _ in range(ATTEMPTS):
        assert (await room.server.wait(turn, 0)).state == "queued"
        await room.work()
    assert "The recording is kept as a memo" in reply_of(await room.server.wait(turn))
    assert (await room.memo(memo_id)).state == "failed"
    assert await room.states() == ["succeeded"]


async def test_a_clip_that_was_heard_is_not_heard_again(database_url: str, tmp_path: Path) -> None:
    transcriber = ScriptedTranscriber(heard("call mom"))
    async with open_studio(database_url, tmp_path, transcriber) as room:
        memo_id, turn = await room.record()
        await room.work()
        await room.server.wait(turn)
        await defer(room.queue, TRANSCRIBE, user_id=room.server.user, memo_id=memo_id)
        await room.work()
        assert (await room.memo(memo_id)).state == "acted"
        assert len(transcriber.clips) == 1


class Overtaken:
    """Hears its clip when another worker has done so."""

    room: Studio
    memo_id: UUID

    def __init__(self, late: Transcription) -> None:
        self._late = late

    async def transcribe(self, path: Path, prompt: str = "", so_far: SoFar | None = None) -> Transcription:
        memos, user = self.room.memos, self.room.server.user
        await memos.set_state(user, self.memo_id, "transcribed", transcript="call mom")
        if so_far:
            await so_far([], 60_000)
        return self._late


@pytest.mark.parametrize("late", [LATER, heard("call Tom")], ids=["failed", "heard"])
async def test_a_worker_that_was_overtaken_changes_nothing(
    late: Transcription, database_url: str, tmp_path: Path
) -> None:
    transcriber = Overtaken(late)
    async with open_studio(database_url, tmp_path, transcriber) as room:
        transcriber.room = room
        transcriber.memo_id, _ = await room.record()
        await room.work()
        memo = await room.memo(transcriber.memo_id)
        assert (memo.state, memo.transcript, memo.duration_ms) == ("transcribed", "call mom", None)
        assert await room.states() == ["succeeded"]


async def test_a_missing_engine_is_said_at_once(studio: NewStudio) -> None:
    room = await studio(Transcription("config_error", reason="no engine can run here.", retryable=True))
    memo_id, turn = await room.record()
    await room.work()
    assert "no engine can run here." in reply_of(await room.server.wait(turn))
    assert (await room.memo(memo_id)).state == "failed"


async def test_kills_and_restarts_of_workers_are_no_attempts(studio: NewStudio) -> None:
    room = await studio(LATER, heard("call mom"))
    memo_id, turn = await room.record()
    await room.begun_before(MOST_RUNS - 2)
    await room.work()
    assert ((await room.memo(memo_id)).state, (await room.memo(memo_id)).tries) == ("failed", 1)
    await room.work()
    assert reply_of(await room.server.wait(turn)) == "Added “call mom” to your tasks."


async def test_a_clip_that_kills_its_workers_again_and_again_is_given_up(studio: NewStudio) -> None:
    room = await studio(heard("never heard"))
    _, turn = await room.record()
    await room.begun_before(MOST_RUNS)
    await room.work()
    assert "something broke on my side" in reply_of(await room.server.wait(turn))


FAILURES = [NotTranscribedYet("upstream_error"), RuntimeError("broken"), OutOfReach(), asyncio.CancelledError()]


@pytest.mark.parametrize("failure", FAILURES, ids=lambda failure: type(failure).__name__)
async def test_a_clip_is_taken_up_again_within_fifteen_seconds(studio: NewStudio, failure: BaseException) -> None:
    [strategy] = [job.retry for job in (await studio(heard("call mom"))).jobs if job.name == TRANSCRIBE]
    for runs in range(MOST_RUNS + 1):  # the run after the last one answers whatever happens
        job = Job(id=1, queue="speech", lock=None, queueing_lock=None, task_name="transcribe_memo", attempts=runs)
        decision = strategy.get_retry_decision(exception=failure, job=job)
        assert decision is not None
        assert decision.retry_at is not None
        assert decision.retry_at <= datetime.now(UTC) + timedelta(seconds=10)


async def test_a_job_exists_exactly_when_its_row_does(studio: NewStudio) -> None:
    room = await studio(heard("call mom"))
    with contextlib.suppress(ZeroDivisionError):
        async with room.server.database.tenant(room.server.user) as conn:
            await defer_transcription(room.queue, conn, room.server.user, uuid4())
            raise ZeroDivisionError
    assert await room.states() == []
    await room.record()
    assert await room.states() == ["todo"]
