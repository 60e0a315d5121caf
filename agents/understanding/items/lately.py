"""Which of the thread's recent changes words mean: by title, by kind, by time or by number."""

from __future__ import annotations

import re
from collections.abc import Sequence

from agents.contract import Change
from agents.records import Kind
from agents.understanding.grammar import patterns_of
from agents.understanding.items.choose import hinted
from agents.understanding.references import alike, words_of
from agents.understanding.scene import Scene

KINDS: tuple[Kind, ...] = ("todo", "event", "note", "instruction", "profile")
PLACES = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth")
SHORT = ("1st", "2nd", "3rd", "4th", "5th", "6th", "7th", "8th", "9th", "10th")
COUNTS = {"two": 2, "2": 2, "three": 3, "3": 3, "four": 4, "4": 4, "five": 5, "5": 5, "couple": 2, "both": 2}
COUNTED = re.compile(rf"\b(first|last|latest)\s+(?:a\s+)?({'|'.join(COUNTS)})\b", re.IGNORECASE)
P = patterns_of(__name__)
NUMERALS = {"one": 1, "two": 2, "three": 3, "four": 4, "five": 5}
BARE_COUNT = re.compile(rf"\b({'|'.join(COUNTS)})\b", re.IGNORECASE)
DONE = {"delet": "delete", "remov": "delete", "cancel": "delete", "archiv": "archive", "complet": "complete"}
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
) | {*PLACES, *SHORT, *COUNTS}
QUOTES = " \t\n.,;:!?'\"“”‘’"


def titled(rest: str, pool: Sequence[Change]) -> list[Change]:
    """Changes whose whole title was said."""
    said = re.sub(r"^(?:the|my)\s+", "", rest.strip(QUOTES), flags=re.IGNORECASE).strip(QUOTES).casefold()
    return [
        item for item in pool if said and item.title.strip(QUOTES).casefold() in (said, rest.strip(QUOTES).casefold())
    ]


def telling(text: str) -> list[str]:
    """The words that are neither pronouns, numbers, nor names of what a change is."""
    words = P.WORD.findall(text.lower().replace("’", "'"))
    return [word for word in words if word not in NOISE and not word.isdigit() and not P.DONE_WORD.fullmatch(word)]


def named(text: str, pool: Sequence[Change]) -> list[Change]:
    """Changes whose titles have all the telling words; with "deleting", only deletions."""
    wanted = words_of(" ".join(telling(text)))
    found = [item for item in pool if wanted and covers(item.title, wanted)]
    return [item for item in found if item.op == op_of(text)] if op_of(text) else found


def covers(title: str, wanted: Sequence[str]) -> bool:
    """Whether a title has all these words."""
    have = words_of(title)
    return all(any(alike(word, other) for other in have) for word in wanted)


def each_named(text: str, pool: Sequence[Change]) -> list[Change]:
    """Several changes named with "and", when each part names one."""
    parts = [part for part in re.split(r",|&|\band\b", text) if telling(part)]
    found = [distinct(applied(named(part, pool))) for part in parts]
    alone = {items[0].id for items in found if len(items) == 1}
    return [item for item in pool if item.id in alone] if len(parts) > 1 and len(alone) == len(parts) else []


def op_of(text: str) -> str | None:
    """The operation that the words name: "the deletion"."""
    found = P.DONE_WORD.search(text.lower())
    return DONE[found[1]] if found else None


def outside(text: str, spans: Sequence[tuple[int, int]]) -> list[str]:
    """The parts of a text outside of spans."""
    edges = [0, *(edge for span in spans for edge in span), len(text)]
    return [text[start:end] for start, end in zip(edges[::2], edges[1::2], strict=True)]


def applied(changes: Sequence[Change]) -> list[Change]:
    """The changes that stand."""
    return [item for item in changes if item.status == "applied"]


def distinct(changes: Sequence[Change]) -> list[Change]:
    """The newest change of each title, newest first."""
    return list({item.title.casefold(): item for item in changes}.values())[::-1]


def places(rest: str, count: int) -> list[tuple[str, int]] | None:
    """The numbers that were said and their places from 0; None when none was."""
    counted, end = COUNTED.search(rest), P.FROM_END.search(rest)
    if counted:
        many = COUNTS[counted[2].lower()]
        return [
            (PLACES[at], at if counted[1].lower() == "first" or many > count else count - 1 - at) for at in range(many)
        ]
    if end:
        return [(end[0].lower(), -3 if end[0].lower().startswith("third") else -2)]
    words = P.WORD.findall(rest.lower())
    found = [(PLACES[at], at) for at in range(len(PLACES)) if {PLACES[at], SHORT[at]} & set(words)]
    numbers = [NUMERALS.get(word.lower()) or int(word) for pair in P.NUMBER.findall(rest) for word in pair if word]
    found += [(f"number {number}", number - 1) for number in numbers if number]
    last = {"last", "latest", "previous", "recent"} & set(words) and not {"changes", "message", "request"} & set(words)
    return (found + ([("last", -1)] if last else [])) or None


def turn_of(changes: Sequence[Change]) -> list[Change]:
    """The changes of the newest turn among these."""
    newest = changes[-1] if changes else None
    found = [
        item for item in changes if newest and (item is newest or (newest.turn_id and item.turn_id == newest.turn_id))
    ]
    # What follows another change by itself was not said, and is no "second" of its own.
    led = {(item.place, item.together or ""): item for item in reversed(found) if item.together}
    return [item for item in found if led.get((item.place, item.together or ""), item) is item]


def of_kind(rest: str, changes: Sequence[Change]) -> list[Change]:
    """With "the event" or "the second task", the changes of that kind."""
    kinds = hinted(rest, KINDS)
    return [item for item in changes if item.kind in kinds]


def done(changes: Sequence[Change]) -> list[Change]:
    """What was changed, other than by undoing."""
    return [item for item in changes if item.op != "undo" and item.status in ("applied", "undone")]


def undos(changes: Sequence[Change]) -> list[Change]:
    """Undos that stand; taking one back is an undo as well, and not among them."""
    ids = {item.id for item in _undoing(changes)}
    return [item for item in _undoing(changes) if item.undo_of not in ids and item.status == "applied"]


def redos(changes: Sequence[Change]) -> list[Change]:
    """Undos of undos that stand."""
    ids = {item.id for item in _undoing(changes)}
    return [item for item in _undoing(changes) if item.undo_of in ids and item.status == "applied"]


def _undoing(changes: Sequence[Change]) -> list[Change]:
    return [item for item in changes if item.op == "undo" and item.status in ("applied", "undone")]


def of_op(rest: str, turn: Sequence[Change]) -> list[Change]:
    """With "the deletion", the changes of that operation."""
    return [item for item in turn if item.op == op_of(rest)] if op_of(rest) else list(turn)


def changed_now(item: Change, scene: Scene) -> bool:
    """Whether this message itself changes the same thing: what to take back is then unclear."""
    proposed = [proposal for share in scene.before for proposal in share.proposals]
    names = [str(value) for proposal in proposed for key in ("task", "title") if (value := proposal.fields.get(key))]
    same = any(proposal.record_id == item.record_id and proposal.record_id for proposal in proposed)
    return same or any(name.casefold() == item.title.casefold() for name in names)


def follows_change(scene: Scene) -> bool:
    """Whether this message asked for something else before: "that" would mean it, and it is not done yet."""
    return any(
        share.questions or share.answers or any(item.op != "undo" for item in share.proposals) for share in scene.before
    )
