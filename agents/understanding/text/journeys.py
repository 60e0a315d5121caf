"""There and back in one breath: "fly to rome on the 3rd and back on the 9th" is a trip, with clock times two journeys."""

from __future__ import annotations

import re
from dataclasses import replace

from agents.time import Clock, Found, find_times, merged
from agents.understanding.grammar import patterns_of

P = patterns_of(__name__)
WAYS = {
    "fly": "flight",
    "flying": "flight",
    "flights": "flight",
    "flight": "flight",
    "train": "train",
    "trains": "train",
}


def both_ways(text: str, clock: Clock) -> str:
    """The text with such a journey as one trip over its days, or as two where a clock time is said."""
    match = P.BOTH_WAYS.search(text)
    there = _first(match["out"], clock) if match else None
    if match is None or there is None or there.start is None:
        return text
    # The way back is counted from the way there: after "the 12th" comes the 19th of the same month.
    back = _first(match["back"], replace(clock, at=there.start, anchor=None))
    if back is None or back.start is None:
        return text
    return f"{text[: match.start()]}{_asked(match, there, back)}{text[match.end() :]}"


def _first(said: str, clock: Clock) -> Found | None:
    found = [time for time in merged(find_times(said, clock, bare=True), clock) if time.moment]
    return found[0] if found else None


def _asked(match: re.Match[str], there: Found, back: Found) -> str:
    """Both journeys as requests, their days written out."""
    lead, where = match["lead"], match["where"]
    if not (there.timed or back.timed):
        return f"{lead}schedule trip to {where} from {there.start:%Y-%m-%d} to {back.start:%Y-%m-%d}"
    way = WAYS.get(match["how"].lower(), "journey")
    return f"{lead}schedule {way} to {where} on {_written(there)}. schedule {way} back from {where} on {_written(back)}"


def _written(when: Found) -> str:
    return f"{when.start:%Y-%m-%d at %H:%M}" if when.timed else f"{when.start:%Y-%m-%d}"
