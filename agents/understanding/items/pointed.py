"""Items meant by their place: the second one, the first two, both, my next meeting."""

from __future__ import annotations

import re
from datetime import datetime

from agents.records import Event, Kind
from agents.understanding.references import Item, candidates, words_of
from agents.understanding.scene import Scene

PLACES = (
    ("first", "1st", "one"),
    ("second", "2nd", "two"),
    ("third", "3rd", "three"),
    ("fourth", "4th", "four"),
    ("fifth", "5th", "five"),
)
NOUN = (
    r"(?:\s+(?:one|ones|tasks?|todos?|events?|meetings?|appointments?|notes?|reminders?|items?|"
    r"of (?:them|those|these)))?"
)
ORDINAL = "|".join(name for names in PLACES for name in names[:2])
COUNT = "|".join(names[2] for names in PLACES[1:]) + r"|[2-5]"
ONE = re.compile(rf"(?:the\s+|number\s+)?(?P<place>{ORDINAL}|last|[1-9])(?P<noun>{NOUN})", re.IGNORECASE)
SOME = re.compile(
    rf"(?:the\s+)?(?P<end>first|last)\s+(?P<count>{COUNT}){NOUN}|"
    rf"(?P<all>both|all|them|those|these|all of them|both of them|all (?:two|three|four))"
    rf"(?:\s+of\s+(?:them|those|these))?{NOUN}",
    re.IGNORECASE,
)
NEXT = re.compile(r"(?:the\s+|my\s+|our\s+)?(?:very\s+)?next\s+(?P<what>[\w' -]{2,60})", re.IGNORECASE)
EVERY_EVENT = frozenset(words_of("event appointment meeting thing")) | {"thing", "one", "up"}


def by_place(phrase: str, scene: Scene, kinds: tuple[Kind, ...]) -> list[Item]:
    """The one item that stands at a place among those just talked about, or comes next; none when that says nothing."""
    said = ONE.fullmatch(phrase.strip())
    if said:
        row = lately(scene, kinds)
        place = _place(said["place"].lower())
        return [row[place]] if -len(row) <= place < len(row) and len(row) > 1 else []
    coming = NEXT.fullmatch(phrase.strip())
    return _next(coming["what"], scene) if coming and "event" in kinds else []


def some(phrase: str, scene: Scene, kinds: tuple[Kind, ...]) -> list[Item]:
    """Several of the items just talked about."""
    said, row = SOME.fullmatch(phrase.strip()), lately(scene, kinds)
    if said is None or len(row) < 2:
        return []
    if said["all"]:
        return row if said["all"].lower() != "both" or len(row) == 2 else []
    count = next((at for at, names in enumerate(PLACES, start=1) if said["count"].lower() in (names[2], str(at))), 0)
    return row[:count] if said["end"].lower() == "first" else row[-count:]


def lately(scene: Scene, kinds: tuple[Kind, ...]) -> list[Item]:
    """The items that the last reply named, in its order; otherwise those that the last turn changed."""
    items = scene.items(*kinds)
    reply = scene.ask.recent[-1].replied.lower() if scene.ask.recent else ""
    named = [(reply.find(item.title.lower()), item) for item in items if item.title and item.title.lower() in reply]
    if named:
        return [item for _, item in sorted(named, key=lambda pair: pair[0])]
    changes = [change for change in scene.ask.recent_changes if change.status == "applied" and change.op != "undo"]
    turn = [change for change in changes if change.turn_id == changes[-1].turn_id] if changes else []
    by_id = {item.id: item for item in items}
    ids = dict.fromkeys(change.record_id for change in sorted(turn, key=lambda change: change.place))
    return [by_id[name] for name in ids if name in by_id]


def _place(word: str) -> int:
    if word == "last":
        return -1
    return next((at for at, names in enumerate(PLACES) if word in names), int(word) - 1 if word.isdigit() else 99)


def _next(what: str, scene: Scene) -> list[Item]:
    """The earliest coming event that these words fit."""
    ahead = [item for item in scene.items("event") if _start(item) and _start(item) > scene.now]  # type: ignore[operator]
    telling = set(words_of(what)) - EVERY_EVENT
    fitting = candidates(" ".join(telling), ahead) if telling else ahead
    return sorted(fitting, key=lambda item: _start(item) or scene.now)[:1]


def _start(item: Item) -> datetime | None:
    start = item.record.start if isinstance(item.record, Event) else None
    return start if isinstance(start, datetime) else None
