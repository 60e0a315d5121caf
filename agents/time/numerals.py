"""What single tokens with digits mean to the chart: clock times, dates, numbers."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace

from agents.time.lexicon import CARDINALS, MONTHS, ORDINALS, word_values
from agents.time.tokens import Token
from agents.time.values import Day, Dotted, Half, Length, Moment, Number, OfDay, Value, Zone

CLOCK = re.compile(r"(\d{1,2})[:h](\d{2})(?::(\d{2}))?")
SHORT_CLOCK = re.compile(r"(\d{1,2})([ap])")
DOTTED = re.compile(r"(\d{1,2})\.(\d{1,2})")
ISO = re.compile(
    r"(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})(?:t(\d{1,2}):(\d{2})(?::(\d{2})(?:\.\d+)?)?(z|[-+]\d\d:?\d\d)?)?"
)
COMPACT = re.compile(r"(\d{4})(\d{2})(\d{2})(?:t(\d{2})(\d{2})(\d{2})?(z)?)?")
FULL_DATE = re.compile(r"(\d{1,2})[-./](\d{1,2})[-./](\d{2,4})")
SHORT_DATE = re.compile(r"(\d{1,2})/(\d{1,2})")
YEAR_MONTH = re.compile(r"(?P<year>\d{4})-(?P<month>\d{2})|(?P<month2>\d{1,2})[-/](?P<year2>\d{4})")
NAMED = re.compile(r"(?=.*[a-z])(\w+)[-/.](\w+)(?:[-/.](\w+))?")
OFFSET_ZONE = re.compile(r"(?:utc|gmt)([-+])(0?\d|1[0-2])")
LONGEST_NUMBER = 6
LONGEST_IN_HOURS = 5
LONGEST_OFFSET = 12
NO_WIDTH = 9  # a number with a fraction is no hour, day or year
YEARS = range(1900, 2200)


def seeds(token: Token) -> list[Value]:
    """The values a token may have on its own."""
    word = token.text.removesuffix("'s")
    signed = len(word) > 1 and not {"-", "/", "+"}.isdisjoint(word) and word not in CARDINALS and word not in ORDINALS
    return _numeral(word) if word[:1].isdecimal() or signed else word_values(word)


def _numeral(word: str) -> list[Value]:
    for form, read in READERS:
        if match := form.fullmatch(word):
            return read(match)
    if len(word) > LONGEST_NUMBER or not word.replace(".", "", 1).isdecimal():
        return []
    width = len(word) if word.isdecimal() else NO_WIDTH
    return [Number(float(word), "digits", width=width), *_dotted_pair(word)]


def _short_clock(match: re.Match[str]) -> list[Value]:
    hour = int(match[1])
    if not 1 <= hour <= 12:
        return []
    half: Half = "am" if match[2] == "a" else "pm"
    return [OfDay(hour % 12 + (12 if half == "pm" else 0), half=half, exact=True)]


def _dotted_pair(word: str) -> list[Value]:
    match = DOTTED.fullmatch(word)
    if not match:
        return []
    first, second = int(match[1]), int(match[2])
    return [Dotted(first, second, clock=len(match[2]) == 2 and first <= 24 and second <= 59)]


def _full_date(match: re.Match[str]) -> list[Value]:
    return [Day("numeric", (int(match[1]), int(match[2]), int(match[3])))] if len(match[3]) != 3 else []


def _short_date(match: re.Match[str]) -> list[Value]:
    return [Day("numeric", (int(match[1]), int(match[2]), None)), Number(_ratio(match), "digits", width=9)]


def _year_month(match: re.Match[str]) -> list[Value]:
    year, month = int(match["year"] or match["year2"]), int(match["month"] or match["month2"])
    return [Day("month", (month, "this", year), "month")] if year in YEARS and 1 <= month <= 12 else []


def _named_month_date(match: re.Match[str]) -> list[Value]:
    """20-nov-2026, nov/20, nov-2026, 2026-nov-20."""
    said = [part for part in match.groups() if part]
    months = [MONTHS[part] for part in said if part in MONTHS]
    numbers = [part for part in said if part.isdecimal()]
    if len(months) != 1 or len(numbers) != len(said) - 1:
        return []
    if len(numbers) == 1:
        month, number = months[0], int(numbers[0])
        year_said = len(numbers[0]) == 4
        return [Day("month", (month, "this", number), "month") if year_said else Day("monthday", (month, number))]
    year, day = (numbers[0], numbers[1]) if len(numbers[0]) == 4 else (numbers[1], numbers[0])
    return [Day("date", (int(year), months[0], int(day)))]


def _ratio(match: re.Match[str]) -> float:
    return int(match[1]) / int(match[2]) if int(match[2]) else 0


def _clock(hours: str, minutes: str, seconds: str | None) -> list[Value]:
    hour, minute, second = int(hours), int(minutes), int(seconds or 0)
    if hour > 24 or minute > 59 or second > 59 or (hour == 24 and minute):
        return []
    exact = hour > 12 or hour == 0 or (len(hours) == 2 and hours[0] == "0")
    return [OfDay(hour, minute, second, exact=exact)]


def _clock_match(match: re.Match[str]) -> list[Value]:
    clocks = _clock(match[1], match[2], match[3])
    return [*clocks, Length(((int(match[1]), "hour"), (int(match[2]), "minute")))] if in_hours(match[0]) else clocks


def in_hours(word: str) -> bool:
    """Whether a word like "1h30" is rather a length than a time of day."""
    match = CLOCK.fullmatch(word)
    return match is not None and "h" in word and 1 <= int(match[1]) <= LONGEST_IN_HOURS and match[2] < "60"


def _iso_zone(said: str | None) -> str | None:
    """Like "z" or "+02:00" by its name; IANA turns the sign. Offsets with minutes have none."""
    if said in (None, "z"):
        return "UTC" if said else None
    hours = int(str(said)[1:3])
    whole = str(said).endswith("00") and hours <= LONGEST_OFFSET
    return f"Etc/GMT{'-' if str(said)[0] == '+' else '+'}{hours}" if whole else None


def _offset_zone(match: re.Match[str]) -> list[Value]:
    """Like "utc+2"; IANA turns the sign."""
    return [Zone(f"Etc/GMT{'-' if match[1] == '+' else '+'}{int(match[2])}")]


def _iso(match: re.Match[str]) -> list[Value]:
    day = Day("date", (int(match[1]), int(match[2]), int(match[3])))
    if match[4] is None:
        return [day]
    zone = _iso_zone(match[7])
    if match[7] and zone is None:
        return []
    clocks = _clock(f"{match[4]:0>2}", match[5], match[6])
    return [Moment(day, replace(clock, zone=zone)) for clock in clocks if isinstance(clock, OfDay)]


def _compact(match: re.Match[str]) -> list[Value]:
    """Like "20261207t1530"; without a clock time it may be any number, so a neighbour must support it."""
    if int(match[1]) not in YEARS or not 1 <= int(match[2]) <= 12:
        return []
    return [replace(day, latent=True) if isinstance(day, Day) else day for day in _iso(match)]


READERS: tuple[tuple[re.Pattern[str], Callable[[re.Match[str]], list[Value]]], ...] = (
    (CLOCK, _clock_match), (SHORT_CLOCK, _short_clock), (ISO, _iso), (COMPACT, _compact), (FULL_DATE, _full_date),
    (SHORT_DATE, _short_date), (YEAR_MONTH, _year_month), (OFFSET_ZONE, _offset_zone), (NAMED, _named_month_date),
)  # fmt: skip
