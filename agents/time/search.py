"""The time phrases of a text, resolved: chart, choice of readings, instants."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from functools import cache, lru_cache
from importlib import import_module
from typing import NamedTuple
from zoneinfo import ZoneInfo

from agents.conventions import Conventions
from agents.time import (
    finders,  # noqa: F401 - registers the ways of finding a day
    finders_feasts,  # noqa: F401 - registers more of them
)
from agents.time.assumptions import ambiguous, doubts
from agents.time.calendar import FIRST_YEAR, LAST_YEAR
from agents.time.chart import Chart, Grammar, Node
from agents.time.customs import DEFAULT, by_conventions
from agents.time.day_lists import name_listed_days
from agents.time.lexicon import SPELLINGS, SUBJECTS
from agents.time.literal import unread
from agents.time.lookalikes import describes, half_read
from agents.time.merge import merge_neighbours
from agents.time.nowhere import is_absent, is_past
from agents.time.numerals import seeds
from agents.time.recurrence import ending, first_of, resolve_repeat, rule_of
from agents.time.resolve import Clock, Placed, place, place_range, seconds_of, stretch_of
from agents.time.rules.clock import hour
from agents.time.support import before_things, can_be_time, is_feast, two_things
from agents.time.tokens import Token, plain, tokenize
from agents.time.values import (
    NOW,
    Day,
    Dotted,
    FoundTime,
    Grain,
    Length,
    Moment,
    Number,
    OfDay,
    Range,
    Reading,
    Repeat,
    Value,
    Weekday,
)
from agents.time.words import word_sets

MONTH_FIRST_ZONES = ("America/", "US/", "UTC", "Etc/", "Pacific/Honolulu")
PREFERENCE = {Repeat: 3, Range: 2, Moment: 1, Length: 0}
SEARCH_WORDS = word_sets("search")
FILLERS = SEARCH_WORDS["fillers"]
Span = tuple[int, int]
RULE_FILES = """lengths clock zones days weekdays edges units feasts relative inside moments written spoken
    ranges dotted spans open meals repeat frequency monthly repeated_days series bounds near""".split()


class Questionable(NamedTuple):
    """Words that are asked about; ``passed``: they name a day, which has just been."""

    words: str
    passed: bool


class TimesRead(NamedTuple):
    """What the words of a text are about time."""

    found: tuple[FoundTime, ...]
    told: tuple[Questionable, ...]


@cache
def grammar() -> Grammar:
    """All rules, built once."""
    return Grammar.union(import_module(f"agents.time.rules.{name}").RULES for name in RULE_FILES)


def clock_for(at: datetime, timezone: str, conventions: Conventions | None = None) -> Clock:
    """A clock in a zone; numeric dates are read month first in the Americas and in UTC, day first elsewhere."""
    zone = ZoneInfo(timezone)
    month_first = timezone.startswith(MONTH_FIRST_ZONES)
    return Clock(at.astimezone(zone), zone, month_first, conventions=conventions or DEFAULT)


def find_times(text: str, clock: Clock, *, literal: Sequence[Span] = (), bare: bool = False) -> list[FoundTime]:
    """Every time phrase from left to right, without overlaps.

    ``literal`` are character spans to leave alone (quotes); ``bare`` reads a lone number as an hour ("make it 4").
    Nothing is read at a moment outside 1901 to 2198.
    """
    if not FIRST_YEAR < clock.at.year < LAST_YEAR:
        return []
    return list(_read(text, clock, clock.at.fold, tuple(literal), bare=bare).found)


def told_times(text: str, clock: Clock) -> tuple[Questionable, ...]:
    """Find the phrases to ask about: those that no calendar has, and days that have just passed."""
    inside = FIRST_YEAR < clock.at.year < LAST_YEAR
    return _read(text, clock, clock.at.fold, (), bare=False).told if inside else ()


@lru_cache(maxsize=256)
def _read(text: str, clock: Clock, _fold: int, literal: tuple[Span, ...], *, bare: bool) -> TimesRead:
    # Several readings of one message ask for the times of the same words. An hour that the clocks repeat equals itself,
    # so the fold is a part of the key.
    covered = {place for start, end in (*literal, *unread(plain(text))) for place in range(start, end)}
    tokens = [_respell(token, covered) for token in tokenize(text) if token.text not in FILLERS]
    chart = Chart(tokens, grammar(), [seeds(token) for token in tokens])
    found: list[FoundTime] = []
    told: list[Questionable] = []
    at = 0
    while at < len(tokens):
        at, best, words = _best(chart, at, clock, text, bare=bare)
        found += [best] if best else []
        told += [Questionable(words, passed=best is not None)] if words else []
    return TimesRead(tuple(name_listed_days(merge_neighbours(found, text, clock), text)), tuple(told))


def _respell(token: Token, covered: set[int]) -> Token:
    """The token as rules spell it; one that means nothing where the text is not read."""
    return replace(token, text="\ufffc" if token.start in covered else SPELLINGS.get(token.text, token.text))


def _best(chart: Chart, at: int, clock: Clock, text: str, *, bare: bool) -> tuple[int, FoundTime | None, str]:
    """Find the longest phrase that means a time: where to read on, what it means, and its words if they are asked about.

    Behind a feast that only describes ("good friday deals") it is read on.
    """
    if at and not chart.places[at]:
        return at + 1, None, ""
    nodes = [node for node in chart.at(at) if type(node.value) in PREFERENCE or (bare and _bare_hour(node))]
    nodes += _weak_weekday(chart, at) + _alone(chart, at)
    follow = at + 1
    for node in sorted(nodes, key=lambda node: (-node.end, -_weight(node.value))):
        if before_things(chart, node) or describes(chart, node):
            return follow, None, ""
        if not can_be_time(chart, node, bare_length=bare):
            follow = max(follow, node.end if is_feast(node) else 0)
            continue
        end = node.end + half_read(chart, node)
        span = (chart.tokens[node.start].start, chart.tokens[end - 1].end)
        value = by_conventions(_value(node), clock.conventions)
        found = resolve(value, clock, text[slice(*span)], span) if end == node.end else None
        if found:
            said, others = doubts(value, clock)
            told = ambiguous(value, clock)
            known = replace(found, assumptions=said, alternatives=others, ambiguous=told)
            return end, known, found.text if is_past(value, clock) else ""
        lost = end > node.end or is_absent(value, clock)
        if lost and two_things(chart, node):
            continue
        if lost:
            return end, None, text[slice(*span)]
        if isinstance(value, Repeat):
            # It would be over before it begins; without its end it would never be over.
            return end, None, ""
    return follow, None, ""


def _weight(value: Value) -> int:
    """What comes first of phrases of one length: "from 10 to noon" has two ends rather than a beginning at 11:50."""
    closed = isinstance(value, Range) and value.start is not None and value.end is not None
    counted = isinstance(value, Repeat) and bool(value.byday and value.bymonthday)
    return 2 * PREFERENCE.get(type(value), -1) + closed + counted


def _bare_hour(node: Node) -> bool:
    return isinstance(node.value, Number | Dotted) and hour(node.value) is not None


def _value(node: Node) -> Reading:
    value = node.value
    if isinstance(value, Number | Dotted):
        return Moment(time=hour(value))
    assert isinstance(value, Reading)  # noqa: S101 - PREFERENCE names no other type
    return value


def _weak_weekday(chart: Chart, at: int) -> list[Node]:
    """A "sat" or "sun" that ends a phrase is a day, unless the word before makes it an ordinary word."""
    weak = [node.value for node in chart.at(at) if isinstance(node.value, Weekday) and node.value.weak]
    if not weak or at == 0 or chart.word(at + 1)[:1].isalnum() or chart.word(at - 1) in SUBJECTS:
        return []
    return [Node(at, at + 1, Moment(Day("weekday", (weak[0].index, "coming"))))]


def _alone(chart: Chart, at: int) -> list[Node]:
    """A day that is all that was said needs no neighbour: "the 24th", "sat", "may"."""
    if at:
        return []
    last = len(chart.words)
    while last and chart.words[last - 1] in ".,!?":
        last -= 1
    if chart.words[:last] == ["now"]:
        return [Node(0, last, NOW)]
    days = (node.value for node in chart.at(at) if node.end == last and isinstance(node.value, Day))
    return [Node(at, last, Moment(day.explicit)) for day in days if day.latent]


def resolve(value: Reading, clock: Clock, text: str, span: Span) -> FoundTime | None:
    """One reading as instants; None when the calendar has no such time."""
    if isinstance(value, Length):
        return _duration(value, text, span)
    if isinstance(value, Repeat):
        return _series(value, clock, text, span)
    if isinstance(value, Range):
        return _interval(value, clock, text, span)
    placed = place(value, clock)
    return _point(placed, value.time, clock, text, span) if placed else None


def _point(placed: Placed, said: OfDay | None, clock: Clock, text: str, span: Span) -> FoundTime:
    end = None if placed.timed else placed.end
    found = FoundTime(
        text, span, "point", placed.start, end, placed.grain, timed=placed.timed, day_said=placed.day_said
    )
    return replace(found, stretch=stretch_of(said, placed.start, clock)) if said and placed.timed else found


def _duration(length: Length, text: str, span: Span) -> FoundTime | None:
    seconds = seconds_of(length)
    if not 0 < seconds <= 100 * 366 * 86400:
        return None
    grain = length.parts[-1][1]
    return FoundTime(text, span, "duration", grain=grain, seconds=seconds, day_said=False)


def _series(repeat: Repeat, clock: Clock, text: str, span: Span) -> FoundTime | None:
    repeat = resolve_repeat(repeat, clock)
    rule = rule_of(repeat, clock)
    first = first_of(repeat, rule, clock)
    if first is None:
        return None
    timed = repeat.time is not None or bool(repeat.start and repeat.start.time)
    end = ending(first, repeat.end_time, first.date()) if repeat.end_time else None
    grain: Grain = "minute" if timed else "day"
    stretch = stretch_of(repeat.time, first, clock) if repeat.time and not repeat.hours else None
    return FoundTime(text, span, "set", first, end, grain, rrule=rule, timed=timed, stretch=stretch)


def _interval(span_said: Range, clock: Clock, text: str, span: Span) -> FoundTime | None:
    ends = place_range(span_said, clock)
    if ends is None:
        return None
    start, end = ends
    known = start or end
    assert known is not None  # noqa: S101 - place_range places at least one end
    kind = "interval" if start and end else "open_after" if start else "open_before"
    last = end.end if end and not end.timed else end.start if end else None
    if last and last.year > LAST_YEAR:
        return None
    day_said = known.day_said or bool(end and end.day_said)
    return FoundTime(
        text,
        span,
        kind,  # type: ignore[arg-type]
        start.start if start else None,
        last,
        known.grain,
        role=span_said.role,
        timed=known.timed,
        day_said=day_said,
    )
