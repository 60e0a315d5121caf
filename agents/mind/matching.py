"""Which stored item is meant: words weighed by how rare they are among the user's own items."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, field, replace
from datetime import date, datetime
from functools import lru_cache

from agents.ports import Records
from agents.reading.words import split_words
from agents.records import AnyRecord, Event, Kind, title_of
from agents.rendering.item_names import titles_of
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
LITTLE = 0.2
GOOD = 0.6
MARGIN = 0.2
HALF = 0.5
TINY = 1e-9
SAME = {
    "mtg": "meeting", "appt": "appointment", "dr": "doctor", "&": "and", "mum": "mom", "fly": "flight",
    "flying": "flight", "w": "with", "wk": "week", "biz": "business", "bday": "birthday", "xmas": "christmas",
    "prof": "professor", "uni": "university", "tix": "tickets", "preso": "presentation", "pres": "presentation",
    "diss": "dissertation", "acct": "account", "proj": "project", "wks": "weeks", "photo": "photograph",
    "photos": "photograph",
    **{word: str(at) for at, word in enumerate("two three four five six seven eight nine ten eleven".split(), 2)},
}  # fmt: skip


@dataclass(slots=True)
class Item:
    """A stored record under its title, with its telling words and its day; ``told`` are all its words, if asked for."""

    kind: Kind
    id: str
    title: str
    record: AnyRecord
    words: tuple[str, ...] = field(init=False, compare=False)
    day: date | None = field(init=False, compare=False)
    told: frozenset[str] | None = field(default=None, compare=False)

    def __post_init__(self) -> None:
        when = self.record.start if isinstance(self.record, Event) else getattr(self.record, "deadline", None)
        self.words, self.day = _words(self.title), when.date() if isinstance(when, datetime) else when


def apart(items: Sequence[Item]) -> list[Item]:
    """The items as a reply names them together: those that share a title with their short ids."""
    return [replace(item, title=title) for item, title in zip(items, titles_of(items), strict=True)]


def items_of(records: Records, *kinds: Kind) -> list[Item]:
    """Items of these kinds, as stored."""
    groups: dict[Kind, list[AnyRecord]] = {kind: getattr(records, f"{kind}s") for kind in kinds}
    known: dict[str, Item] = records.named
    return [
        item if (item := known.get(record.id)) is not None and item.record is record else _item(kind, record, known)
        for kind in kinds
        for record in groups[kind]
    ]


def _item(kind: Kind, record: AnyRecord, known: dict[str, Item]) -> Item:
    """The record under its title; a record that is kept between turns, and is never written, is named once."""
    made = known[record.id] = Item(kind, record.id, title_of(kind, vars(record)), record)
    return made


def tokens(text: str) -> list[str]:
    """The words of a text in lower case, without signs."""
    words = (text[start:end].lower().replace("\u2019", "'") for start, end in split_words(text))
    return [word for word in words if word[0].isalnum()]


def words_of(text: str) -> list[str]:
    """The telling words of a text, as stems."""
    return list(_words(text))


@lru_cache(maxsize=5_000)
def _words(text: str) -> tuple[str, ...]:
    # Titles are looked at again and again, in one message and in the next.
    text = ONE_TO_ONE.sub("1:1", LETTERED.sub("", text))
    words = [SAME.get(token.text, token.text) for token in tokenize(text) if token.text[0].isalnum()]
    telling = [stem(word) for word in words if word.removesuffix("'s") not in STOP]
    return tuple(telling or [stem(word) for word in words if word not in ("the", "a", "my")])


def candidates(phrase: str, items: Sequence[Item], fits: Callable[[Item], bool] = lambda _: True) -> list[Item]:
    """The items that a phrase may mean: none, the one, or several that are equally good."""
    wanted = list(dict.fromkeys(words_of(phrase)))
    if not wanted:
        return []
    wanted_short = {word for word in wanted if INITIALS.fullmatch(word)}
    near = _near(wanted, items)
    touched = [item for item in items if not near.keys().isdisjoint(item.words)]
    weight = _weights(wanted, touched, items)
    least = GOOD * sum(map(weight, wanted)) - TINY
    # What a title covers of the wanted words at most: nearly all titles need no closer look.
    most = lru_cache(maxsize=None)(lambda words: sum(map(weight, {said for word in words for said in near[word]})))
    covering = {id(item) for item in touched if most(tuple(filter(near.__contains__, item.words))) >= least}
    pool = items if wanted_short else touched
    pool = [item for item in pool if id(item) in covering or initials(item.title) in wanted_short]
    scored = [(item, _score(wanted, item.title, weight)) for item in pool if fits(item)]
    good = [(item, score) for item, score in scored if score[0] >= GOOD]
    best = max((score for _, score in good), default=(0.0, 0.0))
    close = [item for item, score in good if best[0] - score[0] < MARGIN / 2]
    exact = [item for item, score in good if score[0] == best[0] and score[1] >= 1.0]
    return exact if len(exact) == 1 else close


def _near(wanted: Collection[str], items: Sequence[Item]) -> dict[str, list[str]]:
    """The words of titles that are like wanted ones: compared once for each word, not once for each title."""
    occurring = set[str]().union(*(item.words for item in items))
    like = {said: frozenset(resembling(said, occurring)) for said in wanted}
    return {word: [said for said in wanted if word in like[said]] for word in frozenset[str]().union(*like.values())}


SHORTEST = 4
"""Letters of a word that may be misspelled."""


def resembling(said: str, occurring: Collection[str]) -> list[str]:
    """The words that are like one: short words are the same, longer ones begin or end as it does."""
    if len(said) < SHORTEST:
        return [said] if said in occurring else []
    first, last = said[:1], said[-2:]
    return [word for word in occurring if (word[0] == first or word[-2:] == last) and alike(said, word)]


def _weights(wanted: Collection[str], touched: Sequence[Item], items: Sequence[Item]) -> Callable[[str], float]:
    count = Counter(word for item in touched for word in wanted if word in item.words)

    def weight(word: str) -> float:
        there = count[word] if word in wanted else sum(word in item.words for item in items)
        return math.log(1 + (len(items) + 1) / (max(there, 1) + 0.5)) * (LITTLE if word in GENERIC else 1)

    return lru_cache(maxsize=None)(weight)


def _score(wanted: Sequence[str], title: str, weight: Callable[[str], float]) -> tuple[float, float]:
    """How much of the phrase the title covers, and how much of the title the phrase covers."""
    have = _words(title)
    wanted = spelled_out(wanted, title)
    total = sum(map(weight, wanted))
    hit = sum(weight(word) * max((alike(word, other) for other in have), default=0) for word in wanted)
    back = sum(max((alike(word, other) for other in wanted), default=0) for word in have)
    return hit / total if total else 0, back / len(have) if have else 0


@lru_cache(maxsize=50_000)
def initials(title: str) -> str:
    """The first letters of a title of several words: "pt" for physical therapy."""
    words = _words(title)
    return "".join(word[0] for word in words) if len(words) > 1 else ""


def spelled_out(said: Sequence[str], title: str) -> list[str]:
    """What was said, with the initials of a title as its words."""
    short = initials(title)
    if not INITIALS.fullmatch(short) or short not in said:
        return list(said)
    return [word for one in said for word in (_words(title) if one == short else (one,))]


def mentioned(text: str, items: Sequence[Item]) -> list[Item]:
    """The items whose title a longer text contains, at least for the most part; the best of them."""
    said = words_of(text)
    near = {*_near(said, items), initials(text)}  # a title that scores has half of its words among these
    touched = [item for item in items if not near.isdisjoint(item.words)]
    scored = [(_score(item.words, text, lambda _: 1.0)[0], item) for item in touched]
    best = max((score for score, _ in scored), default=0.0)
    top = [item for score, item in scored if score == best]
    return top if said and (best >= GOOD or (best >= HALF and len(top) == 1)) else []


@lru_cache(maxsize=20_000)
def alike(left: str, right: str) -> float:
    """1 for the same word, a little less for a typo or a shared beginning, 0 otherwise, as for two numbers."""
    if left == right:
        return 1.0
    if min(len(left), len(right)) < SHORTEST or left.isdigit() or right.isdigit():
        return 0.0
    if left.startswith(right) or right.startswith(left):
        gap = abs(len(left) - len(right))
        return 0.85 if gap <= 1 else 0.8 if gap < SHORTEST else 0.0
    return 0.85 if one_edit_apart(left, right) else 0.0


def one_edit_apart(left: str, right: str) -> bool:
    """Whether one letter more, less, other or swapped makes the words the same."""
    if abs(len(left) - len(right)) > 1:
        return False
    same = next(
        (at for at, pair in enumerate(zip(left, right, strict=False)) if pair[0] != pair[1]), min(len(left), len(right))
    )
    a, b = left[same:], right[same:]
    return a[1:] == b or a == b[1:] or a[1:] == b[1:] or (a[:2] == b[:2][::-1] and a[2:] == b[2:])
