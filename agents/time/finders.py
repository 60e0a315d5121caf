"""Days found by way of other days: feasts, seasons, units counted inside a stretch, a day as seen from another day."""

from __future__ import annotations

from dataclasses import replace
from datetime import date, timedelta

from agents.time.calendar import FINDERS, Found, Frame, add, ahead, begin, find, locate, pick, stretch
from agents.time.values import Day, Grain
from agents.time.working_days import is_worked

SEASONS = {"spring": (3, 21), "summer": (6, 21), "autumn": (9, 23), "winter": (12, 21)}
MIDWEEK = timedelta(days=3)
MOST_UNITS, MOST_WEEKS = 400, 60
MOST_BACK = 9  # from one 29 February to the one before, over a century without


def _nth_unit(frame: Frame, nth: int, grain: Grain, container: Day) -> Found | None:
    """The nth unit of a stretch, from its end when negative; a week lies where its fourth day does."""
    return ahead(frame, container, lambda stretch: _nth_in(frame, nth, grain, stretch))


def _nth_in(frame: Frame, nth: int, grain: Grain, container: Day) -> Found | None:
    return pick(_units(frame, find(container, frame), grain), nth)


def _units(frame: Frame, outer: Found, grain: Grain) -> list[Found]:
    if grain == "workday":
        days = (outer[0] + timedelta(days=step) for step in range((outer[1] - outer[0]).days))
        return [stretch(day, "day") for day in days if is_worked(day, frame.working_days, frame.country)]
    first = begin(outer[0], grain, frame.week_start)
    units: list[Found] = []
    mark = MIDWEEK if grain == "week" else timedelta()
    while first + mark < outer[1] and len(units) <= MOST_UNITS:
        if first + mark >= outer[0]:
            units.append(stretch(first, grain))
        first = add(first, 1, grain)
    return units


def _some_units(frame: Frame, nth: int, count: int, grain: Grain, container: Day) -> Found | None:
    """The first or last few units of a stretch: "the first two weeks of june"."""
    edges = (1, count) if nth > 0 else (-count, -1)
    first, last = (_nth_unit(frame, edge, grain, container) for edge in edges)
    return (first[0], last[1]) if first and last else None


def _iso_week(frame: Frame, number: int, container: Day | None) -> Found | None:
    """Week 12 of a year; numbered weeks begin on Monday for everyone."""
    return _in_year(replace(frame, week_start=0), number, container, "week")


def _quarter(frame: Frame, number: int, container: Day | None) -> Found | None:
    return _in_year(frame, number, container, "quarter")


def _in_year(frame: Frame, number: int, container: Day | None, grain: Grain) -> Found | None:
    """A numbered unit of a year, of the coming one when this year's is over."""
    years = [container] if container else [Day("year", (frame.today.year + ahead,), "year") for ahead in (0, 1)]
    found = [_nth_unit(frame, number, grain, year) for year in years]
    return next((unit for unit in found if unit and (container or unit[1] > frame.today)), None)


def _week_of(frame: Frame, day: Day) -> Found | None:
    return stretch(begin(find(day, frame)[0], "week", frame.week_start), "week")


def _season(frame: Frame, name: str, which: str) -> Found:
    """A season by the sun; "this" and "coming" may be the one that is on."""
    month, day = SEASONS[name]
    ends = {"spring": (6, 21), "summer": (9, 23), "autumn": (12, 21), "winter": (3, 21)}[name]
    spans = [
        (date(year, month, day), date(year + (name == "winter"), *ends))
        for year in range(frame.today.year - 2, frame.today.year + 3)
    ]
    if which == "last":
        return [span for span in spans if span[1] <= frame.today][-1]
    ahead = [span for span in spans if span[1] > frame.today]
    return ahead[1] if which == "next" and ahead[0][0] <= frame.today else ahead[0]


def _rest(frame: Frame, container: Day) -> Found | None:
    """What is left of a stretch from today on."""
    found = find(container, frame)
    return (max(found[0], frame.today), found[1]) if found[1] > frame.today else None


def _so_far(frame: Frame, container: Day) -> Found | None:
    """What has passed of a stretch, up to yesterday; on its first day that day."""
    found = find(container, frame)
    return found[0], min(found[1], max(frame.today, found[0] + timedelta(days=1)))


def _latest(frame: Frame, base: Day) -> Found | None:
    """A day or month that comes back, the last time it was; what lies behind already stays."""
    grain: Grain = "month" if base.how == "monthday" and base.args[0] is None else "year"
    frames = (replace(frame, today=add(frame.today, -back, grain)) for back in range(MOST_BACK))
    found = (locate(base, earlier) for earlier in frames)
    return next((stretch for stretch in found if stretch and stretch[0] <= frame.today), None)


def _nth_after(frame: Frame, index: int, count: int, base: Day) -> Found | None:
    """The nth such weekday after (before, when negative) a day."""
    first, sign = find(base, frame)[0], 1 if count > 0 else -1
    near = sign * ((sign * (index - first.weekday()) - 1) % 7 + 1)
    return stretch(first + timedelta(days=near + 7 * (count - sign)), "day") if 0 < abs(count) <= MOST_WEEKS else None


def _closest(frame: Frame, index: int, nth: int, base: Day) -> Found | None:
    """The nth nearest such weekday to a day, that day included."""
    found = find(base, frame)
    first = found[0] + timedelta(days=(index - found[0].weekday()) % 7 - 7 * nth)
    days = [first + timedelta(days=7 * step) for step in range(2 * nth + 1)]
    return stretch(sorted(days, key=lambda day: abs(day - found[0]))[nth - 1], "day")


def _following(frame: Frame, base: Day) -> Found | None:
    """The day after a stretch."""
    return stretch(find(base, frame)[1], "day")


def _third(frame: Frame, base: Day, which: int) -> Found | None:
    """The first or last third of a stretch: "early march" is its first ten days."""
    found = find(base, frame)
    step = timedelta(days=(found[1] - found[0]).days // 3)
    return (found[0], found[0] + step) if which == 0 else (found[0] + 2 * step, found[1])


def _coming_weekend(frame: Frame) -> Found:
    """The weekend ahead; on a weekend, the one after."""
    saturday = begin(frame.today, "weekend")
    return stretch(saturday if frame.today < saturday else saturday + timedelta(days=7), "weekend")


def _half(frame: Frame, base: Day, which: int) -> Found | None:
    """The first or second half of a stretch: of a year by months, of a month from the 16th."""
    found = find(base, frame)
    if base.grain == "year":
        middle = add(found[0], 6, "month")
    else:
        middle = found[0] + timedelta(days=15 if base.grain == "month" else (found[1] - found[0]).days // 2)
    return (found[0], middle) if which == 0 else (middle, found[1])


def _beside(frame: Frame, base: Day, grain: Grain, step: int) -> Found | None:
    """The week, weekend or month after (or before) the one that a day lies in."""
    found = find(base, frame)
    first = begin(found[0], grain, frame.week_start)
    near = grain == "weekend" and step > 0 and found[0] < first
    return stretch(first if near else add(first, step, grain), grain)


FINDERS |= {
    "nth_unit": _nth_unit, "some_units": _some_units, "iso_week": _iso_week, "quarter": _quarter, "week_of": _week_of,
    "season": _season, "rest": _rest, "so_far": _so_far, "latest": _latest, "nth_after": _nth_after, "third": _third,
    "beside": _beside, "half": _half, "closest": _closest, "coming_weekend": _coming_weekend, "following": _following,
}  # fmt: skip
