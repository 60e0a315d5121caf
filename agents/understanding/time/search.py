"""The time phrases of a text, resolved: chart, choice of readings, instants."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from functools import cache
from typing import TypeGuard
from zoneinfo import ZoneInfo

from agents.understanding.time import (
    finders,  # noqa: F401 - registers the ways of finding a day
    rules_clock,
    rules_days,
    rules_feasts,
    rules_lengths,
    rules_monthly,
    rules_open,
    rules_ranges,
    rules_relative,
    rules_repeat,
    rules_series,
    rules_spans,
    rules_units,
    rules_zones,
)
from agents.understanding.time.assumptions import doubts
from agents.understanding.time.chart import Chart, Grammar, Node
from agents.understanding.time.lexicon import WEAK_MONTHS, YEAR_MONTH, seeds
from agents.understanding.time.recurrence import ending, first_of, rule_of
from agents.understanding.time.resolve import Clock, Placed, place, place_range, seconds_of
from agents.understanding.time.values import Day, Found, Length, Moment, Number, Range, Repeat, Unit, Value, Weekday
from agents.understanding.tokens import Token, tokenize

MONTH_FIRST_ZONES = ("America/", "US/", "UTC", "Etc/", "Pacific/Honolulu")
PREFERENCE = {Repeat: 3, Range: 2, Moment: 1, Length: 0}
NOT_AFTER_BARE = frozenset("% percent euro euros dollars pounds degrees people times of".split())
# What may follow "the second" or "next may" when they are dates; any other word makes them part of a name.
FOLLOWERS = frozenset(
    "at from to until till for with and but by in on if when please so because via about around before after this next "
    "i we he she they you it the a an my our your his her their is was will as then thanks".split()
)
COUNTED = frozenset("people percent children men women kg km pm2 mg ml".split())
FEAST_OPENERS = frozenset("on by before after until till for at since from this next last the".split())
# A feast before these is their day; before other nouns it only describes them: "christmas tree".
OCCASIONS = frozenset(
    "dinner lunch breakfast brunch party service mass concert morning afternoon evening night".split()
)
SUBJECTS = frozenset("i we he she they you it the a an my our his her their who".split())
Span = tuple[int, int]
RULE_FILES = (
    rules_lengths,
    rules_clock,
    rules_zones,
    rules_days,
    rules_units,
    rules_feasts,
    rules_relative,
    rules_ranges,
    rules_spans,
    rules_open,
    rules_repeat,
    rules_monthly,
    rules_series,
)


@cache
def grammar() -> Grammar:
    """All rules, built once."""
    return Grammar.union(rules.RULES for rules in RULE_FILES)


def clock_for(at: datetime, timezone: str) -> Clock:
    """A clock in a zone; numeric dates are read month first in the Americas and in UTC, day first elsewhere."""
    zone = ZoneInfo(timezone)
    return Clock(at.astimezone(zone), zone, timezone.startswith(MONTH_FIRST_ZONES))


def find_times(text: str, clock: Clock, *, literal: Sequence[Span] = (), bare: bool = False) -> list[Found]:
    """Every time phrase from left to right, without overlaps.

    ``literal`` are character spans to leave alone (quotes); ``bare`` reads a lone number as an hour ("make it 4").
    """
    tokens = tokenize(text)
    covered = {place for start, end in literal for place in range(start, end)}
    hidden = [token.start in covered for token in tokens]
    values = [[] if hide else seeds(token) for token, hide in zip(tokens, hidden, strict=True)]
    chart = Chart(
        [_masked(token) if hide else token for token, hide in zip(tokens, hidden, strict=True)], grammar(), values
    )
    found: list[Found] = []
    at = 0
    while at < len(tokens):
        best = _best(chart, at, clock, text, bare=bare)
        found += [best[1]] if best else []
        at = best[0] if best else at + 1
    return found


def _masked(token: Token) -> Token:
    return Token("\ufffc", token.start, token.end)


def _best(chart: Chart, at: int, clock: Clock, text: str, *, bare: bool) -> tuple[int, Found] | None:
    nodes = [node for node in chart.at(at) if type(node.value) in PREFERENCE or (bare and _bare_hour(node))]
    nodes += _weak_weekday(chart, at) + _alone(chart, at)
    for node in sorted(nodes, key=lambda node: (-node.end, -PREFERENCE.get(type(node.value), -1))):
        if not _supported(chart, node, bare_length=bare):
            continue
        span = (chart.tokens[node.start].start, chart.tokens[node.end - 1].end)
        value = _value(node)
        found = resolve(value, clock, text[slice(*span)], span)
        if found:
            said, others = doubts(value, clock)
            return node.end, replace(found, assumptions=said, alternatives=others)
    return None


def _bare_hour(node: Node) -> bool:
    return isinstance(node.value, Number) and rules_clock.hour(node.value) is not None


def _value(node: Node) -> Range | Repeat | Moment | Length:
    value = node.value
    if isinstance(value, Number):
        return Moment(time=rules_clock.hour(value))
    assert isinstance(value, Range | Repeat | Moment | Length)  # noqa: S101 - PREFERENCE names no other type
    return value


def _weak_weekday(chart: Chart, at: int) -> list[Node]:
    """A "sat" or "sun" that ends a phrase is a day, unless the word before makes it an ordinary word."""
    found = [node for node in chart.places[at].get(Weekday, []) if isinstance(node.value, Weekday) and node.value.weak]
    after = chart.tokens[at + 1].text if at + 1 < len(chart.tokens) else "."
    before = chart.tokens[at - 1].text if at else ""
    if not found or after[0].isalnum() or before in SUBJECTS or at == 0:
        return []
    weekday = found[0].value
    assert isinstance(weekday, Weekday)  # noqa: S101 - filtered above
    return [Node(at, at + 1, Moment(Day("weekday", (weekday.index, "coming"))))]


def _alone(chart: Chart, at: int) -> list[Node]:
    """A day that is all that was said needs no neighbour: "the 24th", "sat", "may"."""
    if at:
        return []
    last = len(chart.tokens)
    while last and chart.tokens[last - 1].text in ".!?":
        last -= 1
    days = [node for node in chart.places[at].get(Day, []) if node.end == last]
    return [Node(at, node.end, Moment(replace(node.value, latent=False))) for node in days if _latent(node.value)]


def _latent(value: Value) -> TypeGuard[Day]:
    return isinstance(value, Day) and value.latent


def _supported(chart: Chart, node: Node, *, bare_length: bool) -> bool:
    after = chart.tokens[node.end].text if node.end < len(chart.tokens) else ""
    if isinstance(node.value, Length):
        return bare_length or not _idle(chart, node)
    if _counts(chart, node) or _names(chart, node) or _numbered(chart, node):
        return False
    bare = isinstance(node.value, Moment) and node.value.time is not None and node.value.time.bare
    if not bare or not chart.tokens[node.end - 1].text[0].isalnum():
        return True
    unit = any(isinstance(other.value, Unit) for other in chart.at(node.end)) if node.end < len(chart.tokens) else False
    vague = chart.tokens[node.start].text in ("about", "around") and node.end - node.start == 2 and after.isalpha()
    return not unit and after not in NOT_AFTER_BARE and not vague


def _counts(chart: Chart, node: Node) -> bool:
    """Whether the last number of a phrase counts what follows: "friday 20 min", or is the "4a" of a flat."""
    last = chart.tokens[node.end - 1].text
    if last.isdecimal() and node.end < len(chart.tokens):
        units = any(isinstance(other.value, Unit) for other in chart.at(node.end))
        return units or _before_things(chart, node)
    lone = node.end - node.start == 1 and len(chart.tokens) > 1
    if lone and last[0].isdecimal() and last[-1] == "a":
        return True
    return _before_things(chart, node)


def _before_things(chart: Chart, node: Node) -> bool:
    """Whether a bare hour at the end of a phrase counts things: "between 5 and 10 people", "at 4 different shops"."""
    value = node.value
    ends = [value] if isinstance(value, Moment) else [value.start, value.end] if isinstance(value, Range) else []
    dated = any(end is not None and (end.day or end.shift) for end in ends)
    number = any(isinstance(other.value, Number) and not other.value.ordinal for other in chart.at(node.end - 1))
    words = [token.text for token in chart.tokens[node.end : node.end + 2]]
    if not ends or dated or not number or not words or words[0] in FOLLOWERS or chart.at(node.end):
        return False
    return words[0].isalpha() and any(word in COUNTED or (word[-1:] == "s" and len(word) > 3) for word in words)


def _numbered(chart: Chart, node: Node) -> bool:
    """Whether "2026-11" is the number of something: "invoice 2026-11"."""
    before = chart.tokens[node.start - 1].text if node.start else ""
    form = YEAR_MONTH.fullmatch(chart.tokens[node.start].text)
    return bool(form) and node.end - node.start == 1 and before.isalpha() and before not in FOLLOWERS


def _names(chart: Chart, node: Node) -> bool:
    """Whether a lone day of the month or a "may" belongs to the word behind it: "on the second floor", "this may be"."""
    after = chart.tokens[node.end].text if node.end < len(chart.tokens) else ""
    day = node.value.day if isinstance(node.value, Moment) else None
    if not after[:1].isalpha() or day is None or (isinstance(node.value, Moment) and node.value.time):
        return False
    if day.how == "feast" and chart.tokens[node.start].text not in FEAST_OPENERS:
        before = chart.tokens[node.start - 1].text if node.start else ""
        return after not in FOLLOWERS and after not in OCCASIONS and before not in FEAST_OPENERS
    lone = day.how == "monthday" and day.args[0] is None
    may = chart.tokens[node.end - 1].text in WEAK_MONTHS
    return (lone or may) and after not in FOLLOWERS


def _idle(chart: Chart, node: Node) -> bool:
    """Whether "a minute" or "a second" is only a manner of speaking."""
    words = [token.text for token in chart.tokens[node.start : node.end]]
    before = chart.tokens[node.start - 1].text if node.start else ""
    loose = words[0] in ("a", "an") and words[-1] in (
        "second",
        "sec",
        "minute",
        "min",
        "day",
        "week",
        "year",
        "m",
        "month",
        "quarter",
    )
    if words == ["one", "day"]:
        return before not in ("for", "takes", "take", "about")
    single = len(words) == 1 or words[0] == "-"
    return (loose and len(words) == 2 and before not in ("for", "takes", "take", "about")) or single


def resolve(value: Range | Repeat | Moment | Length, clock: Clock, text: str, span: Span) -> Found | None:
    """One reading as instants; None when the calendar has no such time."""
    if isinstance(value, Length):
        return _duration(value, text, span)
    if isinstance(value, Repeat):
        return _set(value, clock, text, span)
    if isinstance(value, Range):
        return _interval(value, clock, text, span)
    placed = place(value, clock)
    return _point(placed, text, span) if placed else None


def _point(placed: Placed, text: str, span: Span) -> Found:
    end = None if placed.timed else placed.end
    said = placed.timed, placed.day_said
    return Found(text, span, "point", placed.start, end, placed.grain, timed=said[0], day_said=said[1])


def _duration(length: Length, text: str, span: Span) -> Found | None:
    seconds = seconds_of(length)
    if not 0 < seconds <= 100 * 366 * 86400:
        return None
    grain = length.parts[-1][1]
    return Found(text, span, "duration", grain=grain, seconds=seconds, day_said=False)


def _set(repeat: Repeat, clock: Clock, text: str, span: Span) -> Found | None:
    rule = rule_of(repeat, clock)
    first = first_of(repeat, rule, clock)
    timed = repeat.time is not None or bool(repeat.start and repeat.start.time)
    end = ending(first, repeat.end_time, first.date()) if first and repeat.end_time else None
    if first is None:
        return None
    grain = "minute" if timed else "day"
    return Found(text, span, "set", first, end, grain, rrule=rule, timed=timed)  # type: ignore[arg-type]


def _interval(span_said: Range, clock: Clock, text: str, span: Span) -> Found | None:
    ends = place_range(span_said, clock)
    if ends is None:
        return None
    start, end = ends
    known = start or end
    assert known is not None  # noqa: S101 - place_range places at least one end
    kind = "interval" if start and end else "open_after" if start else "open_before"
    last = end.end if end and not end.timed else end.start if end else None
    day_said = known.day_said or bool(end and end.day_said)
    return Found(
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
