"""What single words and numerals mean to the chart."""

from __future__ import annotations

import re

from agents.understanding.time.values import (
    Day,
    Grain,
    Length,
    Moment,
    Month,
    Number,
    OfDay,
    Part,
    Unit,
    Value,
    Weekday,
)
from agents.understanding.tokens import Token

ONES = "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen"
CARDINALS = {word: number for number, word in enumerate(f"{ONES} eighteen nineteen".split())} | {
    word: number
    for number, word in zip(
        range(20, 100, 10), "twenty thirty forty fifty sixty seventy eighty ninety".split(), strict=False
    )
}
FIRSTS = (
    "first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth fourteenth fifteenth"
)
ORDINALS = {
    word: number
    for number, word in enumerate(f"{FIRSTS} sixteenth seventeenth eighteenth nineteenth twentieth".split(), start=1)
} | {"thirtieth": 30}

WEEKDAYS: dict[str, int] = {
    name: index
    for index, names in enumerate(
        (
            "monday mon",
            "tuesday tue tues",
            "wednesday wed weds wednesay",
            "thursday thu thur thurs thrusday",
            "friday fri",
            "saturday sat",
            "sunday sun",
        )
    )
    for name in names.split()
}
WEAK_WEEKDAYS = frozenset({"sat", "sun", "wed", "mon"})
MONTHS: dict[str, int] = {
    name: index
    for index, names in enumerate(
        (
            "january jan",
            "february feb",
            "march mar",
            "april apr",
            "may",
            "june jun",
            "july jul",
            "august aug",
            "september sep sept",
            "october oct",
            "november nov",
            "december dec",
        ),
        start=1,
    )
    for name in names.split()
}
UNIT_WORDS: tuple[tuple[Grain, str], ...] = (
    ("second", "second seconds sec secs"),
    ("minute", "minute minutes min mins m"),
    ("hour", "hour hours hr hrs h"),
    ("day", "day days"),
    ("week", "week weeks wk wks"),
    ("weekend", "weekend weekends wknd"),
    ("month", "month months mo"),
    ("quarter", "quarter quarters qtr"),
    ("year", "year years yr yrs"),
)
UNITS: dict[str, Grain] = {name: grain for grain, names in UNIT_WORDS for name in names.split()}
PARTS = {
    "morning": "morning",
    "mornings": "morning",
    "afternoon": "afternoon",
    "afternoons": "afternoon",
    "evening": "evening",
    "evenings": "evening",
    "eve": "eve",
    "night": "night",
    "nights": "night",
    "noon": "noon",
    "midday": "noon",
    "lunchtime": "noon",
    "midnight": "midnight",
}
TODAY = {"today": 0, "tomorrow": 1, "tmrw": 1, "tmr": 1, "tomorow": 1, "tommorow": 1, "tommorrow": 1, "yesterday": -1}

CLOCK = re.compile(r"(\d{1,2})[:h](\d{2})(?::(\d{2}))?")
ISO = re.compile(r"(\d{4})-(\d{1,2})-(\d{1,2})(?:t(\d{1,2}):(\d{2})(?::\d{2})?)?")
FULL_DATE = re.compile(r"(\d{1,2})[-./](\d{1,2})[-./](\d{2,4})")
SHORT_DATE = re.compile(r"(\d{1,2})/(\d{1,2})")
LONGEST_NUMBER = 6


def seeds(token: Token) -> list[Value]:
    """The values a token may have on its own."""
    word = token.text.removesuffix("'s")
    return _numeral(word) if word[:1].isdecimal() else _word(word)


def _word(word: str) -> list[Value]:
    found: list[Value] = []
    if word in CARDINALS:
        found.append(Number(CARDINALS[word]))
    if word in ORDINALS:
        found.append(Number(ORDINALS[word], ordinal=True))
    if word in MONTHS:
        found.append(Month(MONTHS[word]))
    if word in UNITS:
        found.append(Unit(UNITS[word]))
    if word in PARTS:
        found.append(Part(PARTS[word]))
    if word in TODAY:
        found.append(Day("offset", (TODAY[word], "day")))
    if word == "fortnight":
        found.append(Length(((2, "week"),)))
    return found + _weekday(word)


def _weekday(word: str) -> list[Value]:
    if word in WEEKDAYS:
        return [Weekday(WEEKDAYS[word], weak=word in WEAK_WEEKDAYS)]
    singular = word.removesuffix("s")
    return [Weekday(WEEKDAYS[singular], plural=True)] if len(singular) > 5 and singular in WEEKDAYS else []


def _numeral(word: str) -> list[Value]:
    if match := CLOCK.fullmatch(word):
        return _clock(match[1], match[2], match[3])
    if match := ISO.fullmatch(word):
        return _iso(match)
    if match := FULL_DATE.fullmatch(word):
        return [Day("numeric", (int(match[1]), int(match[2]), int(match[3])))]
    if match := SHORT_DATE.fullmatch(word):
        return [Day("numeric", (int(match[1]), int(match[2]), None)), Number(_ratio(match), "digits", width=9)]
    if len(word) > LONGEST_NUMBER:
        return []
    return [Number(float(word), "digits", width=len(word))]


def _ratio(match: re.Match[str]) -> float:
    return int(match[1]) / int(match[2]) if int(match[2]) else 0


def _clock(hours: str, minutes: str, seconds: str | None) -> list[Value]:
    hour, minute, second = int(hours), int(minutes), int(seconds or 0)
    if hour > 24 or minute > 59 or second > 59 or (hour == 24 and minute):
        return []
    exact = hour > 12 or hour == 0 or (len(hours) == 2 and hours[0] == "0")
    return [OfDay(hour, minute, second, exact=exact)]


def _iso(match: re.Match[str]) -> list[Value]:
    day = Day("date", (int(match[1]), int(match[2]), int(match[3])))
    if match[4] is None:
        return [day]
    return [Moment(day, clock) for clock in _clock(f"{match[4]:0>2}", match[5], None) if isinstance(clock, OfDay)]
