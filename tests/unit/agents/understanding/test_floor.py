"""The floor: no friendly word stands alone for words that name a time, a stored item or a thing to do."""

from __future__ import annotations

from itertools import product
from typing import Any

import pytest

from agents.contract import Proposal, RouterDecision
from agents.mind.message import understand
from agents.mind import floor
from agents.understanding.confidence import sureness
from agents.understanding.dialogue import smalltalk
from tests.support.asking import ask, decide, proposals

FRIENDLY = {
    *smalltalk.THANKS,
    *smalltalk.FINE,
    *smalltalk.HOW,
    *smalltalk.BYE,
    *smalltalk.ACKNOWLEDGEMENTS,
    *smalltalk.GLAD,
    *smalltalk.HARD,
}
GIVEN: dict[str, Any] = {
    "todos": [{"task": "Renew the passport"}, {"task": "Paint the shed"}],
    "events": [{"title": "Choir rehearsal", "start": "2026-11-19T19:00", "end": "2026-11-19T21:00"}],
    "notes": [{"category": "list", "summary": "packing list", "items": ["socks"]}],
}
REQUESTS = {
    "meeting with Carla tomorrow at 3": "2026-11-19T15:00",
    "dentist tomorrow at 9": "2026-11-19T09:00",
    "lunch with Bea on friday at 12": "2026-11-20T12:00",
    "vet on monday at 10": "2026-11-23T10:00",
    "choir tonight at 7": "2026-11-18T19:00",
    "physio on thursday at half past four": "2026-11-19T16:30",
}
REMARKS = [
    "she's in from Rome",
    "it's on Harley Street",
    "we're doing Faure",
    "they moved it twice",
    "he was really nice last time",
    "I can't wait",
]
JOINTS = [", ", "; ", " - ", " "]


def made(decision: RouterDecision) -> list[Proposal]:
    return [item for target in decision.targets if target.proposed for item in target.proposed.proposals]


def honest(decision: RouterDecision) -> bool:
    """Whether a decision acts, answers, asks or says that nothing was done."""
    told = "nothing is changed" in decision.acknowledgement.lower()
    return bool(decision.targets or decision.questions or decision.unclear or told)


@pytest.mark.parametrize(("request_", "remark"), list(product(REQUESTS, REMARKS)))
@pytest.mark.parametrize("joint", JOINTS)
def test_a_request_is_not_lost_for_the_remark_after_it(request_: str, remark: str, joint: str) -> None:
    [event] = [item for item in made(decide(f"{request_}{joint}{remark}")) if item.kind == "event"]
    assert event.fields["start"].startswith(REQUESTS[request_])


def test_the_remark_is_kept_as_a_note_and_nothing_is_made_before_a_yes() -> None:
    [held] = made(decide("meeting with Carla tomorrow at 3, she's in from Rome"))
    assert held.fields["title"] == "meeting with Carla"
    assert held.fields["notes"] == "she's in from Rome"
    assert held.hold == "nothing is changed yet, and “she's in from Rome” would be its note"


def test_of_two_requests_both_wait_for_the_yes() -> None:
    first, second = made(decide("I'm in Rome next week, meeting with Carla tomorrow at 3"))
    assert (first.fields["title"], second.fields["title"]) == ("in Rome", "meeting with Carla")
    assert first.hold == second.hold == "nothing is changed yet"


def test_a_request_is_not_lost_for_the_thanks_before_it() -> None:
    [held] = made(decide("thanks, meeting with Carla tomorrow at 3"))
    assert held.fields["start"].startswith("2026-11-19T15:00")
    assert "notes" not in held.fields
    assert held.hold == "nothing is changed yet, and “thanks” would be left out"


def test_an_occasion_with_a_remark_is_asked_when() -> None:
    [question] = decide("lunch with Bea, she's in from Rome").questions
    assert question.text.startswith("When is lunch with Bea?")


