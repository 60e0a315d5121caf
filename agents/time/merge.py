"""Phrases that stand apart but belong together: a day here and a clock time there, a series and its first or last day."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from datetime import date, datetime, timedelta
from itertools import pairwise

from dateutil.rrule import rrulestr

from agents.time.resolve import Clock, to_instant
from agents.time.values import FoundTime

HAS_PASSED = "has passed"
JOINED = re.compile(r"\s*(?:,|or|and|,\s*(?:or|and)|&|/)\s*", re.IGNORECASE)
BESIDE = re.compile(r"\s*,?\s*(?:(?:for|lasting)\s*)?", re.IGNORECASE)
HOW_OFTEN = re.compile(
    r"(?:every\s+)?(?:daily|weekly|monthly|week|month|(?P<two>bi-?weekly|fortnightly|(?:other|second) week|two weeks))",
    re.IGNORECASE,
)
DATELESS = re.compile(r"FREQ=YEARLY|FREQ=MONTHLY(?:;INTERVAL=\d+)?")
BY_THE_HOUR = re.compile(r"FREQ=(?:HOURLY|MINUTELY)")
BOUNDED = re.compile(r"UNTIL=|COUNT=")
PART_OF_DAY = re.compile(
    r"[^\d]*\b(?P<part>morning|afternoon|evening|night|today|after (?:work|school|lunch|dinner))", re.IGNORECASE
)


def merge_phrases(found: Sequence[FoundTime], clock: Clock) -> list[FoundTime]:
    """The same phrases with days given to lone clock times and first days to series."""
    return _with_first_day(_with_day(_on_its_date(_with_end(_without_adverb(list(found)))), clock), clock)


def _without_adverb(found: list[FoundTime]) -> list[FoundTime]:
    """Of two series the one that names its days: "weekly ... mondays at 2" is one series."""
    series = [item for item in found if item.kind == "set"]
    adverbs = {id(item): match for item in series if (match := HOW_OFTEN.fullmatch(item.text.strip()))}
    if not 0 < len(adverbs) < len(series):
        return found
    kept = [item for item in found if id(item) not in adverbs]
    every_other = any(match["two"] for match in adverbs.values())
    return [_every_other(item) if every_other and item.kind == "set" else item for item in kept]


def _with_end(found: list[FoundTime]) -> list[FoundTime]:
    """The series with its end: "every tuesday at 6 for 45 minutes, until the end of june"."""
    endless = [item for item in found if item.kind == "set" and not BOUNDED.search(item.rrule or "")]
    last = [item for item in found if item.kind == "open_before" and item.role == "until" and item.end]
    if len(endless) != 1 or len(last) != 1 or last[0].end is None:
        return found
    rule = f"{endless[0].rrule};UNTIL={last[0].end - timedelta(seconds=1):%Y%m%d}T235959"
    return [replace(item, rrule=rule) if item is endless[0] else item for item in found if item is not last[0]]


def with_latest_hour(found: Sequence[FoundTime], clock: Clock) -> list[FoundTime]:
    """The series at the hour by which it is due: "every thursday before noon" (of a rule it is a stretch)."""
    series = [item for item in found if item.kind == "set" and not item.timed and item.start]
    series = [item for item in series if not BY_THE_HOUR.search(item.rrule or "")]
    hours = [item for item in found if item.role == "deadline" and item.timed and not item.day_said]
    ends = any(item.role == "until" for item in found)
    if len(series) != 1 or len(hours) != 1 or ends or series[0].start is None:
        return list(found)
    hour = on_day(hours[0], series[0].start.date(), clock).end
    rounds = rrulestr(series[0].rrule or "", dtstart=hour and hour.replace(tzinfo=None))
    first = rounds.after(clock.at.replace(tzinfo=None))
    if first is None:
        return list(found)
    timed = replace(series[0], start=to_instant(first, clock.zone), timed=True)
    return [timed if item is series[0] else item for item in found if item is not hours[0]]


def _every_other(series: FoundTime) -> FoundTime:
    """A weekly series in every second week."""
    rule = series.rrule or ""
    plain = rule.startswith("FREQ=WEEKLY") and "INTERVAL" not in rule
    return replace(series, rrule=rule.replace("FREQ=WEEKLY", "FREQ=WEEKLY;INTERVAL=2", 1)) if plain else series


def _on_its_date(found: list[FoundTime]) -> list[FoundTime]:
    """What comes back in months or years begins on the day that is named beside it: "14 sept every year"."""
    rare = next((item for item in found if DATELESS.fullmatch(item.rrule or "") and not item.timed), None)
    days = [item for item in found if item.kind == "point" and item.day_said and (item.timed or item.grain == "day")]
    if rare is None or len(days) != 1 or (days[0].timed and rare.rrule == "FREQ=YEARLY"):
        return found
    dated = replace(rare, start=days[0].start, end=None, day_said=True, timed=days[0].timed, grain=days[0].grain)
    return [dated if item is rare else item for item in found if item is not days[0]]


def merge_neighbours(found: Sequence[FoundTime], text: str, clock: Clock) -> list[FoundTime]:
    """The same phrases, where a clock time takes the day of the one it is joined to: "tomorrow at 10 and 2"."""
    kept = list(found)
    gaps = [text[first.span[1] : second.span[0]] for first, second in pairwise(found)]
    joined = [at for at, gap in enumerate(gaps) if JOINED.fullmatch(gap)]
    for at in joined:
        kept[at + 1] = _on_day_of(kept[at], kept[at + 1], clock)
    for at in reversed(joined):
        kept[at] = _on_day_of(kept[at + 1], kept[at], clock)
    for at, (series, length) in enumerate(pairwise(kept)):
        first = kept[at + 2] if length.kind == "duration" and len(kept) > at + 2 else length
        if series.kind == "set" and all(BESIDE.fullmatch(gap) for gap in gaps[at : at + 1 + (first is not length)]):
            kept[at] = _from_first_day(series, first, clock) or series
    return kept


def _on_day_of(other: FoundTime, found: FoundTime, clock: Clock) -> FoundTime:
    dated = _is_clock(other) and other.day_said and other.start is not None
    if not dated or other.start is None or not _is_clock(found) or found.day_said:
        return found
    moved = on_day(found, other.start.date(), clock)
    # Which day a clock time would fall on by itself no longer matters.
    return replace(
        moved, assumptions=tuple(said for said in found.assumptions if HAS_PASSED not in said), alternatives=()
    )


def _is_clock(found: FoundTime) -> bool:
    return found.timed and found.kind in ("point", "interval")


def on_day(found: FoundTime, day: date, clock: Clock) -> FoundTime:
    """A lone clock time or interval moved to a day, by wall clock."""
    base = found.start or found.end
    if base is None:
        return found
    shift = day - base.date()
    ends = [_shift_instant(end, shift, clock) for end in (found.start, found.end, *(found.stretch or ()))]
    stretch = (ends[2], ends[3]) if found.stretch and ends[2] and ends[3] else None
    return replace(found, start=ends[0], end=ends[1], stretch=stretch, day_said=True)


def _shift_instant(instant: datetime | None, shift: timedelta, clock: Clock) -> datetime | None:
    return instant and to_instant(instant.replace(tzinfo=None) + shift, clock.zone)


def _with_day(found: list[FoundTime], clock: Clock) -> list[FoundTime]:
    days = [item for item in found if item.kind in ("point", "open_before") and not item.timed and item.grain == "day"]
    days = days or [item for item in found if _is_part_of_day(item)]
    clocks = [
        item for item in found if item.timed and not item.day_said and item.kind in ("point", "interval", "open_before")
    ]
    if len(days) != 1 or not clocks:
        return found
    day = days[0].start or (days[0].end and days[0].end - timedelta(microseconds=1))
    if day is None:
        return found
    dated = replace(
        on_day(clocks[0], day.date(), clock), role=days[0].role if clocks[0].role == "when" else clocks[0].role
    )
    return [dated if item is clocks[0] else item for item in found if item is not days[0]]


def _is_part_of_day(item: FoundTime) -> bool:
    """Whether a phrase names a day and a part of it, beside which a clock time may stand: "thursday morning"."""
    return (
        item.kind in ("point", "open_after")
        and item.timed
        and item.day_said
        and PART_OF_DAY.fullmatch(item.text) is not None
    )


def _with_first_day(found: list[FoundTime], clock: Clock) -> list[FoundTime]:
    series = next((item for item in found if item.kind == "set"), None)
    if series is None or series.rrule is None or series.start is None:
        return found
    series, found = _with_clock(series, found, clock)
    first = next((item for item in found if item.kind == "open_after" and not item.timed and item.start), None)
    moved = _from_first_day(series, first, clock) if first else None
    return [moved if item is series else item for item in found if item is not first] if moved else found


def _from_first_day(series: FoundTime, first: FoundTime, clock: Clock) -> FoundTime | None:
    """Give the series from the day on which it was said to begin; None where that says no day."""
    if first.kind != "open_after" or first.timed or not first.start or not series.start or not series.rrule:
        return None
    floor = datetime.combine(max(first.start.date(), series.start.date()), series.start.time())
    begin = rrulestr(series.rrule, dtstart=floor, ignoretz=True).after(floor, inc=True)
    return on_day(series, begin.date(), clock) if begin else None


def _with_clock(series: FoundTime, found: list[FoundTime], clock: Clock) -> tuple[FoundTime, list[FoundTime]]:
    """A clock time that stands apart from its series: "every monday piano at four"."""
    lone = next(
        (item for item in found if item.timed and not item.day_said and item.kind in ("point", "interval")), None
    )
    if series.timed or lone is None or series.start is None or lone.start is None:
        return series, found
    dated = on_day(lone, series.start.date(), clock)
    if dated.start and dated.start <= clock.at:
        dated = on_day(lone, _first_from(lone.start, series, clock), clock)
    timed = replace(series, start=dated.start, end=dated.end, timed=True, grain="minute")
    return timed, [timed if item is series else item for item in found if item is not lone]


def _first_from(start: datetime, series: FoundTime, clock: Clock) -> date:
    """The first day of a series from an instant on: "daily standup at 9", said at ten, begins tomorrow."""
    begin = start.astimezone(clock.zone).replace(tzinfo=None)
    first = next(iter(rrulestr(series.rrule or "", dtstart=begin, ignoretz=True)), begin)
    return first.date()
