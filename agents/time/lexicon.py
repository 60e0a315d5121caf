"""What single words mean to the chart."""

from __future__ import annotations

from typing import cast

from agents.time.values import Day, Grain, Length, Month, Number, OfDay, Part, Unit, Value, Weekday, Zone
from agents.time.words import by_word, tables, word_sets

SMALL = """zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen
    eighteen nineteen""".split()
FIRSTS = """first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth fourteenth fifteenth
    sixteenth seventeenth eighteenth nineteenth twentieth""".split()
TENS = "twenty thirty forty fifty sixty seventy eighty ninety".split()
CARDINALS = {word: number for number, word in enumerate(SMALL)} | {word: 10 * tens for tens, word in enumerate(TENS, 2)}
ORDINALS = {word: number for number, word in enumerate(FIRSTS, 1)} | {"thirtieth": 30, "twelveth": 12}
CARDINALS |= {f"{tens}-{ones}": CARDINALS[tens] + CARDINALS[ones] for tens in TENS for ones in SMALL[1:10]}
ORDINALS |= {f"{tens}-{ones}": CARDINALS[tens] + ORDINALS[ones] for tens in TENS for ones in FIRSTS[:9]}

WEEKDAYS = {word: index for index, words in enumerate(tables()["weekdays"].values()) for word in words.split()}
MONTHS = {word: number for number, words in enumerate(tables()["months"].values(), start=1) for word in words.split()}
MONTH_NAME = f"(?:{'|'.join(sorted(MONTHS, key=len, reverse=True))})"
WEAK_WEEKDAYS, WEAK_MONTHS = word_sets("weak")["weekdays"], word_sets("weak")["months"]
UNITS = cast("dict[str, Grain]", by_word("units"))
PARTS_OF_DAY = by_word("parts_of_day")
TODAY = {word: int(days) for word, days in by_word("days_from_today").items()}
SPELLINGS = by_word("spellings")
ZONES = by_word("zones")
SUBJECTS, VAGUE = word_sets("search")["subjects"], word_sets("lookalikes")["vague"]
FRACTIONS = {"\u00bd": 0.5, "\u00bc": 0.25, "\u00be": 0.75}


def word_values(word: str) -> list[Value]:
    """What a word may mean on its own."""
    found: list[Value] = []
    if word in CARDINALS:
        found.append(Number(CARDINALS[word]))
    if word in ORDINALS:
        found.append(Number(ORDINALS[word], ordinal=True))
    if word in MONTHS:
        short = len(word) <= 4 and word not in ("may", "june", "july")
        found.append(Month(MONTHS[word], short, weak=word in WEAK_MONTHS))
    if word in UNITS:
        found.append(Unit(UNITS[word]))
    if word in PARTS_OF_DAY:
        found.append(Part(PARTS_OF_DAY[word], plural=word.endswith("s")))
    if word in TODAY:
        found.append(Day("offset", (TODAY[word], "day")))
    if word in ZONES:
        found.append(Zone(ZONES[word]))
    if word in FRACTIONS:
        found.append(Number(FRACTIONS[word], "digits", width=9))
    if word == "fortnight":
        found.append(Length(((2, "week"),)))
    return found + _weekday(word) + _about(word)


def _about(word: str) -> list[Value]:
    """Like "fiveish"."""
    spoken = CARDINALS.get(word.removesuffix("ish"), 0) if word.endswith("ish") else 0
    return [OfDay(spoken)] if 1 <= spoken <= 12 else []


def _weekday(word: str) -> list[Value]:
    if word in WEEKDAYS:
        return [Weekday(WEEKDAYS[word], weak=word in WEAK_WEEKDAYS, short=len(word) <= 5)]
    singular = word.removesuffix("s")
    return [Weekday(WEEKDAYS[singular], plural=True)] if len(singular) > 5 and singular in WEEKDAYS else []
