"""Times as machines and timetables write them: "2026-12-07/2026-12-09", "24 dec 2026 18:00 +0100", "27.11. 16:00"."""

from __future__ import annotations

from dataclasses import replace

from agents.time.chart import Grammar
from agents.time.values import Day, Dotted, Moment, Number, OfDay, Range

RULES = Grammar()
FARTHEST_EAST = 1400


@RULES.rule(Day, "/|. .", Day)
def _day_to_day(first: Day, last: Day) -> Range | None:
    return Range(Moment(first), Moment(last)) if first.how == last.how == "date" else None


@RULES.rule(Moment, "/|. .", Moment)
def _moment_to_moment(first: Moment, last: Moment) -> Range | None:
    written = all(end.day and end.day.how == "date" and end.time for end in (first, last))
    return Range(first, last) if written else None


@RULES.rule(Moment, "+", Number)
def _with_offset(moment: Moment, offset: Number) -> Moment | None:
    """The offset from UTC behind a clock time; IANA turns the sign."""
    whole = offset.whole if offset.width == 4 and offset.value <= FARTHEST_EAST else None
    if whole is None or whole % 100 or moment.day is None or moment.time is None or moment.time.zone:
        return None
    return replace(moment, time=replace(moment.time, zone=f"Etc/GMT-{whole // 100}"))


@RULES.rule(Dotted, ".|,|?", OfDay)
def _dotted_then_clock(dotted: Dotted, clock: OfDay) -> Moment | None:
    fits = 1 <= dotted.first <= 31 and 1 <= dotted.second <= 12 and not clock.bare and not clock.part
    return Moment(Day("numeric", (dotted.first, dotted.second, None)), clock) if fits else None


@RULES.rule(Day, "-", OfDay)
def _day_dash_clock(day: Day, clock: OfDay) -> Moment | None:
    """Like "friday - 3pm"."""
    return Moment(day, clock) if day.grain == "day" and not day.latent and not clock.bare else None


@RULES.rule(Number, "-", "w", Number)
def _iso_week(year: Number, week: Number) -> Day | None:
    fits = year.year and week.width == 2 and 1 <= week.value <= 53
    return Day("iso_week", (week.whole, year.year), "week") if fits else None


@RULES.rule(Number, Number, Number)
def _year_month_day(year: Number, month: Number, day: Number) -> Day | None:
    """Like "2026 10 16"."""
    digits = year.form == month.form == day.form == "digits" and not (month.ordinal or day.ordinal)
    fits = digits and year.year and month.width == day.width == 2
    return Day("date", (year.whole, month.whole, day.whole)) if fits and month.value <= 12 else None
