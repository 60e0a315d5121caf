"""A due reminder as the notification that it becomes, by the clock and settings of its user."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from typing import Any
from uuid import UUID, uuid5
from zoneinfo import ZoneInfo

from agents.conventions import QuietHours, as_time, conventions_from
from agents.dates_in_words import ClockForm, say_duration, say_when
from agents.phrases import quote
from agents.policies.rules import QuietTime, rules_in
from agents.records import title_of
from agents.reminders import (
    DAY_CHARS,
    Due,
    catch_up,
    end_of_quiet,
    is_briefing,
    say_late,
    told_at,
    words_of,
    words_of_day,
)
from app.records.model.notices import Claimed, Notification, NotificationKind
from app.records.store.pending_reminders import STILL_OPEN
from app.records.store.reminder_lead_times import before_event

WAITING = "It still needs your confirmation."
UNANSWERED = "Nobody said yes to it, so it is not among your {kept}."
KEPT_PLACES = {"todo": "tasks", "note": "notes"}


@dataclass(frozen=True)
class UserClock:
    """The time of a notification, and the settings of its user. ``zone`` is the user's current time zone."""

    now: datetime
    zone: str
    morning: time
    quiet: tuple[QuietHours, ...] = ()
    form: ClockForm | None = None

    @property
    def local(self) -> datetime:
        """Now, where the user is."""
        return self.now.astimezone(ZoneInfo(self.zone))

    def quiet_until(self) -> datetime | None:
        """When the quiet hours end that the user is in, one stretch after another; None outside of them."""
        until: datetime | None = None
        for _ in self.quiet:
            moment = (until or self.now).astimezone(ZoneInfo(self.zone))
            ends = [end for stretch in self.quiet if (end := end_of_quiet(moment, stretch))]
            if not ends:
                break
            until = max(ends)
        return until


@dataclass(frozen=True)
class NotificationRow:
    """A notification, and the moment at which its to-do reminds next."""

    notification: Notification
    following: Due | None


def clock_of(
    settings: Mapping[str, Any], zone: str, now: datetime, policies: Sequence[dict[str, Any]] = ()
) -> UserClock:
    """The user's clock by the stored settings and the policies of instructions; ``zone`` counts when none was set."""
    stated = [settings["quiet_hours"]] if settings.get("quiet_hours") else []
    ruled = [rule for policy in policies for rule in rules_in(policy) if isinstance(rule, QuietTime)]
    quiet = [QuietHours.model_validate(one) for one in stated] + [
        QuietHours(start=rule.start, end=rule.end) for rule in ruled
    ]
    conventions = conventions_from(settings.get("conventions"))
    return UserClock(
        now, settings.get("timezone") or zone, as_time(conventions.morning), tuple(quiet), conventions.clock
    )


def todo_notification(clock: UserClock, claimed: Claimed, record: Mapping[str, Any], day: str) -> NotificationRow:
    """What a reminder of a to-do or a note, in JSON form, says now; ``day`` are the words of a briefing."""
    found = catch_up(record, clock.zone, clock.morning, Due(claimed.due_at, claimed.stated), clock.now)
    title, briefing = _title(claimed, record), is_briefing(record)
    due_day = _due_day(record, found.due, clock)
    words = (
        words_of_day(title, due_day, clock.local, earlier=found.earlier)
        if due_day
        else words_of(title, found.due.at, clock.local, earlier=found.earlier)
    )
    kind: NotificationKind = "briefing" if briefing else "reminder"
    text = _briefing(day, found.due, clock) if briefing else words
    return NotificationRow(_notification(clock, claimed, kind, title, text, found.due.at), found.following)


def _title(claimed: Claimed, record: Mapping[str, Any]) -> str:
    return title_of("note" if claimed.kind == "note" else "todo", dict(record))


def _due_day(record: Mapping[str, Any], due: Due, clock: UserClock) -> date | None:
    """The day on which a note is due that names no clock time; None for anything else."""
    when = told_at(record) if "category" in record else None
    if due.stated or when is None or len(when) > DAY_CHARS:
        return None
    zone = ZoneInfo(record.get("zone") or clock.zone)
    return due.at.astimezone(zone).date() if record.get("recurrence") else date.fromisoformat(when)


def event_notification(
    clock: UserClock, claimed: Claimed, event: Mapping[str, Any], lead: timedelta
) -> NotificationRow:
    """What is said ``lead`` before an event, in JSON form."""
    told = _before(clock, claimed, title_of("event", dict(event)), claimed.due_at + lead)
    return NotificationRow(told, before_event(event, lead, clock.now))


def imported_notification(clock: UserClock, claimed: Claimed, appointment: Mapping[str, Any]) -> NotificationRow:
    """What is said before an appointment of an imported calendar; its next round is its calendar's to say."""
    return NotificationRow(_before(clock, claimed, appointment["title"], appointment["start"]), None)


def _before(clock: UserClock, claimed: Claimed, title: str, start: datetime) -> Notification:
    left = int((start - clock.now).total_seconds() + 30) // 60
    begins = f"begins in {say_duration(left)}" if left > 0 else "begins now" if left == 0 else "has begun"
    late = say_late(claimed.due_at, clock.local)
    text = f"Reminder: {quote(title)} {begins}, {say_when(start, clock.local)}{f' ({late})' if late else ''}."
    return _notification(clock, claimed, "reminder", title, text, claimed.due_at)


def held_notification(clock: UserClock, claimed: Claimed, held: Mapping[str, Any]) -> NotificationRow:
    """What is said of a reminder that nobody has said yes to, by its time: that it waits, or that it is too late."""
    words = words_of(held["title"], claimed.due_at, clock.local)
    tail = WAITING if held[STILL_OPEN] else UNANSWERED.format(kept=KEPT_PLACES[claimed.kind])
    return NotificationRow(
        _notification(clock, claimed, "reminder", held["title"], f"{words} {tail}", claimed.due_at), None
    )


def _notification(
    clock: UserClock, claimed: Claimed, kind: NotificationKind, title: str, text: str, due: datetime
) -> Notification:
    return Notification(
        id=notification_id(claimed),
        kind=kind,
        record_kind=claimed.kind,
        record_id=claimed.record_id,
        title=title,
        text=text,
        due_at=due,
        fired_at=clock.now,
        late_seconds=max(int((clock.now - due).total_seconds()), 0),
        event_seq=0,
        outcome=None,
        acknowledged_at=None,
        snoozed_until=None,
    )


def notification_id(claimed: Claimed) -> UUID:
    """The same for every attempt to tell a reminder, so that the table would refuse a second one."""
    return uuid5(claimed.user_id, f"{claimed.kind}:{claimed.record_id}:{claimed.due_at.timestamp()}")


def _briefing(day: str, due: Due, clock: UserClock) -> str:
    late = say_late(due.at, clock.local)
    return f"{day} (This comes {late}.)" if late else day
