"""Measures that goods come in: "2 litres of milk", "a dozen eggs", "half a kilo of rice"."""

from __future__ import annotations

import re

COUNTS = frozenset("a an half one two three four five six seven eight nine ten twelve some few couple".split())
UNITS = frozenset(
    """
    litre litres liter liters l ml kg kilo kilos gram grams g oz ounce ounces lb lbs pound pounds pint pints gallon gallons
    pack packs packet packets bottle bottles can cans tin tins carton cartons jar jars loaf loaves dozen punnet punnets
    tub tubs bunch bunches bag bags box boxes roll rolls head heads
    """.split()
)
MEASURED = re.compile(
    r"(?:\d+(?:[.,/]\d+)?|an?|half|one|two|three|four|five|six|seven|eight|nine|ten|twelve|some|a few|a couple(?: of)?)\s*(?:x\s*|an?\s+)?"
    rf"(?:(?:big|small|large|more|extra)\s+)?(?:{'|'.join(sorted(UNITS, key=len, reverse=True))})\s+(?:of\s+)?(?P<of>[\w' -]{{2,60}})",
    re.IGNORECASE,
)
