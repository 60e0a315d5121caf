"""The days that a question is about, and how they are said; which day a date is, and what time it is."""

from __future__ import annotations

from datetime import date, datetime, timedelta

from agents.dates_in_words import MONTHS, WEEKDAYS, say_clock
from agents.index.words import tokens
from agents.phrases import say_count
from agents.time import FoundTime
from agents.understanding.questions.query import Query
from agents.understanding.situation import Situation
from agents.understanding.values.days import days_of, on_days, part_of_day, span_of, whole_days

DEFAULT_HORIZON = timedelta(days=30)
HOUR, WEEK = 60, 7
PARTS = ("in the morning", "in the afternoon", "in the evening", "at night")
Span = tuple[datetime, datetime]


def asked_span(query: Query, situation: Situation) -> Span:
    """Return the hours or whole days that are asked about; the coming month where no time is said."""
    when = query.when
    if when is None or when.moment is None:
        return situation.now, situation.now + DEFAULT_HORIZON
    if when.kind == "open_before":
        end = _end(when, situation)
        midnight = whole_days(end.date(), end.date(), situation.scene)[0]
        return max(situation.now, midnight) if when.timed and when.day_said else situation.now, end
    part = part_of_day(when) or when.stretch
    if part:
        return part
    if when.timed and when.kind == "open_after":
        return when.moment, whole_days(when.moment.date(), when.moment.date(), situation.scene)[1]
    if when.timed:
        return (when.start, when.end) if when.start and when.end else span_of(when, query.minutes or HOUR)
    return whole_days(*days_of(when, situation.scene), situation.scene)


def _end(when: FoundTime, situation: Situation) -> datetime:
    end = when.end or when.start
    assert end is not None  # noqa: S101 - phrases without a moment were taken off before
    return end if when.timed else max(end, situation.now)


def last_day(until: datetime) -> date:
    """Return the last day of a span."""
    return (until - timedelta(microseconds=1)).date()


def is_week(when: FoundTime | None) -> bool:
    """Return whether a week is said."""
    return when is not None and when.grain == "week"


def say_days_on(span: Span, query: Query, situation: Situation) -> str:
    """Return the days of a question as when something is, with the part of the day; of a week, from today on."""
    first, last = span[0].date(), last_day(span[1])
    over = is_week(query.when) and last == situation.now.date()
    said = set(tokens(query.when.text)) if query.when and query.when.stretch else set()
    part = next((f" {words}" for words in PARTS if words.split()[-1] in said), "")
    return "tonight" if "tonight" in said else on_days(last if over else first, last, situation.scene) + part


def clock(query: Query, situation: Situation) -> list[str]:
    """Return the time and the day; of another day there is nothing to tell."""
    now = situation.now
    if query.when and query.when.moment and query.when.moment.date() != now.date():
        return []
    return [f"It is {say_clock(now)} on {WEEKDAYS[now.weekday()]} {now.day} {MONTHS[now.month - 1]}."]


def date_itself(query: Query, situation: Situation) -> list[str]:
    """Return which day a date is, or how long it is until then."""
    if query.when is None or query.when.moment is None:
        return []
    moment = query.when.moment
    if query.when.kind == "open_before":
        moment -= timedelta(microseconds=1)  # the end is exclusive
    days = (moment.date() - situation.now.date()).days
    if "how" not in query.word_set or days < 0:
        return [f"That is {_say_date(moment.date())}."]
    weeks = "weeks" in query.word_set and days >= WEEK
    left = f"about {say_count(round(days / WEEK), 'week')}" if weeks else say_count(days, "day")
    return [f"{left[0].upper()}{left[1:]}, until {_say_date(moment.date())}."]


def _say_date(day: date) -> str:
    return f"{WEEKDAYS[day.weekday()]} {day.day} {MONTHS[day.month - 1]} {day.year}"
