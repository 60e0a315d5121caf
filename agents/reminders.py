"""When a to-do or a note reminds its user, and the words that tell it, late or not."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from typing import Any
from zoneinfo import ZoneInfo

from agents.conventions import QuietHours
from agents.dates_in_words import say_duration, say_when
from agents.ledger.reminder_time import LATE_TOLERANCE, OPEN_TASK_STATES
from agents.phrases import quote, say_count
from agents.recurrence.next import next_in_series

STILL_TOLD = OPEN_TASK_STATES | {"active", "snoozed"}
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
    """One round of a due reminder: ``due``, how many ``earlier`` rounds were missed, and the next one."""

    due: Due
    earlier: int
    following: Due | None


def is_briefing(record: Mapping[str, Any]) -> bool:
    """Whether a record, in JSON form, is the reminder of a scheduled briefing."""
    return bool(record.get("kind") == "reminder" and BRIEFING in record["tags"])


def told_at(record: Mapping[str, Any]) -> str | None:
    """When a record, in JSON form, fires: a to-do at its reminder, a note at its deadline."""
    return record.get("deadline" if "category" in record else "remind_at")


def first_due(record: Mapping[str, Any], zone: str, morning: time) -> Due | None:
    """The first moment that a record names, whatever its state; a day means its ``morning``."""
    when = told_at(record)
    found = _due(when, ZoneInfo(record.get("zone") or zone), morning) if when else None
    return Due(found.at, stated=False) if found and is_briefing(record) else found


def next_due(
    record: Mapping[str, Any] | None, zone: str, morning: time, *, after: datetime | None = None
) -> Due | None:
    """The first moment later than ``after`` at which a record, in JSON form, reminds; None when it does not (any more).

    ``zone`` counts where the record has none; ``morning`` is the time of what is only said to be on a day.
    """
    if record is None or record["status"] not in STILL_TOLD:
        return None
    place = ZoneInfo(record.get("zone") or zone)
    snoozed = _due(record["snooze_until"], place, morning) if record.get("snooze_until") else None
    coming = _coming(record, first_due(record, zone, morning), after, snoozed, place)
    if snoozed and (after is None or snoozed.at > after):
        return snoozed if coming is None or snoozed.at <= coming.at else coming
    return coming


def catch_up(record: Mapping[str, Any], zone: str, morning: time, first: Due, now: datetime) -> Round:
    """The round to tell when ``first`` is due at last: the latest that has passed, since older ones help nobody."""
    latest, earlier = first, 0
    following = next_due(record, zone, morning, after=first.at)
    while following and following.at <= now and earlier < MOST_MISSED:
        latest, earlier = following, earlier + 1
        following = next_due(record, zone, morning, after=latest.at)
    if following and following.at <= now:
        following = next_due(record, zone, morning, after=now)
    return Round(latest, earlier, following)


def end_of_quiet(local: datetime, quiet: QuietHours | None) -> datetime | None:
    """The end, in UTC, of the quiet hours around a local time; None outside of them. Nudges wait until then."""
    if quiet is None or not quiet.cover(local.time()):
        return None
    end = datetime.combine(local.date(), time.fromisoformat(quiet.end))
    if end <= local.replace(tzinfo=None):
        end += timedelta(days=1)
    return end.replace(tzinfo=local.tzinfo).astimezone(UTC)


def words_of(title: str, due: datetime, now: datetime, *, earlier: int = 0) -> str:
    """The text of a reminder; ``now`` is the user's local time, ``earlier`` counts missed rounds."""
    late = say_late(due, now)
    if not late:
        return f"Reminder: {quote(title)}."
    missed = f"; {say_count(earlier, 'earlier one')} passed while I was away" if earlier else ""
    return f"Reminder: {quote(title)}, {late}. It was due {say_when(due, now)}{missed}."


def words_of_day(title: str, day: date, now: datetime, *, earlier: int = 0) -> str:
    """What is said of something due on a day, which is only late when the day is over."""
    missed = f" ({say_count(earlier, 'earlier round')} passed while I was away)" if earlier else ""
    return f"Reminder: {quote(title)} {'is' if day >= now.date() else 'was'} due {say_when(day, now)}{missed}."


def say_late(due: datetime, now: datetime) -> str:
    """How late it is: "14 minutes late"; empty within the first minute."""
    late = now - due
    return f"{say_duration(int(late.total_seconds() // 60))} late" if late >= LATE_TOLERANCE else ""


def _coming(
    record: Mapping[str, Any], first: Due | None, after: datetime | None, snoozed: Due | None, zone: ZoneInfo
) -> Due | None:
    # Snoozed means silent until then; a round that falls on the very moment is the snooze's own.
    floor = max((moment for moment in (after, snoozed and snoozed.at) if moment), default=None)
    if first is None or floor is None or first.at > floor:
        return first
    found = next_in_series(record["recurrence"], first.at, floor, zone) if record.get("recurrence") else None
    return Due(found, first.stated) if found else None


def _due(when: str, zone: ZoneInfo, morning: time) -> Due:
    if len(when) > DAY_CHARS:
        return Due(datetime.fromisoformat(when).astimezone(UTC), stated=True)
    wall = datetime.combine(date.fromisoformat(when), morning, zone)
    return Due(wall.astimezone(UTC), stated=False)
