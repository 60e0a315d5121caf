"""What each topic of a standing wish comes to, from the marked words of its clause."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from typing import Literal

from agents.contract import Op
from agents.conventions import Weekday
from agents.index.words import SYNONYMS, level_of, tokens
from agents.policies.hours import DAY, WEEK, HoursWindow, clock_of, read_windows
from agents.policies.matching import URGENT, significant_words, singular
from agents.policies.rules import AskOnConflict, ConfirmBefore, Default, QuietTime, Rule, TimeLimit, Tone
from agents.reading.reading import Clause
from agents.reading.words import COMMON, split_words
from agents.records import Kind
from agents.time import find_times

OPS: dict[Op, tuple[str, ...]] = {
    "create": ("add", "creat", "put", "book", "schedul", "enter", "plan"),
    "update": ("chang", "mov", "edit", "reschedul", "shift", "alter", "adjust", "updat", "modif", "renam", "postpon"),
    "complete": ("complet", "tick", "mark", "finish", "clos"),
    "archive": ("archiv",),
    "delete": ("delet", "remov", "cancel", "eras", "clear", "bin", "drop", "discard", "chuck", "throw"),
}
"""How words for a change begin."""
ALL_CHANGES = frozenset("touch touching do doing act acting".split())
CHANGE = "chang"
"""How the word begins that stands for all of them too, where nothing is named that is changed."""
KIND_NOUNS: dict[Kind, frozenset[str]] = {
    "todo": frozenset("task todo job deadline reminder ticket list".split()),
    "event": frozenset("event appointment meeting calendar diary schedule booking engagement".split()),
    "note": frozenset("note idea list".split()),
}
MEETINGS = tuple("meeting call sync standup interview review demo workshop catchup conference presentation".split())
"""What is no meeting may lie where no meetings are wanted."""
ANYTHING = frozenset("anything everything something nothing thing stuff one owt item plan them".split())
"""Nouns that name no kind."""
MORNING = 7 * 60
"""When the night is over after which nothing more was said."""
SHORTEST_BARE, MAX_LENGTH_MINUTES = 5, 14 * DAY
"""Minutes of the shortest length without a unit, which may be hours below, and of the longest one."""
NEW = COMMON | {"new"}
"""Words of a name that narrow nothing."""
LONGEST_WORD = 60
SURE_OF_PARTS = 0.42
Named = tuple[str, ...]


def rules_for(clause: Clause) -> list[Rule]:
    """Return what a wish comes to; nothing where its words say more, or less, than a rule can hold."""
    form, known = FORMS.get(clause.topic, (None, ""))
    others = {slot.name for slot in clause.slots} - set(known.split())
    doubtful = clause.topic not in WIDE_TOPICS and (_is_hardly_read(clause) or _is_narrowed(clause))
    return [] if form is None or others or doubtful else form(clause)


def confirm(clause: Clause) -> list[Rule]:
    """Ask before changes of a kind."""
    kinds, spared = _kinds_in(clause), _ops_in(clause.words("x"))
    windows = read_windows(clause.words("w"))
    ops = _all_or(clause, kinds) - spared
    unmarked = any(_noun(word) in nouns for word in tokens(_outside_slots(clause)) for nouns in KIND_NOUNS.values())
    unread = unmarked or (clause.all("w") and not windows) or (clause.all("x") and not spared)
    if not ops or unread or not all(window.whole for window in windows):
        return []
    days = {day for window in windows for day in window.days}
    said = {"ops": [op for op in OPS if op in ops], "kinds": kinds, "days": [day for day in WEEK if day in days]}
    return [ConfirmBefore.model_validate({**said, "about": about}) for about in _about(clause)]


def conflict(_clause: Clause) -> list[Rule]:
    """Ask before events overlap."""
    return [AskOnConflict()]


def never(clause: Clause) -> list[Rule]:
    """Keep some hours or days free."""
    return _limits(clause, read_windows(clause.words("w")))


def only(clause: Clause) -> list[Rule]:
    """Keep free what lies outside of some hours or days."""
    return _limits(clause, _outside(read_windows(clause.words("w"), working=True)))


def quiet(clause: Clause) -> list[Rule]:
    """Nudge at no time of some hours, which are the same on all days."""
    windows = _over_midnight(read_windows(clause.words("w")))
    if len(windows) != 1 or windows[0].days or windows[0].whole:
        return []
    end = MORNING if windows[0].open else windows[0].end % DAY
    return [QuietTime(start=_wall(windows[0].start), end=_wall(end))] if end != windows[0].start else []


def _over_midnight(windows: list[HoursWindow]) -> list[HoursWindow]:
    """Return the end of a day and the beginning of one as the night between them: "before 8 or after 9 at night"."""
    if len(windows) != 2 or any(window.days for window in windows):  # noqa: PLR2004 - both ends
        return windows
    first, last = sorted(windows, key=lambda window: window.start)
    joins = first.start == 0 and last.end == DAY and first.end < last.start
    return [HoursWindow((), last.start, first.end)] if joins else windows


def estimate(clause: Clause) -> list[Rule]:
    """Give new tasks an estimate: the one that was said, or one made from their words."""
    minutes = _lengths(clause, "d")
    return [] if clause.all("d") and not minutes else _defaults(clause, "todo", "time_to_complete", minutes or [None])


def duration(clause: Clause) -> list[Rule]:
    """Let new events last so long."""
    return _defaults(clause, "event", "duration", _lengths(clause, "d")[:1])


def reminder(clause: Clause) -> list[Rule]:
    """Remind so long before events."""
    return _defaults(clause, "event", "remind_before", _lengths(clause, "d"))


def priority(clause: Clause) -> list[Rule]:
    """Give new tasks a priority: the level that is said last; one before it narrows, as a name does."""
    levels = clause.all("pr")
    if not levels:
        return []
    *narrowing, level = levels
    slots = tuple(replace(slot, name="t") if slot in narrowing else slot for slot in clause.slots)
    return _defaults(replace(clause, slots=slots), "todo", "priority", [level_of(tokens(level.text))])


def short(_clause: Clause) -> list[Rule]:
    """Keep replies short."""
    return [Tone(length="short")]


def long(_clause: Clause) -> list[Rule]:
    """Tell the details too."""
    return [Tone(length="long")]


def noemoji(_clause: Clause) -> list[Rule]:
    """Use no emojis."""
    return [Tone(plain=True)]


Form = Callable[[Clause], list[Rule]]
FORMS: dict[str, tuple[Form, str]] = {
    "confirm": (confirm, "k q t w x"),
    "conflict": (conflict, "q t w"),
    "never": (never, "w q t"),
    "only": (only, "w q t"),
    "quiet": (quiet, "w q"),
    "estimate": (estimate, "q t d"),
    "duration": (duration, "d q t x"),
    "reminder": (reminder, "d q t x"),
    "priority": (priority, "pr q t"),
    "short": (short, ""),
    "long": (long, ""),
    "noemoji": (noemoji, ""),
}
"""The form of each topic with the slots that it understands."""
WIDE_TOPICS = frozenset("conflict short long noemoji".split())
"""Topics of which a rule holds everywhere, whatever numbers they say."""


def _is_hardly_read(clause: Clause) -> bool:
    """Return whether a part that decides more than the kind of thing is rather unsure."""
    return any(slot.sure < SURE_OF_PARTS for slot in clause.slots if slot.name != "q")


def _is_narrowed(clause: Clause) -> bool:
    """Return whether a time, a number or a name stands in a clause that no slot has."""
    words = _outside_slots(clause)
    said = [words[start:end] for start, end in split_words(words)]
    named = any(word[0].isupper() and word[1:].isalpha() for word in said if not clause.text.startswith(word))
    timed = any(found.kind != "duration" for found in find_times(words, clock_of()))
    return timed or named or any(word.isdigit() for word in said)


def _outside_slots(clause: Clause) -> str:
    rest = list(clause.text)
    for slot in clause.slots:
        rest[slot.start - clause.start : slot.end - clause.start] = " " * (slot.end - slot.start)
    return "".join(rest)


def _nouns(clause: Clause) -> list[str]:
    """Return the nouns for kinds of things, the last word of each."""
    said = [tokens(slot.text.replace("-", ""))[-1:] for slot in clause.all("q")]
    return [noun for words in said for noun in words]


def _kind_nouns(clause: Clause) -> set[str]:
    return set(map(_noun, _nouns(clause)))


def _noun(word: str) -> str:
    return SYNONYMS.get(singular(word), singular(word))


def _kinds_in(clause: Clause) -> list[Kind]:
    return [kind for kind, nouns in KIND_NOUNS.items() if nouns & _kind_nouns(clause)]


def _all_or(clause: Clause, kinds: Sequence[Kind]) -> set[Op]:
    """Return the changes that a clause names; any change where it says so of nothing that it names."""
    said = tokens(clause.words("k"))
    anything = not kinds and not clause.all("t") and any(word.startswith(CHANGE) for word in said)
    return set(OPS) if anything or ALL_CHANGES & set(said) else _ops_in(clause.words("k"))


def _ops_in(words: str) -> set[Op]:
    return {op for op, begins in OPS.items() if any(word.startswith(begins) for word in tokens(words))}


def _about(clause: Clause, otherwise: Named = ()) -> list[Named]:
    """Return the words of each name that narrows a clause, else those given; none where a name has no telling word."""
    every = [significant_words(slot.text, NEW) for slot in clause.all("t")]
    telling = [
        tuple(word[:LONGEST_WORD] for word in words if word[0].isalpha() and not _is_kind(word)) for words in every
    ]
    other = tuple(noun[:LONGEST_WORD] for noun in _nouns(clause) if not _is_kind(noun))
    return (telling if all(telling) else []) if telling else [other or otherwise]


def _is_kind(word: str) -> bool:
    """Return whether a word names a kind of thing, or none."""
    return any(_noun(word) in nouns for nouns in (ANYTHING, *KIND_NOUNS.values()))


def _limits(clause: Clause, windows: Iterable[HoursWindow]) -> list[Rule]:
    """Return the limits of appointments, or of tasks, to what lies outside of some times."""
    kinds = _kinds_in(clause) or ["event"]
    if "note" in kinds:
        return []
    meetings = MEETINGS if "meeting" in _kind_nouns(clause) else ()
    return [
        TimeLimit.model_validate(
            {"kinds": kinds, "days": window.days, "start": _wall(start), "end": _wall(end), "about": about}
        )
        for about in _about(clause, meetings)
        for window in windows
        for start, end in window.spans()
    ]


def _outside(windows: Sequence[HoursWindow]) -> list[HoursWindow]:
    """Return what is left of the week beside some stretches, alike days together."""
    left: dict[tuple[tuple[int, int], ...], list[Weekday]] = {}
    for day in WEEK if windows else ():
        taken = [span for one in windows if day in (one.days or WEEK) for span in one.spans()]
        left.setdefault(_gaps(taken), []).append(day)
    return [
        HoursWindow(tuple(days) if len(days) < len(WEEK) else (), start, end)
        for gaps, days in left.items()
        for start, end in gaps
    ]


def _gaps(taken: Sequence[tuple[int, int]]) -> tuple[tuple[int, int], ...]:
    """Return what is left of a day beside some stretches."""
    gaps, free = list[tuple[int, int]](), 0
    for start, end in [*sorted(taken), (DAY, DAY)]:
        gaps += [(free, start)] if free < start else []
        free = max(free, end)
    return tuple(gaps)


def _lengths(clause: Clause, name: Literal["d", "x"]) -> list[int | None]:
    """Return the lengths that a clause says, in minutes; none where one of them is not read."""
    found = [_minutes(slot.text) for slot in clause.all(name)]
    return found if all(found) else []


def _minutes(words: str) -> int | None:
    """Return a length of time; a bare number counts minutes, and "the day" before is one day."""
    first, _, rest = words.lower().partition(" ")
    one = f"1 {rest}" if first in ("a", "an", "the", "one") else words
    for said, least in ((words, 1), (one, 1), (f"{words} minutes", SHORTEST_BARE)):
        found = [
            time.seconds // 60 for time in find_times(said, clock_of()) if time.kind == "duration" and time.seconds
        ]
        if len(found) == 1:
            return found[0] if least <= found[0] <= MAX_LENGTH_MINUTES else None
    return None


def _defaults(clause: Clause, kind: Kind, field: str, values: Iterable[object]) -> list[Rule]:
    """Return what new things get, unless they are called another kind or values that are replaced are not read."""
    others = set(_kinds_in(clause)) - {kind}
    if others or (clause.all("x") and not _lengths(clause, "x")):
        return []
    return [
        Default.model_validate({"kind": kind, "field": field, "value": value, **_which(about)})
        for about in _about(clause)
        for value in values
    ]


def _which(about: Named) -> dict[str, object]:
    """Return which things a rule is about: those with its words, or those that are called urgent."""
    urgent = bool(about) and all(URGENT.fullmatch(word) for word in about)
    return {"urgent": urgent, "about": () if urgent else about}


def _wall(minutes: int) -> str:
    return f"{minutes // 60:02}:{minutes % 60:02}"
