"""Which of the offered things a short answer means: by name, place, day, hour or kind; one, several, or those left over."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from datetime import datetime

from agents.contract import Option
from agents.records import Event, ToDo
from agents.time import Found, find_times
from agents.understanding.discourse.surplus import surplus
from agents.understanding.grammar import patterns_of
from agents.understanding.items.choose import hinted
from agents.understanding.items.pointed import COUNT, ORDINAL, PLACES
from agents.understanding.references import Item, alike, words_of
from agents.understanding.scene import Scene
from agents.understanding.slots.moves import MERIDIEM

LONGEST, SURE, HALF_A_DAY = 12, 0.8, 12
P = patterns_of(__name__)
PLACED = re.compile(
    rf"\b(?P<place>{ORDINAL}|last|former|latter|top|bottom)\b(?!\s+(?:week|month|night)\b)", re.IGNORECASE
)
FIRST_FEW = re.compile(rf"\b(?P<end>first|last)\s+(?P<count>{COUNT})\b", re.IGNORECASE)


def picked(text: str, options: Sequence[Option], scene: Scene, *, asked: str = "") -> list[Option]:
    """The options meant, in their order; none when the words are no answer. ``asked`` are the words of the question's own message."""
    said = P.LEAD.sub("", text.strip()).strip(" .,!?") or text.strip(" .,!?")
    if not options or len(said.split()) > LONGEST:
        return []
    turned = P.TURNED.match(said)
    if turned:
        return _others(said.removeprefix("not ").partition(turned["other"])[0].strip(" ,"), options, scene)
    instead = P.INSTEAD.match(said) or P.RATHER.match(said)
    if instead and (found := _meant(P.LEAD.sub("", instead["wanted"]), options, scene)):
        return found
    excepted = P.EXCEPT.search(said)
    if excepted:
        return _others(excepted["kept"], options, scene)
    if _elsewhen(said, options, asked, scene) or surplus(said, [asked, *(one.label for one in options)], scene):
        return []
    return _meant(said, options, scene)


def _elsewhen(said: str, options: Sequence[Option], asked: str, scene: Scene) -> bool:
    """Whether words name a day on which none of the options is: "no class this thursday" tells of something else."""
    days = [
        found for found in find_times(said, scene.clock) if found.day_said and found.moment and found.text not in asked
    ]
    whens = [when.astimezone(scene.clock.zone).date() for option in options if (when := _when(option, scene))]
    return bool(days) and not any(found.moment and found.moment.date() in whens for found in days)


def _others(kept: str, options: Sequence[Option], scene: Scene) -> list[Option]:
    """All but what is named."""
    spared = _meant(P.LEAD.sub("", kept), options, scene)
    return [option for option in options if option not in spared] if spared else []


def _meant(said: str, options: Sequence[Option], scene: Scene) -> list[Option]:
    ways: tuple[Callable[[str, Sequence[Option], Scene], list[Option]], ...] = (
        _all, _placed, _several, _named, _timed, _of_daypart, _ordered, _of_kind,
    )  # fmt: skip
    return next((found for way in ways if (found := way(said, options, scene))), [])


def _all(said: str, options: Sequence[Option], _: Scene) -> list[Option]:
    whole = P.ALL.fullmatch(said) or P.NAMED_ALL.match(said) or (P.ALL.search(said) and not _names_one(said, options))
    return list(options) if whole else []


def _names_one(said: str, options: Sequence[Option]) -> bool:
    named = words_of(P.ALL.sub(" ", said))
    return any(alike(word, other) >= SURE for word in named for option in options for other in words_of(option.label))


def _placed(said: str, options: Sequence[Option], _: Scene) -> list[Option]:
    few = FIRST_FEW.search(said)
    if few:
        count = next((at for at, names in enumerate(PLACES, 1) if few["count"].lower() in (names[2], str(at))), 0)
        return list(options[:count] if few["end"].lower() == "first" else options[-count:])
    digits = P.NUMBERED.match(said)
    words = [word for word in (digits["digit"], digits["also"]) if word] if digits else PLACED.findall(said)
    found = [_at(word.lower(), len(options)) for word in words]
    return [options[at] for at in sorted(set(found))] if found and all(0 <= at < len(options) for at in found) else []


