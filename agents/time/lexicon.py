"""What single words mean to the chart."""

from __future__ import annotations

from agents.time.values import Day, Grain, Length, Month, Number, OfDay, Part, Unit, Value, Weekday, Zone

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
} | {"thirtieth": 30, "twelveth": 12}
TENS = "twenty thirty forty fifty sixty seventy eighty ninety".split()
CARDINALS |= {f"{tens}-{ones}": CARDINALS[tens] + CARDINALS[ones] for tens in TENS for ones in ONES.split()[1:10]}
ORDINALS |= {f"{tens}-{ones}": CARDINALS[tens] + ORDINALS[ones] for tens in TENS for ones in FIRSTS.split()[:9]}

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
WEAK_MONTHS = frozenset({"may", "march", "mar"})
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
    "arvo": "afternoon",
    "evening": "evening",
    "evenings": "evening",
    "eve": "eve",
    "night": "night",
    "nights": "night",
    "nighttime": "night",
    "nite": "night",
    "noon": "noon",
    "noonish": "noon",
    "midday": "noon",
    "lunchtime": "noon",
    "midnight": "midnight",
}
TODAY = {
    "today": 0,
    "todays": 0,
    "tomorrow": 1,
    "tomorrows": 1,
    "yesterdays": -1,
    "tmrw": 1,
    "tomoz": 1,
    "overmorrow": 2,
    "tmr": 1,
    "tmw": 1,
    "tmrow": 1,
    "tomoro": 1,
    "tomorro": 1,
    "tomorow": 1,
    "tommorow": 1,
    "tommorrow": 1,
    "yesterday": -1,
}

# Spellings of words that rules name, as people type them.
SPELLINGS = {
    "nxt": "next",
    "tonite": "tonight",
    "2nite": "tonight",
    "2moro": "tomorrow",
    "2morrow": "tomorrow",
    "evry": "every",
    "untill": "until",
    "'til": "til",
    "'till": "till",
    "morn": "morning",
    "mornin": "morning",
    "wkend": "weekend",
    "wkday": "weekday",
    "wkdays": "weekdays",
}
ZONES = {
    name: zone
    for zone, names in (
        ("UTC", "gmt utc zulu"),
        ("Etc/GMT+8", "pst"),
        ("Etc/GMT+7", "pdt mst"),
        ("Etc/GMT+6", "cst mdt"),
        ("Etc/GMT+5", "est cdt"),
        ("Etc/GMT+4", "edt"),
        ("America/Los_Angeles", "pt"),
        ("America/New_York", "et"),
        ("America/Chicago", "ct"),
        ("Etc/GMT-1", "cet bst"),
        ("Etc/GMT-2", "cest eet"),
        ("Asia/Kolkata", "ist"),
        ("Asia/Tokyo", "jst"),
        ("Australia/Brisbane", "aest"),
        ("Etc/GMT+10", "hst"),
        ("Etc/GMT+9", "akst"),
        ("Etc/GMT+8", "akdt"),
        ("Etc/GMT+3", "brt"),
        ("Etc/GMT-2", "sast"),
        ("Etc/GMT-3", "msk eest"),
        ("Etc/GMT-8", "sgt hkt awst"),
        ("Etc/GMT-9", "kst"),
        ("Etc/GMT-11", "aedt"),
        ("Etc/GMT-12", "nzst"),
        ("Etc/GMT-13", "nzdt"),
    )
    for name in names.split()
}
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
    if word in PARTS:
        found.append(Part(PARTS[word], plural=word.endswith("s")))
    if word in TODAY:
        found.append(Day("offset", (TODAY[word], "day")))
    if word in ZONES:
        found.append(Zone(ZONES[word]))
    if word in FRACTIONS:
        found.append(Number(FRACTIONS[word], width=9))
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
