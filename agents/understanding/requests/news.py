"""What is told about a stored item: "the report is due friday", "the game is at eleven now", "printing takes an hour"."""

from __future__ import annotations

import re
from datetime import datetime
from typing import Any

from agents.records import Event, ToDo
from agents.time import merged
from agents.understanding.grammar import patterns_of
from agents.understanding.items import choose, series
from agents.understanding.references import Item
from agents.understanding.requests import lengths
from agents.understanding.requests.tasks import hint_day, is_open
from agents.understanding.requests.terse import named_wholly
from agents.understanding.scene import Scene
from agents.understanding.share import Share
from agents.understanding.slots import forms
from agents.understanding.slots.moves import moved
from agents.understanding.slots.slots import Slots, fill, tidy
from agents.understanding.text.clauses import Clause
from agents.understanding.text.verbs import COMMAND_VERBS, is_verb

P = patterns_of(__name__)
RANGE = P.RANGE


def news(clause: Clause, scene: Scene) -> Share | None:
    """The change that follows for the one item told about; None when nothing is told, or about nothing stored."""
    text = P.SAME_END.sub("", _of_people(clause.text.strip(), scene))
    bare = P.LEFT_DUE.fullmatch(text)
    bare = None if bare and is_verb(bare["what"].split()[0].lower()) else bare
    text = f"{bare['what']} is due {bare['rest']}" if bare else text
    match = P.NEWS.fullmatch(f"it is {text}" if P.DUE.match(text) and (scene.told or scene.before) else text)
    if match is None or clause.context or _is_request(match["what"]) or P.SHIFTED.search(match["rest"]):
        return None
    if P.RHYTHM.search(match["what"]):
        return None
    rest = re.sub(
        r"^(?:do|finish|send|get)(?: it)?(?: done)?\s+(?=by|before|on)", "", match["rest"], flags=re.IGNORECASE
    )
    rest = P.HOUR_AFTER.sub(" at ", P.LEFT_OUT.sub("", rest))
    slots = fill(RANGE.sub(r"from \1 to \2", rest), scene.clock, place=True)
    slots.times = merged(slots.times, scene.clock)
    if P.NEGATED.search(match.string[match.end("what") : match.start("rest")]):
        slots.priority, slots.difficulty = ("low" if slots.priority == "high" else None), None
    spot = P.SPOT.fullmatch(P.LEFT_OUT.sub("", match["rest"]).strip())
    if spot and (P.NEW.search(clause.text) or P.DEFINITE.match(clause.text)) and not slots.times:
        slots.place, slots.title = spot["place"].strip(), ""
    if not _only_details(slots) or (match["mark"] and not slots.levels() and not P.DUE_BY.match(match["rest"])):
        return None
    what = P.SUBJECT.sub("", match["what"].strip()) or "it"
    found = choose.search(what, scene, ("todo", "event"), is_open, None)
    found = found or (series.named(what, scene, None) if what.endswith("'s") else [])
    found = [item for item in found if fields_of(item, slots, clause.text, scene)]
    found = [item for item in found if not bare or named_wholly(what, item)]
    if len(found) > 1:
        day = hint_day(slots)
        found = [item for item in found if day and item.day == day] or found
        hour = slots.when is not None and slots.when.timed and not slots.when.day_said
        found = [item for item in found if item.kind == "event" and hour] or found
    if not found or (len(found) > 1 and not slots.levels()):
        return None
    once = _once(found, what, slots, clause, scene)
    if once is not None:
        return once
    fields = fields_of(found[0], slots, clause.text, scene)
    return choose.settle(found, "update", what, scene, fields=fields, reason="you told me")


def _of_people(text: str, scene: Scene) -> str:
    """What people told of before now do, as words about their appointment: "they're coming at nine instead"."""
    text = P.OFFERED.sub(r"\g<what> is now \g<new>", text)
    text = P.IT_WILL.sub(r"\g<what> will ", text)
    people = (P.PEOPLE.match(text) or P.NOT_TILL.match(text)) if scene.story and P.NEW.search(text) else None
    return f"it is {text[people.end() :]}" if people else text


def _once(found: list[Item], what: str, slots: Slots, clause: Clause, scene: Scene) -> Share | None:
    """Another time for one occurrence of a series, when a day was said: "friday's standup is at ten"."""
    event = series.series_of(found)
    days = [time for time in (*fill(what, scene.clock).times, *slots.times) if time.day_said]
    if event is None or not days or slots.when is None or not slots.when.timed or lengths.ENDS.search(clause.text):
        return None
    return series.move(event, clause.text, Slots(clause.text, times=days[:1]), slots.when, scene)


def _is_request(what: str) -> bool:
    first = what.split(maxsplit=1)[0].lower()
    alone = " " not in what.strip()  # "shift starts at ten"
    return (first in COMMAND_VERBS and not alone) or (
        P.ASKS.match(what) is not None and not choose.PRONOUN.match(what.strip())
    )


def _only_details(slots: Slots) -> bool:
    """Whether words say nothing but details."""
    left = tidy(slots.title)
    if slots.place and not left:
        return True
    return not re.sub(r"\b(?:only|just|about|like|more|due|gonna|now|at|on|be|priority)\b", "", left).strip() and bool(
        slots.levels() or slots.when
    )


def fields_of(item: Item, slots: Slots, text: str, scene: Scene) -> dict[str, Any]:
    """What the details mean for an item; nothing when it stands so already."""
    record = item.record
    if isinstance(record, Event):
        return _event(item, slots, text, scene)
    fields: dict[str, Any] = slots.levels()
    known = getattr(record, "time_to_complete", None)
    if slots.minutes and known and P.MORE.search(text):
        fields["time_to_complete"] = known + slots.minutes
    if slots.when and isinstance(record, ToDo):
        fields |= {name: value for name, value in moved(item, slots.when, scene).items() if value != _now(record, name)}
    return fields


def _now(todo: ToDo, name: str) -> str | None:
    value = getattr(todo, name, None)
    return value.isoformat() if value is not None else None


def _event(item: Item, slots: Slots, text: str, scene: Scene) -> dict[str, Any]:
    when = slots.when
    known = P.NEW.search(text) or P.DEFINITE.match(text)
    if slots.place and when and not when.timed and (known or series.series_of([item])):
        there = series.series_of([item]) is not None or (when.moment and item.day == when.moment.date())
        return {"location": slots.place} | ({} if there else moved(item, when, scene))
    if slots.place and not when:
        return {"location": slots.place} if known and getattr(item.record, "location", None) != slots.place else {}
    if when and lengths.ENDS.search(text):
        return lengths.until(item, when, scene)
    if when and (when.timed or (slots.minutes is None and P.NEW.search(text))) and known:
        fields = moved(item, when, scene)
        if slots.place:
            fields["location"] = slots.place
        end = getattr(item.record, "end", None)
        if P.SAME_END.search(text) and isinstance(end, datetime) and not series.series_of([item]):
            fields["end"] = forms.instant(end)
        start = getattr(item.record, "start", None)
        return {} if fields.get("start") == str(start) else fields
    return lengths.ending(item, slots.minutes, scene) if slots.minutes and not slots.priority else {}
