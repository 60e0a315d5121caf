"""The details of a request: times by role, priority, difficulty, estimate, place; and the title that is left."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from agents.time import Clock, Found, find_times
from agents.understanding.grammar import patterns_of
from agents.understanding.text.filler import trim
from agents.understanding.text.sentences import quotes

Span = tuple[int, int]
HIGH = (
    r"(?:(?:it's|its|it is|that's|that one's|this is|with|as|at|make it|set to|super|very|really|"
    r"and)\s+){0,4}(?:(?:a|an)\s+)?"
    r"(?:urgent(?:ly)?|asap|(?:as )?soon as poss(?:ible)?|(?:high|top|highest)(?:[\s-]+(?:priority|prio))|important|"
    r"critical|p1|!{2,}|"
    r"priority\s*:?\s*high|prio\s*:?\s*high|(?<=\ba )(?:(?:top|big|real|major)\s+)?priority(?!\s*(?:list|mail|queue|boarding|seat|pass|one|two|:)))\b(?:\s+(?:one|and))?"
)
LOW = (
    r"(?:(?:it's|its|with|as|at|a|no date and with a)\s+){0,4}(?:low(?:est)?(?:[\s-]+(?:priority|prio))|p3|no "
    r"rush|no hurry|not urgent|"
    r"priority\s*:?\s*low|prio\s*:?\s*low|whenever(?:\s+i\s+(?:can|get round to it|get around to it|have time))?|"
    r"someday|sometime|some day|one of these days|at some point|eventually|when i can|in my own time|"
    r"when i get (?:a|the) chance)\b"
)
MEDIUM = r"(?:(?:it's|its|with|as|at|a)\s+){0,4}(?:(?:medium|med|normal)(?:[\s-]+(?:priority|prio))|p2|priority\s*:?\s*medium)\b"
P = patterns_of(__name__)
LEVELS = [
    (level, re.compile(rf"\b{words}", re.IGNORECASE))
    for level, words in (("low", LOW), ("medium", MEDIUM), ("high", HIGH))
]
TAIL_REASON = P.TAIL_REASON
NOT_PLACES = frozenset("once least all work last first home".split())


@dataclass(slots=True)
class Slots:
    """What a clause says besides its title."""

    text: str
    title: str = ""
    times: list[Found] = field(default_factory=list)
    priority: str | None = None
    difficulty: str | None = None
    minutes: int | None = None
    place: str | None = None
    notes: str | None = None
    quoted: str | None = None
    holes: list[Span] = field(default_factory=list)

    def first(self, fits: Callable[[Found], bool]) -> Found | None:
        """The first time phrase of a sort."""
        return next((found for found in self.times if fits(found)), None)

    @property
    def when(self) -> Found | None:
        """The first phrase that places something in time (no length, no lone start of a series)."""
        placed = [found for found in self.times if found.kind in ("point", "interval", "open_before", "set")]
        clear = [found for found in placed if found.kind == "set"] + [found for found in placed if found.timed]
        clear += [found for found in placed if found.role == "deadline"]
        return next(iter(clear + placed), None) or self.first(lambda found: found.kind == "open_after")

    def levels(self) -> dict[str, object]:
        """Priority, difficulty and estimate as fields, as far as they were said."""
        said = {"priority": self.priority, "difficulty": self.difficulty, "time_to_complete": self.minutes}
        return {name: value for name, value in said.items() if value}

    def without_labels(self) -> None:
        """Give back to the title what only names a thing: "the 8pm show" is no time to do anything."""
        labels = [found for found in self.times if found.timed and found.kind == "point" and _labels(found, self.text)]
        if labels:
            self.times = [found for found in self.times if found not in labels]
            self.title = self.quoted or tidy(blank(self.text, [span for span in self.holes if _apart(span, labels)]))

    @property
    def repeat(self) -> Found | None:
        """The recurrence, if one was said."""
        return self.first(lambda found: found.kind == "set")


def fill(text: str, clock: Clock, *, place: bool = False, heading: str = "", untimed: Sequence[Span] = ()) -> Slots:
    """All slots of a clause; ``place`` also looks for a location, ``heading`` dates it, ``untimed`` spans hold no time."""
    literal = quotes(text)
    body = TAIL_REASON.sub("", text) if not literal else text
    slots = Slots(body)
    slots.times = [
        found for found in find_times(body, clock, literal=[*literal, *untimed]) if not _half_day_off(found, body)
    ]
    holes: list[Span] = [found.span for found in slots.times]
    _levels(slots, body, holes)
    _estimate(slots)
    _event_notes(slots, body, holes)
    slots.holes = list(holes)
    rest = blank(body, holes)
    if literal:
        slots.quoted = body[literal[0][0] + 1 : literal[0][1] - 1]
    if place:
        rest = _place(slots, rest)
    slots.title = slots.quoted or tidy(rest)
    if heading:
        slots.times += [
            found for found in find_times(heading, clock) if not any(other.day_said for other in slots.times)
        ]
    return slots


def _half_day_off(found: Found, text: str) -> bool:
    """Whether a length is the name of time off: nobody is away for twelve hours on a "half day off"."""
    return found.kind == "duration" and P.HALF_DAY_OFF.match(text, found.span[0]) is not None


def _labels(found: Found, text: str) -> bool:
    """Whether a clock time stands between an article and a noun."""
    start, end = found.span
    return P.LABELLED.search(text[max(start - 8, 0) : start]) is not None and P.NAMING.match(text, end) is not None


def _apart(span: Span, labels: Sequence[Found]) -> bool:
    return all(span[1] <= found.span[0] or span[0] >= found.span[1] for found in labels)


def blank(text: str, holes: Sequence[Span]) -> str:
    """The text without these spans; a comma marks the place of each."""
    for start, end in sorted(holes, reverse=True):
        text = f"{text[:start]} \u241f {text[end:]}"
    return text


def _levels(slots: Slots, text: str, holes: list[Span]) -> None:
    for level, words in LEVELS:
        match = _search(words, text, holes)
        if match and slots.priority is None:
            slots.priority = "low" if level == "high" and P.NEGATED.search(text[: match[0]]) else level
            holes.append(match)
    found = P.DIFFICULTY.search(text)
    if found:
        said = (found["after"] or found["before"] or found["alone"]).lower()
        negated = P.NEGATED.search(text[: found.start()]) is not None
        slots.difficulty = None if negated else "hard" if said == "difficult" else said
        holes.append(found.span())
    gone = P.NO_DATE.search(text)
    if gone:
        holes.append(gone.span())
    dash = P.LONE_LEVEL.search(text)
    if dash and slots.priority is None:
        slots.priority = dash[1].lower()
        holes.append(dash.span())
    holes[:] = _merged(holes)


def _search(words: re.Pattern[str], text: str, holes: Sequence[Span]) -> Span | None:
    for match in words.finditer(text):
        if not any(match.start() < end and start < match.end() for start, end in holes):
            return match.span()
    return None


def _merged(spans: Sequence[Span]) -> list[Span]:
    merged: list[Span] = []
    for start, end in sorted(spans):
        if merged and start < merged[-1][1]:
            merged[-1] = (merged[-1][0], max(end, merged[-1][1]))
        else:
            merged.append((start, end))
    return merged


def _estimate(slots: Slots) -> None:
    length = slots.first(lambda found: found.kind == "duration")
    if length and length.seconds and length.seconds >= 60:
        slots.minutes = length.seconds // 60


def _event_notes(slots: Slots, text: str, holes: list[Span]) -> None:
    match = P.EVENT_NOTES.search(text)
    if match and match.start() > 3:
        slots.notes = match["notes"].strip()
        holes.append(match.span())
        holes[:] = _merged(holes)


def _place(slots: Slots, rest: str) -> str:
    pieces = rest.split("\u241f")
    for index, piece in enumerate(pieces):
        match = P.PLACE.search(piece.rstrip(" ,.!"))
        if match and match["place"].split()[0].lower() not in NOT_PLACES:
            party = P.PARTY.search(match["place"])
            slots.place = P.PARTY.sub("", match["place"]).strip()
            pieces[index] = piece[: match.start()] + (party[0] if party else "")
            break
    return "\u241f".join(pieces)


PIECES, SPACES = re.compile(r"\u241f|\s+-\s+|,(?=\s*\u241f)"), re.compile(r"\s+")
AT_COMMA, WORD = re.compile(r"(?<=,)"), re.compile(r"[\w']+")
MAX_ROUNDS = 6
FILLING = frozenset(
    "it's its it that's thats that this is are be it'll that'll will should would could might may take takes taking last "
    "need needs i i'd think guess reckon suppose expect say maybe probably perhaps possibly likely roughly around about just only "
    "pretty quite rather really very super so kinda sorta kind sort of fairly tops max ish quick easy one two or and more less at "
    "most least shouldn't won't wouldn't than longer long job no not too much big small nothing".split()
)
"""Words between details that say nothing of what is to be done: "..., it's pretty important, probably takes an hour"."""


def tidy(rest: str) -> str:
    """A title from what is left of a clause: the pieces between details, without loose words at their ends."""
    rest = P.EMPTY_BRACKETS.sub(" ", P.LISTED.sub(" ", rest))
    pieces = [_strip(piece) for piece in PIECES.split(rest)]
    telling = [told for piece in pieces if (told := _telling(piece))]
    title = " ".join(telling or [piece for piece in pieces if piece])
    return _strip(SPACES.sub(" ", title))[:500]


def _telling(piece: str) -> str:
    """The parts of a piece between commas that say something."""
    parts = AT_COMMA.split(piece)
    return "".join(part for part in parts if set(WORD.findall(part.lower())) - FILLING).strip(" ,")


def _strip(piece: str) -> str:
    piece = trim(piece)
    for _ in range(MAX_ROUNDS):
        shorter = P.LOOSE_START.sub("", P.LOOSE_END.sub("", piece)).strip(" ,.;:!?–—-")
        if shorter == piece:
            break
        piece = shorter
    return piece


def without_article(title: str) -> str:
    """A title without "the" or "my" in front: "dentist", not "the dentist"."""
    return P.ARTICLE.sub("", title)
