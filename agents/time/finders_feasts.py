"""Ways of finding feasts and days of their kind: the coming one, the nth from another day, where clocks change."""

from __future__ import annotations

from dataclasses import replace
from datetime import date, datetime, timedelta
from functools import cache
from zoneinfo import ZoneInfo

from agents.time.calendar import FINDERS, Found, Frame, add, find, pick, stretch
from agents.time.feasts import stretches
from agents.time.values import Day, Grain

YEARS_TO_SEARCH = 9
MOST_FEASTS = 20
AMERICAN = ZoneInfo("America/New_York")


def _feast(frame: Frame, name: str, which: str) -> Found | None:
    """The feast that is on or comes next; ``last``: the one that ended before today."""
    if which == "last":
        past = (span for back in range(YEARS_TO_SEARCH) for span in reversed(stretches(name, frame.today.year - back)))
        return next((span for span in past if span[1] <= frame.today), None)
    years = (frame.today.year - 1 + ahead for ahead in range(YEARS_TO_SEARCH))
    return next((span for year in years for span in stretches(name, year) if span[1] > frame.today), None)


def _nth_feast(frame: Frame, name: str, nth: int, base: Day) -> Found | None:
    """The nth such feast after a day or stretch, or before it when negative."""
    first, after = find(base, frame)
    spans = _around(name, first.year, abs(nth))
    return pick([span for span in spans if (span[0] >= after if nth > 0 else span[1] <= first)], nth)


def _closest_feast(frame: Frame, name: str, nth: int, base: Day) -> Found | None:
    first, _ = find(base, frame)
    return pick(sorted(_around(name, first.year, nth), key=lambda span: abs(span[0] - first)), max(nth, 0))


def _around(name: str, year: int, count: int) -> list[Found]:
    """Every time that a feast is kept around a year; some are kept every fourth year only."""
    reach = 4 * (count + 1) if count <= MOST_FEASTS else 0
    years = range(max(year - reach, 1), min(year + reach + 1, 9999))
    return [span for near in years for span in stretches(name, near)]


def _clock_change(frame: Frame, forward: bool) -> Found | None:  # noqa: FBT001 - what a day tells of itself
    """The coming day on which clocks are put forward or back; the American one in a zone that keeps its clocks."""
    years = [frame.today.year, frame.today.year + 1]
    days = [day for year in years for day in _changes(frame.zone, year, forward=forward)]
    if not days and frame.month_first:
        days = [day for year in years for day in _changes(AMERICAN, year, forward=forward)]
    return next((stretch(day, "day") for day in days if day >= frame.today), None)


@cache
def _changes(zone: ZoneInfo | None, year: int, *, forward: bool) -> tuple[date, ...]:
    """The days of a year in whose course a zone's offset from UTC grows (``forward``) or shrinks."""
    noons = [datetime(year, 1, 1, 12, tzinfo=zone) + timedelta(days=day) for day in range(366)]
    offsets = [noon.utcoffset() or timedelta() for noon in noons]
    pairs = zip(noons[1:], offsets, offsets[1:], strict=False)
    return tuple(noon.date() for noon, old, new in pairs if (new > old if forward else new < old))


def _as_of(frame: Frame, base: Day, count: float, grain: Grain) -> Found | None:
    """A day as it is called when so much time has passed: "easter in two years"."""
    return find(base, replace(frame, today=add(frame.today, count, grain)))


def _within(frame: Frame, base: Day, container: Day) -> Found | None:
    """The first such day that begins inside a stretch: "easter next year"; None when the stretch has none."""
    first, after = find(container, frame)
    found = find(base, replace(frame, today=first))
    if found[0] < first:
        found = find(base, replace(frame, today=found[1]))
    return found if found[0] < after else None


def _before(frame: Frame, base: Day, limit: Day) -> Found | None:
    """The last such day of the year that leads up to another: the start in "10 aug to 12 nov 2030"."""
    end, _ = find(limit, frame)
    return find(base, replace(frame, today=add(end, -1, "year") + timedelta(days=1)))


FINDERS |= {
    "feast": _feast, "nth_feast": _nth_feast, "closest_feast": _closest_feast, "clock_change": _clock_change,
    "as_of": _as_of, "within": _within, "before": _before,
}  # fmt: skip
