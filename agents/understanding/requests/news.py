"""What is told about a stored item: "the report is due friday", "the game is at eleven now", "printing takes an hour"."""

from __future__ import annotations

import re
from typing import Any

from agents.records import Event, ToDo
from agents.understanding.items import choose, series
from agents.understanding.references import Item
from agents.understanding.requests import lengths
from agents.understanding.requests.tasks import hint_day, is_open
from agents.understanding.scene import Scene
from agents.understanding.share import Share
from agents.understanding.slots.moves import moved
from agents.understanding.slots.slots import Slots, fill, tidy
from agents.understanding.text.clauses import Clause
from agents.understanding.text.verbs import COMMAND_VERBS
from agents.understanding.time.merge import merged

TOLD = re.compile(
    r"(?:(?:turns out|apparently|looks like|so|actually|hey|and)[\s,]+)*"
    r"(?P<what>[\w'&/.+ -]{2,70}?)"
    r"(?:\s*(?P<mark>[:=])\s*|(?<!day)(?<!tomorrow)(?<!week)(?<!tonight)(?<!month)'s\s+(?:actually\s+|now\s+)*|\s+(?:(?:actually|now)\s+)?(?:(?:is|are) (?:gonna|going to) (?:be|take|start|begin|end|finish)|is not|are not|is|are|was|isn't|aren't|"
    r"will be|will now be|should be|(?:has|have|needs?) to be(?: (?:done|finished|ready|sent|in|out|\w{3,}ed)(?= by\b| before\b| until\b))?|(?:has|have|needs?) to (?:happen|get (?:done|finished))(?= by\b| before\b| on\b| this\b| today\b| tomorrow\b)|must be|can be|(?:wants?|would like|asked|needs?) to (?:come|meet|start|do it)|can't (?:come|make it|be here|start)(?= (?:till|until|before))|"
    r"can(?:'t)? (?:now )?only (?:come|make it|do it|meet|start)|(?:asked|asks|wonders|wants to know) if (?:we|i) (?:could|can) (?:meet|talk|speak|do it|move it|make it)|(?:(?:should|will|would|might|could)(?: only| just| probably)* )?takes?|needs|can wait|got|starts?|begins?|ends?|lasts?|runs?)"
    r"(?:\s+(?:actually|only|just|really|now|gonna|probably|more like|supposed to be))*\s+)(?P<rest>\S.{0,80})$",
    re.IGNORECASE,
)
RANGE = re.compile(r"^(?:from\s+)?(\d{1,2}(?::\d\d)?)\s*-\s*(\d{1,2}(?::\d\d)?)$")
NEW = re.compile(
    r"\b(?:now|instead|actually|only|not|moved|changed|pushed|isn't|aren't|can't|longer|shorter)\b", re.IGNORECASE
)
DEFINITE = re.compile(
    r"(?:the|my|our|this|that|it)\b|(?:[\w-]+day|tomorrow|tonight)'s\b|[\w' -]{2,40}\s(?:on\s+(?:[\w-]+day)|tomorrow|tonight)\s+(?:is|will)\b",
    re.IGNORECASE,
)
"""Words for a thing that is known, not for a new one."""
LEFT_OUT = re.compile(
    r"\b(?:much\s+|a lot\s+|way\s+)?(?:longer|more|less|quicker|sooner|shorter) than (?:i|we)(?:'d| had)? (?:thought|expected|planned|hoped|feared|said)[\s,]*(?:more like|probably|maybe|about|rather)?|"
    r"\s+instead of\s.*$|\s*\b(?:now|instead|actually|anymore|any more|after all|this time|these days|nowadays)\b|[\s,]*\b(?:and\s+)?not\s+(?:at\s+|on\s+)?"
    r"(?:the\s+)?[\w:]+(?:\s+(?:hours?|minutes?|mins?|and|a|half|past|to|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|twenty|am|pm|o'clock|first|second|third|fourth|fifth|sixth|seventh|eighth|ninth|thirty|fifteen)){0,4}$|[\s,]*\b(?:and|but)\b(?=\s+(?:till|until|to|ends?)\b)",
    re.IGNORECASE,
)
SPOT = re.compile(r"(?:at|in|on)\s+(?P<place>[\w'&. -]{2,50})", re.IGNORECASE)
ASKS = re.compile(
    r"(?:what|when|where|who|which|why|how|do|does|did|am|are|is|can|could|will|should|have|has|if|i|we|i'm|you|let|"
    r"there|every|each)\b",
    re.IGNORECASE,
)
SHIFTED = re.compile(r"\b(?:hours?|minutes?|mins?|days?|weeks?)\s+(?:earlier|later|sooner)\b", re.IGNORECASE)
SUBJECT = re.compile(r"\s+(?:task|thing|one|event|deadline|due date|start time)$", re.IGNORECASE)


