"""Fits the linear model of intents and writes its coefficients into the package.

    python scripts/fit_intents.py --data DIR [--tune]

DIR holds data/intents/train.jsonl: one JSON object a line with text and intent. Summit's own examples stand beside this
script in intent_examples.txt. ``--tune`` fits on nine tenths and reports on the rest instead of writing. Needs numpy.
"""

from __future__ import annotations

import argparse
import itertools
import json
import random
import re
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from agents.understanding.model.features import BUCKETS, features
from agents.understanding.model.packing import COEFFICIENTS, pack

EXAMPLES = Path(__file__).with_name("intent_examples.txt")
TARGET = Path(__file__).resolve().parents[1] / "agents" / "understanding" / "model" / COEFFICIENTS
MOST_FEATURES = 600
PER_TEMPLATE = 60
OWN_WEIGHT, KNOWN = 0.1, 50
EPOCHS, BATCH, RATE, DROPPED, DECAY, BALANCE = 12, 256, 0.03, 0.1, 1e-6, 0.5
Row = tuple[str, str]
Matrix = NDArray[np.float32]
Whole = NDArray[np.int64]


def public(path: Path) -> list[Row]:
    """Sentences and intents of a data file."""
    rows = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    return [(row["text"], row["intent"]) for row in rows]


def own(path: Path = EXAMPLES) -> list[Row]:
    """Our own examples, at most 60 of each template, always the same ones."""
    found: list[Row] = []
    words: dict[str, str] = {}
    for line in path.read_text(encoding="utf-8").splitlines():
        label, _, template = line.partition("\t")
        if label.startswith("@"):
            words[label[1:]] = template
        elif template:
            found += [(text, label) for text in expanded(template, words)]
    return found


def expanded(template: str, words: dict[str, str]) -> list[str]:
    """Sentences that a template stands for."""
    chance = random.Random(template)
    texts = {" ".join(_one(template, words, chance).split()) for _ in range(PER_TEMPLATE)}
    return sorted(texts)


def _one(template: str, words: dict[str, str], chance: random.Random) -> str:
    chosen = re.sub(r"\[([^\]]*)\]", lambda match: chance.choice(match[1].split("|")), template)
    return re.sub(r"<(\w+)>", lambda match: chance.choice(words[match[1]].split("|")), chosen)


def shares(rows: Sequence[Row], said: Sequence[Row]) -> list[float]:
    """How much each sentence counts: our own a tenth where the public data knows the intent, as people said theirs."""
    public_rows = set(said)
    counts = Counter(label for _, label in said)
    return [1.0 if row in public_rows or counts[row[1]] < KNOWN else OWN_WEIGHT for row in rows]


class Examples:
    """Sentences as padded rows of buckets; the bucket after the last is always empty. ``shares`` weigh them."""

    def __init__(self, rows: Sequence[Row], labels: Sequence[str], shares: Sequence[float] | None = None) -> None:
        self.shares = np.array(shares if shares is not None else [1.0] * len(rows), np.float32)
        self.filled = np.full((len(rows), MOST_FEATURES), BUCKETS, np.int32)
        self.scale = np.ones(len(rows), np.float32)
        self.answers: Whole = np.array([labels.index(label) for _, label in rows], np.int64)
        for index, (text, _) in enumerate(rows):
            found = features(text)[:MOST_FEATURES]
            self.filled[index, : len(found)] = found
            self.scale[index] = max(len(found), 1) ** -0.5

    def scores(self, weights: Matrix) -> Matrix:
        """Scores before the softmax, a row for each sentence."""
        parts = [
            weights[self.filled[at : at + BATCH]].sum(1) * self.scale[at : at + BATCH, None]
            for at in range(0, len(self.scale), BATCH)
        ]
        return np.concatenate(parts)


def fit(examples: Examples, labels: Sequence[str]) -> Matrix:
    """Multinomial logistic regression by Adam; buckets are dropped at random, rare intents weigh more."""
    chance = np.random.default_rng(0)
    weights = np.zeros((BUCKETS + 1, len(labels)), np.float32)
    means, squares = np.zeros_like(weights), np.zeros_like(weights)
    costs = _costs(examples.answers, len(labels))
    for step, (rows, rate) in enumerate(_batches(len(examples.answers), chance), start=1):
        gradient = _gradient(weights, examples, rows, costs, chance) + DECAY * weights
        means += 0.1 * (gradient - means)
        squares += 0.001 * (gradient * gradient - squares)
        weights -= rate * (means / (1 - 0.9**step)) / (np.sqrt(squares / (1 - 0.999**step)) + 1e-8)
    weights[BUCKETS] = 0
    return weights


