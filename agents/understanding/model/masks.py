"""Words under masks: "november twenty" and "the 3rd" look alike, and so do a recital and a match."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby

from agents.understanding.text.verbs import EVENT_NOUNS, WHOLE_DAY_NOUNS

EVENT, WHEN = "@event", "@when"
SORTS = {
    "@day": "monday tuesday wednesday thursday friday saturday sunday mon tue tues wed thu thur thurs fri sat sun "
    "mondays tuesdays wednesdays thursdays fridays saturdays sundays weekdays weekends monday's tuesday's wednesday's "
    "thursday's friday's saturday's sunday's",
    "@month": "january february march april june july august september october november december jan feb mar apr jun "
    "jul aug sep sept oct nov dec",
    "@number": "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen "
    "seventeen eighteen nineteen twenty thirty forty fifty sixty hundred thousand half quarter",
    "@place": "first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth fourteenth "
    "fifteenth sixteenth seventeenth eighteenth nineteenth twentieth thirtieth",
    "@near": "today tomorrow tonight yesterday today's tomorrow's tonight's",
    "@part": "morning afternoon evening night noon midnight lunch lunchtime dinner breakfast",
    "@unit": "minute minutes hour hours day days week weeks month months year years weekend second seconds",
    "@clock": "am pm o'clock",
}
MASKS = {word: mask for mask, words in SORTS.items() for word in words.split()}
OCCASIONS = EVENT_NOUNS | WHOLE_DAY_NOUNS


def masked(said: Sequence[str]) -> list[str]:
    """The words with a mask over each that names a time, a number or an occasion."""
    return [_mask(word) for word in said]


def gathered(said: Sequence[str]) -> list[str]:
    """Masked words with one mask over each run of them that speaks of time."""
    sorts = (EVENT if word == EVENT else WHEN if word.startswith("@") else word for word in said)
    return [word for kind, run in groupby(sorts) for word in ([kind] if kind == WHEN else run)]


def _mask(word: str) -> str:
    if word in MASKS:
        return MASKS[word]
    if word.strip("0") == "":
        return "@number"
    return EVENT if word in OCCASIONS or word.rstrip("s") in OCCASIONS else word
