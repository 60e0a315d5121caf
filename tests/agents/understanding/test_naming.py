"""Candidates that share a title are told apart by their time, and without one by a short id."""

from __future__ import annotations

from datetime import UTC, date, datetime

from agents.records import Source, ToDo
from agents.understanding.items.naming import names_of
from agents.understanding.references import Item

AT = datetime(2026, 11, 24, 8, tzinfo=UTC)


def item(key: str, task: str, deadline: date | None = None) -> Item:
    todo = ToDo(id=key, task=task, deadline=deadline, version=1, created_at=AT, updated_at=AT, source=Source())
    return Item("todo", key, task, todo)


def test_titles_are_enough_where_they_differ() -> None:
    assert names_of([item("a1", "call ana"), item("b2", "call bob")], AT) == ["call ana", "call bob"]


def test_the_same_title_is_told_with_its_day() -> None:
    same = [item("a1", "call ana", date(2026, 11, 25)), item("b2", "Call Ana", date(2026, 11, 27)), item("c3", "rest")]
    assert names_of(same, AT) == ["call ana (tomorrow)", "Call Ana (Friday 27 November)", "rest"]


def test_what_has_no_other_difference_is_told_with_a_short_id_that_is_long_enough() -> None:
    same = [item("1234567890", "call ana"), item("1234568890", "call ana")]
    assert names_of(same, AT) == ["call ana (1234567)", "call ana (1234568)"]