def _costs(answers: Whole, labels: int) -> Matrix:
    counts = np.bincount(answers, minlength=labels)
    costs = (counts.mean() / np.maximum(counts, 20)) ** BALANCE
    return (costs * counts.sum() / (costs * counts).sum()).astype(np.float32)


def _batches(size: int, chance: np.random.Generator) -> Iterator[tuple[Whole, float]]:
    for epoch in range(EPOCHS):
        order = chance.permutation(size)
        for at in range(0, size, BATCH):
            yield order[at : at + BATCH], RATE * (1 - epoch / EPOCHS)


def _gradient(weights: Matrix, examples: Examples, rows: Whole, costs: Matrix, chance: np.random.Generator) -> Matrix:
    filled = examples.filled[rows]
    width = int((filled < BUCKETS).sum(1).max())
    filled = np.where(chance.random((len(rows), width)) < DROPPED, BUCKETS, filled[:, :width])
    weights[BUCKETS] = 0
    scale, answers = examples.scale[rows, None], examples.answers[rows]
    error = softmax(weights[filled].sum(1) * scale)
    error[np.arange(len(rows)), answers] -= 1
    error *= scale * (costs[answers] * examples.shares[rows])[:, None] / len(rows)
    places = filled.ravel()
    columns = [np.bincount(places, weights=np.repeat(column, width), minlength=BUCKETS + 1) for column in error.T]
    return np.stack(columns, axis=1).astype(np.float32)


def softmax(scores: Matrix) -> Matrix:
    """Probabilities of each row."""
    raised: Matrix = np.exp(scores - scores.max(1, keepdims=True))
    return raised / raised.sum(1, keepdims=True)


def temperature(scores: Matrix, answers: Whole) -> float:
    """The factor on the scores that makes probabilities honest: the least log loss over a grid."""
    grid = np.arange(0.3, 2.0, 0.05)
    losses = [-np.log(softmax(scores * factor)[np.arange(len(answers)), answers] + 1e-9).mean() for factor in grid]
    return float(grid[int(np.argmin(losses))])


def divided(rows: Sequence[Row], every: int) -> tuple[list[Row], list[Row]]:
    """One part in ``every`` is held out, by place after a fixed shuffle."""
    shuffled = list(rows)
    random.Random(7).shuffle(shuffled)
    held = shuffled[::every]
    return list(itertools.chain(*(shuffled[at : at + every - 1] for at in range(1, len(shuffled), every)))), held


def report(scores: Matrix, answers: Whole) -> dict[str, Any]:
    """Accuracy, and the share of wrong among the surest nine tenths."""
    sure = softmax(scores)
    right = sure.argmax(1) == answers
    kept = np.argsort(-sure.max(1))[: int(0.9 * len(right))]
    return {"accuracy": float(right.mean()), "wrong at 90 % kept": float((~right[kept]).mean())}


def main() -> None:
    """Fit, calibrate on a held-out tenth, and write or report."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--tune", action="store_true")
    options = parser.parse_args()
    said = public(options.data / "data" / "intents" / "train.jsonl")
    rows = said + own()
    labels = sorted({label for _, label in rows})
    used, held = divided(rows, 10)
    tried, apart = fit(Examples(used, labels, shares(used, said)), labels), Examples(held, labels)
    warmth = temperature(apart.scores(tried), apart.answers)
    print(
        f"{len(rows)} sentences, {len(labels)} intents, scores x {warmth:.2f}",
        report(apart.scores(tried), apart.answers),
    )
    if not options.tune:
        weights = fit(Examples(rows, labels, shares(rows, said)), labels)
        TARGET.write_bytes(pack(weights[:BUCKETS].tolist(), labels, warmth))
        print(f"{TARGET.name}: {TARGET.stat().st_size} bytes")


if __name__ == "__main__":
    main()
