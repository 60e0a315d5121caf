"""What is told not to take place, or without the speaker: "no standup on friday", "I can't make it to yoga on friday"."""

from __future__ import annotations

from datetime import date

from agents.time import find_times
from agents.understanding.grammar import patterns_of
from agents.understanding.items import choose, series
from agents.understanding.references import Item
from agents.understanding.requests.tasks import filled, hint_day
from agents.understanding.requests.terse import named_wholly
from agents.understanding.scene import Scene
from agents.understanding.share import Share, change
from agents.understanding.slots.days import days_of
from agents.understanding.slots.slots import Slots, tidy
from agents.understanding.text.clauses import Clause

P = patterns_of(__name__)
OFF = P.OFF


def called_off_request(clause: Clause, scene: Scene) -> Share | None:
    """The one event meant taken out, of a series what it has on the day said; None when no stored event is meant."""
    text = clause.text.strip(" .!")
    missed = P.WITHOUT_ME.fullmatch(text)
    missed = None if P.LONGING.match(text) else missed
    if missed is not None and not P.OTHERWISE.search(f"{text} {scene.later}"):
        share = _missed(missed["what"], clause, scene)
        dated = (missed["miss"] or "").lower().startswith("miss") and find_times(missed["what"], scene.clock)
        nothing = choose.none(tidy(missed["what"]), scene) if dated else None
        return share or nothing
    led = P.LED_TO.fullmatch(text)
    if led is not None:
        days = next((found.text for found in find_times(led["why"], scene.clock) if found.day_said), "")
        return _missed(f"{led['what']} {days}", clause, scene)
    match = OFF.fullmatch(text) if missed is None else None
    if match is None:
        return None
    named = match["gone"] or match["who"] or match["what"]
    told = match["no"] or match["not"] or f"{named} {match['then'] or match['day'] or match['when'] or ''}"
    slots = filled(P.THING.sub("", told), scene, clause)
    found = _named(slots, scene)
    if not found and named and match["then"]:
        slots = filled(P.THING.sub("", named), scene, clause)
        found = _named(slots, scene)
    recurring = series.series_of(found)
    if recurring:
        return series.cancel(recurring, clause.text, slots, scene) if slots.when else None
    return _taken_out(found, slots, clause, scene)


def _missed(what: str, clause: Clause, scene: Scene) -> Share | None:
    """The same for what the speaker will not be at; a series without a day said is asked about."""
    slots = filled(P.THING.sub("", what), scene, clause)
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
    found = choose.search(slots.title, scene, ("event",), lambda _: True, hint_day(slots))
    return [item for item in found if named_wholly(slots.title, item)]
