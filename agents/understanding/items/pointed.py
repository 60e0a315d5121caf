"""Items meant by their place: the second one, the first two, both, the other one, my next meeting."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import datetime

from agents.records import Event, Kind
from agents.understanding.grammar import patterns_of
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
    rf"(?P<all>both|all|them|those|these|all of them|both of them|(?:them|those|these) both|(?:those|these|the) two|all (?:two|three|four))"
    rf"(?:\s+of\s+(?:them|those|these))?{NOUN}",
    re.IGNORECASE,
)
OTHER = re.compile(
    rf"(?:the\s+|that\s+)?other(?P<many>s|\s+(?:{COUNT}))?{NOUN}|(?P<rest>(?:all\s+)?the\s+rest{NOUN})", re.IGNORECASE
)
P = patterns_of(__name__)
BACK = 5
"""So many replies back a thing is still talked about."""
CLOSED = ("done", "archived")
EVERY_EVENT = frozenset(words_of("event appointment meeting thing")) | {"thing", "one", "up"}


def by_place(phrase: str, scene: Scene, kinds: tuple[Kind, ...]) -> list[Item]:
    """The one item that stands at a place among those just talked about, or comes next; none when that says nothing."""
    said = ONE.fullmatch(phrase.strip())
    if said:
        place = _place(said["place"].lower())
        talked = row(scene, kinds, least=max(place + 1, 2))
        meant = talked[place] if -len(talked) <= place < len(talked) and len(talked) > 1 else None
        return [meant] if meant else []
    other = OTHER.fullmatch(phrase.strip())
    if other:
        return [] if other["many"] or other["rest"] else others(scene, kinds)
    coming = P.NEXT.fullmatch(phrase.strip())
    return _next(coming["what"], scene) if coming and "event" in kinds else []


def some(phrase: str, scene: Scene, kinds: tuple[Kind, ...]) -> list[Item]:
    """Several of the items just talked about."""
    other = OTHER.fullmatch(phrase.strip())
    if other:
        return others(scene, kinds) if other["many"] or other["rest"] else []
    said = SOME.fullmatch(phrase.strip())
    if said is None:
        return []
    just = lately(scene, kinds)
    talked = just if len(just) > 1 else [item for item in row(scene, kinds) if item]
    if said["all"]:
        both = re.search(r"both|two", said["all"], re.IGNORECASE) is not None
        return _all(talked if both else just, both=both)
    count = next((at for at, names in enumerate(PLACES, start=1) if said["count"].lower() in (names[2], str(at))), 0)
    found = talked[:count] if said["end"].lower() == "first" else talked[-count:]
    return found if len(found) > 1 else []


def _all(talked: list[Item], *, both: bool) -> list[Item]:
    if len(talked) < 2:
        return []
    pair = [item for item in talked if item.kind == talked[0].kind]
    if both and len(talked) > 2 == len(pair):
        return pair
    return talked if not both or len(talked) == 2 else []


def shown(phrase: str, scene: Scene, kinds: tuple[Kind, ...]) -> list[Item]:
    """All that the answer to the last question named, for "everything"."""
    asked = scene.ask.recent[-1].said if scene.ask.recent else ""
    return lately(scene, kinds) if P.SHOWN.fullmatch(phrase) and P.POINTING_QUESTION.match(asked) else []


def row(scene: Scene, kinds: tuple[Kind, ...], *, least: int = 2) -> list[Item | None]:
    """What the last replies named, as far back as until there are so many things; None for one that is gone since."""
    known, changed, talked = _known(scene, kinds), _changed(scene), dict[str, Item | None]()
    for exchange in reversed(scene.ask.recent[-BACK:]):
        named = _named(exchange.replied, known, changed)
        talked = named | {key: item for key, item in talked.items() if key not in named}
        if len(talked) >= least:
            break
    return list(talked.values()) or list(lately(scene, kinds))


def others(scene: Scene, kinds: tuple[Kind, ...]) -> list[Item]:
    """Those left over of several that a reply named, when the talk since was about some of them."""
    known, changed, touched = _known(scene, kinds), _changed(scene), _done_instead(scene)
    touched |= {item.record_id for share in scene.before for item in share.proposals if item.record_id}
    closed: list[Item] = []
    for exchange in reversed(scene.ask.recent[-BACK:]):
        named = _named(exchange.replied, known, changed)
        left = [item for key, item in named.items() if item and key not in touched and touched & set(named)]
        current = [item for item in left if getattr(item.record, "status", "") not in CLOSED]
        if current:
            return current
        closed = closed or left
        touched |= set(named)
    return closed


def _done_instead(scene: Scene) -> set[str]:
    """What was done in the place of something else that the last turn took back."""
    rows = scene.ask.recent_changes
    turn = [change for change in rows if change.turn_id == rows[-1].turn_id] if rows else []
    undone = any(change.op == "undo" for change in turn)
    return {change.record_id or "" for change in turn if change.op != "undo"} if undone else set()


def _changed(scene: Scene) -> list[str]:
    """The ids of what was changed lately, the newest last."""
    return [change.record_id for change in scene.ask.recent_changes if change.record_id]


def _known(scene: Scene, kinds: tuple[Kind, ...]) -> dict[str, tuple[str, Item | None]]:
    """Title and item by id; no item for what was deleted."""
    gone = {
        change.record_id: (change.title.lower(), None)
        for change in scene.ask.recent_changes
        if change.op in ("delete", "archive") and change.kind in kinds and change.record_id
    }
    return gone | {item.id: (item.title.lower(), item) for item in scene.items(*kinds)}


def _named(reply: str, known: dict[str, tuple[str, Item | None]], changed: Sequence[str]) -> dict[str, Item | None]:
    """The things that a reply names, in its order."""
    told = reply.lower()
    places = sorted((place, key) for key, (title, _) in known.items() if title and (place := told.find(title)) >= 0)
    return {key: known[key][1] for _, key in places if _is_it(key, told, known, changed)}


def _is_it(key: str, told: str, known: dict[str, tuple[str, Item | None]], changed: Sequence[str]) -> bool:
    """Whether a name means this one of several that are called so: the one changed last, when the name is told once."""
    title = known[key][0]
    alike = [other for other, (name, _) in known.items() if name == title]
    if len(alike) <= told.count(title):
        return True
    last = next((other for other in reversed(changed) if other in alike), None)
    return last in (None, key)


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


def talked_of(item: Item, scene: Scene) -> bool:
    """Whether this message, or one of the thread's last turns, changed or named an item."""
    touched = {made.record_id for share in scene.before for made in share.proposals} | set(_changed(scene))
    title = item.title.lower()
    return item.id in touched or any(title in exchange.replied.lower() for exchange in scene.ask.recent[-BACK:])


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
