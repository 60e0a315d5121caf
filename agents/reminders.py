"""When a to-do reminds its user, and the words that tell it, late or not."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from typing import Any
from zoneinfo import ZoneInfo

from agents.conventions import QuietHours
from agents.punctual import LATE, OPEN
from agents.series import next_in_series
from agents.wording import quoted, say_count, say_duration, say_when

BRIEFING = "briefing"
"""The tag of a reminder whose words are the user's day, made from the records when it fires."""
MOST_MISSED = 200
DAY_CHARS = len("2026-11-18")


@dataclass(frozen=True)
class Due:
    """A moment to remind at, in UTC; ``stated`` when a person named the time, so that quiet hours do not move it."""

    at: datetime
    stated: bool


@dataclass(frozen=True)
class Round:
    """What is told of a reminder that came due: ``due``, how many ``earlier`` rounds were missed, and the next one."""

    due: Due
    earlier: int
    following: Due | None


def is_briefing(todo: Mapping[str, Any]) -> bool:
    """Whether a to-do, in JSON form, asks for the day to be told."""
    return bool(todo["kind"] == "reminder" and BRIEFING in todo["tags"])


def next_due(todo: Mapping[str, Any] | None, zone: str, morning: time, *, after: datetime | None = None) -> Due | None:
    """The first moment later than ``after`` at which a to-do, in JSON form, reminds; None when it does not (any more).

    ``zone`` counts where the to-do has none; ``morning`` is when a snooze until a day ends.
    """
    if todo is None or todo["status"] not in OPEN:
        return None
    place = ZoneInfo(todo.get("zone") or zone)
    snoozed = _snoozed(todo, place, morning)
    coming = _coming(todo, place, after, snoozed)
    if snoozed and (after is None or snoozed.at > after):
        return snoozed if coming is None or snoozed.at <= coming.at else coming
    return coming


def catch_up(todo: Mapping[str, Any], zone: str, morning: time, first: Due, now: datetime) -> Round:
    """The round to tell when ``first`` is due at last: the latest that has passed, since older ones help nobody."""
    latest, earlier = first, 0
    following = next_due(todo, zone, morning, after=first.at)
    while following and following.at <= now and earlier < MOST_MISSED:
        latest, earlier = following, earlier + 1
        following = next_due(todo, zone, morning, after=latest.at)
    if following and following.at <= now:
        following = next_due(todo, zone, morning, after=now)
    return Round(latest, earlier, following)


def end_of_quiet(local: datetime, quiet: QuietHours | None) -> datetime | None:
    """When the quiet hours end that a user's clock stands in, in UTC; None outside of them. Nudges wait until then."""
    if quiet is None or not quiet.cover(local.time()):
        return None
    end = datetime.combine(local.date(), time.fromisoformat(quiet.end))
    if end <= local.replace(tzinfo=None):
        end += timedelta(days=1)
    return end.replace(tzinfo=local.tzinfo).astimezone(UTC)


def words_of(title: str, due: datetime, now: datetime, *, earlier: int = 0) -> str:
    """What a reminder says; ``now`` is the user's clock, ``earlier`` counts rounds that nobody was told of."""
    late = say_late(due, now)
    if not late:
        return f"Reminder: {quoted(title)}."
    missed = f"; {say_count(earlier, 'earlier one')} passed while I was away" if earlier else ""
    return f"Reminder: {quoted(title)}, {late}. It was due {say_when(due, now)}{missed}."


def say_late(due: datetime, now: datetime) -> str:
    """How late it is: "14 minutes late"; empty within the first minute."""
    late = now - due
    return f"{say_duration(int(late.total_seconds() // 60))} late" if late >= LATE else ""


def _coming(todo: Mapping[str, Any], zone: ZoneInfo, after: datetime | None, snoozed: Due | None) -> Due | None:
    if not todo.get("remind_at"):
        return None
    first = datetime.fromisoformat(todo["remind_at"]).astimezone(UTC)
    # Snoozed means silent until then; a round that falls on the very moment is the snooze's own.
    floor = max((moment for moment in (after, snoozed and snoozed.at) if moment), default=None)
    stated = not is_briefing(todo)
    if floor is None or first > floor:
        return Due(first, stated)
    if not todo.get("recurrence"):
        return None
    found = next_in_series(todo["recurrence"], first, floor, zone)
    return Due(found, stated) if found else None


def _snoozed(todo: Mapping[str, Any], zone: ZoneInfo, morning: time) -> Due | None:
    until = todo.get("snooze_until")
    if not until:
        return None
    if len(until) > DAY_CHARS:
        return Due(datetime.fromisoformat(until).astimezone(UTC), stated=True)
    wall = datetime.combine(date.fromisoformat(until), morning, zone)
    return Due(wall.astimezone(UTC), stated=False)
