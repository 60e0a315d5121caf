"""The gate: what may act without a question, and what the question offers instead."""

from __future__ import annotations

from itertools import product
from typing import Any

import pytest

from agents.contract import Proposal
from tests.agents.understanding.asking import decide, proposals

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
