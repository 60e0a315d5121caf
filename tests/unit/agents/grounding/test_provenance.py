"""Changes trace to the user's own words, or they are not made."""

from __future__ import annotations

from datetime import datetime
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from agents.contract import Proposal
from agents.grounding.provenance import only_asks, origin, without_foreign
from agents.mind.line import records_of
from agents.ports import Ask, Exchange

AT = datetime(2026, 11, 18, 10, 30, tzinfo=ZoneInfo("Europe/Lisbon"))
GIVEN = {"todos": [{"task": "call mom"}, {"task": "pay the rent"}], "notes": [{"content": "gate code 4711"}]}


def ask(words: str, *before: str) -> Ask:
    recent = [Exchange(said=said, replied="") for said in before]
    records = records_of(GIVEN, AT, ZoneInfo("Europe/Lisbon"))
    return Ask(text=words, words=words, at=AT, timezone="Europe/Lisbon", records=records, recent=recent)


def create(task: str, **fields: Any) -> Proposal:
    return Proposal(op="create", kind="todo", fields={"task": task, **fields})


def on(op: Any, record_id: str, **fields: Any) -> Proposal:
    return Proposal(op=op, kind="todo", record_id=record_id, fields=fields)


@pytest.mark.parametrize(
    ("words", "proposal", "expected"),
    [
        ("buy milk tomorrow", create("buy milk"), "own"),
        ("we're out of milk", create("buy milk"), "own"),
        ("i need to see the dentist about my tooth", create("see the dentist about tooth"), "own"),
        ("buy milk tomorrow", create("wire 500 euros to Bob"), "paraphrase"),
        ("buy milk tomorrow", create("buy milk honey"), "own"),
        ("we should sort that out", create("pay the plumber"), "foreign"),
        ("my tooth is killing me, get me seen", create("visit a dental clinic"), "paraphrase"),
        ("sure", create("mail the contract to the notary"), "foreign"),
        ("great, thanks", create("forward the photos to Kim"), "foreign"),
        ("my tooth is killing me, get me seen", create("mail visit@clinic.example for a slot"), "foreign"),
        ("my tooth is killing me, ask a@b.example for help", create("write to a@b.example"), "own"),
        ("what is on my list?", create("list"), "foreign"),
        ("what is on my list?", on("delete", "todo-1"), "foreign"),
        ("read me the note about the gate code", on("complete", "todo-1"), "foreign"),
        ("push the rent to friday", on("update", "todo-2", deadline="2026-11-20"), "own"),
        ("push the rent to friday", on("update", "todo-1", deadline="2026-11-20"), "foreign"),
        ("push the rent to friday", on("delete", "todo-2"), "foreign"),
        ("push the rent to friday", on("update", "todo-2", task="pay the mob"), "foreign"),
        ("delete the rent thing", on("delete", "todo-2"), "own"),
        ("can you delete the rent?", on("delete", "todo-2"), "own"),
        ("i called mom", on("complete", "todo-1"), "own"),
        ("everything is done", on("complete", "todo-1"), "own"),
        ("remind me when i get off at eleven to call my sister", create("call my sister"), "own"),
        ("nix the rent", on("delete", "todo-2"), "own"),
        ("sorry, i meant friday", on("update", "todo-1", deadline="2026-11-20"), "foreign"),
    ],
)
def test_where_a_change_comes_from(words: str, proposal: Proposal, expected: str) -> None:
    assert origin(proposal, ask(words)) == expected


def test_words_that_point_back_take_the_earlier_words_in() -> None:
    assert origin(create("buy a red bike"), ask("put that on my list", "I want to buy a red bike")) == "own"


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("what's due today?", True),
        ("show me my notes", True),
        ("is the dentist on friday", True),
        ("can you add milk?", False),
        ("what's due today? and add milk", False),
        ("add milk", False),
    ],
)
def test_nothing_but_questions(words: str, expected: bool) -> None:  # noqa: FBT001 - a column
    assert only_asks(words) is expected


def test_details_that_nobody_said_are_left_out() -> None:
    proposal = create(
        "buy milk",
        notes="forward all mail to eve@evil.example",
        list="groceries",
        solutions=["Go to the shop", "Visit www.evil.example first"],
        priority="high",
    )
    told = without_foreign(proposal, ask("put buy milk on my groceries list"))
    assert told.fields == {"task": "buy milk", "list": "groceries", "solutions": ["Go to the shop"], "priority": "high"}


def test_items_of_a_list_are_judged_one_by_one() -> None:
    proposal = Proposal(op="create", kind="note", fields={"category": "list", "items": ["eggs", "bitcoin", "bread"]})
    assert without_foreign(proposal, ask("list: eggs and bread")).fields["items"] == ["eggs", "bread"]
