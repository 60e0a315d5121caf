"""Which stored item is meant: words weighed by how rare they are among the user's own items."""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import cache, cached_property, lru_cache

from agents.index.index import Items
from agents.index.items import Item
from agents.index.words import GENERIC, INITIALS, alike, first_letters, resembling, words_of
from agents.rendering.item_names import titles_of

GENERIC_WEIGHT = 0.2
GOOD_FIT = 0.6
FIT_MARGIN = 0.2
HALF_FIT = 0.5
ROUNDING_SLACK = 1e-9


def tell_apart(items: Sequence[Item], now: datetime) -> list[Item]:
    """Return the items as a reply tells them with their times: those that share title and time with short ids."""
    return [replace(item, title=title) for item, title in zip(items, titles_of(items, now), strict=True)]


@dataclass(frozen=True)
class Listed:
    """A few items that are gone through, where ``Items`` looks up the same in the index."""

    items: Sequence[Item]

    @cached_property
    def _occurring(self) -> set[str]:
        return set[str]().union(*(item.words for item in self.items))

    def like(self, said: str) -> Collection[str]:
        """Return the words of titles that are like one."""
        return resembling(said, self._occurring)

    def with_words(self, words: Collection[str]) -> list[Item]:
        """Return those that have one of these words in their title."""
        return [item for item in self.items if any(word in words for word in item.words)]

    def with_initials(self, shorts: Collection[str]) -> list[Item]:
        """Return those whose initials are among these."""
        return [item for item in self.items if first_letters(item.words) in shorts]

    def put_in_order(self, items: Iterable[Item]) -> list[Item]:
        """Return some of them in order."""
        wanted = {id(item) for item in items}
        return [item for item in self.items if id(item) in wanted]

    def __len__(self) -> int:
        return len(self.items)


Pool = Items | Listed


def _pool_of(items: Sequence[Item]) -> Pool:
    return items if isinstance(items, Items) else Listed(items)


def candidates(phrase: str, items: Sequence[Item], fits: Callable[[Item], bool] = lambda _: True) -> list[Item]:
    """Return the items that a phrase may mean: none, the one, or several that are equally good."""
    wanted = list(dict.fromkeys(words_of(phrase)))
    if not wanted:
        return []
    pool = _pool_of(items)
    wanted_short = {word for word in wanted if INITIALS.fullmatch(word)}
    near = _near(wanted, pool)
    touched, short = pool.with_words(near), pool.with_initials(wanted_short) if wanted_short else []
    if not touched and not short:
        return []
    weight = _weights(pool)
    least = GOOD_FIT * sum(map(weight, wanted)) - ROUNDING_SLACK
    # What a title covers of the wanted words at most: nearly all titles need no closer look.
    most = lru_cache(maxsize=None)(lambda words: sum(map(weight, {said for word in words for said in near[word]})))
    covering = [item for item in touched if most(tuple(filter(near.__contains__, item.words))) >= least]
    closely = pool.put_in_order({id(item): item for item in (*covering, *short)}.values())
    score = _scoring(wanted, near, weight)
    scored = [(item, score(item.words)) for item in closely if fits(item)]
    good = [(item, score) for item, score in scored if score[0] >= GOOD_FIT]
    best = max((score for _, score in good), default=(0.0, 0.0))
    close = [item for item, score in good if best[0] - score[0] < FIT_MARGIN / 2]
    exact = [item for item, score in good if score[0] == best[0] and score[1] >= 1.0]
    return exact if len(exact) == 1 else close


def _near(wanted: Collection[str], pool: Pool) -> dict[str, list[str]]:
    """Return the words of titles that are like wanted ones, each with these."""
    like = {said: frozenset(pool.like(said)) for said in wanted}
    return {word: [said for said in wanted if word in like[said]] for word in frozenset[str]().union(*like.values())}


def _weights(pool: Pool) -> Callable[[str], float]:
    def weight(word: str) -> float:
        there = len(pool.with_words((word,)))
        return math.log(1 + (len(pool) + 1) / (max(there, 1) + 0.5)) * (GENERIC_WEIGHT if word in GENERIC else 1)

    return lru_cache(maxsize=None)(weight)


def _scoring(
    wanted: Sequence[str], near: Collection[str], weight: Callable[[str], float]
) -> Callable[[Sequence[str]], tuple[float, float]]:
    """Return what scores titles: of many only the few words count that are like wanted ones."""
    total = sum(map(weight, wanted))
    shorts = [word for word in wanted if INITIALS.fullmatch(word)]

    @cache
    def count_overlap(words: tuple[str, ...]) -> tuple[float, float]:
        hit = sum(weight(word) * max((alike(word, other) for other in words), default=0) for word in wanted)
        return hit, sum(max(alike(word, other) for other in wanted) for word in words)

    def score(have: Sequence[str]) -> tuple[float, float]:
        if shorts and first_letters(have) in shorts:
            return _score(wanted, have, weight)
        hit, back = count_overlap(tuple(filter(near.__contains__, have)))
        return hit / total if total else 0, back / len(have) if have else 0

    return score


def _score(wanted: Sequence[str], have: Sequence[str], weight: Callable[[str], float]) -> tuple[float, float]:
    """Return how much of the wanted words a title covers that has others, and how much of the title these cover."""
    wanted = spelled_out(wanted, have)
    total = sum(map(weight, wanted))
    hit = sum(weight(word) * max((alike(word, other) for other in have), default=0) for word in wanted)
    back = sum(max((alike(word, other) for other in wanted), default=0) for word in have)
    return hit / total if total else 0, back / len(have) if have else 0


def has_words(text: str, name: str) -> bool:
    """Return whether a text has all telling words of a name, which has some."""
    said, have = words_of(name), words_of(text)
    return bool(said) and all(any(alike(word, other) for other in have) for word in said)


def spelled_out(said: Sequence[str], have: Sequence[str]) -> Sequence[str]:
    """Return what was said, with the initials of a title as its words."""
    short = first_letters(have)
    if short not in said or not INITIALS.fullmatch(short):
        return said
    return [word for one in said for word in (have if one == short else (one,))]


def find_mentioned(text: str, items: Sequence[Item]) -> list[Item]:
    """Return the items whose title a longer text contains, at least for the most part; the best of them."""
    said, pool = words_of(text), _pool_of(items)
    if not said:
        return []
    short = first_letters(said)
    near = _near(said, pool).items()
    covered: dict[str, float] = {word: max(alike(word, one) for one in ones) for word, ones in near}

    def score(item: Item) -> float:
        if short in item.words:
            return _score(item.words, said, lambda _: 1.0)[0]
        return sum(covered.get(word, 0) for word in item.words) / len(item.words)

    # A title that scores has half of its words among these.
    scored = [(score(item), item) for item in pool.with_words({*covered, short})]
    best = max((score for score, _ in scored), default=0.0)
    top = [item for score, item in scored if score == best]
    return pool.put_in_order(top) if best >= GOOD_FIT or (best >= HALF_FIT and len(top) == 1) else []
