"""What is done at once and what is asked first: acts by source, by whether they are named, by what the reader hears."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from typing import get_args

import pytest

from agents.contract import Op, Proposal
from agents.records import Kind
from agents.risk import RATHER_SURE, SURE_ENOUGH, Act, Grounds, Source, judge, require_confirmation

HEARD = (0.0, RATHER_SURE, SURE_ENOUGH, 1.0)
DONE_AT_ONCE: dict[Act, set[tuple[Source, bool, float]]] = {
    "make": {(source, named, heard) for source, named, heard in product(get_args(Source), (True, False), (0.0, 0.5))},
    "personal": {("own words", True, 0.0), ("own words", True, 0.5)},
    "remove": {("own words", True, 0.0), ("own words", True, 0.5)},
    "remove several": {("own words", True, 0.0)},
    "clear": set(),
    "outward": set(),
}


@pytest.mark.parametrize("act", get_args(Act))
def test_the_table(act: Act) -> None:
    done = {
        (source, named, heard)
        for source, named, heard in product(get_args(Source), (True, False), HEARD)
        if judge(act, Grounds(named, source, heard)) == "do"
    }
    assert done == DONE_AT_ONCE[act]


def test_what_the_user_did_not_speak_of_is_asked_about() -> None:
    assert judge("make", Grounds(unsaid=True)) == "ask"


def proposals(op: Op, count: int, kind: Kind = "todo") -> list[Proposal]:
    fields = {"priority": "high"} if op == "update" else {}
    return [Proposal(op=op, kind=kind, record_id=f"r{number}", fields=fields) for number in range(count)]


def held(wanted: Sequence[Proposal], *, named: bool, stored: int = 100) -> list[str]:
    return [one.hold for one in require_confirmation(wanted, lambda *_: Grounds(named), lambda _: stored)]


def test_edits_are_done_and_more_than_ten_are_asked_unless_the_words_mean_several() -> None:
    assert not any(held(proposals("update", 10), named=False))
    assert all(held(proposals("update", 11), named=False))
    assert not any(held(proposals("update", 11), named=True))


def test_taking_away_all_of_a_kind_is_always_asked() -> None:
    assert not any(held(proposals("delete", 3), named=True))
    assert all(held(proposals("delete", 3), named=True, stored=3))
    assert not any(held(proposals("delete", 2), named=True, stored=2))
    assert not any(held(proposals("undo", 5), named=True, stored=5))


def test_what_is_held_or_agreed_already_stays_as_it_is() -> None:
    agreed = Proposal(op="delete", kind="todo", record_id="a", agreed=True)
    confirmed = Proposal(op="delete", kind="todo", record_id="b", confirms="c")
    offered = Proposal(op="create", kind="todo", fields={"task": "x"}, hold="a plan is added only with your yes")
    assert held([agreed, confirmed, offered], named=False) == ["", "", offered.hold]
