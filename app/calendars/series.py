"""One event of a calendar of elsewhere, with its repetitions, exceptions and changed occurrences, as busy times."""

from __future__ import annotations

import re
import signal
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime, time, timedelta
from typing import Any

from dateutil.rrule import rrulestr
from icalendar import Component, vUnknown

from agents.records import FIRST_YEAR, LAST_YEAR, EventFields
from agents.recurrence.expand import occurrences
from agents.recurrence.rules import parts_of
from app.calendars.moments import Moment, Zones, as_in_series, length, moment, moments

TOO_OFTEN = frozenset({"SECONDLY", "MINUTELY"})
MOST_EXTRA = 5_000
LONGEST_TITLE = 500
LONGEST_UID = 300
ESCAPED = re.compile(r"\\([,;\\])")
UNTITLED = "Busy"
FIRST, LAST = datetime(FIRST_YEAR, 1, 1, tzinfo=UTC), datetime(LAST_YEAR, 1, 1, tzinfo=UTC)
SECONDS_FOR_ONE = 0.5
MAX_SHIFT = timedelta(days=366)
SECOND = timedelta(seconds=1)


class Skipped(Exception):  # noqa: N818 - an outcome of reading
    """An event that is left out; the message says why, for people."""


@dataclass(frozen=True, slots=True)
class Busy:
    """One occurrence; ``end`` is exclusive, ``busy`` is False for what keeps nobody from anything."""

    uid: str
    title: str
    start: datetime
    end: datetime
    all_day: bool
    busy: bool


@dataclass(frozen=True, slots=True)
class ReadWindow:
    """The stretch of time that is read."""

    since: datetime
    until: datetime


def busy_times(versions: Sequence[Component], window: ReadWindow, zones: Zones) -> Iterator[Busy]:
    """The occurrences of all components with one UID: the series, and those of its occurrences that were changed.

    Raises Skipped.
    """
    changed = [version for version in versions if "RECURRENCE-ID" in version]
    series = [version for version in versions if "RECURRENCE-ID" not in version]
    turns = [version for version in changed if series and is_from_then_on(version)]
    singles = [version for version in changed if version not in turns]
    replaced = [found for version in singles if (found := moment(version, "RECURRENCE-ID", zones)) is not None]
    for one in series:
        yield from _times(one, window, zones, replaced, _turns(one, turns, zones) if turns else ())
    for single in (*singles, *(turn for turn in turns if "RRULE" in turn)):
        yield from _times(single, window, zones, ())


@dataclass(frozen=True, slots=True)
class Turn:
    """From where on a series is different: by a shift of its clock, as long as ``lasts``; or not at all any more."""

    since: datetime
    component: Component
    shift: timedelta
    lasts: timedelta | None

    @property
    def ends(self) -> bool:
        """Whether the series ends there: it is cancelled, or goes on by a rule of its own."""
        return is_cancelled(self.component) or "RRULE" in self.component

    def apply_to(self, begin: datetime, end: datetime, zone: Any) -> tuple[datetime, datetime]:
        """An occurrence as it is then, by wall clock."""
        moved = (begin.astimezone(zone).replace(tzinfo=None) + self.shift).replace(tzinfo=zone).astimezone(UTC)
        return moved, moved + (self.lasts or end - begin)


def is_from_then_on(component: Component) -> bool:
    """Whether a changed occurrence stands for all that come after it, too."""
    return str(component["RECURRENCE-ID"].params.get("RANGE", "")).upper() == "THISANDFUTURE"


def is_cancelled(component: Component) -> bool:
    """Whether an event does not take place."""
    return str(component.get("STATUS", "")).upper() == "CANCELLED"


def _turns(series: Component, changed: Sequence[Component], zones: Zones) -> list[Turn]:
    """The turns of a series, earliest first; raises Skipped for one that moves too far."""
    first = moment(series, "DTSTART", zones)
    found, zone = list[Turn](), _zone_of(first, zones)
    for component in changed:
        said = moment(component, "RECURRENCE-ID", zones)
        since = as_in_series(said, first, zones) if said is not None and first is not None else None
        start = moment(component, "DTSTART", zones) or since
        if since is None or start is None or isinstance(since, datetime) != isinstance(start, datetime):
            raise Skipped("changes from a day on that cannot be read")
        shift = _wall(start, zone) - _wall(since, zone)
        if abs(shift) > MAX_SHIFT:
            raise Skipped("moves too far from a day on")
        says = "DTEND" in component or "DURATION" in component
        found.append(Turn(_instant(since, zones), component, shift, length(component, start, zones) if says else None))
    return sorted(found, key=lambda turn: turn.since)


