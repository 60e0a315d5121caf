"""Examples as the tensors of a batch; every batch hangs on the seed and its number alone."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import torch
from tokenizers import Tokenizer
from torch import Tensor
from torch.utils.data import Dataset

from agents.reading.labels import ACTS, CONTEXTS, CUTS, FLAGS, SLOT_LABELS, TOPICS
from training.examples import Example
from training.variation import Unit, Variations

START, END, UNKNOWN = 101, 102, 100
LONGEST = 200
"""Pieces of an example; longer ones are cut."""
POOL = 16
"""Batches that are drawn together and sorted by length, so that little is padding."""
CUT_NUMBERS, SLOT_NUMBERS, ACT_NUMBERS, TOPIC_NUMBERS = (
    {name: at for at, name in enumerate(names)} for names in (CUTS, SLOT_LABELS, ACTS, TOPICS)
)
NOTHING = -100
"""The label of what is not learned from: all pieces of a word but the first, a clause whose topic nobody marked."""


@dataclass
class Batch:
    """What the network takes, and what it should say; ``acts`` and ``topics`` have a number for each clause."""

    pieces: Tensor
    mask: Tensor
    segments: Tensor
    context: Tensor
    flags: Tensor
    cuts: Tensor
    slots: Tensor
    clause: Tensor
    acts: Tensor
    topics: Tensor

    def on(self, device: str) -> Batch:
        """The same on another device."""
        return Batch(**{name: value.to(device, non_blocking=True) for name, value in vars(self).items()})


class Pieces:
    """Words as numbers of the pretrained vocabulary."""

    def __init__(self, tokenizer: Path) -> None:
        self._tokenizer = Tokenizer.from_file(str(tokenizer))
        self._tokenizer.no_padding()
        self._tokenizer.no_truncation()
        self._known: dict[str, list[int]] = {}

    def of(self, word: str) -> list[int]:
        """The pieces of one word, at least one."""
        word = word.lower().strip() or "."
        if word not in self._known:
            self._known[word] = self._tokenizer.encode(word, add_special_tokens=False).ids or [UNKNOWN]
        return self._known[word]

    def batch(self, units: Sequence[Unit]) -> Batch:
        """Units as one batch; clauses carry their pieces as a mask [clauses, pieces] of weights that sum to one."""
        rows = [self._row(unit) for unit in units]
        longest = max(len(row[0]) for row in rows)
        shape = (len(rows), longest)
        made = Batch(
            torch.zeros(shape, dtype=torch.long), torch.zeros(shape), torch.zeros(shape, dtype=torch.long),
            torch.tensor([CONTEXTS.index(unit.context) for unit in units]), torch.zeros(*shape, len(FLAGS)),
            torch.full(shape, NOTHING), torch.full(shape, NOTHING), torch.zeros(0), torch.zeros(0), torch.zeros(0),
        )  # fmt: skip
        clauses, acts, topics = [], [], []
        for at, (unit, (ids, segments, first, flags)) in enumerate(zip(units, rows, strict=True)):
            size = len(ids)
            made.pieces[at, :size], made.mask[at, :size] = torch.tensor(ids), 1
            made.segments[at, :size] = torch.tensor(segments)
            made.flags[at, :size] = torch.tensor(
                [[float(flag >> bit & 1) for bit in range(len(FLAGS))] for flag in flags]
            )
            made.cuts[at, first] = torch.tensor([CUT_NUMBERS[word.cut] for word in unit.words[: len(first)]])
            made.slots[at, first] = torch.tensor([SLOT_NUMBERS[word.slot] for word in unit.words[: len(first)]])
            for clause in unit.clauses:
                inside = first[clause.first : clause.last + 1]
                if inside:
                    weights = torch.zeros(len(rows) * longest)
                    weights[torch.tensor(inside) + at * longest] = 1 / len(inside)
                    clauses.append(weights)
                    acts.append(ACT_NUMBERS[clause.act])
                    topics.append(TOPIC_NUMBERS.get(clause.topic, NOTHING))
        made.clause, made.acts, made.topics = torch.stack(clauses), torch.tensor(acts), torch.tensor(topics)
        return made

    def _row(self, unit: Unit) -> tuple[list[int], list[int], list[int], list[int]]:
        """The pieces of a unit, the segment of each, where each word begins, and the flags of each piece."""
        ids, first, flags = [START], [], [0]
        for word, flag in zip(unit.words, unit.flags, strict=True):
            pieces = self.of(word.text)
            if len(ids) + len(pieces) >= LONGEST:
                break
            first.append(len(ids))
            ids += pieces
            flags += [flag] * len(pieces)
        ids.append(END)
        said = len(ids)
        if unit.aside:
            ids += [piece for word in unit.aside for piece in self.of(word)] + [END]
        return ids, [0] * said + [1] * (len(ids) - said), first, flags + [0] * (len(ids) - len(flags))


class Drawn(Dataset[list[Batch]]):
    """Pools of batches of varied examples; the one of a number is always the same."""

    def __init__(
        self, examples: Sequence[Example], pieces: Pieces, pools: int, size: int, seed: int, weight: float = 1.0
    ) -> None:
        self._examples, self._pieces, self._pools, self._size, self._seed = examples, pieces, pools, size, seed
        self._variations = Variations(examples)
        self._weights = [weight if any(c.topic for c in example.clauses) else 1.0 for example in examples]

    def __len__(self) -> int:
        return self._pools

    def __getitem__(self, number: int) -> list[Batch]:
        rng = random.Random(f"{self._seed}-{number}")
        chosen = rng.choices(self._examples, self._weights, k=self._size * POOL)
        units = [self._variations.varied(example, rng) for example in chosen]
        units.sort(key=lambda unit: len(unit.words) + len(unit.aside))
        batches = [units[at : at + self._size] for at in range(0, len(units), self._size)]
        rng.shuffle(batches)
        return [self._pieces.batch([unit for unit in batch if unit.clauses]) for batch in batches]
