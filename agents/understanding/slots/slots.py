"""The details of a request: times by role, priority, difficulty, estimate, place; and the title that is left."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from agents.time import Clock, Found, find_times
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
DIFFICULTY = re.compile(
    r"\b(?:(?:it's|its|it'll be|that's|should be|pretty|quite|very|really|kinda|kind of|sorta|sort of|fairly|super|a bit|a|"
    r"is)\s+){0,4}(?:difficulty\s*:?\s*(?P<after>easy|medium|hard)|"
    r"(?P<before>easy|medium|hard|difficult)\s+difficulty|(?P<alone>easy|hard|difficult)(?=\s*(?:,|;|$|-|\d|\.|"
    r"task|one|two|three|four|five|ten|fifteen|twenty|thirty|half|an hour|and\b|maybe|probably|about|like|no\b|but|\))))\b",
    re.IGNORECASE,
)
NO_DATE = re.compile(
    r"\b(?:(?:with(?:out)?|and)\s+)?(?:no|a|any)?\s*(?:deadline|due date|date)\s*(?:yet|needed|on (?:it|that|this(?: one)?)|for (?:it|that|this))?\s*(?=$|,|and\b)",
    re.IGNORECASE,
)
LEVELS = [
    (level, re.compile(rf"\b{words}", re.IGNORECASE))
    for level, words in (("low", LOW), ("medium", MEDIUM), ("high", HIGH))
]
LONE_LEVEL = re.compile(
    r"(?:(?:^|[-,–;]\s*)(?=(?:high|low|medium)\s*(?:$|[,;]))|[(\[]\s*(?=(?:high|low|medium)\s*[)\]]))(high|low|medium)\s*[)\]]?",
    re.IGNORECASE,
)
EVENT_NOTES = re.compile(r"\b(?:event\s+)?notes?\s*:\s*(?P<notes>.+)$", re.IGNORECASE | re.DOTALL)
TAIL_REASON = re.compile(
    r"(?:,\s*|\s+)(?:because|since|as i|as he|as she|as they|as we|as it|cause|cos|so that|otherwise|apparently|"
    r"which is|"
    r"before i forget|if that's ok|it's (?:his|her|their|my) turn|the last time)\b.*$",
    re.IGNORECASE | re.DOTALL,
)
PLACE = re.compile(
    r"(?:^|\s)(?:@\s*|at\s+|in\s+(?=the\s|room\s|"
    r"[A-Z]))(?P<place>(?:the\s+)?[A-Za-zÀ-ÿ0-9][\w'’&.À-ÿ-]*(?:\s+[\w'’&.À-ÿ-]+){0,5})\s*$"
)
PARTY = re.compile(
    r"\s+for\s+(?:two|three|four|five|six|seven|eight|nine|ten|twelve|\d{1,2})(?:\s+(?:people|ppl|persons|guests|of us))?$",
    re.IGNORECASE,
)
NOT_PLACES = frozenset("once least all work last first home".split())
LOOSE_END = re.compile(
    r"(?<!\bcheck)(?<!\blog)(?<!\bsign)(?<!\bmove)(?<!\bphone)\s+in$|^in$|(?:\s+|^)(?:on|(?<!looked )at|by|for|to|due|from|until|before|with|and|the|a|of|is|are|it's|its|that's|thats|it|maybe|"
    r"about|around|that|"
    r"starting|beginning|every|also|due on|takes|taking|be|should|will|(?:it'll|it will|it should|that'll|it might|it'd)(?: probably| only| just)? take|it'll|instead|there|this|lasting|long|"
    r"but|so|or|&|\+|(?:right )?now|(?:is|would be) (?:fine|ok|okay|good|great|best|ideal))$",
    re.IGNORECASE,
)
LOOSE_START = re.compile(
    r"^(?:to|that|for|is|it's|and|on|of|the task|a task|task|called|named|me|i need to|i have to|i must|i "
    r"should|i've got to|"
    r"to my list|,|:|-)(?=\s|$)[\s,:-]*",
    re.IGNORECASE,
)
ARTICLE = re.compile(r"^(?:a|an|the|my|our)\s+(?=\S)", re.IGNORECASE)
LISTED = re.compile(
    r"\s*(?:on|to|onto)\s+(?:my|the)\s+(?:(?:todo|to-do|to do|task)s?\s+)?(?:list|tasks|todos)\b", re.IGNORECASE
)


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
    return found.kind == "duration" and HALF_DAY_OFF.match(text, found.span[0]) is not None


NEGATED = re.compile(
    r"(?:\bnot|n't|\bno longer|\bnever)\s+(?:(?:a|an|all|so|that|very|really|actually|too|even|particularly|super|as)\s+)*$",
    re.IGNORECASE,
)
HALF_DAY_OFF = re.compile(r"half[- ](?:a )?day(?:'s)? (?:off|leave|holiday)\b", re.IGNORECASE)
LABELLED = re.compile(r"\b(?:the|our|my|his|her|their|that|an?)\s+$", re.IGNORECASE)
NAMING = re.compile(
    r"\s+(?!(?:on|at|in|by|for|to|and|or|with|but|then|today|tomorrow|please|every)\b)[a-z]{3,}", re.IGNORECASE
)


def _labels(found: Found, text: str) -> bool:
    """Whether a clock time stands between an article and a noun."""
    start, end = found.span
    return LABELLED.search(text[max(start - 8, 0) : start]) is not None and NAMING.match(text, end) is not None


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
            slots.priority = "low" if level == "high" and NEGATED.search(text[: match[0]]) else level
            holes.append(match)
    found = DIFFICULTY.search(text)
    if found:
        said = (found["after"] or found["before"] or found["alone"]).lower()
        negated = NEGATED.search(text[: found.start()]) is not None
        slots.difficulty = None if negated else "hard" if said == "difficult" else said
        holes.append(found.span())
    gone = NO_DATE.search(text)
    if gone:
        holes.append(gone.span())
    dash = LONE_LEVEL.search(text)
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
    match = EVENT_NOTES.search(text)
    if match and match.start() > 3:
        slots.notes = match["notes"].strip()
        holes.append(match.span())
        holes[:] = _merged(holes)


def _place(slots: Slots, rest: str) -> str:
    pieces = rest.split("\u241f")
    for index, piece in enumerate(pieces):
        match = PLACE.search(piece.rstrip(" ,.!"))
        if match and match["place"].split()[0].lower() not in NOT_PLACES:
            party = PARTY.search(match["place"])
            slots.place = PARTY.sub("", match["place"]).strip()
            pieces[index] = piece[: match.start()] + (party[0] if party else "")
            break
    return "\u241f".join(pieces)


PIECES, SPACES = re.compile(r"\u241f|\s+-\s+|,(?=\s*\u241f)"), re.compile(r"\s+")
AT_COMMA, WORD = re.compile(r"(?<=,)"), re.compile(r"[\w']+")
EMPTY_BRACKETS = re.compile(r"[(\[][\s,\u241f]*[)\]]")
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
    rest = EMPTY_BRACKETS.sub(" ", LISTED.sub(" ", rest))
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
        shorter = LOOSE_START.sub("", LOOSE_END.sub("", piece)).strip(" ,.;:!?–—-")
        if shorter == piece:
            break
        piece = shorter
    return piece


def without_article(title: str) -> str:
    """A title without "the" or "my" in front: "dentist", not "the dentist"."""
    return ARTICLE.sub("", title)
