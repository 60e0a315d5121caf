"""What follows from two sides of an event and what both last agreed on."""

from __future__ import annotations

from typing import Any

import pytest

from app.calendars.merge import Rules
from app.calendars.model.synced import Base, State

RULES = Rules()


def said(**fields: Any) -> State:
    return RULES.state({"title": "a", "start": "2026-12-01T10:00:00Z", "zone": "Europe/Lisbon", **fields})


OLD = said()
AGREED = Base(OLD, OLD)


def test_nothing_changed() -> None:
    merged = RULES.merge(AGREED, OLD, OLD)
    assert (merged.op, merged.clash) == (None, ())


def test_what_changed_here_alone_is_kept_to_be_sent() -> None:
    merged = RULES.merge(AGREED, said(title="b"), OLD)
    assert (merged.op, merged.clash, merged.local) == (None, (), OLD)


def test_what_changed_there_alone_is_carried_over_with_its_group() -> None:
    merged = RULES.merge(AGREED, OLD, said(start="2026-12-01T11:00:00Z"))
    assert (merged.op, merged.carried) == ("update", ("time",))
    assert merged.fields is not None
    assert set(merged.fields) == {"start", "end", "zone", "all_day", "recurrence", "exdates"}


def test_different_groups_come_together() -> None:
    here, there = said(title="b"), said(location="x")
    merged = RULES.merge(AGREED, here, there)
    assert (merged.op, merged.carried) == ("update", ("location",))
    agreed = RULES.agreed_state(merged, said(title="b", location="x"))
    assert agreed == said(location="x")  # the title is still to be sent


def test_the_same_change_on_both_sides_is_agreed_on() -> None:
    merged = RULES.merge(AGREED, said(title="b"), said(title="b"))
    assert (merged.op, merged.clash, merged.local) == (None, (), said(title="b"))


@pytest.mark.parametrize(
    ("base", "here", "there", "clash"),
    [
        (AGREED, said(title="b"), said(title="c"), ("title",)),
        (AGREED, said(title="b", notes="x"), said(title="c", location="y"), ("title",)),
        (AGREED, None, said(title="c"), ("existence",)),
        (AGREED, said(title="b"), None, ("existence",)),
        (Base(), said(title="b"), said(title="c"), ("title",)),
    ],
)
def test_what_does_not_go_together_is_a_conflict(base: Base, here: State, there: State, clash: tuple[str]) -> None:
    merged = RULES.merge(base, here, there)
    assert (merged.op, merged.clash) == (None, clash)


@pytest.mark.parametrize(
    ("base", "here", "there", "op"),
    [
        (AGREED, OLD, None, "delete"),
        (Base(), None, OLD, "create"),
        (AGREED, None, None, None),
        (Base(), OLD, OLD, None),
        (Base(OLD, None), OLD, said(title="b"), "update"),
    ],
)
def test_what_is_new_or_gone(base: Base, here: State, there: State, op: str | None) -> None:
    merged = RULES.merge(base, here, there)
    assert (merged.op, merged.clash) == (op, ())


def test_an_event_that_is_away_on_one_side_differs_from_every_other() -> None:
    assert RULES.differing(None, OLD) == ("existence",)
    assert RULES.differing(None, None) == ()


def test_one_instant_is_one_instant_however_it_is_written() -> None:
    assert said(start="2026-07-01T10:00:00Z") == said(start="2026-07-01T11:00:00+01:00")
    assert said(exdates=["2026-12-09", "2026-12-08"]) == said(exdates=["2026-12-08", "2026-12-09"])
