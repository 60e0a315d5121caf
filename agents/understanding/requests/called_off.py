"""What is told not to take place, or without the speaker: "no standup on friday", "I can't make it to yoga on friday"."""

from __future__ import annotations

import re
from datetime import date

from agents.time import find_times
from agents.understanding.items import choose, series
from agents.understanding.references import Item
from agents.understanding.requests.tasks import filled, hint_day
from agents.understanding.requests.terse import named_wholly
from agents.understanding.scene import Scene
from agents.understanding.share import Share, change
from agents.understanding.slots.days import days_of
from agents.understanding.slots.slots import Slots, tidy
from agents.understanding.text.clauses import Clause

OFF = re.compile(
    r"(?:(?:so|also|fyi|btw|actually|oh|sorry|unfortunately|sadly|apparently)[\s,]+)*(?:"
    r"(?:there(?:'s| is| will be|'ll be)\s+|we have\s+|i have\s+)?no\s+(?:more\s+)?(?P<no>.{2,100}?)|"
    r"(?:there (?:isn't|is not|won't be|will not be)|(?:(?:i'm|i am|we're|we are)\s+)?not (?:having|doing|going to)|"
    r"(?:i|we) (?:won't|will not|can't|cannot) (?:have|do|be having|be doing))\s+(?:an?\s+|any\s+)?(?P<not>.{2,100}?)|"
    r"(?P<gone>.{2,80}?)(?:(?:'s(?: been)?|\s+(?:is|are|was|has been|got|been))\s+(?:cancel+ed|called off|rained (?:off|out)|scrapped|axed|off)|\s+(?:cancel+ed|called off|rained off))\b(?P<then>.{0,40}?)(?:,\s.{3,80}|\s+(?:because|cos|since|as)\b.{3,80})?|"
    r"(?P<who>[\w' ]{2,40}?)\s+(?:just\s+)?(?:has\s+)?(?:cancel+ed|bailed|flaked|pulled out|backed out|called off)(?:\s+on (?:me|us))?(?P<day>\s.{2,30})?|"
    r"(?P<what>.{2,80}?)\s+(?:isn't|is not|won't be|will not be|aren't|is no longer)\s+(?:happening|on|taking place|going ahead)\b(?P<when>[^,]{0,40}))"
    r"(?:\s+(?:anymore|any more|after all|then))*(?:,\s[^,]{3,60}|\s(?:because|since|as)\s[^,]{3,60}|\s*\([^()]{2,60}\))?",
    re.IGNORECASE,
)
LED_TO = re.compile(
    r"(?P<why>[^,]{3,80}?)(?:(?:,\s*|\s+)(?:so|meaning|which means)(?:\s+that)?\s+|,\s*(?=(?:so\s+)?no\s))(?:(?:there's|there is|there'll be|we have|we've)\s+)?no\s+(?P<what>[^,]{2,60})",
    re.IGNORECASE,
)
"""The reason and what it costs: "kwame is away next week so no 1:1"."""
THING = re.compile(r"\s+thing\b", re.IGNORECASE)
WITHOUT_ME = re.compile(
    r"(?:(?:so|also|fyi|btw|actually|oh|ugh|sorry|afraid|unfortunately)[\s,]+)*(?:(?:i|we)(?:'m|'re|'ll|'ve| am| are| will| have)?\s+)?(?:"
    r"(?:can't|cannot|can not|won't|will not|not going to|not gonna)\s+(?:be able to\s+)?(?:make(?: it)?(?: to)?|come to|go to|get to|attend|be at|do)|"
    r"not (?:going|coming) to|(?:(?:going to|gonna|got to|gotta|have to|need to|must)\s+)*(?P<miss>miss(?:ing)?|skip(?:ping)?))\s+"
    r"(?P<what>.{2,100}?)(?:\s+(?:after all|any ?more|either|then))*(?:,\s.{3,80}|\s+(?:because|cos|since|as)\b.{3,80})?",
    re.IGNORECASE,
)
LONGING = re.compile(r"(?:i|we)\s+miss\b", re.IGNORECASE)
OTHERWISE = re.compile(
    r"\b(?:(?:move|reschedule|shift|push|postpone|bump) (?:it|that|this)|instead|another (?:day|time)|(?:can|could) we)\b",
    re.IGNORECASE,
)
"""What follows asks for another time rather than none."""


def called_off_request(clause: Clause, scene: Scene) -> Share | None:
    """The one event meant taken out, of a series what it has on the day said; None when no stored event is meant."""
    text = clause.text.strip(" .!")
    missed = WITHOUT_ME.fullmatch(text)
    missed = None if LONGING.match(text) else missed
    if missed is not None and not OTHERWISE.search(f"{text} {scene.later}"):
        share = _missed(missed["what"], clause, scene)
        dated = (missed["miss"] or "").lower().startswith("miss") and find_times(missed["what"], scene.clock)
        nothing = choose.none(tidy(missed["what"]), scene) if dated else None
        return share or nothing
    led = LED_TO.fullmatch(text)
    if led is not None:
        days = next((found.text for found in find_times(led["why"], scene.clock) if found.day_said), "")
        return _missed(f"{led['what']} {days}", clause, scene)
    match = OFF.fullmatch(text) if missed is None else None
    if match is None:
        return None
    named = match["gone"] or match["who"] or match["what"]
    told = match["no"] or match["not"] or f"{named} {match['then'] or match['day'] or match['when'] or ''}"
    slots = filled(THING.sub("", told), scene, clause)
    found = _named(slots, scene)
    if not found and named and match["then"]:
        slots = filled(THING.sub("", named), scene, clause)
        found = _named(slots, scene)
    recurring = series.series_of(found)
    if recurring:
        return series.cancel(recurring, clause.text, slots, scene) if slots.when else None
    return _taken_out(found, slots, clause, scene)


def _missed(what: str, clause: Clause, scene: Scene) -> Share | None:
    """The same for what the speaker will not be at; a series without a day said is asked about."""
    slots = filled(THING.sub("", what), scene, clause)
    found = _named(slots, scene) if slots.title else []
    recurring = series.series_of(found)
    if recurring:
        return series.cancel(recurring, clause.text, slots, scene)
    return _taken_out(found, slots, clause, scene)


def _taken_out(found: list[Item], slots: Slots, clause: Clause, scene: Scene) -> Share | None:
    """The one event found deleted, if it is on the days said."""
    first, last = days_of(slots.when, scene) if slots.when else (date.min, date.max)
    there = [item for item in found if item.day and first <= item.day <= last]
    return (
        change(clause.text, choose.propose(there[0], "delete", {}, "you said it is off")) if len(there) == 1 else None
    )


def _named(slots: Slots, scene: Scene) -> list[Item]:
    """The events that every word of a title belongs to."""
    found = choose.search(slots.title, scene, ("event",), _any, hint_day(slots))
    return [item for item in found if named_wholly(slots.title, item)]


def _any(_: Item) -> bool:
    return True
