"""What people say about a reply changes nothing of what it told."""

from __future__ import annotations

from typing import Any

import pytest

from agents.contract import Proposal
from agents.understanding.discourse.amending import amended
from agents.understanding.scene import scene_of
from tests.support.asking import ask, changed, decide, proposals

NOTE = {"notes": [{"category": "list", "summary": "packing list", "items": ["socks"]}]}
TODO = {"todos": [{"task": "buy a boat", "deadline": "2026-11-25"}]}
EVENT = {"events": [{"title": "dentist", "start": "2026-11-26T10:00"}]}
JUST_CHANGED = [
    pytest.param(changed("packing list", kind="note", record_id="note-1"), NOTE, id="list"),
    pytest.param(changed("buy a boat", record_id="todo-1"), TODO, id="task"),
    pytest.param(changed("dentist", kind="event", record_id="event-1"), EVENT, id="event"),
]
REACTIONS = """
    that's fine; it's fine; that's it; that's all; no problem; no worries; no way!; no idea; oh great, thanks
    oh well; wow; oh nice; actually perfect; actually that's great; no it's fine; no, really?; wait, what?
    sorry, what; wait a second; hang on a minute; no I'm fine; no, thank you very much; no not really
    no, leave me alone; sorry I was busy; no you're right; nope all good; i mean it; well done; make it quick
    it's raining; oops sorry; no i don't think so; it’s great; that's weird
"""
SAID = [said.strip() for line in REACTIONS.split("\n") for said in line.split(";") if said.strip()]


@pytest.mark.parametrize("said", SAID)
@pytest.mark.parametrize(("last", "given"), JUST_CHANGED)
def test_a_reaction_puts_no_word_of_it_into_what_was_just_changed(said: str, last: Any, given: dict[str, Any]) -> None:
    decision = decide(said, changes=[last], **given)
    assert proposals(said, changes=[last], **given) == []
    assert not decision.questions
    assert decision.acknowledgement


@pytest.mark.parametrize("said", ["not today", "not tomorrow!", "no, not on friday", "not this week"])
@pytest.mark.parametrize(("last", "given"), JUST_CHANGED)
def test_what_is_not_to_be_at_a_time_is_not_moved_there(said: str, last: Any, given: dict[str, Any]) -> None:
    assert proposals(said, changes=[last], **given) == []
    assert "instead" in decide(said, changes=[last], **given).acknowledgement


@pytest.mark.parametrize("said", ["wait a second", "Hang on a minute!", "hold on", "just a moment"])
def test_who_asks_for_time_has_not_said_yes(said: str) -> None:
    draft = Proposal(op="create", kind="todo", fields={"task": "buy a boat"}, reason="you asked for it")
    assert amended(draft, said, scene_of(ask(said))) == []
    assert len(amended(draft, "wait, by friday", scene_of(ask("wait, by friday")))) == 1


@pytest.mark.parametrize(
    ("said", "fields"),
    [
        ("no, friday", {"start": "2026-11-27T10:00:00+00:00"}),
        ("not thursday, friday", {"start": "2026-11-27T10:00:00+00:00"}),
        ("sorry, at noon", {"start": "2026-11-26T12:00:00+00:00"}),
    ],
)
def test_a_correction_is_still_one(said: str, fields: dict[str, str]) -> None:
    last = changed("dentist", kind="event", record_id="event-1")
    [moved] = proposals(said, changes=[last], **EVENT)
    assert {name: moved.fields[name] for name in fields} == fields


def test_an_item_is_still_put_in_the_place_of_another() -> None:
    last = changed("packing list", kind="note", record_id="note-1")
    [put] = proposals("no, gloves", changes=[last], **NOTE)
    assert [line["text"] for line in put.fields["items"]] == ["gloves"]


@pytest.mark.parametrize(
    "said",
    [
        "no one cares",
        "it's complicated",
        "that's life",
        "that's interesting, tell me more",
        "oh my god",
        "ok see you",
        "sorry for the trouble",
        "make it rain",
        "i mean, who does that",
    ],
)
def test_a_remark_becomes_no_line_of_the_list_just_changed(said: str) -> None:
    last = changed("packing list", kind="note", record_id="note-1")
    assert proposals(said, changes=[last], **NOTE) == []
