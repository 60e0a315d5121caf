"""What a mouth runs together: facts with one subject, and nouns without commas."""

from __future__ import annotations

import pytest

from agents.understanding.requests.list_lines import entries
from agents.understanding.text.shorthand import expanded


@pytest.mark.parametrize(
    ("text", "whole"),
    [
        ("i live in Leeds and work as a teacher", "i live in Leeds and i work as a teacher"),
        ("I'm a nurse and live in Porto", "I'm a nurse and i live in Porto"),
        ("i live in Leeds and my sister works in York", "i live in Leeds and my sister works in York"),
        ("remind me to live and work as planned", "remind me to live and work as planned"),
    ],
)
def test_a_subject_said_once_holds_for_both_facts(text: str, whole: str) -> None:
    assert expanded(text) == whole


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("milk eggs and bread", ["milk", "eggs", "bread"]),
        ("rice cakes and tea bags", ["rice cakes", "tea bags"]),
        ("butter beans and milk", ["butter beans", "milk"]),
    ],
)
def test_staples_said_in_a_row_come_apart_and_compounds_do_not(text: str, parts: list[str]) -> None:
    assert entries(text) == parts
