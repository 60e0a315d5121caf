"""The gate: what may act without a question, and what the question offers instead."""

from __future__ import annotations

from itertools import product
from typing import Any

import pytest

from agents.contract import Proposal
from tests.support.asking import decide, proposals
from tests.support.conversations.playing import state_of, turned

GIVEN: dict[str, Any] = {
    "todos": [{"task": "Renew the passport"}, {"task": "Budget sheet"}, {"task": "Paint the shed"}],
    "events": [{"title": "Choir rehearsal", "start": "2026-11-19T19:00", "end": "2026-11-19T21:00"}],
}
REMARKS = [
    "took me three hours",
    "wish me luck",
    "fingers crossed",
    "mondays are honestly the worst",
    "the traffic was a nightmare again",
    "my cousin is getting married next year",
]
REQUESTS = ["add buy stamps", "remind me to water the ferns tomorrow at 9", "book the vet for friday at 3pm"]


def acted(said: str, **given: Any) -> list[Proposal]:
    return [item for item in proposals(said, **(given or GIVEN)) if not item.hold]


@pytest.mark.parametrize("said", REMARKS)
def test_a_remark_changes_nothing(said: str) -> None:
    assert acted(said) == []


@pytest.mark.parametrize(("request_", "remark"), list(product(REQUESTS, REMARKS[:3])))
def test_a_remark_beside_a_request_becomes_no_change(request_: str, remark: str) -> None:
    assert len(acted(f"{request_}. {remark}")) == 1


@pytest.mark.parametrize("said", REQUESTS)
def test_what_is_said_outright_acts_at_once(said: str) -> None:
    [item] = proposals(said, **GIVEN)
    assert not item.hold


def test_a_title_with_a_piece_from_elsewhere_is_asked_about_without_it() -> None:
    [held] = proposals("dinner at the Nguyens' friday at seven bring wine", **GIVEN)
    assert (held.fields["title"], held.fields["notes"]) == ("dinner", "bring wine")
    assert held.hold == "nothing is changed yet"


def test_details_that_stand_apart_join_the_task_before_them() -> None:
    [held] = proposals("slides v2 by friday. est 6h", **GIVEN)
    assert (held.fields["task"], held.fields["time_to_complete"]) == ("slides v2", 360)
    assert held.hold


@pytest.mark.parametrize(
    ("said", "op"),
    [("the passport one, sorted at last", "complete"), ("budget sheet needs more like 4h and it's hard", "update")],
)
def test_news_of_a_stored_item_is_no_new_task(said: str, op: str) -> None:
    made = proposals(said, **GIVEN)
    assert {item.op for item in made} == {op}


def test_a_misspelt_name_is_offered_under_its_own() -> None:
    [held] = proposals("move thurs choir to 8pm", **GIVEN)
    assert held.fields["start"].startswith("2026-11-19T20:00")


def test_a_supposition_is_offered_nothing() -> None:
    decision = decide("what if I moved the flute lesson to 8pm?", **GIVEN)
    assert [item for target in decision.targets if target.proposed for item in target.proposed.proposals] == []


NAMED = ["the passport renewal", "budget sheet", "paint the shed", "choir rehearsal"]
TERSE = ["move {} sunday", "take {} off my list", "push {} a week", "bump {} to friday", "drop {} for now"]


@pytest.mark.parametrize(("shape", "name"), list(product(TERSE, NAMED)))
def test_a_wish_about_a_stored_item_never_becomes_a_new_one_unasked(shape: str, name: str) -> None:
    assert [item.op for item in acted(shape.format(name)) if item.op == "create"] == []


@pytest.mark.parametrize("said", ["buy paint for the fence", "call the passport office", "print the choir programme"])
def test_a_new_task_that_shares_a_word_with_a_stored_one_is_added(said: str) -> None:
    [item] = acted(said)
    assert (item.op, item.fields["task"].lower()) == ("create", said)


def test_an_appointment_is_no_task_however_it_is_asked_for() -> None:
    assert acted("please arrange for me an appointment with the optician") == []


def test_a_corrected_name_ends_with_its_sentence() -> None:
    item = {"title": "sync with Hannah", "start": "2026-11-19T10:00", "end": "2026-11-19T11:00"}
    changed = acted("Not the choir, I meant Choir Ensemble. And make it 30 min", todos=[], events=[item])
    assert not [one for one in changed if "And make" in str(one.fields)]


@pytest.mark.parametrize(
    "said",
    [
        "and so my fellow Americans. Ask not what your country can do for you. Ask what you can do for your country.",
        "and so my fellow americans ask not what your country can do for you ask what you can do for your country",
    ],
)
def test_a_whole_message_of_talk_makes_no_task(said: str) -> None:
    assert acted(said) == []


def after(first: str, then: str) -> tuple[list[dict[str, Any]], bool]:
    """The changes that a second message makes at once, and whether it asks."""
    state = state_of({"now": "2026-11-18T10:30:00", "tz": "Europe/London", "given": GIVEN})
    turned(first, state, "t0")
    made = turned(then, state, "t1")
    return [row for row in made.rows if row["status"] == "applied"], made.pending is not None


WISHES = ["tell Ruth we need more chairs", "the landlord wants our spare keys", "grandma's parcel arrived at the depot"]
GOING_ON = [
    ("book lunch with Conor on friday at 1pm", "not conor, cormac"),
    ("book lunch with Conor on friday at 1pm", "and it's at Bar Mono"),
    ("add buy a gift for Priya", "not priya i said riya"),
]


@pytest.mark.parametrize(("first", "then"), GOING_ON)
def test_a_correction_whose_words_are_explained_acts(first: str, then: str) -> None:
    [row], asked = after(first, then)
    assert (row["op"], asked) == ("update", False)


@pytest.mark.parametrize(("said", "wish"), list(product(GOING_ON, WISHES)))
def test_a_correction_that_goes_on_with_more_never_takes_it_into_a_name(said: tuple[str, str], wish: str) -> None:
    first, then = said
    rows, _ = after(first, f"{then} and {wish}")
    names = " ".join(str(value) for row in rows for value in row["fields"].values())
    assert wish.rsplit(maxsplit=1)[-1] not in names or [row["op"] for row in rows] == ["create"]
