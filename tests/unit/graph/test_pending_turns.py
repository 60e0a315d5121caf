"""Hundreds of messages while a question waits: none makes a wrong change, and what does not answer leaves it open."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass
from typing import Any
from uuid import uuid4

import pytest
from langchain_core.messages import HumanMessage
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.store.memory import InMemoryStore

from agents.context import LOCAL_USER
from agents.contract import Outcome, Pending, Proposal
from agents.ports import Batch
from agents.records import RECORD_KINDS
from agents.store import namespace
from agents.understanding import BuiltIn
from graph.builder import build_graph
from graph.state import serializer
from graph.store_ledger import StoreLedger
from tests.support.ledgers import LISBON, NOW
from tests.unit.graph.pending_turns import CLOSING, DATA, STAYING, Turn, turns

TURNS = turns()
CLOCK = {"timezone": LISBON, "at": NOW.isoformat()}
Kept = dict[tuple[str, str], dict[str, Any]]


@dataclass(frozen=True)
class Asked:
    """A thread that waits for an answer: its question, and all that was kept when it was asked."""

    question: Pending
    records: Kept
    kept: tuple[Any, ...]


class Desk:
    """One user's graph, brought back to the moment of each question: asking it again would take twice as long."""

    def __init__(self) -> None:
        self._store, self._saver = InMemoryStore(), InMemorySaver(serde=serializer())
        self._ledger = StoreLedger(lambda: self._store)
        self._graph = build_graph(BuiltIn(), self._ledger, store=self._store, checkpointer=self._saver)
        self._empty = self._all()
        self._asked: dict[str, Asked] = {}

    async def asked(self, question: Mapping[str, Any]) -> Asked:
        if question["name"] not in self._asked:
            self._back_to(self._empty)
            await self._begin(question.get("rule", ""))
            before = await self.records()
            first = await self.say(question["said"], unsure=question.get("unsure", False))
            assert first.question is not None
            assert await self.records() == before
            self._asked[question["name"]] = Asked(first.question.pending, before, self._all())
        found = self._asked[question["name"]]
        self._back_to(found.kept)
        return found

    async def say(self, words: str, *, unsure: bool = False) -> Outcome:
        said: Any = {"messages": [HumanMessage(words, id=str(uuid4()))], "unsure": unsure}
        config: Any = {"configurable": {"thread_id": "one"}, "run_id": uuid4()}
        context: Any = CLOCK
        outcome: Any = (await self._graph.ainvoke(said, config, context=context))["outcome"]
        assert isinstance(outcome, Outcome)
        return outcome

    async def records(self) -> Kept:
        found = {kind: await self._store.asearch(namespace(kind, LOCAL_USER), limit=100) for kind in RECORD_KINDS}
        return {(kind, item.key): item.value for kind, items in found.items() for item in items}

    async def _begin(self, rule: str) -> None:
        proposals = [Proposal(op="create", **record) for record in DATA["given"]]
        if rule:
            proposals.append(Proposal(op="create", kind="instruction", fields={"text": rule}))
        batch = Batch(
            user_id=LOCAL_USER, origin=str(uuid4()), agent="given", proposals=proposals, at=NOW, timezone=LISBON
        )
        assert {change.status for change in await self._ledger.apply(batch)} == {"applied"}

    def _all(self) -> tuple[Any, ...]:
        return deepcopy((self._store._data, self._saver.storage, self._saver.writes, self._saver.blobs))

    def _back_to(self, kept: tuple[Any, ...]) -> None:
        self._store._data, self._saver.storage, self._saver.writes, self._saver.blobs = deepcopy(kept)


@pytest.fixture(scope="module")
def desk() -> Desk:
    return Desk()


def differences(before: Kept, after: Kept) -> list[tuple[str, str]]:
    """What is new, changed or gone: its sign and kind, and the record as text."""
    keys = sorted(before.keys() | after.keys())
    signs = [(key, "+" if key not in before else "-" if key not in after else "~") for key in keys]
    return [
        (f"{sign} {key[0]}", json.dumps(after.get(key) or before[key]).lower())
        for key, sign in signs
        if before.get(key) != after.get(key)
    ]


def named(change: tuple[str, str], wanted: str) -> bool:
    sign, kind, *words = wanted.split()
    return change[0] == f"{sign} {kind}" and all(word.lower() in change[1] for word in words)


def exactly(changes: Sequence[tuple[str, str]], wanted: Sequence[str]) -> bool:
    left = list(changes)
    for one in wanted:
        hit = next((change for change in left if named(change, one)), None)
        if hit is None:
            return False
        left.remove(hit)
    return not left


def stays(question: Pending, outcome: Outcome) -> bool:
    """Whether a question still waits, be it in other words or behind another one."""
    one: Pending | None = outcome.question.pending if outcome.question else None
    while one is not None:
        if (one.missing, one.text, one.proposals) == (question.missing, question.text, question.proposals):
            return True
        one = one.behind
    return False


def test_there_are_at_least_three_hundred_and_no_two_alike() -> None:
    assert len({(turn.question["name"], turn.said) for turn in TURNS}) == len(TURNS) >= 300
    assert all(count >= 10 for count in Counter(turn.kind for turn in TURNS).values())


@pytest.mark.parametrize("question", DATA["question"], ids=lambda question: question["name"])
async def test_while_a_question_waits(question: Mapping[str, Any], desk: Desk) -> None:
    mine = [turn for turn in TURNS if turn.question["name"] == question["name"]]
    assert {str(turn): wrong for turn in mine if (wrong := await played(turn, desk))} == {}


async def played(turn: Turn, desk: Desk) -> str:
    """Return what is wrong with what came of a turn; nothing where it is right."""
    asked = await desk.asked(turn.question)
    outcome = await desk.say(turn.said)
    changes = differences(asked.records, await desk.records())
    if turn.kind == "half":
        right = all(any(named(change, one) for one in turn.makes) for change in changes)
    else:
        right = exactly(changes, turn.makes)
    if not right:
        return f"it changes {changes} and says: {outcome.reply}"
    if turn.kind in STAYING | CLOSING and stays(asked.question, outcome) != (turn.kind in STAYING):
        return f"the question {'is lost' if turn.kind in STAYING else 'stays'}: {outcome.reply}"
    return ""
