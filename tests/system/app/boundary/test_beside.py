from __future__ import annotations

import asyncio
import os
import signal
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

import pytest

from agents.contract import Pending, RouterDecision
from agents.ports import Ask, Exchange
from agents.understanding import BuiltIn
from app.boundary.reading.beside import PART_TOO_SLOW, TOO_SLOW, ReadBeside
from app.boundary.reading.forkserver import Forkserver, ReadingTooSlow
from app.boundary.reading.messages import ReadingReply
from app.database.database import Database
from tests.support.asking import ask, changed
from tests.support.servers.turn_server import turn_server

LONG = "ring granny tomorrow at 5, book the vet for friday 3pm and make a camping list: tent, rope. " * 8
ENDLESS = "put " + "1/2/" * 4900
"""Some seconds of work: a fraction and a day may begin at each sign."""


@dataclass
class NoTime:
    """Readers that are always too slow."""

    requests: list[bytes] = field(default_factory=list)

    async def read(self, request: bytes) -> bytes:
        self.requests.append(request)
        raise ReadingTooSlow

    async def close(self) -> None:
        """Nothing is open."""


@asynccontextmanager
async def readers(seconds: float = 60.0, patience: float = 120.0) -> AsyncIterator[Forkserver]:
    forkserver = Forkserver(seconds=seconds, longest=20_000, patience=patience)
    try:
        yield forkserver
    finally:
        await forkserver.close()


def many(count: int) -> list[dict[str, str]]:
    return [{"task": f"errand {number}"} for number in range(count)]


ASKS = {
    "many requests": ask(LONG),
    "stored items": ask(
        "move the errand 3 to friday", todos=many(9), events=[{"title": "gym", "start": "2026-11-20T10:00"}]
    ),
    "an undo": ask("undo that", changes=[changed("milk")]),
    "a correction": ask("no, friday", changes=[changed("milk")]).model_copy(
        update={"recent": [Exchange(said="add milk for thursday", replied="Added “milk”.")]}
    ),
    "an answer": ask("yes", pending=Pending(missing="rephrase", text="buy glue", at=ask("x").at)),
    "a question": ask("what is on my calendar tomorrow?", events=[{"title": "gym", "start": "2026-11-19T10:00"}]),
    "nothing": ask(" "),
    "much that is stored": ask("add glue, tape, string, nails, paint and a brush", todos=many(600)),
    "a long answer": ask("note: " + "the boiler hums on cold days. " * 80),
}


async def test_the_child_decides_as_the_server_would() -> None:
    built_in = BuiltIn()
    async with readers() as forkserver:
        beside = ReadBeside(built_in, forkserver, quick=-1)
        for name, asked in ASKS.items():
            decision = await built_in.route(asked)
            assert await beside.route(asked) == decision, name
            assert await beside.propose("update_todos", asked) == await built_in.propose("update_todos", asked), name


async def test_a_message_without_end_is_given_up_and_the_next_one_is_read() -> None:
    async with readers(seconds=0.5) as forkserver:
        beside = ReadBeside(BuiltIn(), forkserver, quick=300)
        assert (await beside.route(ask(LONG))).disposition == "dispatch"
        first = forkserver.pid
        endless = [asyncio.create_task(beside.route(ask(ENDLESS))) for _ in range(3)]
        assert (await beside.route(ask("buy glue"))).disposition == "dispatch"
        assert not any(task.done() for task in endless)
        late = RouterDecision(disposition="reply", acknowledgement=TOO_SLOW)
        assert await asyncio.gather(*endless) == [late, late, late]
        assert (await beside.route(ask(LONG))).disposition == "dispatch"
        assert forkserver.pid == first


async def test_a_killed_child_is_replaced() -> None:
    async with readers(seconds=30) as forkserver:
        beside = ReadBeside(BuiltIn(), forkserver, quick=300)
        await beside.route(ask(LONG))
        first = forkserver.pid
        assert first is not None
        reading = asyncio.create_task(beside.route(ask(LONG * 4)))
        await asyncio.sleep(0.05)
        os.kill(first, signal.SIGKILL)
        assert (await reading).disposition == "dispatch"
        assert forkserver.pid not in (first, None)


