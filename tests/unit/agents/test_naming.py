"""Candidates that share a title are told apart by their time, and by a short id where that is the same."""

from __future__ import annotations

from datetime import UTC, date, datetime

from agents.index.items import Item
from agents.records import Source, ToDo
from agents.rendering.item_names import codes_of, names_of, titles_of

AT = datetime(2026, 11, 24, 8, tzinfo=UTC)


def item(key: str, task: str, deadline: date | None = None) -> Item:
    todo = ToDo(id=key, task=task, deadline=deadline, version=1, created_at=AT, updated_at=AT, source=Source())
    return Item("todo", key, task, todo)


def test_titles_are_enough_where_they_differ() -> None:
    assert names_of([item("a1", "call ana"), item("b2", "call bob")], AT) == ["call ana", "call bob"]


def test_the_same_title_is_told_with_its_day() -> None:
    same = [
        item("1a2b3c4d", "call ana", date(2026, 11, 25)),
        item("4d5e6f70", "Call Ana", date(2026, 11, 27)),
        item("c3", "rest"),
    ]
    names = ["call ana (tomorrow)", "Call Ana (Friday 27 November)", "rest"]
    assert names_of(same, AT) == names


def test_what_has_no_other_difference_is_told_with_a_short_id_that_is_long_enough() -> None:
    same = [item("1234567890", "call ana"), item("1234568890", "call ana")]
    assert names_of(same, AT) == ["call ana (1234567)", "call ana (1234568)"]


def test_only_titles_that_are_shared_get_a_short_id() -> None:
    same = [item("1a2b3c4d", "call ana"), item("rest-1", "rest"), item("4d5e6f70", "call Ana")]
    assert titles_of(same) == ["call ana (1a2b3c)", "rest", "call Ana (4d5e6f)"]


def test_one_item_that_is_named_twice_is_one() -> None:
    assert codes_of([("1a2b3c4d", "call ana"), ("1a2b3c4d", "call ana")]) == {}
