"""Which item words name: the quick search finds what comparing every word of every title would."""

from __future__ import annotations

import math
import random
from collections import Counter
from collections.abc import Sequence

import pytest

from agents.records import ToDo
from agents.understanding.references import (
    GENERIC,
    GOOD,
    HALF,
    INITIALS,
    LITTLE,
    MARGIN,
    Item,
    alike,
    candidates,
    initials,
    items_of,
    mentioned,
    spelled_out,
    words_of,
)
from tests.support.asking import ask

WORDS = """
    paint paints painting kitchen kitchens kichen hall bank banks physical therapy pt call calls milk game project
    report reports annual annually dentist dentits 12 twelve number letter latter""".split()


def made(chance: random.Random) -> str:
    return " ".join(chance.choices(WORDS, k=chance.randint(1, 4)))


def score(wanted: Sequence[str], title: str, weights: Counter[str] | None, titles: int) -> tuple[float, float]:
    """How much of the wanted words a title covers, weighed by rarity, and how much of the title they cover."""

    def weight(word: str) -> float:
        if weights is None:
            return 1.0
        return math.log(1 + (titles + 1) / (max(weights[word], 1) + 0.5)) * (LITTLE if word in GENERIC else 1)

    have, wanted = words_of(title), spelled_out(wanted, title)
    hit = sum(weight(word) * max((alike(word, other) for other in have), default=0) for word in wanted)
    back = sum(max((alike(word, other) for other in wanted), default=0) for word in have)
    return hit / sum(map(weight, wanted)), back / len(have)


def named_plainly(phrase: str, items: Sequence[Item]) -> list[Item]:
    wanted = list(dict.fromkeys(words_of(phrase)))
    short = {word for word in wanted if INITIALS.fullmatch(word)}
    weights = Counter(word for item in items for word in set(words_of(item.title)))
    pool = [
        item
        for item in items
        if any(alike(said, word) for said in wanted for word in words_of(item.title)) or initials(item.title) in short
    ]
    scored = [(item, score(wanted, item.title, weights, len(items))) for item in pool]
    good = [(item, found) for item, found in scored if found[0] >= GOOD]
    best = max((found for _, found in good), default=(0.0, 0.0))
    exact = [item for item, found in good if found[0] == best[0] and found[1] >= 1.0]
    return exact if len(exact) == 1 else [item for item, found in good if best[0] - found[0] < MARGIN / 2]


def mentioned_plainly(text: str, items: Sequence[Item]) -> list[Item]:
    scored = [(score(words_of(item.title), text, None, 0)[0], item) for item in items]
    best = max((found for found, _ in scored), default=0.0)
    top = [item for found, item in scored if found == best]
    return top if best >= GOOD or (best >= HALF and len(top) == 1) else []


@pytest.mark.parametrize("seed", range(60))
def test_the_quick_search_finds_what_the_plain_one_finds(seed: int) -> None:
    chance = random.Random(seed)
    items = items_of(ask("", todos=[{"task": made(chance)} for _ in range(chance.randint(1, 30))]).records, "todo")
    for _ in range(20):
        phrase = made(chance)
        assert candidates(phrase, items) == named_plainly(phrase, items), phrase
        assert mentioned(phrase, items) == mentioned_plainly(phrase, items), phrase


def test_a_record_that_is_kept_is_named_once_and_a_new_version_anew() -> None:
    records = ask("", todos=[{"task": "paint the fence"}]).records
    [first], [again] = items_of(records, "todo"), items_of(records, "todo")
    assert first is again
    renamed = records.model_copy(update={"todos": [ToDo.model_validate(vars(records.todos[0]) | {"task": "sand it"})]})
    assert [item.title for item in items_of(renamed, "todo")] == ["sand it"]
