"""A length of time that was cut in two is whole again."""

from __future__ import annotations

import pytest

from agents.reading.lengths import length_in, with_whole_lengths
from agents.time import clock_for, find_times
from tests.support.readings import NOW, read_as

CLOCK = clock_for(NOW, "Europe/Lisbon")


@pytest.mark.parametrize(
    ("marked", "slots"),
    [
        (
            "{event keep [w 2 and a] [d 1/2 hours] [w on friday at 3] for [t glazing]}",
            [("d", "2 and a 1/2 hours"), ("w", "on friday at 3"), ("t", "glazing")],
        ),
        ("{event [t glazing] [w friday] for [d two hours]}", [("t", "glazing"), ("w", "friday"), ("d", "two hours")]),
        (
            "{event [t glazing] [w friday 9am for 3/4] of [d an hour]}",
            [("t", "glazing"), ("w", "friday 9am"), ("d", "3/4 of an hour")],
        ),
        (
            "{event [t glazing] [w friday at 2pm for 2 and] [d 1/2 hours]}",
            [("t", "glazing"), ("w", "friday at 2pm"), ("d", "2 and 1/2 hours")],
        ),
        (
            "{event reserve [d an hour and] [w 1/4 monday at 10] for [t glazing]}",
            [("d", "an hour and 1/4"), ("w", "monday at 10"), ("t", "glazing")],
        ),
        (
            "{event [t glazing] [w friday at 2pm for two hours]}",
            [("t", "glazing"), ("w", "friday at 2pm for two hours")],
        ),
        ("{todo [t walk two and] [d a half hours]}", [("t", "walk two and"), ("d", "a half hours")]),
    ],
)
def test_only_pieces_of_one_length_become_one(marked: str, slots: list[tuple[str, str]]) -> None:
    reading = read_as(marked)
    lengths = [span for found in find_times(reading.text, CLOCK) if (span := length_in(reading.text, found, CLOCK))]
    (clause,) = with_whole_lengths(reading, lengths).clauses
    assert [(slot.name, slot.text) for slot in clause.slots] == slots


def test_the_side_of_a_length_belongs_to_it() -> None:
    reading = read_as("did | {remind put a reminder [w half an hour] before}")
    (clause,) = with_whole_lengths(reading, [(reading.text.index("half"), len(reading.text) - len(" before"))]).clauses
    assert clause.words("w") == "half an hour before"
    reading = read_as("{event [t walk] for [d an hour] after [w lunch]}")
    (clause,) = with_whole_lengths(reading, [(reading.text.index("an hour"), reading.text.index(" after"))]).clauses
    assert [slot.text for slot in clause.slots] == ["walk", "an hour", "lunch"]
