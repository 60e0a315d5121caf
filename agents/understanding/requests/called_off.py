"""What is told not to take place: "no standup on friday", "we're not having yoga this week", "the retro isn't happening"."""

from __future__ import annotations

import re

from agents.understanding.items import choose, series
from agents.understanding.references import Item
from agents.understanding.requests.tasks import filled, hint_day
from agents.understanding.requests.terse import named_wholly
from agents.understanding.scene import Scene
from agents.understanding.share import Share, change
from agents.understanding.text.clauses import Clause

OFF = re.compile(
    r"(?:(?:so|also|fyi|btw|actually|oh|sorry)[\s,]+)*(?:"
    r"(?:there(?:'s| is| will be|'ll be)\s+|we have\s+|i have\s+)?no\s+(?:more\s+)?(?P<no>.{2,100}?)|"
    r"(?:there (?:isn't|is not|won't be|will not be)|(?:(?:i'm|i am|we're|we are)\s+)?not (?:having|doing|going to)|"
    r"(?:i|we) (?:won't|will not|can't|cannot) (?:have|do|be having|be doing|make|make it to|come to|go to))\s+(?:an?\s+|any\s+)?(?P<not>.{2,100}?)|"
    r"(?P<gone>.{2,80}?)(?:'s|\s+(?:is|are|was|has been|got|been))\s+(?:cancel+ed|called off|off)\b(?P<then>.{0,40}?)(?:,\s.{3,80}|\s+(?:because|cos|since|as)\b.{3,80})?|"
    r"(?P<who>[\w' ]{2,40}?)\s+(?:just\s+)?(?:has\s+)?(?:cancel+ed|bailed|flaked|pulled out|backed out|called off)(?:\s+on (?:me|us))?(?P<day>\s.{2,30})?|"
    r"(?P<what>.{2,80}?)\s+(?:isn't|is not|won't be|will not be|aren't|is no longer)\s+(?:happening|on|taking place|going ahead)\b(?P<when>.{0,40}))"
    r"(?:\s+(?:anymore|any more|after all|then))*(?:,\s[^,]{3,60})?",
    re.IGNORECASE,
)
THING = re.compile(r"\s+thing\b", re.IGNORECASE)
UNMADE = re.compile(r"\b(?:won't|will not|can't|cannot)\s+(?:make|come|go)\b|\bnot going to\b", re.IGNORECASE)


def told(clause: Clause, scene: Scene) -> Share | None:
    """The one event meant taken out, of a series what it has on the day said; None when no stored event is meant."""
    match = OFF.fullmatch(clause.text.strip(" .!"))
    if match is None or UNMADE.search(clause.text):
        return None
    named = match["gone"] or match["who"] or match["what"]
    told = match["no"] or match["not"] or f"{named} {match['then'] or match['day'] or match['when'] or ''}"
    slots = filled(THING.sub("", told), scene, clause)
    found = [
        item
        for item in choose.search(slots.title, scene, ("event",), _any, hint_day(slots))
        if named_wholly(slots.title, item)
    ]
    recurring = series.series_of(found)
    if recurring:
        return series.cancel(recurring, clause.text, slots, scene) if slots.when else None
    day = hint_day(slots)
    there = [item for item in found if day is None or item.day == day]
    return (
        change(clause.text, choose.propose(there[0], "delete", {}, "you said it is off")) if len(there) == 1 else None
    )


def _any(_: Item) -> bool:
    return True
