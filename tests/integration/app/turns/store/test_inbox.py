"""The durable queue of turns: order, one writer per thread, keys, leases and takeovers."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any, cast
from uuid import UUID, uuid4

import pytest

from agents.contract import Citation, Outcome
from app.database.database import Connection, Database
from app.database.signals import Signals
from app.errors import Conflict, InvalidInput, NotFound, TooManyRequests
from app.http.accounts.model.users import main_thread
from app.http.accounts.store.users import Users
from app.principal import Fence, Principal, StaleLease, acting_as
from app.records.store.event_log import EventLog
from app.turns.model.turns import Turn
from app.turns.store.inbox import Inbox
from app.turns.store.threads import Threads
from app.voice.model import NewMemo
from app.voice.store.memos import Memos
from app.voice.store.recordings import NullReception
from tests.support.ledgers import LISBON, NOW
from tests.support.servers.turn_server import inbox_at, let_lease_run_out, new_turn

ANSWER = Outcome(disposition="reply", reply="Done.")


@pytest.fixture
async def user(database: Database) -> UUID:
    return (await Users(database).create("Ada")).id


@pytest.fixture
async def inbox(database: Database) -> Inbox:
    return inbox_at(database, Signals(database))


@pytest.fixture
async def replica(database_url: str) -> AsyncIterator[Inbox]:
    """Another server on the same database."""
    async with Database(database_url) as other:
        yield inbox_at(other, Signals(other))


async def _accepted(inbox: Inbox, user: UUID, text: str | None = "hi", **values: Any) -> Turn:
    return (await inbox.accept(new_turn(user, text, **values))).turn


async def _rows(database: Database, user: UUID) -> list[dict[str, Any]]:
    async with database.tenant(user) as conn:
        return await (await conn.execute("select * from turns order by seq")).fetchall()


async def test_the_order_is_that_of_the_acknowledgements(
    database: Database, inbox: Inbox, replica: Inbox, user: UUID
) -> None:
    acknowledged: list[UUID] = []

    async def post(door: Inbox, number: int) -> None:
        await asyncio.sleep(number / 2000)
        acknowledged.append((await _accepted(door, user, f"message {number}")).id)

    await asyncio.gather(*[post(door, number) for number in range(10) for door in (inbox, replica)])
    rows = await _rows(database, user)
    assert len({row["seq"] for row in rows}) == 20
    assert [row["state"] for row in rows] == ["running"] + ["queued"] * 19
    # What was acknowledged before another message was even sent stands before it.
    late = await _accepted(inbox, user)
    assert all(row["seq"] < late.seq for row in rows)
    assert set(acknowledged) == {row["id"] for row in rows}


async def test_one_turn_of_a_thread_runs_at_a_time(
    database: Database, inbox: Inbox, replica: Inbox, user: UUID
) -> None:
    turns = [await _accepted(inbox, user, f"message {number}") for number in range(6)]
    done: list[UUID] = []
    head: Turn | None = turns[0]
    while head is not None:
        assert [row["state"] for row in await _rows(database, user)].count("running") == 1
        await inbox.finish(head, "done", ANSWER, {})
        done.append(head.id)
        claims = [door.claim(user, main_thread(user)) for door in (inbox, replica) * 4]
        claimed = [turn for turn in await asyncio.gather(*claims) if turn]
        assert len(claimed) <= 1
        head = claimed[0] if claimed else None
    assert done == [turn.id for turn in turns]


async def test_threads_run_side_by_side(database: Database, inbox: Inbox, user: UUID) -> None:
    other = await Threads(database).create(user, "Work")
    main, aside = await _accepted(inbox, user), await _accepted(inbox, user, thread_id=other.id)
    assert (main.state, aside.state) == ("running", "running")


async def test_the_same_key_and_body_is_the_same_turn(inbox: Inbox, user: UUID) -> None:
    first = await inbox.accept(new_turn(user, "hi", idempotency_key="k", body_hash=b"1"))
    again = await inbox.accept(new_turn(user, "hi", idempotency_key="k", body_hash=b"1"))
    assert (first.replayed, again.replayed, again.turn.id) == (False, True, first.turn.id)
    with pytest.raises(InvalidInput):
        await inbox.accept(new_turn(user, "ho", idempotency_key="k", body_hash=b"2"))


@pytest.mark.parametrize("strategy", ["enqueue", "reject"])
async def test_ten_at_once_with_one_key_are_one_turn(
    database: Database, inbox: Inbox, replica: Inbox, user: UUID, strategy: Any
) -> None:
    new = new_turn(user, "hi", idempotency_key="k", body_hash=b"1", strategy=strategy)
    accepted = await asyncio.gather(*[door.accept(new) for door in (inbox, replica) * 5])
    assert len({one.turn.id for one in accepted}) == 1
    assert [one.replayed for one in accepted].count(False) == 1
    assert len(await _rows(database, user)) == 1


async def test_a_key_is_answered_even_when_the_thread_takes_no_more(
    database: Database, inbox: Inbox, user: UUID
) -> None:
    threads = Threads(database)
    thread = await threads.create(user, "Work")
    new = new_turn(user, "hi", idempotency_key="k", body_hash=b"1", thread_id=thread.id)
    first = await inbox.accept(new)
    await threads.change(user, thread.id, title=None, status="archived")
    assert (await inbox.accept(new)).turn.id == first.turn.id
    with pytest.raises(Conflict):
        await _accepted(inbox, user, thread_id=thread.id)


async def test_keys_belong_to_their_user(database: Database, inbox: Inbox, user: UUID) -> None:
    other = (await Users(database).create("Ben")).id
    mine = await _accepted(inbox, user, idempotency_key="k", body_hash=b"1")
    theirs = await _accepted(inbox, other, idempotency_key="k", body_hash=b"2")
    assert mine.id != theirs.id


async def test_an_expired_lease_is_taken_over_and_the_old_holder_is_fenced_off(
    database: Database, inbox: Inbox, replica: Inbox, user: UUID
) -> None:
    dead = await _accepted(replica, user)
    assert await inbox.claim(user, dead.thread_id) is None
    await let_lease_run_out(database, dead)
    taken = await inbox.claim(user, dead.thread_id)
    assert taken is not None
    assert (taken.id, taken.generation, taken.attempt) == (dead.id, dead.generation + 1, 2)
    with pytest.raises(StaleLease):
        await replica.finish(dead, "done", ANSWER, {})
    with pytest.raises(StaleLease):
        await replica.renew(dead)
    with pytest.raises(StaleLease):
        await replica.seal(dead)
    with pytest.raises(StaleLease):
        await replica.release(dead)
    told = EventLog(database, Signals(database))
    with acting_as(Principal(user, Fence(dead.id, dead.generation))), pytest.raises(StaleLease):
        await told.append(user, dead.id, [("agent.started", {})])
    await inbox.finish(taken, "done", ANSWER, {"ms": {}})
    finished = await inbox.get(user, dead.id)
    assert finished is not None
    assert (finished.state, finished.result, finished.usage) == ("done", ANSWER, {"ms": {}})


class CutOff(Database):
    """A server that is cut off after the first statement of a transaction."""

    @asynccontextmanager
    async def tenant(self, user_id: UUID | None = None) -> AsyncIterator[Connection]:
        async with super().tenant(user_id) as conn:
            yield cast("Connection", FirstStatement(conn))


class FirstStatement:
    """A connection for one statement."""

    def __init__(self, conn: Connection) -> None:
        self._conn: Connection | None = conn

    async def execute(self, *values: Any) -> Any:
        if self._conn is None:
            raise ConnectionAbortedError
        conn, self._conn = self._conn, None
        return await conn.execute(*values)


async def test_a_turn_is_claimed_together_with_what_its_last_try_gives_back(
    database_url: str, database: Database, inbox: Inbox, user: UUID
) -> None:
    dead = await _accepted(inbox, user)
    await let_lease_run_out(database, dead)
    async with CutOff(database_url) as cut:
        with pytest.raises(ConnectionAbortedError):
            await inbox_at(cut, Signals(cut)).claim(user, dead.thread_id)
    again = await inbox.claim(user, dead.thread_id)
    assert again is not None
    assert again.generation == dead.generation + 1


async def test_renewing_keeps_a_turn(database: Database, inbox: Inbox, replica: Inbox, user: UUID) -> None:
    turn = await _accepted(replica, user)
    for _ in range(2):
        await let_lease_run_out(database, turn)
        assert await replica.renew(turn) is False
        assert await inbox.claim(user, turn.thread_id) is None
    await inbox.request_cancel(user, turn.id)
    assert await replica.renew(turn) is True


async def test_a_released_turn_is_next_again(inbox: Inbox, user: UUID) -> None:
    first, _second = await _accepted(inbox, user, "one"), await _accepted(inbox, user, "two")
    await inbox.release(first)
    again = await inbox.claim(user, first.thread_id)
    assert again is not None
    assert (again.id, again.generation, again.attempt) == (first.id, 2, 2)


async def test_a_try_that_does_not_count_is_no_attempt(inbox: Inbox, user: UUID) -> None:
    first = await _accepted(inbox, user, "one")
    await inbox.release(first, counts=False)
    again = await inbox.claim(user, first.thread_id)
    assert again is not None
    assert (again.generation, again.attempt, again.tried_before) == (2, 1, True)


async def test_a_sealed_turn_keeps_running_under_its_new_generation_alone(inbox: Inbox, user: UUID) -> None:
    turn = await _accepted(inbox, user)
    sealed = await inbox.seal(turn)
    with pytest.raises(StaleLease):
        await inbox.finish(turn, "done", ANSWER, {})
    await inbox.finish(sealed, "done", ANSWER, {})


async def test_finishing_keeps_messages_and_events_once(database: Database, inbox: Inbox, user: UUID) -> None:
    turn = await _accepted(inbox, user, "what time is it")
    await inbox.finish(turn, "done", ANSWER, {})
    with pytest.raises(StaleLease):
        await inbox.finish(turn, "done", ANSWER, {})
    threads = Threads(database)
    messages = await threads.messages(user, turn.thread_id, 0, 10)
    assert [(m.seq, m.role, m.content) for m in messages] == [(1, "user", "what time is it"), (2, "assistant", "Done.")]
    thread = await threads.get(user, turn.thread_id)
    assert thread is not None
    assert thread.message_count == 2
    followed = EventLog(database, Signals(database)).follow(user, turn_id=turn.id)
    kinds = [event.type async for event in followed if event]
    assert kinds == ["turn.accepted", "reply.completed", "usage", "turn.done"]


async def test_what_a_reply_quotes_is_told_before_it(database: Database, inbox: Inbox, user: UUID) -> None:
    cited = {"source": "note", "id": "n1", "start_char": 0, "end_char": 9, "quote": "it is blue", "captured_at": NOW}
    citation = Citation.model_validate(cited)
    turn = await _accepted(inbox, user, "which colour is the door")
    await inbox.finish(turn, "done", ANSWER.model_copy(update={"citations": [citation]}), {})
    followed = EventLog(database, Signals(database)).follow(user, turn_id=turn.id)
    told = [(event.type, event.data) async for event in followed if event]
    assert [kind for kind, _ in told] == ["turn.accepted", "citation", "reply.completed", "usage", "turn.done"]
    assert told[1][1] == citation.model_dump(mode="json")


async def test_cancelling(inbox: Inbox, user: UUID) -> None:
    running, queued = await _accepted(inbox, user, "one"), await _accepted(inbox, user, "two")
    gone, asked = await inbox.request_cancel(user, queued.id), await inbox.request_cancel(user, running.id)
    assert gone is not None
    assert asked is not None
    assert (gone.state, asked.state, asked.cancel_requested) == ("cancelled", "running", True)
    assert gone.result is not None
    await inbox.finish(running, "done", ANSWER, {})
    assert await inbox.claim(user, running.thread_id) is None
    again = await inbox.request_cancel(user, running.id)
    assert again is not None
    assert again.state == "done"
    assert await inbox.request_cancel(user, uuid4()) is None


async def test_a_clip_waits_for_its_words_and_keeps_its_place(database: Database, user: UUID) -> None:
    deferred: list[UUID] = []

    class Reception(NullReception):
        async def defer_transcription(self, conn: Connection, user_id: UUID, memo_id: UUID) -> None:
            deferred.append(memo_id)

    inbox = inbox_at(database, Signals(database), reception=Reception())
    memo = NewMemo(uuid4(), "wav", 4, b"sum", NOW, LISBON)
    clip = await _accepted(inbox, user, None, memo=memo)
    behind = await _accepted(inbox, user, "after it")
    assert (clip.state, behind.state, deferred) == ("queued", "queued", [memo.id])
    assert await inbox.claim(user, clip.thread_id) is None
    assert await inbox.threads_to_run() == []
    heard = await inbox.deliver_transcript(user, memo.id, "call mom")
    assert heard is not None
    assert (heard.id, heard.text) == (clip.id, "call mom")
    assert await inbox.deliver_transcript(user, memo.id, "call dad") is None
    assert await inbox.threads_to_run() == [(user, clip.thread_id)]
    claimed = await inbox.claim(user, clip.thread_id)
    assert claimed is not None
    assert claimed.id == clip.id


async def test_a_clip_whose_job_cannot_be_queued_leaves_nothing(database: Database, user: UUID) -> None:
    class Reception(NullReception):
        async def defer_transcription(self, conn: Connection, user_id: UUID, memo_id: UUID) -> None:
            raise ConnectionError("scripted")

    inbox = inbox_at(database, Signals(database), reception=Reception())
    memo = NewMemo(uuid4(), "wav", 4, b"sum", NOW, LISBON)
    with pytest.raises(ConnectionError):
        await _accepted(inbox, user, None, memo=memo)
    assert await _rows(database, user) == []
    assert await Memos(database).get(user, memo.id) is None


async def test_what_cannot_be_queued_says_why(database: Database, user: UUID) -> None:
    inbox = inbox_at(database, Signals(database), max_queued=3)
    with pytest.raises(NotFound):
        await _accepted(inbox, user, thread_id=uuid4())
    outcomes = await asyncio.gather(*[_accepted(inbox, user) for _ in range(8)], return_exceptions=True)
    assert [isinstance(one, TooManyRequests) for one in outcomes].count(False) == 3
    with pytest.raises(Conflict, match="busy"):
        await _accepted(inbox, user, strategy="reject")


async def test_one_user_may_have_so_many_turns_waiting_in_all_threads(database: Database, user: UUID) -> None:
    inbox = inbox_at(database, Signals(database), max_queued_of_user=3)
    threads = [(await Threads(database).create(user, str(number))).id for number in range(5)]
    turns = [await _accepted(inbox, user, thread_id=thread) for thread in threads[:3]]
    with pytest.raises(TooManyRequests, match="3 messages of yours"):
        await _accepted(inbox, user, thread_id=threads[3])
    other = (await Users(database).create("Ben")).id
    await _accepted(inbox, other)
    await inbox.finish(turns[0], "done", Outcome(disposition="reply", reply="done"), {})
    await _accepted(inbox, user, thread_id=threads[4])


async def test_another_users_thread_is_not_found(database: Database, inbox: Inbox, user: UUID) -> None:
    other = (await Users(database).create("Ben")).id
    with pytest.raises(NotFound):
        await _accepted(inbox, user, thread_id=main_thread(other))


async def test_what_is_in_the_way_of_a_new_message(inbox: Inbox, user: UUID) -> None:
    new = new_turn(user, "hi", idempotency_key="k", body_hash=b"1")
    assert await inbox.in_the_way(new) is None
    running = await _accepted(inbox, user, "first")
    found = await inbox.in_the_way(new)
    assert found is not None
    assert found.id == running.id
    await inbox.accept(new)
    assert await inbox.in_the_way(new) is None


async def test_the_sweep_sees_what_nobody_runs_and_ids_alone(database: Database, inbox: Inbox, replica: Inbox) -> None:
    users = [(await Users(database).create(name)).id for name in ("Ada", "Ben", "Eve", "Flo")]
    await _accepted(inbox, users[0], "runs here")
    await _accepted(inbox, users[0], "waits behind it")
    dead = await _accepted(replica, users[1], "runs on a server that dies")
    await _accepted(replica, users[1], "waits behind that")
    finished = await _accepted(inbox, users[2], "is done")
    await inbox.finish(finished, "done", ANSWER, {})
    handed_back = await _accepted(inbox, users[3], "was handed back")
    await inbox.release(handed_back)
    await let_lease_run_out(database, dead)
    assert sorted(await inbox.threads_to_run()) == sorted((user, main_thread(user)) for user in (users[1], users[3]))
    async with database.system() as conn:
        rows = await (await conn.execute("select * from turns_to_run(10)")).fetchall()
        assert {tuple(row) for row in rows} == {("owner", "thread")}
        assert await (await conn.execute("select * from turns")).fetchall() == []