def _wall(value: Moment, zone: Any) -> datetime:
    """The clock of the series; a day is a day everywhere."""
    if isinstance(value, datetime):
        return value.astimezone(zone).replace(tzinfo=None)
    return datetime.combine(value, time())


def _instant(value: Moment, zones: Zones) -> datetime:
    return (value if isinstance(value, datetime) else datetime.combine(value, time(), zones.home)).astimezone(UTC)


def _times(
    component: Component,
    window: ReadWindow,
    zones: Zones,
    replaced: Sequence[Moment],
    turns: Sequence[Turn] = (),
) -> Iterator[Busy]:
    if is_cancelled(component):
        return
    start = moment(component, "DTSTART", zones)
    if start is None:
        raise Skipped("has no start that can be read")
    lasts = length(component, start, zones)
    if lasts is None:
        raise Skipped("ends before it starts")
    zone = _zone_of(start, zones)
    reach = max((abs(turn.shift) + (turn.lasts or timedelta()) for turn in turns), default=timedelta())
    reached = ReadWindow(window.since - reach, window.until + reach)
    left_out = {_key(as_in_series(value, start, zones)) for value in replaced}
    # A point in time is looked for as a second: what takes no time overlaps nothing.
    for begin, end in _spans(component, start, lasts or SECOND, reached, zones):
        if begin in left_out or begin.astimezone(zone).date() in left_out:
            continue
        turn = next((one for one in reversed(turns) if one.since <= begin), None)
        if turn is None or not turn.ends:
            begins, ends = turn.apply_to(begin, end, zone) if turn else (begin, end)
            if begins < window.until and window.since < ends:
                says = turn.component if turn and "SUMMARY" in turn.component else component
                takes = lasts if turn is None or turn.lasts is None else turn.lasts
                yield _busy(says, begins, ends if takes else begins, all_day=not isinstance(start, datetime))


def _key(value: Moment) -> Moment:
    return value.astimezone(UTC) if isinstance(value, datetime) else value


def _zone_of(start: Moment | None, zones: Zones) -> Any:
    return start.tzinfo if isinstance(start, datetime) else zones.home


def _spans(
    component: Component, start: Moment, lasts: timedelta, window: ReadWindow, zones: Zones
) -> Iterator[tuple[datetime, datetime]]:
    seen = set()
    skips = [as_in_series(value, start, zones) for value in moments(component, "EXDATE", zones)]
    alone, rule = own_start(start, rule_in(component, start), zones)
    series = [_fields(start, lasts, rule, skips, zones)] if rule else []
    singles = [start] if alone else []
    for event in (*series, *_once([*singles, *_dates(component, start, zones)], lasts, skips, zones)):
        for span in occurrences(event, window.since, window.until, zones.home):
            if span.start not in seen:
                seen.add(span.start)
                yield span.start, span.end


def _fields(start: Moment, lasts: timedelta, rule: str | None, skips: list[Moment], zones: Zones) -> EventFields:
    """The event as our own calendar would keep it, not validated again: it may hold more than a person would say."""
    if not isinstance(start, datetime):
        end: Moment = start + lasts - timedelta(days=1)
    else:
        end = start + lasts
    zone = getattr(start.tzinfo, "key", "UTC") if isinstance(start, datetime) else zones.home.key
    return EventFields.model_construct(
        title=UNTITLED,
        start=start,
        end=end,
        zone=zone,
        all_day=not isinstance(start, datetime),
        recurrence=rule,
        exdates=skips,
    )


