"""Judges time phrases against suites of expected instants: right, partial, WRONG, none, or apart with its reason."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any

from tests.support.conversations.judging import rule_parts

Found = dict[str, Any]
Case = dict[str, Any]
COARSE = ("day", "week", "month", "quarter", "year")
VERDICTS = ("right", "partial", "WRONG", "none")


def naive(value: str | None) -> datetime | None:
    """An instant without its offset."""
    return datetime.fromisoformat(value).replace(tzinfo=None) if value else None


def same_instant(got: str | None, wanted: str | None, grain: str) -> bool:
    """Whether two instants agree at a grain."""
    left, right = naive(got), naive(wanted)
    if left is None or right is None:
        return left is right
    if grain in COARSE:
        return left.date() == right.date()
    return abs(left - right) < timedelta(minutes=1)


def same_end(got: Found, wanted: Found) -> bool:
    """Whether ends agree, exclusive or inclusive."""
    grain = wanted.get("grain", "minute")
    if same_instant(got["end"], wanted.get("end"), grain):
        return True
    end, ours = naive(wanted.get("end")), naive(got["end"])
    if end is None or ours is None:
        return False
    fine = timedelta(hours=1 if grain == "hour" else 0, minutes=1)
    return abs(ours - end) <= (fine if grain in ("minute", "hour", "second") else timedelta(days=1))


def judge(found: list[Found], case: Case) -> str:
    """right, partial, WRONG or none."""
    if case["kind"] == "none":
        return "right" if not found else "WRONG"
    if not found:
        return "none"
    verdicts = [judge_one(item, case) for item in found]
    return next((verdict for verdict in ("right", "partial") if verdict in verdicts), "WRONG")


def judge_one(got: Found, case: Case) -> str:
    """One phrase against what was expected, alternatives included."""
    verdicts = [agreement(got, wanted, case["kind"]) for wanted in expectations(case)]
    return next((verdict for verdict in ("right", "partial") if verdict in verdicts), "WRONG")


def expectations(case: Case) -> list[Found]:
    """What the suite expects, then what it also accepts."""
    return [case["expected"], *case["expected"].get("alternatives", [])]


def agreement(got: Found, wanted: Found, kind: str) -> str:
    """How far one reading agrees with one expectation."""
    if kind == "set":
        return "right" if rule_parts(got["rrule"]) == rule_parts(wanted.get("rrule")) else "WRONG"
    if kind == "duration":
        return "right" if got["seconds"] == wanted.get("seconds") else "WRONG"
    grain = wanted.get("grain", "minute")
    if wanted.get("time_only"):
        return "right" if clock(got["start"]) == clock(wanted.get("start")) else "WRONG"
    starts = same_instant(got["start"], wanted.get("start"), grain)
    if kind == "point":
        return "right" if starts or same_due(got, wanted, grain) else "WRONG"
    ends = same_end(got, wanted)
    return "right" if starts and ends else "partial" if starts and wanted.get("start") else "WRONG"


def same_due(got: Found, wanted: Found, grain: str) -> bool:
    """Whether a deadline falls on the point: a day that is due ends at the next midnight."""
    end = naive(got["end"])
    if got["kind"] != "open_before" or end is None:
        return False
    last = end - timedelta(days=1) if got.get("grain") == "day" else end
    return any(same_instant(moment.isoformat(), wanted.get("start"), grain) for moment in (end, last))


def clock(value: str | None) -> str | None:
    """The clock time of an instant."""
    moment = naive(value)
    return f"{moment:%H:%M}" if moment else None


def looks_back(case: Case) -> bool:
    """Whether everything that the suite accepts lies before the day of speaking."""
    now = naive(case["reference"])
    ends = [naive(wanted.get("end") or wanted.get("start")) for wanted in expectations(case)]
    return now is not None and all(end is not None and end.date() < now.date() for end in ends)


@dataclass
class Tally:
    """Verdicts of one suite and direction; ``apart`` counts by the convention that the suite contradicts."""

    verdicts: Counter[str] = field(default_factory=Counter)
    apart: Counter[str] = field(default_factory=Counter)


DAYPART = re.compile(
    r"morn|afternoon|evening|night|tonight|lunch|dinner|breakfast|brunch|noon|after ?work", re.IGNORECASE
)
CLOCK_SAID = re.compile(r"\d\s*(?::|h\b|[ap]\b|[ap]\.?m|o'?clock)|(?:at|@|around|past|to) \w+$", re.IGNORECASE)
HALF_SAID = re.compile(
    r"\d\s*[ap]\b|\b[ap]\.? ?m\b|\d[ap]\.?m|morning|afternoon|evening|night|\b(?:1[3-9]|2[0-4])[:h]", re.IGNORECASE
)
EDGE = re.compile(r"\b(?:begin\w*|start|early|mid\w*|end|late|later|earlier|eo[mwyd])\b", re.IGNORECASE)
WEEKDAY = re.compile(r"\b(?:mon|tue|wed|thu|fri|sat|sun)", re.IGNORECASE)
NUMERIC = re.compile(r"\b\d{1,2}[-./]\d{1,2}\b")
FEW_AHEAD = re.compile(r"\b(?:upcoming|next|past|last|after this)\b", re.IGNORECASE)


@dataclass(frozen=True)
class Pair:
    """Our reading beside the suite's, as naive instants."""

    text: str
    kind: str
    got: Found
    wanted: Found
    now: datetime

    @property
    def shift(self) -> timedelta | None:
        """How much later than the suite we start."""
        ours = naive(self.got["start"] or self.got["end"])
        theirs = naive(self.wanted.get("start") or self.wanted.get("end"))
        if ours and theirs and self.wanted.get("grain") in COARSE:
            return timedelta(days=(ours.date() - theirs.date()).days)
        return ours - theirs if ours and theirs else None

    def inside(self) -> bool:
        """Whether our start lies in the stretch that the suite expects."""
        ours, start, end = naive(self.got["start"]), naive(self.wanted.get("start")), naive(self.wanted.get("end"))
        return bool(ours and start and end and start <= ours < end)