@pytest.mark.parametrize(
    "opening",
    [
        "the train gets in",
        "my sister is around",
        "it all kicks off",
        "we are at the lake",
        "the studio is booked",
        "Kwame will be there",
    ],
)
@pytest.mark.parametrize("when", ["tomorrow at nine", "on friday", "next week", "every monday", "from ten tomorrow"])
def test_words_with_a_time_are_acted_on_asked_about_or_named(opening: str, when: str) -> None:
    assert honest(decide(f"{opening} {when}"))


@pytest.mark.parametrize(
    "said",
    [
        "the {} bores me",
        "{} was a nightmare",
        "I keep thinking about the {}",
        "honestly, the {} again",
        "no idea about {}",
    ],
)
@pytest.mark.parametrize("item", ["passport", "choir rehearsal", "packing list", "shed"])
def test_words_with_a_stored_item_are_acted_on_asked_about_or_named(said: str, item: str) -> None:
    assert honest(decide(said.format(item), **GIVEN))


@pytest.mark.parametrize(
    "said",
    [
        "order me a taxi",
        "play some music",
        "call me an uber",
        "turn off the lights",
        "I should be more careful",
        "translate this page",
    ],
)
def test_a_thing_to_do_that_is_not_done_is_named(said: str) -> None:
    decision = decide(said)
    assert honest(decision)
    assert made(decision) == []


@pytest.mark.parametrize(
    "said",
    [
        "what a lovely day today!",
        "thanks, see you tomorrow",
        "good night, see you on monday",
        "hello there",
        "you're a star",
        "lol",
        "it's been a long week",
        "thank you so much",
    ],
)
def test_small_talk_stays_friendly(said: str) -> None:
    decision = decide(said, **GIVEN)
    assert made(decision) == []
    assert not decision.questions
    assert floor.NOTHING not in decision.acknowledgement
    assert decision.acknowledgement


def test_words_that_may_want_something_are_offered_as_a_note() -> None:
    said = "my sister's train is due on friday at nine"
    [question] = decide(said).questions
    assert question.text == f"Nothing is changed: I do not know what to do with “{said}”. Shall I keep it as a note?"
    [note] = proposals("yes", pending=question.pending)
    assert (note.op, note.kind, note.fields["content"]) == ("create", "note", said)
    assert proposals("no", pending=question.pending) == []
    [other] = proposals("remind me to call Bob at 5", pending=question.pending)
    assert other.fields["task"] == "call Bob"


def test_what_is_only_reported_is_not_offered() -> None:
    decision = decide("my sister said 'renew the passport tomorrow', funny, right?", **GIVEN)
    assert made(decision) == []
    assert not decision.questions
    assert "as said in passing" in decision.acknowledgement


def test_a_remark_after_what_is_done_is_named_if_it_has_a_time() -> None:
    decision = decide("call my sister at eight tonight. she's in class until half past seven tomorrow")
    told = [line for target in decision.targets if target.proposed for line in target.proposed.answers]
    assert told == ["I made no use of “she's in class until half past seven tomorrow”."]


@pytest.mark.parametrize(
    "said",
    ["the train is due tomorrow at nine", "dentist tomorrow at 9, it's on Harley Street", "i hate the passport"],
)
def test_what_is_left_aside_goes_to_a_model_where_there_is_one(said: str) -> None:
    asked = ask(said, **GIVEN).model_copy(update={"history": None})
    assert sureness(asked, understand(asked)) == 0.0


@pytest.mark.parametrize("piece", ["it's so nice, ", "she said; ", "they do - ", "we are: "])
def test_a_long_remark_is_read_again_only_a_few_times(piece: str) -> None:
    decision = decide(f"{piece * 40}tomorrow at nine")
    assert honest(decision)
    assert all(len(question.text) < 2 * floor.LONGEST for question in decision.questions)


@pytest.mark.parametrize("said", ["renew the passport is so boring", "undo everything, she's in Rome tomorrow"])
def test_an_undo_or_a_profile_is_never_guessed_from_a_beginning(said: str) -> None:
    assert {item.kind for item in made(decide(said, **GIVEN)) if item.hold} <= set(floor.STORED)
    assert FRIENDLY.isdisjoint({decide(said, **GIVEN).acknowledgement})
