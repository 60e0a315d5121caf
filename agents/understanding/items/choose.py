"""Zero, one or many: act on the one clear match, say that there is none, or ask with the list."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from datetime import date
from typing import Any, Literal

from agents.contract import Op, Option, Pending, Proposal, Question
from agents.phrases import NOTHING_CALLED, quoted, say_list
from agents.records import Event, Kind
from agents.rendering.item_names import names_of
from agents.understanding.grammar import patterns_of
from agents.understanding.items import imported, pointed
from agents.understanding.items.occurrences import of_event
from agents.understanding.items.reminders import without_reminders
from agents.understanding.references import Item, candidates, mentioned, narrowed, words_of
from agents.understanding.scene import Scene
from agents.understanding.share import Share, answer, change
from agents.understanding.slots.days import whole_days
from agents.understanding.slots.slots import fill
from agents.understanding.text.statements import in_the_way

MAX_OPTIONS = 12
MOST_VAGUE = 6
HINTS: tuple[tuple[re.Pattern[str], tuple[Kind, ...]], ...] = (
    (re.compile(r"\b(?:tasks?|todos?|to-dos?|chores?|reminders?|habits?)\b", re.IGNORECASE), ("todo",)),
    (
        re.compile(
            r"\b(?:events?|meetings?|appointments?|appt|mtg|calls? on|calendar|session|class|lesson)\b", re.IGNORECASE
        ),
        ("event",),
    ),
    (re.compile(r"\b(?:notes?|ideas?|thoughts?|lists?)\b", re.IGNORECASE), ("note",)),
)
NOUNS: dict[Kind, str] = {
    "todo": "task",
    "event": "event",
    "note": "note",
    "profile": "profile",
    "instruction": "instruction",
}
P = patterns_of(__name__)
PRONOUN = P.PRONOUN


PEOPLE, GROUPS = frozenset(("he", "she", "him", "her")), frozenset(("they", "them"))
TO_PEOPLE = frozenset("call ring phone text email message meet see visit".split())
AFTERWARDS = P.AFTERWARDS


def hinted(phrase: str, kinds: tuple[Kind, ...]) -> tuple[Kind, ...]:
    """The kinds that the words themselves name, among those possible."""
    for words, named in HINTS:
        if words.search(phrase) and set(named) & set(kinds):
            return named
    return kinds


def search(
    phrase: str, scene: Scene, kinds: tuple[Kind, ...], fits: Callable[[Item], bool], day: date | None
) -> list[Item]:
    """The items meant; named kinds first, then any of the possible kinds. Of several the one that was picked, if one was."""
    found = _within_reach(phrase, _searched(phrase, scene, kinds, fits, day), scene)
    if not found and scene.chosen and P.VAGUE.match(phrase.strip()):
        found = [item for item in scene.items(*kinds) if item.id == scene.chosen]
    if len(found) > 1 and not P.KEPT_IN.search(phrase):
        found = [item for item in found if item.kind != "note"] or found
        found = without_reminders(phrase, found)
    return [item for item in found if item.id == scene.chosen] or found


def _searched(
    phrase: str, scene: Scene, kinds: tuple[Kind, ...], fits: Callable[[Item], bool], day: date | None
) -> list[Item]:
    noun = P.OF_DAY.fullmatch(phrase.strip()) if day is not None else None
    there = [item for item in scene.items(*hinted(phrase, kinds)) if noun and item.day == day and fits(item)]
    if noun and there:
        return [item for item in there if noun["noun"].lower() in item.title.lower()] or there
    if P.LAST_ONE.fullmatch(phrase.strip()) and len(pointed.lately(scene, kinds)) > 1:
        return pointed.by_place("the last one", scene, kinds)
    if PRONOUN.match(AFTERWARDS.sub("", phrase).strip() or phrase.strip()):
        just = _just_changed(scene, kinds)
        if just:
            return just
        told = _told_of(scene.story, [item for item in scene.items(*kinds) if fits(item)]) if scene.story else []
        scene.explained = scene.explained or bool(told)
        row = pointed.lately(scene, kinds)
        return told or (row if len(row) == 1 else _last(scene, kinds))
    placed = _by_id(phrase, scene, kinds) or pointed.by_place(phrase, scene, kinds)
    if placed:
        return narrowed(placed, day)
    named = hinted(phrase, kinds)
    for words in dict.fromkeys((phrase, AFTERWARDS.sub("", phrase))):
        for group in dict.fromkeys((named, kinds)):
            found = _among(words, scene.items(*group), fits, day) if words.strip() else []
            if found:
                return found
    return _dated(phrase, scene, kinds, fits) if day is None else []


def _within_reach(phrase: str, found: list[Item], scene: Scene) -> list[Item]:
    """What a pronoun at the end of a phrase ("call her") may mean: what this thread talked about, and it fits."""
    last = (AFTERWARDS.sub("", phrase) or phrase).lower().split()[-1:]
    if last and last[0] in PEOPLE:
        found = [item for item in found if _has_someone(item)]
    return [item for item in found if pointed.talked_of(item, scene)] if (PEOPLE | GROUPS) & set(last) else found


def _has_someone(item: Item) -> bool:
    first, *rest = item.title.split()
    return first.lower() in TO_PEOPLE or "with" in rest or any(word[0].isupper() for word in rest)


def _dated(phrase: str, scene: Scene, kinds: tuple[Kind, ...], fits: Callable[[Item], bool]) -> list[Item]:
    """Those of a name that also says on which day they are: "friday's standup", "the 9am yoga on monday"."""
    slots = fill(phrase, scene.clock)
    placed = next((found for found in slots.times if found.day_said and found.start), None)
    if placed is None or placed.start is None or not _telling(slots.title):
        return []
    day = placed.start.date()
    found = search(slots.title, scene, kinds, fits, day)
    return [item for item in found if item.day == day or _takes_place(item, day, scene)]


def _takes_place(item: Item, day: date, scene: Scene) -> bool:
    """Whether an event is on the calendar on a day, repetitions included."""
    if not isinstance(item.record, Event):
        return False
    return bool(of_event(item.record, scene, *whole_days(day, day, scene)))


def _just_changed(scene: Scene, kinds: tuple[Kind, ...]) -> list[Item]:
    """The stored item that this message changed just before: "bump the report to high and make it due friday"."""
    ids = [item.record_id for share in scene.before[-1:] for item in share.proposals if item.record_id]
    return [item for item in scene.items(*kinds) if item.id in ids] if len(ids) == 1 else []


def _told_of(story: str, items: Sequence[Item]) -> list[Item]:
    """The items that what was said before is about: by title, else the one that shares a word with it."""
    named = [] if in_the_way(story) else mentioned(story, items)
    said = set(words_of(story))
    sharing = [item for item in items if not said.isdisjoint(item.words)]
    return named or (sharing if len(sharing) == 1 and not in_the_way(story) else [])


def _by_id(phrase: str, scene: Scene, kinds: tuple[Kind, ...]) -> list[Item]:
    """The items whose id begins so: "a1b2c3", "task #a1b2c3"; at least six characters."""
    match = P.SHORT_ID.fullmatch(phrase.strip())
    return [item for item in scene.items(*kinds) if item.id.startswith(match["id"].lower())] if match else []


def _among(phrase: str, items: Sequence[Item], fits: Callable[[Item], bool], day: date | None) -> list[Item]:
    if not _telling(phrase):
        return [item for item in items if day is not None and item.day == day and fits(item)]
    return narrowed(candidates(phrase, items, fits), day)


def _telling(phrase: str) -> bool:
    return bool(
        set(words_of(phrase)) - set(words_of("the one on of at task event meeting appointment thing list note"))
    )


def _last(scene: Scene, kinds: tuple[Kind, ...]) -> list[Item]:
    last = scene.last_change(*kinds)
    return [item for item in scene.items(*kinds) if last and item.id == last.record_id]


def only(scene: Scene, kinds: tuple[Kind, ...]) -> list[Item]:
    """For "that idea" without anything talked about before: the one item there is."""
    items = scene.items(*kinds)
    return [*items] if len(items) == 1 else []


def each(phrase: str, find: Callable[[str], list[Item]], scene: Scene, kinds: tuple[Kind, ...]) -> list[Item]:
    """Several items named with "and" or "both", when each part names exactly one of its own."""
    together = pointed.some(phrase, scene, kinds) or all_alike(phrase, scene, kinds)
    if together:
        return together
    parts = re.split(
        r"\s*,\s*(?:and\s+)?|\s+(?:and|n|plus)\s+|\s*[&+]\s*",
        re.sub(r"^(?:both|all)\s+(?:of\s+)?", "", phrase.strip(), flags=re.IGNORECASE),
    )
    if not 2 <= len(parts) <= 8:
        return []
    found = [find(part) for part in parts if part.strip()]
    alone = [items[0] for items in found if len(items) == 1]
    return alone if len(alone) == len(parts) == len({item.id for item in alone}) else []


COUNTS = {"both": 2, "two": 2, "three": 3, "four": 4, "five": 5}


def all_alike(phrase: str, scene: Scene, kinds: tuple[Kind, ...], day: date | None = None) -> list[Item]:
    """The open items that share a name: "both interviews"; none when there are not so many of them on that day."""
    said = P.ALL_OF.fullmatch(phrase.strip())
    if said is None or not _telling(said["what"]):
        return []
    found = candidates(said["what"], scene.items(*kinds), lambda item: _current(item, scene))
    found = [item for item in found if day is None or item.day == day]
    wanted = COUNTS.get(said["how"].lower().split()[-1])
    return found if len(found) > 1 and wanted in (None, len(found)) else []


def settle(
    found: Sequence[Item], op: Op, phrase: str, scene: Scene, *, fields: dict[str, Any] | None = None, reason: str = ""
) -> Share:
    """A change to the one item found; none and many become an answer and a question."""
    found = _told_apart(found, scene)
    if not found:
        return _vague(phrase, op, fields, reason, scene) if P.VAGUE.match(phrase.strip()) else none(phrase, scene)
    if len(found) == 1:
        return change(phrase, propose(found[0], op, fields or {}, reason))
    return which(found, op, scene, fields=fields, reason=reason)


def _told_apart(found: Sequence[Item], scene: Scene) -> Sequence[Item]:
    """Of several the one that this message spoke of before: "priya is ill, cancel our coffee"."""
    said = set(words_of(scene.told)) if len(found) > 1 and scene.told else set()
    spoken = [item for item in found if not said.isdisjoint(item.words)]
    return spoken if len(spoken) == 1 else found


def _vague(phrase: str, op: Op, fields: dict[str, Any] | None, reason: str, scene: Scene) -> Share:
    """Ask which one is meant by "it" or "my meeting" when nothing was talked about."""
    ahead = [item for item in scene.items("todo", "event") if _current(item, scene)]
    ahead = [item for item in ahead if item.kind in hinted(phrase, ("todo", "event"))] or ahead
    if op == "complete" or not ahead:
        ahead = [item for item in ahead if item.kind == "todo"]
    ahead = sorted(ahead, key=lambda item: (item.day is None, item.day))[:MOST_VAGUE]
    return which(ahead, op, scene, fields=fields, reason=reason) if ahead else none("that", scene)


def _current(item: Item, scene: Scene) -> bool:
    status = getattr(item.record, "status", "not started")
    return status in ("not started", "in progress") and not (
        item.kind == "event" and item.day is not None and item.day < scene.now.date()
    )


def propose(item: Item, op: Op, fields: dict[str, Any], reason: str) -> Proposal:
    """One change to one stored item."""
    return Proposal(op=op, kind=item.kind, record_id=item.id, fields=fields, reason=reason)


def none(phrase: str, scene: Scene) -> Share:
    """The truth when nothing fits: an appointment of an imported calendar is known, but only to be read."""
    named = P.OWNED.sub("", phrase.strip()) or "that"
    if (found := imported.elsewhere(phrase, scene)) is not None:
        return answer(
            phrase, f"{quoted(found.event.title)} is in your calendar {found.calendar}, which I can only read."
        )
    return answer(phrase, f"{NOTHING_CALLED} {quoted(named)}, so I left everything as it is.")


def which(
    found: Sequence[Item], op: Op, scene: Scene, *, fields: dict[str, Any] | None = None, reason: str = ""
) -> Share:
    """One question with the candidates as its options."""
    shown = list(found)[:MAX_OPTIONS]
    names = names_of(shown, scene.now)
    options = [Option(label=name, kind=item.kind, record_id=item.id) for name, item in zip(names, shown, strict=True)]
    draft = Proposal(op=op, kind=found[0].kind, fields=fields or {}, reason=reason)
    text = f"Which one do you mean: {say_or([quoted(name) for name in names])}?"
    pending = Pending(missing="which", text=scene.ask.text, at=scene.ask.at, proposals=[draft], options=options)
    return Share(text=text, questions=[Question(text=text, options=names, pending=pending)])


def say_or(words: Sequence[str]) -> str:
    """Words as alternatives."""
    return f"{', '.join(words[:-1])} or {words[-1]}" if len(words) > 1 else say_list(words)


def ask(missing: Literal["when", "rephrase"], text: str, drafts: Sequence[Proposal], scene: Scene) -> Share:
    """A question for what is missing in the drafts."""
    pending = Pending(missing=missing, text=scene.ask.text, at=scene.ask.at, proposals=list(drafts))
    return Share(text=text, questions=[Question(text=text, pending=pending)])


def confirm(text: str, proposals: Sequence[Proposal], scene: Scene) -> Share:
    """Ask before acting; a yes applies the proposals."""
    pending = Pending(missing="proceed", text=scene.ask.text, at=scene.ask.at, proposals=list(proposals))
    return Share(text=text, questions=[Question(text=text, options=["yes", "no"], pending=pending)])
