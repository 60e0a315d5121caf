"""Lists begun without a line, their lines ticked by what was done with them, and what is left of them."""

from __future__ import annotations

import pytest

from tests.support.asking import answers, proposals

PACKING = {"category": "list", "summary": "packing list", "items": ["passport", "sun cream"]}


@pytest.mark.parametrize(
    ("said", "title"),
    [
        ("start a shopping list", "shopping list"),
        ("make me a packing list for the lake trip", "packing list for the lake trip"),
        ("create a new list called camping", "camping"),
        ("make a list of people to invite", "people to invite"),
        ("new list: books", "books"),
        ("can you start a list for the garden", "garden"),
    ],
)
def test_a_list_is_begun_without_a_line(said: str, title: str) -> None:
    [made] = proposals(said)
    assert (made.kind, made.fields["summary"], made.fields["items"]) == ("note", title, [])


@pytest.mark.parametrize("said", ["i need to make a guest list", "todo: make a guest list, call bob"])
def test_a_list_for_oneself_to_make_is_a_task(said: str) -> None:
    assert {item.kind for item in proposals(said)} == {"todo"}


@pytest.mark.parametrize(
    "said", ["passport is packed", "packed the passport", "passport done", "the passport's in the bag"]
)
def test_a_line_is_ticked_by_what_was_done_with_it(said: str) -> None:
    [made] = proposals(said, notes=[PACKING])
    assert [line["done"] for line in made.fields["items"]] == [True, False]


def test_a_task_of_that_name_comes_first() -> None:
    [made] = proposals("passport done", notes=[PACKING], todos=[{"task": "renew passport"}])
    assert (made.op, made.kind) == ("complete", "todo")


@pytest.mark.parametrize("said", ["what's left to pack", "what do i still need to pack?", "what still needs packing"])
def test_what_is_left_of_a_list_is_asked_by_what_is_done_with_it(said: str) -> None:
    assert "passport and sun cream" in answers(said, notes=[PACKING])
