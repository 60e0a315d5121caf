"""P1: whatever fails, every sentence that claims a change stands for a committed row, and every row is told."""

from __future__ import annotations

import asyncio
import random
import re

import pytest

from agents.contract import Proposal
from agents.records import Kind
from agents.rendering.changes import claim_sentence
from app.database.database import Database
from app.turns.model.turns import Turn
from tests.support.ledgers import EXAMPLES, NOW
from tests.support.scripted import Fault, ScriptedUnderstanding, decide
from tests.support.servers.turn_server import TurnServer, reply_of, turn_server

WRITERS = ("update_todos", "update_events", "update_notes", "update_profile", "update_instructions")
FAULTS: tuple[Fault | None, ...] = (None, None, "before", "after", "slow", "slow after")
CLAIMS = re.compile(
    r"Added “|Booked “|Kept as |Noted: |Forgotten: |Got it: |Your instruction is now|"
    r"Changed “|Changed the length of “|Marked “|Deleted |Moved “"
)
ROUNDS = 12
KINDS: tuple[Kind, ...] = ("todo", "event", "note", "profile", "instruction")


def _some(rng: random.Random, number: int) -> list[Proposal]:
    """One to eight proposals of any kind; some cannot be applied."""
    proposals: list[Proposal] = []
    for index in range(rng.randint(1, 8)):
        kind = rng.choice(KINDS)
        fields = {**EXAMPLES[kind], _name(kind): f"thing {number}.{index}"}
        bad = rng.random() < 0.25
        proposals.append(Proposal(op="create", kind=kind, fields={**fields, "priority": 99} if bad else fields))
    return proposals


def _name(kind: Kind) -> str:
    return {"todo": "task", "event": "title", "note": "content", "profile": "job", "instruction": "text"}[kind]


@pytest.mark.parametrize("seed", range(3))
async def test_no_reply_claims_what_no_row_shows(database: Database, seed: int) -> None:
    rng = random.Random(seed)
    mind, faults = ScriptedUnderstanding(), dict[str, Fault]()
    async with turn_server(database, mind, faults=faults, agent_timeout=0.15) as server:
        for number in range(ROUNDS):
            chosen = {agent: rng.choice(FAULTS) for agent in WRITERS}
            faults.clear()
            faults.update({agent: fault for agent, fault in chosen.items() if fault})
            mind.script[f"round {number}"] = decide(*_some(rng, number))
            turn = await server.submit(f"round {number}")
            if rng.random() < 0.3:
                await asyncio.sleep(rng.random() * 0.2)
                await server.cancel(turn)
            await _check(server, await server.wait(turn))


async def _check(server: TurnServer, turn: Turn) -> None:
    changes = await server.changes(turn)
    reply = reply_of(turn)
    if turn.state == "cancelled":
        told = set(re.findall("“(.+?)”", reply))
        assert told == {change.title for change in changes if change.status == "applied"}, reply
        assert not CLAIMS.search(reply)
        return
    assert turn.state == "done"
    left = reply
    for change in changes:
        sentence = claim_sentence(change, NOW)
        assert sentence in left, f"{change.title} is not told: {reply}"
        left = left.replace(sentence, "", 1)
    assert not CLAIMS.search(left), f"claimed without a row: {left}"


async def test_a_commit_that_an_agents_timeout_cuts_is_told_or_never_was(database: Database) -> None:
    """Wherever in a write the time runs out: what the reply tells is what the ledger has, then and later.

    From 1 ms, in which no machine writes, to 44 ms: where the commit falls between them differs by machine.
    """
    mind, cut = ScriptedUnderstanding(), 0
    async with turn_server(database, mind) as server:
        for number in range(40):
            server.limit(0.001 * 1.22 ** (number % 20))
            mind.script[f"cut {number}"] = decide(*[_task(number, index) for index in range(3)])
            turn = await server.say(f"cut {number}")
            cut += "it took too long" in reply_of(turn)
            await asyncio.sleep(0.05)  # in which a commit that nobody waited for would be done
            await _check(server, turn)
    assert cut


def _task(number: int, index: int) -> Proposal:
    return Proposal(op="create", kind="todo", fields={"task": f"thing {number}.{index}"})