def _a_daypart_is_an_hour(pair: Pair) -> bool:
    ours, theirs = (naive(side.get("start") or side.get("end")) for side in (pair.got, pair.wanted))
    near = bool(ours and theirs and abs(ours - theirs) < timedelta(hours=24))
    return near and bool(DAYPART.search(pair.text)) and not CLOCK_SAID.search(pair.text)


def _an_edge_is_a_day(pair: Pair) -> bool:
    ours, start = naive(pair.got["start"] or pair.got["end"]), naive(pair.wanted.get("start"))
    end = naive(pair.wanted.get("end")) or (start and start + timedelta(days=1))
    return bool(EDGE.search(pair.text) and ours and start and end and start <= ours <= end)


def _bare_hours(pair: Pair) -> bool:
    half = pair.shift is not None and abs(pair.shift) in (timedelta(hours=12), timedelta(hours=36))
    return half and not HALF_SAID.search(pair.text)


def _a_passed_clock_is_tomorrow(pair: Pair) -> bool:
    theirs = naive(pair.wanted.get("start") or pair.wanted.get("end"))
    return bool(pair.shift == timedelta(days=1) and theirs and theirs <= pair.now and not pair.got.get("day_said"))


def _weekdays(pair: Pair) -> bool:
    return pair.shift is not None and abs(pair.shift) == timedelta(days=7) and bool(WEEKDAY.search(pair.text))


def _coming_dates(pair: Pair) -> bool:
    """A date without year or a weekday that the suite looks for in the past, where we take the coming one."""
    ours, theirs = naive(pair.got["start"]), naive(pair.wanted.get("start"))
    later = bool(ours and theirs and theirs < pair.now <= ours + timedelta(days=1))
    return later and pair.shift is not None and pair.shift.days in (7, 28, 29, 30, 31, 365, 366)


def _weekends(pair: Pair) -> bool:
    return "weekend" in pair.text.lower() and pair.shift == timedelta(hours=6)


def _last_unit_included(pair: Pair) -> bool:
    ends = naive(pair.got["end"]), naive(pair.wanted.get("end"))
    starts = same_instant(pair.got["start"], pair.wanted.get("start"), "day")
    apart = (ends[0] - ends[1]).days if ends[0] and ends[1] else 0
    return starts and pair.got["kind"] == "interval" and apart in (7, 28, 29, 30, 31, 365, 366)


