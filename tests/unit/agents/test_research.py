"""Long work that a message begins, asks about, allows or stops, with work that only writes down what it is told."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import pytest
from langgraph.runtime import Runtime
from langgraph.store.memory import InMemoryStore

from agents.context import Context
from agents.contract import Assignment
from agents.ports import LongRun, NotBegun, Workflow
from agents.specialists.long_work import LongWorkAgent
from graph.store_ledger import StoreLedger
from tests.support.scripted import ScriptedUnderstanding

CONTEXT: Context = {"at": "2026-11-27T14:20:00+00:00", "timezone": "Europe/London"}


@dataclass
class WrittenDown:
    """Long work of one user: what it is asked to do is written down, and nothing begins."""

    refusal: NotBegun | None = None
    runs: Sequence[LongRun] = ()
    kept: Sequence[Workflow] = ()
    asked: list[str] = field(default_factory=list)

    async def workflows(self, user_id: str) -> Sequence[Workflow]:
        return self.kept

    async def start(self, user_id: str, turn_id: str, slug: str, inputs: Mapping[str, str]) -> NotBegun | None:
        self.asked.append(f"start {slug} {dict(inputs)} for {turn_id}")
        return self.refusal

    async def begin(self, user_id: str, turn_id: str, goal: str) -> NotBegun | None:
        self.asked.append(f"begin {goal} for {turn_id}")
        return self.refusal

    async def latest(self, user_id: str, most: int) -> Sequence[LongRun]:
        return self.runs[:most]

    async def stop(self, user_id: str) -> int:
        self.asked.append("stop")
        return len(self.runs)

    async def decide(self, user_id: str, turn_id: str, *, allow: bool) -> Sequence[LongRun]:
        self.asked.append(f"decide {allow} for {turn_id}")
        return self.runs


async def replies(words: str, work: WrittenDown | None) -> list[str]:
    store = InMemoryStore()
    research = LongWorkAgent(ScriptedUnderstanding(), StoreLedger(lambda: store), work)
    task = {"assignment": Assignment(worker="research", text=words), "words": words, "turn_id": "t1", "standing": []}
    (report,) = (await research.research(task, Runtime(context=CONTEXT, store=store)))["reports"]  # type: ignore[arg-type]
    return report.answers


async def test_a_goal_begins_once_for_its_turn_and_is_told_with_its_words() -> None:
    work = WrittenDown()
    (reply,) = await replies("research the history of tide mills", work)
    assert work.asked == ["begin research the history of tide mills for t1"]
    assert "research the history of tide mills" in reply


@pytest.mark.parametrize("refusal", ["stopped", "no model", "one already", "not here", "no project", "which project"])
async def test_why_nothing_begins_is_said(refusal: NotBegun) -> None:
    (reply,) = await replies("research tide mills", WrittenDown(refusal=refusal))
    assert reply.startswith("I did not begin “research tide mills”: ")


async def test_without_long_work_nothing_is_promised() -> None:
    (reply,) = await replies("research tide mills", None)
    assert reply == "I did not begin “research tide mills”: long work is not possible here."


async def test_how_it_goes_is_told_of_each_run() -> None:
    runs = [LongRun(goal="tide mills", status="running"), LongRun(goal="roof", status="waiting", told="May I write?")]
    assert await replies("how is it going?", WrittenDown(runs=runs)) == [
        "I am working on “tide mills”.",
        "“roof” waits for your answer: “May I write?”",
    ]


async def test_what_ended_tells_what_it_changed_or_that_it_changed_nothing() -> None:
    done = LongRun(goal="tide mills", status="done", told="Three mills stand.")
    told = await replies("how is it going?", WrittenDown(runs=[done]))
    assert told == [
        "“tide mills” has ended. In its own words: “Three mills stand.”",
        "Your records show no change by it.",
    ]


@pytest.mark.parametrize(("open_runs", "reply"), [(0, "I work on nothing beside"), (1, "I told 1 run"), (2, "2 runs")])
async def test_stopping_tells_how_many_were_told(open_runs: int, reply: str) -> None:
    work = WrittenDown(runs=[LongRun(goal="roof", status="running")] * open_runs)
    (told,) = await replies("stop it", work)
    assert (work.asked, reply in told) == (["stop"], True)


@pytest.mark.parametrize(("words", "allow"), [("approve it", True), ("reject it", False)])
async def test_a_verdict_decides_the_one_that_waits(words: str, allow: bool) -> None:  # noqa: FBT001
    work = WrittenDown(runs=[LongRun(goal="roof", status="waiting", told="Write a file?")])
    (told,) = await replies(words, work)
    assert work.asked == [f"decide {allow} for t1"]
    assert "“roof”" in told


async def test_a_workflow_is_started_by_its_name_with_what_follows_it() -> None:
    work = WrittenDown(kept=[Workflow(slug="digest", name="News digest", inputs=["topic"])])
    (told,) = await replies("run news digest: tide mills", work)
    assert work.asked == ["start digest {'topic': 'tide mills'} for t1"]
    assert "News digest" in told


async def test_a_workflow_that_lacks_what_it_needs_is_not_started() -> None:
    work = WrittenDown(kept=[Workflow(slug="digest", name="News digest", inputs=["topic"])])
    (told,) = await replies("run news digest", work)
    assert work.asked == []
    assert "topic" in told
