"""A waiting question takes what answers it, in whatever words.

What else is said while it waits is crossed with every kind of question in ``tests/unit/graph/test_pending_turns.py``.
"""

from __future__ import annotations

from typing import Any

import pytest

from agents.contract import Pending, Proposal, RouterDecision
from agents.mind.message import understand
from tests.support.asking import ask, decide

GIVEN: dict[str, Any] = {
    "todos": [{"task": "water the plants"}, {"task": "call the bank", "deadline": "2026-11-20"}, {"task": "iron"}],
    "events": [
        {"title": "dentist checkup", "start": "2026-11-23T10:00"},
        {"title": "dentist whitening", "start": "2026-11-19T10:00"},
        {"title": "yoga", "start": "2026-11-24T18:00", "recurrence": "FREQ=WEEKLY;BYDAY=TU"},
    ],
    "notes": [{"category": "list", "content": "shopping", "items": ["eggs"]}],
}
ASKED = {
    "an appointment's time": "schedule a meeting with Carla",
    "an appointment's hour": "book the osteopath on friday",
    "a reminder's time": "remind me to polish the silver",
    "one of two times": "meeting with Ana on friday at 3 or on monday at 4",
    "which one, to move it": "move the dentist to wednesday",
    "which one, to delete it": "cancel the dentist",
    "how much of a series": "cancel yoga",
    "whether all shall go": "delete all my tasks",
    "what a reminder is about": "remind me tomorrow at 9",
}
ANSWERS = {
    "an appointment's time": [
        "friday at 3",
        "let's say friday at 3pm",
        "on friday at 3 please",
        "how about friday at 3?",
    ],
    "an appointment's hour": ["at 3", "3pm", "at three in the afternoon", "make it 15:00", "3 works for me"],
    "a reminder's time": [
        "at 6pm",
        "tomorrow morning",
        "in two hours",
        "remind me at 6pm",
        "friday at noon would be good",
    ],
    "one of two times": ["friday", "the first one", "monday at 4", "the monday one please", "at 4"],
    "which one, to move it": ["whitening", "the checkup", "the first one", "the one on monday", "i mean the whitening"],
    "which one, to delete it": [
        "both",
        "the second one",
        "checkup please",
        "the one on thursday",
        "cancel the checkup",
    ],
    "how much of a series": ["just the next one", "the whole series", "all of them", "only this one", "just once"],
    "whether all shall go": ["yes", "yes please", "ok do it", "go ahead", "sure"],
    "what a reminder is about": ["to call Eva", "the oven", "about the rent", "my pills", "it's about the rent"],
}
UNASKED = ["hello", "buy stamps by friday", "yes i saw that film on monday", "sure is cold this week", "no, tuesday"]


def waiting(kind: str) -> Pending:
    questions = decide(ASKED[kind], **GIVEN).questions
    assert questions, kind
    return questions[0].pending


def made(decision: RouterDecision) -> list[Proposal]:
    return [item for target in decision.targets if target.proposed for item in target.proposed.proposals]


def fills(item: Proposal, pending: Pending) -> bool:
    ids = {option.record_id for option in pending.options} | {draft.record_id for draft in pending.proposals}
    names = {draft.fields.get(name) for draft in pending.proposals for name in ("task", "title")} - {None}
    return (item.record_id in ids - {None}) or bool(names & {item.fields.get("task"), item.fields.get("title")})


@pytest.mark.parametrize("kind", ANSWERS)
def test_an_answer_fills_the_question(kind: str) -> None:
    pending, wrong = waiting(kind), dict[str, RouterDecision]()
    for said in ANSWERS[kind]:
        decision = understand(ask(said, pending=pending, **GIVEN))
        filled = kind == "what a reminder is about" or all(fills(item, pending) for item in made(decision))
        if not (decision.answered and filled):
            wrong[said] = decision
    assert wrong == {}


@pytest.mark.parametrize("said", UNASKED)
def test_uncertain_speech_waits_for_a_yes(said: str) -> None:
    pending = Pending(missing="transcript", text="delete all my tasks", at=ask("").at)
    decision = understand(ask(said, pending=pending, **GIVEN))
    assert not decision.answered
    assert all(item.op in ("create", "complete", "update") for item in made(decision))


@pytest.mark.parametrize("kind", ["which one, to move it", "how much of a series", "whether all shall go"])
@pytest.mark.parametrize("said", ["no, tuesday", "actually friday", "an hour earlier", "make it high priority"])
def test_half_a_sentence_changes_nothing_while_a_question_waits(kind: str, said: str) -> None:
    assert made(understand(ask(said, pending=waiting(kind), **GIVEN))) == []


TIMES = [kind for kind in ASKED if "time" in kind or "hour" in kind]
NOT_THEN = ["not on friday", "not at 3", "anything but monday at 4"]


@pytest.mark.parametrize("said", [*NOT_THEN, "friday doesn't work", "never on a friday"])
@pytest.mark.parametrize("kind", TIMES)
def test_what_a_time_is_not_fills_nothing(kind: str, said: str) -> None:
    pending = waiting(kind)
    decision = understand(ask(said, pending=pending, **GIVEN))
    assert (decision.answered, [item for item in made(decision) if fills(item, pending)]) == (False, [])


@pytest.mark.xfail(strict=True, reason="the built-in understanding does not read this")
@pytest.mark.parametrize("said", NOT_THEN)
def test_what_a_time_is_not_is_no_thing_of_its_own(said: str) -> None:
    assert made(understand(ask(said, pending=waiting("an appointment's time"), **GIVEN))) == []


def test_an_answer_may_say_where() -> None:
    (made_one,) = made(understand(ask("friday at 3 at the annex", pending=waiting("an appointment's time"), **GIVEN)))
    assert (made_one.fields["start"], made_one.fields["location"]) == ("2026-11-20T15:00:00+00:00", "the annex")
