"""Which of the thread's recent changes words mean: by title, by kind, by time or by number."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Sequence

from agents.contract import Change
from agents.understanding.matching import has_words

DONE_WORD = re.compile(r"(delet|remov|cancel|archiv|complet)(?:e|ed|es|ing|al|ion|led|ling|lation)?")
WORD = re.compile(r"[\w'\u2019-]+")
PLACES = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth")
SHORT_ORDINALS = ("1st", "2nd", "3rd", "4th", "5th", "6th", "7th", "8th", "9th", "10th")
COUNTS = {"two": 2, "2": 2, "three": 3, "3": 3, "four": 4, "4": 4, "five": 5, "5": 5, "couple": 2, "both": 2}
OP_BY_STEM = {"delet": "delete", "remov": "delete", "cancel": "delete", "archiv": "archive", "complet": "complete"}
UPDATING = "snooze snoozing move moving postponing rename renaming".split()
OTHER_OPS = {"creation": "create", **dict.fromkeys(UPDATING, "update")}
NOISE = frozenset(
    """
    a an the my your our that this it its these those them last latest previous most recent one ones thing things
    bit part what which i i've we we've you you've did do done made make said say told just now please again both all
    adding added creating created creation booking booked mistake wrong sorry mind whole whatever
    every everything only of from for in on to at and was were is me right away actually back undo redo
    change changes changed edit edits action actions update updates updated message request command step stuff number
    no task tasks todo todos to-do event events meeting meetings appointment appointments note notes reminder
    reminders list lists idea first
    """.split()
) | {*PLACES, *SHORT_ORDINALS, *COUNTS}


def telling(text: str) -> list[str]:
    """The words that are neither pronouns, numbers, nor names of what a change is."""
    words = WORD.findall(text.lower().replace("\u2019", "'"))
    return [word for word in words if word not in NOISE and not word.isdigit() and not DONE_WORD.fullmatch(word)]


def find_named(text: str, pool: Sequence[Change]) -> list[Change]:
    """Changes whose titles have all the telling words; with "deleting", only deletions."""
    said = telling(text)
    names = (said, [word for word in said if word not in OTHER_OPS])  # "the dentist move" may be no name
    found = next(filter(None, ([one for one in pool if has_words(one.title, " ".join(name))] for name in names)), [])
    return [item for item in found if item.op == op_of(text)] if op_of(text) else found


def find_mentioned_in(said: Collection[str], turn: Sequence[Change]) -> Sequence[Change]:
    """Return the changes of a turn of which a word of the title is said that no other title has; else all of them."""
    titles = {item.id: {*telling(item.title)} for item in turn}
    others = Counter(word for title in titles.values() for word in title)
    own = [item for item in turn if any(word in said and others[word] == 1 for word in titles[item.id])]
    return own or turn


def op_of(text: str) -> str | None:
    """The operation that the words name: "the deletion"."""
    found = DONE_WORD.search(text.lower())
    return OP_BY_STEM[found[1]] if found else None


def is_op(name: str) -> bool:
    """Whether a name says no more than an operation: "the completion"."""
    return op_said(name) is not None and not set(telling(name)) - OTHER_OPS.keys()


def op_said(name: str) -> str | None:
    """The operation that the words of a name speak of, as far as a title would not have them."""
    others = (OTHER_OPS[word] for word in WORD.findall(name.lower()) if word in OTHER_OPS)
    return op_of(name) or next(others, None)


def applied_changes(changes: Sequence[Change]) -> list[Change]:
    """The changes that stand."""
    return [item for item in changes if item.status == "applied"]


def distinct(changes: Sequence[Change]) -> list[Change]:
    """The newest change of each title, newest first."""
    return list({item.title.casefold(): item for item in changes}.values())[::-1]


def turn_of(changes: Sequence[Change]) -> list[Change]:
    """The changes of the newest turn among these."""
    newest = changes[-1:]
    found = [item for item in changes if item in newest or (item.turn_id and item.turn_id == newest[0].turn_id)]
    # What follows another change by itself was not said, and is no "second" of its own.
    led = {(item.place, item.together or ""): item for item in reversed(found) if item.together}
    return [item for item in found if led.get((item.place, item.together or ""), item) is item]


def without_undos(changes: Sequence[Change]) -> list[Change]:
    """What was changed, other than by undoing."""
    return [item for item in changes if item.op != "undo" and item.status in ("applied", "undone")]


def undos(changes: Sequence[Change]) -> list[Change]:
    """Undos that stand; taking one back is an undo as well, and not among them."""
    undoing = [item for item in changes if item.op == "undo" and item.status in ("applied", "undone")]
    ids = {item.id for item in undoing}
    return [item for item in undoing if item.undo_of not in ids and item.status == "applied"]
