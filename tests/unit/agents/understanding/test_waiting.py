"""A waiting question takes only what answers it: every kind of question against messages of every other kind."""

from __future__ import annotations

from typing import Any

import pytest

from agents.contract import Pending, Proposal, RouterDecision
from agents.understanding.message import understand
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
OTHERS = [
    *("never schedule anything before 9", "always ask me before adding tasks", "from now on urgent tasks are high"),
    *(
        "add milk to the shopping list",
        "buy stamps by friday",
        "remind me at 6pm to feed the cat",
        "new task: wax skis",
    ),
    *(
        "book a massage tomorrow at 5",
        "call mum tomorrow at 5",
        "add one more task: buy socks",
        "note: the wifi is down",
    ),
    *("mark iron as done", "add lunch with Ben on friday at noon", "what's on tomorrow?", "am i free friday at 3?"),
    *("what is the first thing on my list?", "ok what's on friday?", "do i have anything this week?", "hello"),
    *("how are you?", "that's funny", "my job is teacher", "i work in Porto now", "both kids are ill today"),
    *("it rained all day on friday", "i saw Bob yesterday at 9", "the first snow fell today", "i only slept two hours"),
    *(
        "the second half starts at nine",
        "yes i saw that film on monday",
        "no idea what to cook tonight",
        "all good here",
    ),
    *("thanks", "thank you so much", "nice one", "what did i do last?", "sure is cold this week", "one more thing"),
]
RIGHT = [(kind, said) for kind, answers in ANSWERS.items() for said in answers]
# "Hello" may well be all that a reminder says, and so may any words that ask for nothing.
WRONG = [(kind, said) for kind in ASKED for said in OTHERS if kind != "what a reminder is about"]
WRONG += [("what a reminder is about", said) for said in OTHERS[:19]]


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


@pytest.mark.parametrize(("kind", "said"), RIGHT)
def test_an_answer_fills_the_question(kind: str, said: str) -> None:
    pending = waiting(kind)
    decision = understand(ask(said, pending=pending, **GIVEN))
    assert decision.answered
    assert all(fills(item, pending) for item in made(decision) if kind != "what a reminder is about")


@pytest.mark.parametrize(("kind", "said"), WRONG)
def test_any_other_message_is_one_of_its_own(kind: str, said: str) -> None:
    pending = waiting(kind)
    decision = understand(ask(said, pending=pending, **GIVEN))
    assert not decision.answered
    held = [item for item in made(decision) if fills(item, pending)]
    assert [item for item in held if (item.op, item.record_id) != ("complete", "todo-3")] == []


@pytest.mark.parametrize("said", [*OTHERS, "no, tuesday"])
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
