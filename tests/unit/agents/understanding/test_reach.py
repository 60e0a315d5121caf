"""How far a pronoun reaches: back to what its own thread or message changed or named, and to no other item."""

from __future__ import annotations

from typing import Any

import pytest

from agents.contract import Change, Proposal
from agents.grounding.provenance import origin
from agents.mind.message import understand
from agents.ports import Ask, Exchange
from tests.support.asking import ask, changed

PLUMBER = "todo-3"
ELSEWHERE: dict[str, Any] = {
    "events": [
        {"title": "call with Priya", "start": "2026-11-20T15:00"},
        {"title": "dentist", "start": "2026-11-24T09:00"},
        {"title": "visit grandma", "start": "2026-11-22T15:00"},
    ],
    "todos": [
        {"task": "call the bank", "deadline": "2026-11-20"},
        {"task": "email Tom the contract"},
        {"task": "call the plumber", "deadline": "2026-11-19"},
    ],
}
REMARKS = [
    f"{request}{joint}{remark}"
    for request in ("call the roofer tomorrow", "visit aunt May on sunday", "text Bo today", "meet Ida at noon")
    for joint in (", ", " ", "; ")
    for remark in (
        "he's only in until noon",
        "she's only free at 4",
        "he is back at 8",
        "they're only in from 3",
        "she can only do 11",
        "he leaves at 5",
    )
]
POINTING = [
    *("move it to 4pm", "it's at 4 now", "it's at the annex", "it starts at 10", "it ends at 5", "it's due friday"),
    *("he's off sick, cancel it", "it's cancelled", "mark it done", "that's done", "done", "delete it", "cancel that"),
    *("he can only come at 11", "she wants to meet at 5 instead", "they moved it to friday", "he called, push it back"),
    *("make it an hour", "no, thursday", "actually friday", "an hour earlier", "at 5 instead", "same for thursday"),
    *(
        "she's coming at 4 instead",
        "he's running late, move it to 5",
        "they're coming at nine instead",
        "the other one",
    ),
    *("call her on monday instead", "email him tomorrow", "call him at 5", "call them at noon", "move them to monday"),
    *("cancel him", "move him to monday", "push her to monday", "make it urgent", "both are done", "cancel both"),
    *("snooze it till monday", "put it off by a day", "not that one, friday", "he cancelled", "that one at 3"),
]


def changed_records(asked: Ask) -> set[str | None]:
    made = [target.proposed.proposals for target in understand(asked).targets if target.proposed]
    return {item.record_id for items in made for item in items if item.op != "create"}


def after(words: str, reply: str, *changes: Change, text: str) -> Ask:
    asked = ask(text, changes=list(changes), **ELSEWHERE)
    return asked.model_copy(update={"recent": [Exchange(said=words, replied=reply)]})


@pytest.mark.parametrize("text", [*REMARKS, *POINTING])
def test_a_new_thread_reaches_no_item_of_another(text: str) -> None:
    assert changed_records(ask(text, **ELSEWHERE)) == set()


@pytest.mark.parametrize("text", [*REMARKS, *POINTING])
def test_a_thread_reaches_what_it_just_made_and_nothing_else(text: str) -> None:
    reply = "Added “call the plumber” to your tasks, due tomorrow."
    made = changed("call the plumber", record_id=PLUMBER)
    assert changed_records(after("call the plumber tomorrow", reply, made, text=text)) <= {PLUMBER}


@pytest.mark.parametrize(
    "text", ["move him to monday", "cancel him", "push her to monday", "call her on monday instead"]
)
def test_a_person_is_no_thing(text: str) -> None:
    given: dict[str, Any] = {"todos": [{"task": "buy stamps", "deadline": "2026-11-20"}]}
    asked = ask(text, changes=[changed("buy stamps")], **given)
    asked = asked.model_copy(update={"recent": [Exchange(said="buy stamps", replied="Added “buy stamps”.")]})
    assert changed_records(asked) == set()


def test_a_person_is_who_a_thing_is_with() -> None:
    reply = "Booked “call with Priya” for Friday 20 November at 15:00-16:00."
    made = changed("call with Priya", kind="event", record_id="event-1")
    assert changed_records(after("call with Priya friday at 3", reply, made, text="move him to monday")) == {"event-1"}


def test_a_model_reaches_no_further() -> None:
    moved = Proposal(op="update", kind="event", record_id="event-1", fields={"start": "2026-11-20T16:00:00+00:00"})
    assert origin(moved, ask("move it to 4pm", **ELSEWHERE)) == "foreign"
    named = after("when is the call with Priya?", "“call with Priya” is on Friday at 15:00.", text="move it to 4pm")
    assert origin(moved, named) == "own"
