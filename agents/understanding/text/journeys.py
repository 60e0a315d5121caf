"""There and back in one breath: "fly to rome on the 3rd and back on the 9th" is a trip, with clock times two journeys."""

from __future__ import annotations

import re
from dataclasses import replace

from agents.time import Clock, Found, find_times, merged

DAY = (
    r"(?:on\s|the\s|next\s|this\s|tomorrow|tonight|today|(?:mon|tues|wednes|thurs|fri|satur|sun)day|\d|"
    r"(?:january|february|march|april|may|june|july|august|september|october|november|december)\b)"
)
BOTH_WAYS = re.compile(
    r"(?P<lead>^|[.!?]\s+|\b(?:so|and|okay|oh|also)\s+)(?:(?:add|put in|schedule)\s+)?(?:(?:i'm|we're|i am|we are|i'll be|i|we)\s+(?:going to\s+)?)?"
    r"(?P<how>fly|flying|flights?|trains?|drive|driving|travel|travelling|traveling|going|heading|off)\s+(?:out\s+|up\s+|down\s+|over\s+)?to\s+"
    rf"(?P<where>[\w'-]+(?:\s(?!on\b|next\b|this\b|tomorrow\b|\w+day\b)[\w'-]+){{0,2}})\s+(?P<out>{DAY}[^.!?]{{0,70}}?)[\s,]+"
    r"(?:and\s+)?(?:(?:i'm|we're|i am|we are|then|i|we)\s+)*(?:(?:fly|flying|come|coming|flight|flights|return|going|heading|get|getting)\s+)?"
    rf"(?:back|home|returning)\s+(?:home\s+)?(?P<back>{DAY}[^.!?]{{0,70}}?)(?=$|[.!?]|,?\s(?:and|so|but|then|oh)\s(?:(?:also|then|please|can you|could you)\s)*(?:i|we|remind|book|add|put|note)\b)",
    re.IGNORECASE,
)
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
    match = BOTH_WAYS.search(text)
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
