"""Clock times, days and lengths as instructions say them: few forms, as a rule names no dates."""

from __future__ import annotations

import re
from typing import get_args

from agents.conventions import Weekday

NUMBERS = dict(
    zip(
        "one two three four five six seven eight nine ten eleven twelve".split(),
        range(1, 13),
        strict=True,
    )
)
WORD = "|".join(NUMBERS)
CLOCK = (
    rf"(?:(?:half past|quarter past|quarter to)\s+)?(?:\d{{1,2}}(?:[:.h]\d\d)?|{WORD}|noon|midday|midnight|lunch(?:time)?)"
    r"(?:\s*(?:a\.?m\.?|p\.?m\.?|o'?clock)\b)?(?:\s+(?:in the (?:morning|afternoon|evening)|at night))?"
)
PAST = {"half past": 30, "quarter past": 15, "quarter to": -15}
NAMED = {"noon": 12 * 60, "midday": 12 * 60, "midnight": 24 * 60, "lunch": 12 * 60, "lunchtime": 12 * 60}
READ = re.compile(
    rf"(?:(?P<past>half past|quarter past|quarter to)\s+)?(?:(?P<hour>\d{{1,2}})(?:[:.h](?P<minute>\d\d))?|(?P<word>{WORD})|"
    r"(?P<named>noon|midday|midnight|lunchtime|lunch))"
    r"(?:\s*(?P<half>a\.?m\.?|p\.?m\.?|o'?clock)\b)?(?:\s+(?P<part>in the morning|in the afternoon|in the evening|at night))?",
    re.IGNORECASE,
)
FIRST_MORNING_HOUR = 7
WEEK: tuple[Weekday, ...] = get_args(Weekday)
DAY = r"(?:mon|tues?|wed(?:nes)?|thu(?:rs)?|fri|sat(?:ur)?|sun)(?:day)?s?"
DAYS = rf"(?:weekends?|week\s?days?|week\s?nights?|work(?:ing)?\s?days?|{DAY})"
PARTS = {
    "morning": ("00:00", "12:00"),
    "lunch": ("12:00", "13:00"),
    "afternoon": ("12:00", "18:00"),
    "evening": ("18:00", "24:00"),
    "night": ("20:00", "24:00"),
}
PART = r"(?:mornings?|lunch(?:times?|\s?breaks?|\s?hours?|es)?|afternoons?|evenings?|nights?)"
LENGTH = (
    rf"(?:(?P<count>\d{{1,4}}(?:\.5)?|an?|{WORD}|fifteen|twenty|thirty|forty|forty-five|fifty|sixty|ninety|half an?|a quarter of an)\s*-?\s*"
    r"(?P<unit>min(?:ute)?s?|h(?:ou)?rs?|days?|weeks?)\b(?P<half>\s+and a half)?)"
)
MORE = {
    "fifteen": 15,
    "twenty": 20,
    "thirty": 30,
    "forty": 40,
    "forty-five": 45,
    "fifty": 50,
    "sixty": 60,
    "ninety": 90,
}


def minutes_of_day(said: str, *, after: int | None = None) -> int | None:
    """A clock time as minutes from midnight; a bare hour from 1 to 6 is after noon, from 7 to 11 before it.

    ``after`` is the start of a stretch that this time ends: a bare hour is then the first one that comes after it.
    """
    match = READ.fullmatch(said.strip())
    if match is None:
        return None
    if match["named"]:
        return NAMED[match["named"].lower()]
    hour = NUMBERS[match["word"].lower()] if match["word"] else int(match["hour"])
    minute = int(match["minute"] or 0) + PAST.get((match["past"] or "").lower(), 0)
    late = _half(match)
    bare = late is None and match["minute"] is None and hour <= 12 and not (match["hour"] or "").startswith("0")
    if late is not None:
        hour = hour % 12 + (12 if late else 0)
    elif bare and hour < FIRST_MORNING_HOUR:
        hour += 12
    found = hour * 60 + minute
    if bare and after is not None and found <= after < found + 12 * 60 <= 24 * 60:
        found += 12 * 60
    return found if 0 <= found <= 24 * 60 else None


def _half(match: re.Match[str]) -> bool | None:
    """Whether it is after noon, where that was said."""
    said, part = (match["half"] or "").lower(), (match["part"] or "").lower()
    if said[:1] in ("a", "p"):
        return said.startswith("p")
    return None if not part else "morning" not in part


def clock(minutes: int) -> str:
    """Minutes from midnight as HH:MM."""
    return f"{minutes // 60:02}:{minutes % 60:02}"


def days_in(text: str) -> tuple[Weekday, ...]:
    """The days of the week that a text names, Monday first."""
    found: set[Weekday] = set()
    for said in re.findall(rf"\b{DAYS}\b", text.lower()):
        if said.startswith("weekend"):
            found |= {"saturday", "sunday"}
        elif said.startswith(("week", "work")):
            found |= set(WEEK[:5])
        else:
            found.add(next(day for day in WEEK if day.startswith(said[:3])))
    return tuple(sorted(found, key=WEEK.index))


def part_of_day(text: str) -> tuple[str, str] | None:
    """From when to when the part of a day lasts that a text names."""
    match = re.search(rf"\b{PART}\b", text.lower())
    return next(span for name, span in PARTS.items() if match[0].startswith(name)) if match else None


def length_in(text: str) -> int | None:
    """The first length in a text, in minutes."""
    match = re.search(rf"\b{LENGTH}", text.lower())
    if match is None:
        return None
    unit = {"m": 1, "h": 60, "d": 24 * 60, "w": 7 * 24 * 60}[match["unit"][0]]
    found = round(_count(match["count"]) * unit) + (unit // 2 if match["half"] else 0)
    return found if found >= 1 else None


def _count(said: str) -> float:
    if said.startswith("half"):
        return 0.5
    if said.startswith("a quarter"):
        return 0.25
    known = {**NUMBERS, **MORE, "a": 1, "an": 1}
    return known[said] if said in known else float(said)