def news(clause: Clause, scene: Scene) -> Share | None:
    """The change that follows for the one item told about; None when nothing is told, or about nothing stored."""
    match = TOLD.fullmatch(clause.text.strip())
    if match is None or clause.context or _is_request(match["what"]) or SHIFTED.search(match["rest"]):
        return None
    slots = fill(RANGE.sub(r"from \1 to \2", LEFT_OUT.sub("", match["rest"])), scene.clock, place=True)
    slots.times = merged(slots.times, scene.clock)
    spot = SPOT.fullmatch(LEFT_OUT.sub("", match["rest"]).strip())
    if spot and (NEW.search(clause.text) or DEFINITE.match(clause.text)) and not slots.times:
        slots.place, slots.title = spot["place"].strip(), ""
    if not _only_details(slots) or (match["mark"] and not slots.levels()):
        return None
    what = SUBJECT.sub("", match["what"].strip()) or "it"
    found = choose.search(what, scene, ("todo", "event"), is_open, None)
    found = [item for item in found if fields_of(item, slots, clause.text, scene)]
    if len(found) > 1:
        found = [item for item in found if item.day == hint_day(slots)] or found
    if not found or (len(found) > 1 and not slots.levels()):
        return None
    once = _once(found, what, slots, clause, scene)
    if once is not None:
        return once
    fields = fields_of(found[0], slots, clause.text, scene)
    return choose.settle(found, "update", what, scene, fields=fields, reason="you told me")


def _once(found: list[Item], what: str, slots: Slots, clause: Clause, scene: Scene) -> Share | None:
    """Another time for one occurrence of a series, when a day was said: "friday's standup is at ten"."""
    event = series.series_of(found)
    days = [time for time in (*fill(what, scene.clock).times, *slots.times) if time.day_said]
    if event is None or not days or slots.when is None or not slots.when.timed or lengths.ENDS.search(clause.text):
        return None
    return series.move(event, clause.text, Slots(clause.text, times=days[:1]), slots.when, scene)


def _is_request(what: str) -> bool:
    first = what.split(maxsplit=1)[0].lower()
    return first in COMMAND_VERBS or (ASKS.match(what) is not None and not choose.PRONOUN.match(what.strip()))


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
    if slots.when and isinstance(record, ToDo):
        fields |= {name: value for name, value in moved(item, slots.when, scene).items() if value != _now(record, name)}
    return fields


def _now(todo: ToDo, name: str) -> str | None:
    value = getattr(todo, name, None)
    return value.isoformat() if value is not None else None


def _event(item: Item, slots: Slots, text: str, scene: Scene) -> dict[str, Any]:
    when = slots.when
    known = NEW.search(text) or DEFINITE.match(text)
    if slots.place and not when:
        return {"location": slots.place} if known and getattr(item.record, "location", None) != slots.place else {}
    if when and lengths.ENDS.search(text):
        return lengths.until(item, when, scene)
    if when and (when.timed or (slots.minutes is None and NEW.search(text))) and known:
        fields = moved(item, when, scene)
        start = getattr(item.record, "start", None)
        return {} if fields.get("start") == str(start) else fields
    return lengths.ending(item, slots.minutes, scene) if slots.minutes and not slots.priority else {}