def rule_in(component: Component, start: Moment) -> str | None:
    """The one rule of a series; raises Skipped for rules that are broken, several, or of seconds and minutes."""
    stated = component.get("RRULE")
    if stated is None:
        return None
    if isinstance(stated, list):
        raise Skipped("repeats by several rules")
    rule: str = stated.to_ical().decode()
    if any(str(part).upper() in TOO_OFTEN for part in stated.get("FREQ", [])):
        raise Skipped("repeats every minute or second")
    wall = start.replace(tzinfo=None) if isinstance(start, datetime) else datetime.combine(start, time())
    try:
        rrulestr(rule, dtstart=wall, ignoretz=True)
    except (ValueError, TypeError, KeyError, AttributeError, IndexError) as error:
        raise Skipped("repeats by a rule that cannot be read") from error
    return rule


def own_start(start: Moment, rule: str | None, zones: Zones) -> tuple[bool, str | None]:
    """Whether an event takes place at its start whatever its rule says, and the rule of all other times.

    The start is the first instance (RFC 5545, 3.8.5.3), also of a series whose rule has no such time or ends before it.
    """
    if rule is None:
        return True, None
    since = _instant(start, zones)
    event = _fields(start, SECOND if isinstance(start, datetime) else timedelta(days=1), rule, [], zones)
    if any(span.start == since for span in occurrences(event, since, since + SECOND, zones.home)):
        return False, rule
    parts = parts_of(rule)
    if "COUNT" not in parts:
        return True, rule
    rest = {**parts, "COUNT": str(int(parts["COUNT"]) - 1)}
    return True, ";".join(f"{name}={value}" for name, value in rest.items()) if rest["COUNT"] != "0" else None


def one_rule(component: Component, start: Moment, zones: Zones) -> str | None:
    """The rule of a series of which the start is one time; None for what takes place once. Raises Skipped."""
    rule = rule_in(component, start)
    alone, others = own_start(start, rule, zones)
    if not alone or others is None:
        return rule if not alone else None
    event = _fields(start, SECOND if isinstance(start, datetime) else timedelta(days=1), others, [], zones)
    if next(occurrences(event, _instant(start, zones), LAST, zones.home), None) is not None:
        raise Skipped("starts on a date of its own, beside those of its rule")
    return None


def _dates(component: Component, start: Moment, zones: Zones) -> Iterator[Moment]:
    """The times that a series has beside its rule; a day among times is meant at the time of the first."""
    for number, found in enumerate(moments(component, "RDATE", zones)):
        if number >= MOST_EXTRA:
            raise Skipped(f"has more than {MOST_EXTRA} dates of its own")
        value = as_in_series(found, start, zones)
        timed = isinstance(start, datetime) and not isinstance(value, datetime)
        yield datetime.combine(value, start.timetz()) if timed else value  # type: ignore[union-attr] # timed


def _once(times: Sequence[Moment], lasts: timedelta, skips: Sequence[Moment], zones: Zones) -> Iterator[EventFields]:
    """Single times, without those that are left out."""
    for value in times:
        day = value.date() if isinstance(value, datetime) else value
        if value not in skips and day not in skips:
            yield _fields(value, lasts, None, [], zones)


def _busy(component: Component, begin: datetime, end: datetime, *, all_day: bool) -> Busy:
    return Busy(
        uid=words(component.get("UID", ""), LONGEST_UID),
        title=words(component.get("SUMMARY", ""), LONGEST_TITLE) or UNTITLED,
        start=max(begin, FIRST),
        end=min(end, LAST),
        all_day=all_day,
        busy=begin < end and str(component.get("TRANSP", "")).upper() != "TRANSPARENT",
    )


def words(value: Any, longest: int) -> str:
    """Text as it can be stored and shown: in one line, without control characters, cut to a length."""
    first = value[0] if isinstance(value, list) and value else value
    # What the library does not know comes as it is written, escapes included.
    plain = ESCAPED.sub(r"\1", str(first)) if isinstance(first, vUnknown) else str(first)
    text = plain.encode("utf-8", "replace").decode()
    return " ".join("".join(letter if letter.isprintable() else " " for letter in text).split())[:longest]


@contextmanager
def limit_cpu_time() -> Iterator[None]:
    """Some rules never occur, and looking for that takes for ever: one event gets half a second of the processor."""

    def stop(_number: int, _frame: Any) -> None:
        raise Skipped("repeats in a way that takes too long to work out")

    before = signal.signal(signal.SIGVTALRM, stop)
    signal.setitimer(signal.ITIMER_VIRTUAL, SECONDS_FOR_ONE)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)
