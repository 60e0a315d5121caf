"""Talks that are written down line by line."""

from __future__ import annotations

import pytest

from app.memory.speakers import spoken_passages

TALK = (
    "Notes of Friday\nTom Hale: We should sell the boat.\nIt leaks.\n\nUna: Not before spring.\nTom Hale: At 9:30 then?"
)


def test_each_says_what_stands_behind_their_name_and_below_it() -> None:
    told = [(one.speaker, TALK[one.start : one.end]) for one in spoken_passages(TALK)]
    assert told == [
        ("", "Notes of Friday"),
        ("Tom Hale", "We should sell the boat."),
        ("Tom Hale", "It leaks."),
        ("Una", "Not before spring."),
        ("Tom Hale", "At 9:30 then?"),
    ]


@pytest.mark.parametrize(
    "text",
    [
        "",
        "The heron came back.",
        "Groceries: milk\nHardware: nails",
        "Tom: We should sell the boat.\nTom: It leaks.",
        "the plan: sell\nthe plan: keep\nthe boat: leaks",
        "Site https://a.example\nHttps://b.example\nHttps://c.example",
    ],
)
def test_a_text_that_is_no_talk_has_no_speakers(text: str) -> None:
    assert spoken_passages(text) == []
