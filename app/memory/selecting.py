"""Which of the units that a search brings answer the question, and how likely each does: features, weighed.

The weights are learned from written questions (``python -m training.selector``).
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from agents.index.words import stems
from agents.phrases import COMMON
from app.memory.floors import evidence
from app.memory.fusion import Ranked
from app.memory.likeness import likenesses
from app.memory.model.memory import Candidate, Found
from app.memory.selector_weights import BY_MEANING, BY_NETWORK, BY_WORDS
from app.memory.wording import embedding_text, words_in

MOST_COMPARED = 20
"""Of a ranking, the best that are looked at."""
NUMERALS = frozenset(
    "one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen "
    "eighteen nineteen twenty thirty forty fifty sixty seventy eighty ninety hundred thousand million half twice once "
    "first second third".split()
)
CALENDAR = frozenset(
    "january february march april may june july august september october november december monday tuesday wednesday "
    "thursday friday saturday sunday mondays tuesdays wednesdays thursdays fridays saturdays sundays today tomorrow "
    "yesterday tonight morning noon evening night week weeks weekend month months year years day days o'clock "
    "christmas easter".split()
)
ASKED_FOR: Mapping[str, frozenset[str]] = {
    "name": frozenset("who whose whom name named called surname".split()),
    "time": frozenset("when".split()),
    "number": frozenset(
        "much many long often old far high low heavy fast large big number code pin cost price".split()
    ),
    "place": frozenset("where town city street country".split()),
}
"""Words of a question by the kind of thing that answers it."""
WORD = re.compile(r"[^\W_]+(?:['\u2019-][^\W_]+)*")
ASKING = frozenset(
    "what when where who whose whom which why how did do does is are was were am i we me my our us the a an it "
    "much many long often".split()
)


@dataclass(frozen=True, slots=True)
class Selected:
    """A unit, and the probability that it answers."""

    ranked: Ranked
    chance: float


def select(
    question: str, found: Found, compared: Sequence[Ranked], scores: Sequence[float] | None = None
) -> list[Selected]:
    """Return the best of a ranking with the probability that each answers, the likeliest first.

    ``scores`` are those of the network that reads each with the question, where it could be had.
    """
    some = [one.candidate for one in compared]
    if scores is not None and _by_meaning(found):
        rows = zip(features(question, found, some), scores, strict=True)
        chances = [chance_of([*row, score], BY_NETWORK) for row, score in rows]
    else:
        chances = chances_of(question, found, some)
    selected = [Selected(one, chance) for one, chance in zip(compared, chances, strict=True)]
    return sorted(selected, key=lambda one: -one.chance)


def chances_of(question: str, found: Found, some: Sequence[Candidate]) -> list[float]:
    """Return the probability that each of some units of a search answers."""
    weights = BY_MEANING if _by_meaning(found) else BY_WORDS
    return [chance_of(row, weights) for row in features(question, found, some)]


def features(question: str, found: Found, some: Sequence[Candidate]) -> Iterator[list[float]]:
    """Yield what tells for each unit whether it answers; two features more where meanings were compared."""
    pairs = [evidence(found, one) for one in found.candidates]
    most_cover = max((cover for cover, _ in pairs), default=0.0)
    dense = [meaning for _, meaning in pairs if meaning is not None]
    wanted = telling_words(question)
    asked = [bool(words_in(question) & words) for words in ASKED_FOR.values()]
    for one in some:
        (cover, meaning), text = evidence(found, one), one.unit.text
        own = set(stems(text))
        share = len(wanted & own) / len(wanted) if wanted else 0.0
        kinds = kinds_in(text)
        row = [cover, cover - most_cover, share, float(share == 1.0), math.log(1 + len(text))]
        row += likeness(question, embedding_text(one.unit))
        row += [float(is_asked and has) for is_asked, has in zip(asked, kinds, strict=True)]
        row += [float(is_asked and not has) for is_asked, has in zip(asked, kinds, strict=True)]
        if dense:
            near = min(dense) if meaning is None else meaning
            row = [near, near - max(dense), *row]
        yield row


def likeness(question: str, text: str) -> list[float]:
    """Return how alike a text has a question's name and its other word that it has least, and all the other words.

    Where the question has none of a kind it is 1.
    """
    first, *words = WORD.findall(question) or [""]
    telling = [word for word in (first.lower(), *words) if word.lower() not in ASKING | COMMON]
    own = WORD.findall(text)
    names = likenesses([word for word in telling if word[:1].isupper()], own)
    others = likenesses([word for word in telling if not word[:1].isupper()], own)
    return [min(names, default=1.0), min(others, default=1.0), sum(others) / len(others) if others else 1.0]


def chance_of(row: Sequence[float], weights: Sequence[float]) -> float:
    """Return a probability from features and their weights, the bias first."""
    bias, *each = weights
    return 1 / (1 + math.exp(-bias - sum(weight * value for weight, value in zip(each, row, strict=True))))


def has_digit(word: str) -> bool:
    """Return whether a word is a number or has one in it."""
    return any(letter.isdigit() for letter in word)


def _by_meaning(found: Found) -> bool:
    return any(one.dense is not None for one in found.candidates)


def telling_words(question: str) -> set[str]:
    """Return the stems of a question without those that only ask."""
    return set(stems(" ".join(word for word in WORD.findall(question) if word.lower() not in ASKING)))


def names_in(text: str) -> set[str]:
    """Return the words of a text that may be names: with a capital letter, and not only because they come first."""
    words = WORD.findall(text)[1:]
    return {word.lower() for word in words if word[0].isupper() and word != "I" and word.lower() not in CALENDAR}


def kinds_in(text: str) -> tuple[bool, bool, bool, bool]:
    """Return whether a text has a name, a time, a number and a place, which no more than a name tells."""
    words = WORD.findall(text)
    low = [word.lower() for word in words]
    name = bool(names_in(text))
    number = any(has_digit(word) or word.split("-")[0] in NUMERALS for word in low)
    ordinal = any(word[0].isdigit() and word[-2:] in ("st", "nd", "rd", "th") for word in low)
    return name, ordinal or not CALENDAR.isdisjoint(low), number, name
