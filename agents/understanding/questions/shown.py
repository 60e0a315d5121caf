"""Showing what belongs together: "show Workouts", "show #family", "my p1s", "what about my car"."""

from __future__ import annotations

import re

from agents.dates_in_words import say_span, say_when
from agents.phrases import NOTHING_CALLED, quoted
from agents.records import Event, Note, ToDo
from agents.recurrence.missed import say_missed
from agents.rendering.agenda import MOST
from agents.time import find_times
from agents.understanding.grammar import patterns_of
from agents.understanding.questions.queries import state_of, tasks_sentence
from agents.understanding.questions.stored import text_of
from agents.understanding.references import Item, apart, resembling, words_of
from agents.understanding.requests import lists
from agents.understanding.requests.groups import group_of, known_list
from agents.understanding.scene import Scene
from agents.understanding.share import Share, answer, lost
from agents.understanding.text.clauses import Clause

P = patterns_of(__name__)
NOT_NAMES = frozenset("it that this them those these one ones you me him her us everything all more".split())


def show(clause: Clause, scene: Scene) -> Share | None:
    """The tasks of a list, a tag or a priority, or whatever is about a thing; None for every other question."""
    said = clause.text.strip(" ?.!")
    about = P.ABOUT.fullmatch(said)
    if about:
        return _about(about["what"], clause, scene)
    match = P.SHOW.fullmatch(said)
    if match is None:
        return None
    what = match["what"] or match["which"] or match["on"] or match["bare"]
    return _tasks(what, clause, scene)


def missing(clause: Clause, scene: Scene) -> Share | None:
    """That nothing has the name of what is to be shown; asked last, when no other reading finds anything."""
    match = P.NAME_ALONE.fullmatch(clause.text.strip(" ?.!"))
    if match is None or find_times(match["what"], scene.clock, bare=True):
        return None
    if match["what"].lower() in NOT_NAMES:
        return lost(clause.text)
    return answer(clause.text, f"{NOTHING_CALLED} {quoted(match['what'])}.")


def about(clause: Clause, scene: Scene) -> Share | None:
    """What is known of a thing that is only named, as in "wifi password?"; None when nothing is."""
    return _about(clause.text.strip(" ?.!"), clause, scene)


def _tasks(what: str, clause: Clause, scene: Scene) -> Share | None:
    """An answer when a list or a tag is named, and nothing besides; other filters have a reading of their own."""
    of_notes = re.sub(r"\s+list$", "", P.PLACED.sub("", what), flags=re.IGNORECASE)
    if lists.find_lists(of_notes.strip(), scene) and not known_list(of_notes.strip(), scene):
        return None
    group = group_of(_state_words(what), scene)
    named = any(label.startswith(("on the list", "tagged")) for label in group.label)
    if group.rest or not (named or re.fullmatch(r"(?:my\s+)?p[123]s?\b.*", what, re.IGNORECASE)):
        return None
    wanted, label = state_of(clause.text)
    found = [item for item in scene.items("todo") if wanted(item) and group.fits(item)]
    if not found and re.search(r"\blist$", what.strip(), re.IGNORECASE) and not known_list(of_notes.strip(), scene):
        return answer(clause.text, f"You have no list called {quoted(of_notes.strip())}.")
    return answer(clause.text, tasks_sentence(found, label, f" {' '.join(group.label)}", scene))


def _state_words(what: str) -> str:
    return re.sub(r"\b(?:done|finished|completed|do i have|have i)\b", " ", what, flags=re.IGNORECASE)


def _about(what: str, clause: Clause, scene: Scene) -> Share | None:
    """Every task, coming event and note with these words in its title, list, tags or notes."""
    wanted = [word for word in words_of(what) if word not in NOT_NAMES]
    if not wanted or find_times(what, scene.clock, bare=True):
        return None
    speaking = [(item, item.told or _words_told(item)) for item in scene.items("todo", "event", "note")]
    occurring = frozenset[str]().union(*(words for _, words in speaking))
    for name in wanted:
        meant = frozenset(resembling(name, occurring))
        speaking = [(item, words) for item, words in speaking if not meant.isdisjoint(words)]
    found = [item for item, _ in speaking if _matters(item, scene)]
    if not found:
        return None
    said = [_told(item, scene) for item in apart(found[:MOST])]
    more = f" And {len(found) - MOST} more." if len(found) > MOST else ""
    return answer(clause.text, f"About {quoted(what.strip())}: {'; '.join(said)}.{more}")


def _words_told(item: Item) -> frozenset[str]:
    """The words of all that a thing is told by: title, tags, list, notes and, of a note, its text."""
    has = vars(item.record)
    extra = [*has.get("tags", []), has.get("list") or "", has.get("notes", "")]
    extra += [text_of(item)] if item.kind == "note" else []
    item.told = frozenset(words_of(" ".join([item.title, *extra])))
    return item.told


def _matters(item: Item, scene: Scene) -> bool:
    if isinstance(item.record, ToDo):
        return item.record.status in ("not started", "in progress")
    if isinstance(item.record, Event) and not item.record.recurrence:
        last = item.record.end or item.record.start
        day = last.astimezone(scene.clock.zone).date() if hasattr(last, "astimezone") else last
        return day >= scene.now.date()
    return True


def _told(item: Item, scene: Scene) -> str:
    record = item.record
    if isinstance(record, ToDo):
        due = f", due {say_when(record.deadline, scene.now)}" if record.deadline else ""
        return f"task {item.title}{due}{say_missed(record, scene.now)}"
    if isinstance(record, Event):
        return f"event {item.title}, {say_span(record.start, record.end, scene.now)}"
    category = record.category if isinstance(record, Note) else item.kind
    return f"{category} {quoted(text_of(item)[:200])}"
