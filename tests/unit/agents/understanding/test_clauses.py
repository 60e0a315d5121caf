from __future__ import annotations

import pytest

from agents.understanding.text.clauses import split
from agents.understanding.text.filler import trim
from agents.understanding.text.restated import restated


def pieces(text: str) -> list[str]:
    return [trim(clause.text) for clause in split(text)]


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("water the roses and remind me at 6 to eat", ["water the roses", "remind me at 6 to eat"]),
        ("buy soap. sell the piano", ["buy soap", "sell the piano"]),
        ("ring ana, then book a table for friday 8pm", ["ring ana", "book a table for friday 8pm"]),
        ("gym tue 7pm / note: new shoes", ["gym tue 7pm", "note: new shoes"]),
        (
            "add flour to the bakery list and what's on tomorrow?",
            ["add flour to the bakery list", "what's on tomorrow"],
        ),
        (
            "is the fern watered and i want you to remind me to prune it",
            ["is the fern watered", "remind me to prune it"],
        ),
        (
            "oil the gate and by saturday create a list of paints",
            ["oil the gate", "by saturday create a list of paints"],
        ),
        ("i don't want the sofa and also cancel my recital", ["i don't want the sofa", "cancel my recital"]),
        (
            "in the last month how often did i swim, and check my calendar",
            ["in the last month how often did i swim", "check my calendar"],
        ),
        ("show my notes and erase the old fence", ["show my notes", "erase the old fence"]),
        ("set the alarm for six, please, then oil the gate", ["set the alarm for six", "oil the gate"]),
        ("move the recital to 5 and at what time is dinner", ["move the recital to 5", "at what time is dinner"]),
    ],
)
def test_several_requests_come_apart(text: str, parts: list[str]) -> None:
    assert pieces(text) == parts


@pytest.mark.parametrize(
    "text",
    [
        "buy salt and pepper",
        "lunch with Tom and Ana tomorrow at 1",
        "remind me to feed the cat and lock the door",
        "note: ring the bank and ask about the loan",
        "ask dr. lopez about the results",
        "call 'book the band' off",
        "we are out of paint, put them on my list",
        "i meant to buy something, what was it",
        "for friday, add a recital to my calendar",
        "i think Rui booked a table for us, can you double check please",
    ],
)
def test_one_request_stays_whole(text: str) -> None:
    assert len(pieces(text)) == 1


def test_a_heading_holds_for_its_lines() -> None:
    clauses = split("friday:\n- pay the rent\n- gym 18:00")
    assert [(clause.text, clause.context) for clause in clauses] == [
        ("pay the rent", "friday"),
        ("gym 18:00", "friday"),
    ]


@pytest.mark.parametrize(
    ("said", "meant"),
    [
        ("on monday no wait tuesday at 4", "on tuesday at 4"),
        ("ring aunt rose uh sorry aunt lily", "ring aunt lily"),
        ("um add uh glue", "add glue"),
        ("no wait", "no wait"),
    ],
)
def test_restarts_are_carried_out(said: str, meant: str) -> None:
    assert restated(said) == meant


@pytest.mark.parametrize(
    ("said", "left"),
    [("hey, could you please add glue, thanks!", "add glue"), ("ok so um then water it 🙏", "water it"), ("", "")],
)
def test_politeness_is_trimmed(said: str, left: str) -> None:
    assert trim(restated(said)) == left