def _at(word: str, count: int) -> int:
    if word in ("last", "latter", "bottom"):
        return count - 1
    if word in ("former", "top"):
        return 0
    return int(word) - 1 if word.isdigit() else next(at for at, names in enumerate(PLACES) if word in names)


def _several(said: str, options: Sequence[Option], scene: Scene) -> list[Option]:
    """Several that are each named: "conor and aoife"."""
    parts = [part for part in re.split(r"\s*,\s*(?:and\s+)?|\s+and\s+|\s*&\s*", said) if part.strip()]
    found = [_named(P.LEAD.sub("", part), options, scene) for part in parts]
    hit = [option for option in options if any(option in some for some in found)]
    return hit if len(parts) > 1 and all(found) and len(hit) > 1 else []


def _named(said: str, options: Sequence[Option], _: Scene) -> list[Option]:
    words = words_of(said)
    scored = [
        (sum(max((alike(word, other) for other in words_of(option.label)), default=0) for word in words), option)
        for option in options
    ]
    best = max(score for score, _ in scored)
    top = [option for score, option in scored if score == best]
    return top if best >= SURE and len(top) == 1 else []


def _timed(said: str, options: Sequence[Option], scene: Scene) -> list[Option]:
    """The one option on the day or at the hour that is named: "the one on the 24th", "the 3pm one"."""
    said = re.sub(r"\bones?\b|'s\b", " ", said)
    times = [found for found in find_times(said, scene.clock, bare=True) if found.moment]
    fitting = [option for option in options if times and all(_on(_when(option, scene), time, scene) for time in times)]
    return fitting if len(fitting) == 1 else []


DAYPARTS = (("morning", range(12)), ("afternoon", range(12, 18)), ("evening", range(17, 24)), ("night", range(18, 24)))


def _of_daypart(said: str, options: Sequence[Option], scene: Scene) -> list[Option]:
    """The one in the morning, in the afternoon or in the evening."""
    hours = next((hours for name, hours in DAYPARTS if re.search(rf"\b{name}\b", said, re.IGNORECASE)), None)
    placed = [(option, when.astimezone(scene.clock.zone).hour) for option in options if (when := _when(option, scene))]
    found = [option for option, hour in placed if hours and hour in hours]
    return found if len(found) == 1 else []


def _on(when: datetime | None, said: Found, scene: Scene) -> bool:
    """Whether a thing is when a phrase says: the day if one is named, the hour if one is, on its half of the day if that is said."""
    moment = said.moment
    if when is None or moment is None:
        return False
    local = when.astimezone(scene.clock.zone)
    if said.day_said and local.date() != moment.date():
        return False
    if not said.timed:
        return said.day_said
    if said.kind == "interval" and said.start and said.end and not re.search(r"\d", said.text):
        return said.start.time() <= local.time() < said.end.time()
    hour = HALF_A_DAY if not MERIDIEM.search(said.text) else 2 * HALF_A_DAY
    return (local.hour - moment.hour) % hour == 0 and local.minute == moment.minute


def _ordered(said: str, options: Sequence[Option], scene: Scene) -> list[Option]:
    """The earlier or the later one."""
    placed = [(when, at) for at, option in enumerate(options) if (when := _when(option, scene))]
    if len(placed) != len(options):
        return []
    if P.EARLIEST.search(said):
        return [options[min(placed)[1]]]
    return [options[max(placed)[1]]] if P.LATEST.search(said) else []


def _of_kind(said: str, options: Sequence[Option], _: Scene) -> list[Option]:
    """The one task among events, or the other way round."""
    kinds = hinted(said, ("todo", "event", "note"))
    found = [option for option in options if option.kind in kinds]
    return found if len(kinds) == 1 and len(found) == 1 else []


def _when(option: Option, scene: Scene) -> datetime | None:
    item: Item | None = next((item for item in scene.items("todo", "event") if item.id == option.record_id), None)
    record = item.record if item else None
    when = record.start if isinstance(record, Event) else None
    if isinstance(record, ToDo):
        when = record.remind_at or record.deadline
    if when is None or isinstance(when, datetime):
        return when
    return datetime(when.year, when.month, when.day, tzinfo=scene.clock.zone)
