"""What must hold for the reading of any text at any moment: what every fuzzer of the time grammar checks."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice, pairwise

from dateutil.rrule import rrulestr

from agents.time import Clock, FoundTime, find_times


def sound(text: str, clock: Clock) -> Sequence[FoundTime]:
    """The phrases of a text, after checking that each says something true of itself."""
    found = find_times(text, clock)
    for before, after in pairwise(found):
        assert before.span[1] <= after.span[0], "phrases overlap"
    for item in found:
        assert text[slice(*item.span)] == item.text
        assert item.start or item.end or item.seconds, "a phrase without a value"
        for moment in (item.start, item.end):
            assert moment is None or (moment.tzinfo is not None and 1800 < moment.year < 2300)
        if item.kind == "interval":
            assert item.start
            assert item.end
            assert item.start < item.end
        if item.rrule:
            _recurs(item)
    return found


def _recurs(item: FoundTime) -> None:
    """The first two occurrences exist or the series has ended, and the first one is where the phrase starts."""
    assert item.start
    assert item.rrule
    first = item.start.replace(tzinfo=None)
    occurrences = list(islice(rrulestr(item.rrule, dtstart=first, ignoretz=True), 2))
    assert occurrences[0] == first