async def test_a_child_that_stands_still_is_replaced() -> None:
    async with readers(patience=60) as forkserver:
        await ReadBeside(BuiltIn(), forkserver, quick=300).route(ask(LONG))
        pid = forkserver.pid
        assert pid is not None
        os.kill(pid, signal.SIGSTOP)
        forkserver._patience = 0.5
        assert (await ReadBeside(BuiltIn(), forkserver, quick=300).route(ask(LONG))).acknowledgement == TOO_SLOW
        forkserver._patience = 60
        assert (await ReadBeside(BuiltIn(), forkserver, quick=300).route(ask(LONG))).disposition == "dispatch"


async def test_a_reader_that_fails_says_why_and_readers_end_with_the_server() -> None:
    async with readers() as forkserver:
        assert "ValidationError" in ReadingReply.model_validate_json(await forkserver.read(b"{}")).fault
        pid = forkserver.pid
        assert pid is not None
    with pytest.raises(ProcessLookupError):
        os.kill(pid, 0)


@pytest.mark.parametrize(
    ("asked", "quick"),
    [
        (ask("add glue and ring granny tomorrow at 5"), True),
        (ask("a" * 300), True),
        (ask("a" * 301), False),
        (ask("buy" + " " * 4000 + "milk"), True),
        (ask("add glue, tape", todos=many(500)), True),
        (ask("a, b, c, d, e, f", todos=many(500)), True),
        (ask("no, friday").model_copy(update={"recent": [Exchange(said=LONG * 2, replied="Added.")]}), False),
        (ask("a\nb\nc\nd\ne\nf", todos=many(500)), True),
    ],
)
async def test_what_may_take_long_is_read_by_the_child(asked: Ask, quick: bool) -> None:  # noqa: FBT001 - a case
    slow = NoTime()
    beside = ReadBeside(BuiltIn(), slow, quick=300)
    decision = await beside.route(asked)
    assert (len(slow.requests) == 0, decision.acknowledgement != TOO_SLOW) == (quick, quick)
    share = await beside.propose("update_todos", asked)
    assert (share.answers != [PART_TOO_SLOW]) is quick


async def test_a_turn_that_could_not_be_read_is_done_and_says_so(database: Database) -> None:
    slow = NoTime()
    async with turn_server(database, ReadBeside(BuiltIn(), slow, quick=300)) as server:
        turn = await server.say(LONG)
        assert (turn.state, turn.attempt, len(slow.requests)) == ("done", 1, 1)
        assert turn.result is not None
        assert (turn.result.disposition, turn.result.reply) == ("reply", TOO_SLOW)
        assert await server.changes(turn) == []
        assert await server.tasks() == []
        assert (await server.say("buy glue")).state == "done"
        assert await server.tasks() == ["buy glue"]


async def test_white_space_without_end_is_a_short_message() -> None:
    begun = time.thread_time()
    decision = await ReadBeside(BuiltIn(), NoTime(), quick=300).route(ask("buy" + "\t" * 19_000 + "milk"))
    assert decision.disposition == "dispatch"
    assert time.thread_time() - begun < 5


async def test_the_end_of_a_message_that_is_too_long_is_named_in_the_reply(database: Database) -> None:
    async with turn_server(database, BuiltIn(longest=40)) as server:
        turn = await server.say("buy glue. buy tape. ring the vet about the limping cat.")
        assert sorted(await server.tasks()) == ["buy glue", "buy tape"]
        assert turn.result is not None
        assert turn.result.reply.endswith(
            "I did not read its end, “ring the vet about the limping cat.”; please send that part again."
        )
        nothing = await server.say("delete the task about glue only if the shop is closed for good")
        assert nothing.result is not None
        assert "I did not read its end, “delete the task" in nothing.result.reply
        assert sorted(await server.tasks()) == ["buy glue", "buy tape"]