def _numeric_order(pair: Pair) -> bool:
    ours, theirs = naive(pair.got["start"]), naive(pair.wanted.get("start"))
    swapped = bool(ours and theirs and (ours.month, ours.day) == (theirs.day, theirs.month))
    return swapped and bool(NUMERIC.search(pair.text))


def _few_units_are_a_stretch(pair: Pair) -> bool:
    """The suite points at the nth unit, or at now plus n, where we read whole units, as the probe does."""
    stretch = pair.got["kind"] == "interval" or pair.got["text"].lower().startswith("after")
    return bool(FEW_AHEAD.search(pair.text)) and stretch and pair.kind == "point"


def _a_length_is_a_time(pair: Pair) -> bool:
    """The suite knows no lengths: it expects nothing, or the moment when the length is over."""
    over = naive(pair.wanted.get("start"))
    counted = over is not None and (over - pair.now).total_seconds() == pair.got.get("seconds")
    return pair.got["kind"] == "duration" and (pair.kind == "none" or counted)


CONVENTIONS: tuple[tuple[str, Callable[[Pair], bool]], ...] = (
    ("a daypart without clock is an hour (morning 09:00, evening 19:00 ...)", _a_daypart_is_an_hour),
    ("beginning, middle and end of a stretch are one day (1st, 15th, last)", _an_edge_is_a_day),
    ("bare hours: 1-6 pm, 7-11 am, 12 noon", _bare_hours),
    ("a clock time that passed, with no day said, is tomorrow's", _a_passed_clock_is_tomorrow),
    ("friday is the coming one, next friday in the next calendar week", _weekdays),
    ("a date or weekday without year is the coming one", _coming_dates),
    ("a weekend is Saturday and Sunday", _weekends),
    ("a stretch of days, months or years includes the last one named", _last_unit_included),
    ("numeric dates follow the zone's order", _numeric_order),
    ("the next and last units are whole ones, a stretch when they are several", _few_units_are_a_stretch),
    ("a length of time is a value (for 45 minutes)", _a_length_is_a_time),
)  # fmt: skip


def contradiction(found: list[Found], case: Case) -> str | None:
    """The convention of ours that an expectation contradicts, tried only after the reading was judged not right."""
    now = naive(case["reference"])
    if not found or now is None or case["kind"] in ("set", "duration"):
        return None
    pairs = [Pair(case["text"], case["kind"], got, wanted, now) for got in found for wanted in expectations(case)]
    return next((name for name, applies in CONVENTIONS if any(applies(pair) for pair in pairs)), None)


def tally(tallies: dict[str, Tally], suite: str, case: Case, found: list[Found]) -> str:
    """Count a case under its suite and direction; the verdict or the reason why it stands apart."""
    verdict = judge(found, case)
    row = "negatives" if case["kind"] == "none" else f"{suite} past" if looks_back(case) else suite
    counted = tallies.setdefault(row, Tally())
    reason = contradiction(found, case) if verdict in ("WRONG", "partial") else None
    if reason:
        counted.apart[reason] += 1
        return f"apart: {reason}"
    counted.verdicts[verdict] += 1
    return verdict


def show(tallies: dict[str, Tally], title: str) -> None:
    """One line a suite in percent of the cases that no convention contradicts, then why the others stand apart."""
    print(
        f"{title:18}{'n':>5}{'right':>7}{'partial':>9}{'WRONG':>7}{'none':>6} (%) {'apart':>6}{'right of all (%)':>18}"
    )
    for name, row in sorted(tallies.items()):
        total, apart = sum(row.verdicts.values()), sum(row.apart.values())
        shares = [100 * row.verdicts[verdict] / max(total, 1) for verdict in VERDICTS]
        columns = "".join(f"{share:{width}.0f}" for share, width in zip(shares, (7, 9, 7, 6), strict=True))
        of_all = 100 * row.verdicts["right"] / max(total + apart, 1)
        print(f"{name:18}{total:5}{columns}     {apart:6}{of_all:18.0f}")
    reasons = sum((row.apart for row in tallies.values()), Counter[str]())
    for reason, count in reasons.most_common():
        print(f"  apart {count:3}: {reason}")
