"""A title says what an item is about: a bare verb, function words, numbers and pronouns alone are none."""

from __future__ import annotations

from typing import Any

import pytest

from agents.contract import Proposal
from agents.understanding.scene import scene_of
from agents.understanding.text.verbs import TASK_VERBS
from agents.understanding.titles import EMPTY, says_what
from tests.support.asking import ask, decide, proposals

VERBS = [*sorted(TASK_VERBS)[::12], "do", "make", "get", "have", "admit", "say"]
EMPTY_WORDS = [
    "you",
    "it",
    "them",
    "at least two",
    "some",
    "the",
    "one more",
    "three of those",
    "a few",
    "that",
    "me",
    "probably",
    "12",
]
FORMS = [
    "{verb} {empty}",
    "I must {verb}",
    "I have to {verb} {empty}",
    "well, I should {verb}, I think",
    "{empty}",
    "add {empty}",
    "note: {empty}",
]
TIMED = [
    "remind me to {empty} at 5",
    "schedule {empty} tomorrow at 3",
    "{empty} on friday at 10",
    "every monday at 9 {empty}",
]


def created(text: str, **given: Any) -> list[Proposal]:
    """What a message makes at once, without a yes."""
    return [item for item in proposals(text, **given) if item.op == "create" and not item.hold]


@pytest.mark.parametrize("verb", VERBS)
@pytest.mark.parametrize("form", FORMS[:4])
def test_a_verb_without_a_thing_makes_nothing(verb: str, form: str) -> None:
    for empty in EMPTY_WORDS:
        said = form.format(verb=verb, empty=empty)
        assert created(said) == [], said
        assert created(f"{said[0].upper()}{said[1:]}.") == [], said


@pytest.mark.parametrize("empty", EMPTY_WORDS)
@pytest.mark.parametrize("form", [*FORMS[4:6], *TIMED])
def test_words_without_a_thing_make_nothing(empty: str, form: str) -> None:
    assert created(form.format(empty=empty)) == []


@pytest.mark.parametrize("empty", [word for word in EMPTY_WORDS if word != "12"])
def test_a_note_of_nothing_is_not_kept(empty: str) -> None:
    assert created(f"note: {empty}") == []


@pytest.mark.parametrize(
    "said",
    [
        "I am feeling rather flat today, I must admit.",
        "get at least two",
        "do you",
        "   ",
        "\u200b",
        "...",
        "??",
        "I must say",
        "and you",
    ],
)
def test_junk_becomes_no_task(said: str) -> None:
    decision = decide(said)
    assert not decision.targets
    assert decision.unclear or decision.questions or decision.acknowledgement


@pytest.mark.parametrize("verb", VERBS)
def test_a_verb_with_a_thing_is_no_junk(verb: str) -> None:
    scene = scene_of(ask(f"{verb} the hinge"))
    draft = Proposal(op="create", kind="todo", fields={"task": f"{verb} the hinge"})
    assert says_what(draft, f"{verb} the hinge", scene)


@pytest.mark.parametrize(
    ("said", "title"),
    [
        ("remind me at 3 to stretch", "stretch"),
        ("remind me to call him at 5", "call him"),
        ("remind me to check in tomorrow at 8", "check in"),
        ("add exercise", "exercise"),
        ("new task: vote", "vote"),
        ("book a review on friday at 3", "review"),
        ("note: 4471", "4471"),
        ("add a task called “it”", "it"),
        ("buy milk", "milk"),
        ("I have to milk the goat", "goat"),
        ("one-on-one on friday at 10", "one-on-one"),
    ],
)
def test_what_says_enough_is_made(said: str, title: str) -> None:
    [made] = created(said)
    assert title in str(made.fields)


def test_a_pronoun_is_enough_where_it_points_at_something() -> None:
    made = created("I need to buy a present for Leo before saturday and wrap it")
    assert [item.fields["task"] for item in made] == ["buy a present for Leo", "wrap it"]


@pytest.mark.parametrize("said", ["call him", "I need to vote", "he's coming on friday at ten, put that in"])
def test_a_verb_or_a_time_is_worth_a_question(said: str) -> None:
    [held] = proposals(said)
    assert held.hold.startswith("nothing is changed yet, as “")
    agreed = held.model_copy(update={"agreed": True})
    assert says_what(agreed, said, scene_of(ask(said)))


def test_the_time_of_a_reminder_is_still_asked_for() -> None:
    [question] = decide("remind me to call him").questions
    assert question.pending.missing == "when"
    assert decide("remind me to do it").questions == []


def test_content_words_are_none_of_the_empty_ones() -> None:
    assert EMPTY.isdisjoint({"milk", "dentist", "mum", "rent", "hinge", "report", "carla"})
