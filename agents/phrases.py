"""Dates, lengths of time and lists as people say them, relative to a clock and its zone."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from datetime import date, datetime

from agents.languages import MONTHS, WEEKDAYS, deferred, month_name, say, say_number, weekday_name

__all__ = [
    "COUNTS",
    "MONTHS",
    "NOT_IN_NOTES",
    "WEEKDAYS",
    "plural",
    "quoted",
    "reads_english",
    "say_clock",
    "say_count",
    "say_day",
    "say_duration",
    "say_either",
    "say_list",
    "say_on",
    "say_span",
    "say_when",
    "side_by_side",
]
NEAR = {-1: deferred("yesterday"), 0: deferred("today"), 1: deferred("tomorrow")}
NOT_IN_NOTES = "I found nothing about that in your notes."
COMMON = frozenset(
    "the and or to for with from it its this that these you your my our they their she not can could would should does "
    "have has what which how when there about more will be are but by than some".split()
)
"""Words that make up much of any English text, and that other languages do not spell alike."""
ENGLISH_SHARE, FEW_WORDS = 0.12, 4
COUNTS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")


def say_when(value: datetime | date, now: datetime) -> str:
    """A day or an instant in words, in the zone of ``now``: "tomorrow at 17:00", "Friday 27 November"."""
    if not isinstance(value, datetime):
        return say_day(value, now)
    local = value.astimezone(now.tzinfo) if value.tzinfo else value
    return say("{day} at {clock}", day=say_day(local.date(), now), clock=say_clock(local))


def say_on(value: datetime | date, now: datetime) -> str:
    """A day or an instant as part of a sentence: "on Friday 27 November", but "tomorrow"."""
    said = say_when(value, now)
    return said if _near(_local_day(value, now), now) else say("on {when}", when=said)


def say_day(day: date, now: datetime) -> str:
    """A day in words; the year is said only when it is another one."""
    if near := _near(day, now):
        return say(near)
    named = {"weekday": weekday_name(day.weekday()), "day": day.day, "month": month_name(day)}
    if day.year == now.year:
        return say("{weekday} {day} {month}", **named)
    return say("{weekday} {day} {month} {year}", **named, year=day.year)


def _near(day: date, now: datetime) -> str:
    return NEAR.get((day - now.date()).days, "")


def _local_day(value: datetime | date, now: datetime) -> date:
    if not isinstance(value, datetime):
        return value
    return (value.astimezone(now.tzinfo) if value.tzinfo else value).date()


def say_clock(instant: datetime) -> str:
    """A clock time on 24 hours."""
    return f"{instant:%H:%M}"


def say_span(start: datetime | date, end: datetime | date | None, now: datetime) -> str:
    """From when to when; the second day is said only when it is another one."""
    if end is None or end == start:
        return say_when(start, now)
    if isinstance(start, datetime) and isinstance(end, datetime):
        start, end = start.astimezone(now.tzinfo), end.astimezone(now.tzinfo)
        if start.date() == end.date():
            clocks = {"start": say_clock(start), "end": say_clock(end)}
            return say("{day} from {start} to {end}", day=say_day(start.date(), now), **clocks)
    return say("{start} to {end}", start=say_when(start, now), end=say_when(end, now))


def side_by_side(pieces: Iterable[str]) -> str:
    """Sentences with a space between two of them, except where a line ends."""
    text = ""
    for piece in pieces:
        text += piece if not text or text.endswith("\n") else f" {piece}"
    return text.strip()


def say_list(words: Sequence[str]) -> str:
    """Words as an enumeration: "a", "a and b", "a, b and c"."""
    if len(words) <= 1:
        return "".join(words)
    return say("{items} and {last}", items=", ".join(words[:-1]), last=words[-1])


def say_either(words: Sequence[str]) -> str:
    """Words as a choice: "a", "a or b", "a, b or c"."""
    if len(words) <= 1:
        return "".join(words)
    return say("{items} or {last}", items=", ".join(words[:-1]), last=words[-1])


def say_duration(minutes: int) -> str:
    """A length of time given in minutes: "45 minutes", "1 hour 30 minutes", "2 days"."""
    days, rest = divmod(max(minutes, 0), 24 * 60)
    hours, left = divmod(rest, 60)
    counts = ((days, "day"), (hours, "hour"), (left, "minute"))
    return " ".join(say_count(count, unit) for count, unit in counts if count) or say_count(0, "minute")


def say_count(count: int, noun: str) -> str:
    """A number with its noun in the right form: "1 task", "3 tasks"."""
    return say_number(f"{{count}} {noun}", f"{{count}} {plural(noun)}", count)


def plural(noun: str) -> str:
    """The plural of an English noun, regular forms only."""
    if noun.endswith("y") and noun[-2:-1] not in "aeiou":
        return f"{noun[:-1]}ies"
    return f"{noun}es" if noun.endswith(("s", "x", "ch", "sh")) else f"{noun}s"


def quoted(title: str) -> str:
    """A title in quotation marks, as part of a sentence."""
    return f"“{title}”"


def reads_english(text: str, declared: str = "") -> bool:
    """Whether a text is English by its common words; one of few words is in the ``declared`` language (BCP 47)."""
    words = re.findall(r"[^\W\d_]+", text.lower())
    if len(words) < FEW_WORDS:
        return not words or declared.lower().startswith("en") or not declared
    return sum(word in COMMON for word in words) >= ENGLISH_SHARE * len(words)
