"""What authors write too little of, made of what they wrote: names nobody knows, numbered titles, long lists."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import replace

from training.examples import Example, Word

NAMED = frozenset("t g i c n p q x k".split())
"""Slots in which people and places have names."""
SYLLABLES = "ba bo cle da dri el fen gu hal ia jo kae li mo nik ola pri qua ro sch ta ul vex wo xa yu zi".split()
MOST_ADDED = 30
"""Things that a list is made longer by."""


def with_unknown_names(example: Example, rng: random.Random) -> Example:
    """With names that nobody has heard in place of those that begin with a capital, the same one for the same."""
    made: dict[str, str] = {}
    words = []
    for at, word in enumerate(example.words):
        if at and word.slot[2:] in NAMED and word.text.istitle() and len(word.text) > 2 and not word.time:
            name = made.setdefault(word.text, _name(rng))
            words.append(replace(word, text=name))
        else:
            words.append(word)
    return replace(example, words=tuple(words))


def with_a_number(example: Example, rng: random.Random) -> Example:
    """With a number behind the title of something new."""
    ends = [
        at
        for at, word in enumerate(example.words)
        if word.slot.endswith("-t")
        and not word.time
        and (at + 1 == len(example.words) or example.words[at + 1].slot != "I-t")
    ]
    if not ends:
        return example
    number = Word(str(rng.choice((rng.randrange(10), rng.randrange(1, 120)))), "I", "I-t")
    return inserted(example, rng.choice(ends) + 1, [number])


def with_more_things(example: Example, rng: random.Random, things: Sequence[tuple[Word, ...]]) -> Example:
    """With many more things between the first two of a list, parted as these are."""
    begins = [at for at, word in enumerate(example.words) if word.slot == "B-i"]
    if len(begins) < 2 or not things:
        return example
    first, second = begins[:2]
    end = next(at for at in range(first + 1, second + 1) if example.words[at].slot != "I-i")
    between = example.words[end:second]
    if len(between) > 2 or any(word.cut != "I" or word.slot != "O" for word in between):
        return example
    added: list[Word] = []
    for _ in range(rng.choice((rng.randrange(3, 8), rng.randrange(3, MOST_ADDED)))):
        added += between
        added += [
            replace(word, cut="I", slot="I-i" if at else "B-i", time=False)
            for at, word in enumerate(rng.choice(things)[:3])
        ]
    return inserted(example, end, added)


def inserted(example: Example, at: int, new: Sequence[Word]) -> Example:
    """With words put in before the one at ``at``, as part of the clause that the word before it stands in."""
    grown = len(new)
    clauses = [
        replace(
            clause,
            first=clause.first + grown * (clause.first >= at),
            last=clause.last + grown * (clause.last >= at - 1),
        )
        for clause in example.clauses
    ]
    return replace(example, words=(*example.words[:at], *new, *example.words[at:]), clauses=tuple(clauses))


def _name(rng: random.Random) -> str:
    name = "".join(rng.choice(SYLLABLES) for _ in range(rng.randrange(2, 5)))
    return name if rng.random() < 0.3 else name.title()
