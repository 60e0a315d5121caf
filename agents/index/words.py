"""Words of titles: stems without what tells nothing, their initials, and which of them are alike."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from functools import lru_cache
from typing import Literal

from agents.reading.words import split_words
from agents.time.tokens import stem, tokenize

INITIALS = re.compile(r"[bcdfghjklmnpqrstvwxz]{2,4}")
LETTERED = re.compile(r"(?<=\b[a-z])-(?=[a-z]{3})", re.IGNORECASE)
ONE_TO_ONE = re.compile(r"\bone[ -](?:to|on)[ -]one\b|\b121\b", re.IGNORECASE)
STOP = frozenset(
    """
    a an the my our your his her their its of to for in on at with w about abt from and or is are was be one thing
    task tasks todo todos item items event events appointment meeting entry please that this it reminder note list
    rule instruction due off up s t me i all any new again please just called named
    """.split()
)
GENERIC = frozenset(
    stem(word)
    for word in (
        "game session stuff business job project idea thought people guy guys lady folks place company office man "
        "woman team"
    ).split()
)
"""Words that people add to a name; they weigh little beside it, and all when they stand alone."""
SYNONYMS = {
    "mtg": "meeting", "appt": "appointment", "dr": "doctor", "&": "and", "mum": "mom", "fly": "flight",
    "flying": "flight", "w": "with", "wk": "week", "biz": "business", "bday": "birthday", "xmas": "christmas",
    "prof": "professor", "uni": "university", "tix": "tickets", "preso": "presentation", "pres": "presentation",
    "diss": "dissertation", "acct": "account", "proj": "project", "wks": "weeks", "photo": "photograph",
    "photos": "photograph",
    **{word: str(at) for at, word in enumerate("two three four five six seven eight nine ten eleven".split(), 2)},
}  # fmt: skip
LOW_PRIORITY_WORDS = frozenset(
    "low lowest least no whenever someday sometime eventually p3 p4 p5 later minor back-burner can not".split()
)
MIDDLE = frozenset("medium med mid normal moderate average p2 ok".split())
HIGH_PRIORITY_WORDS = frozenset("urgent asap p1 urgently important".split())
TOP = HIGH_PRIORITY_WORDS | frozenset(
    "high higher highest hi top first 1st p0 1 critical most urgency must up pressing priority prio".split()
)


def level_of(words: Iterable[str]) -> Literal["low", "medium", "high"]:
    """Return the priority that words tell which tell one; words of no known level are high."""
    said = set(words)
    return "low" if LOW_PRIORITY_WORDS & said else "medium" if MIDDLE & said else "high"


def tokens(text: str) -> list[str]:
    """Return the words of a text in lower case, without signs."""
    words = (text[start:end].lower().replace("\u2019", "'") for start, end in split_words(text))
    return [word for word in words if word[0].isalnum()]


def words_of(text: str) -> list[str]:
    """Return the telling words of a text, as stems."""
    return list(telling_words(text))


@lru_cache(maxsize=5_000)
def telling_words(text: str) -> tuple[str, ...]:
    """Return the same, kept for the next time: titles are looked at again and again, in one message and in the next."""
    return stems(text)


def stems(text: str) -> tuple[str, ...]:
    """Return the same of a text that is not looked at again soon."""
    text = ONE_TO_ONE.sub("1:1", LETTERED.sub("", text))
    words = [SYNONYMS.get(token.text, token.text) for token in tokenize(text) if token.text[0].isalnum()]
    telling = [stem(word) for word in words if word.removesuffix("'s") not in STOP]
    return tuple(telling or [stem(word) for word in words if word not in ("the", "a", "my")])


def first_letters(words: Sequence[str]) -> str:
    """Return the initials of a title of several words: "pt" for physical therapy."""
    return "".join(word[0] for word in words) if len(words) > 1 else ""


MIN_FUZZY_LENGTH = 4
"""Letters of a word that may be misspelled."""


def resembling(said: str, occurring: Collection[str]) -> list[str]:
    """Return the words that are like one: short words are the same, longer ones begin or end as it does."""
    if len(said) < MIN_FUZZY_LENGTH:
        return [said] if said in occurring else []
    first, last = said[:1], said[-2:]
    return [word for word in occurring if (word[0] == first or word[-2:] == last) and alike(said, word)]


def shapes_of(word: str) -> tuple[str, ...]:
    """Return what a word has in common with each that is like it, see ``shapes_like``."""
    size = len(word)
    return (word[:MIN_FUZZY_LENGTH], f"{word[:2]}{size}", f"{size}{word[-2:]}") if size >= MIN_FUZZY_LENGTH else ()


def shapes_like(said: str) -> Iterator[str]:
    """Return shapes of which each word has one that is like this one.

    A shared beginning has four letters. One edit leaves the first two letters or the last two, but for two letters in
    the middle of four that are swapped: that word is looked up itself.
    """
    if len(said) < MIN_FUZZY_LENGTH:
        return
    yield said[:MIN_FUZZY_LENGTH]
    for size in range(max(MIN_FUZZY_LENGTH, len(said) - 1), len(said) + 2):
        yield f"{said[:2]}{size}"
        yield f"{size}{said[-2:]}"


def swapped_within(said: str) -> str:
    """Return a word of four letters with those in the middle swapped; any other as it is."""
    return said[0] + said[2] + said[1] + said[3] if len(said) == MIN_FUZZY_LENGTH else said


@lru_cache(maxsize=20_000)
def alike(left: str, right: str) -> float:
    """Return 1 for the same word, a little less for a typo or a shared beginning, 0 otherwise, as for two numbers."""
    if left == right:
        return 1.0
    if min(len(left), len(right)) < MIN_FUZZY_LENGTH or left.isdigit() or right.isdigit():
        return 0.0
    if left.startswith(right) or right.startswith(left):
        gap = abs(len(left) - len(right))
        return 0.85 if gap <= 1 else 0.8 if gap < MIN_FUZZY_LENGTH else 0.0
    return 0.85 if one_edit_apart(left, right) else 0.0


def one_edit_apart(left: str, right: str) -> bool:
    """Return whether one letter more, less, other or swapped makes the words the same."""
    if abs(len(left) - len(right)) > 1:
        return False
    same = next(
        (at for at, pair in enumerate(zip(left, right, strict=False)) if pair[0] != pair[1]), min(len(left), len(right))
    )
    a, b = left[same:], right[same:]
    return a[1:] == b or a == b[1:] or a[1:] == b[1:] or (a[:2] == b[:2][::-1] and a[2:] == b[2:])
