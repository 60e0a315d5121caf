"""The scores of words as clauses: the best cut, the act of each clause, the best slots inside of it."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from itertools import accumulate
from typing import Any

import numpy as np

from agents.reading.labels import ACTS, CUTS, LABEL_GROUPS, SLOT_LABELS, TOPICS, TOPICS_OF
from agents.reading.reading import Clause, Reading, Slot
from agents.reading.words import Span

Scores = np.ndarray[Any, np.dtype[np.float32]]
NEVER_SCORE = -1e4
SLOT_AT, ACT_AT, TOPIC_AT = accumulate(len(names) for names in LABEL_GROUPS[:-1])


def decode_scores(text: str, words: Sequence[Span], scores: Scores, heat: float = 1.0) -> Reading:
    """Return what the scores [words, SIZE] of a message say; ``heat`` above 1 makes probabilities more modest."""
    if not len(scores):
        return Reading(text, ())
    cuts = best_path(logarithms(scores[:, :SLOT_AT]), CUTS)
    runs = runs_of(cuts, CUTS) or [(0, len(scores), "")]
    return Reading(text, tuple(_clause(text, words[a:b], scores[a:b], heat) for a, b, _ in runs))


def act_chances(scores: Scores, heat: float = 1.0) -> dict[str, float]:
    """Return how probable each act is for words with these scores."""
    return dict(zip(ACTS, map(float, np.exp(logarithms(scores[:, ACT_AT:TOPIC_AT].mean(0) / heat))), strict=True))


def topic_of(act: str, scores: Scores, heat: float = 1.0) -> tuple[str, float]:
    """Return what words with these scores are most probably about, of what their act may be about, and how probably."""
    topics = TOPICS_OF.get(act)
    if topics is None:
        return "", 0.0
    places = [TOPIC_AT + TOPICS.index(name) for name in topics]
    chances = np.exp(logarithms(scores[:, places].mean(0) / heat))
    best = int(chances.argmax())
    return topics[best], float(chances[best])


def act_shares(scores: Scores) -> dict[str, float]:
    """Return how much of words with these scores each act has: the mean of its probabilities for each of them."""
    return dict(zip(ACTS, map(float, np.exp(logarithms(scores[:, ACT_AT:TOPIC_AT])).mean(0)), strict=True))


def _clause(text: str, words: Sequence[Span], scores: Scores, heat: float) -> Clause:
    chances = act_chances(scores, heat)
    act = max(chances, key=lambda name: chances[name])
    known = logarithms(scores[:, SLOT_AT:ACT_AT] / heat)
    path = best_path(known, SLOT_LABELS)
    slots = []
    for a, b, name in runs_of(path, SLOT_LABELS):
        start, end = words[a][0], words[b - 1][1]
        sure = float(np.exp(min(known[at, path[at]] for at in range(a, b))))
        slots.append(Slot(name, text[start:end], start, end, sure))
    start, end = words[0][0], words[-1][1]
    return Clause(act, chances[act], text[start:end], start, end, tuple(slots), chances, *topic_of(act, scores, heat))


def logarithms(scores: Scores) -> Scores:
    """Return the logarithms of the probabilities that scores stand for, along the last axis."""
    raised = scores - scores.max(-1, keepdims=True)
    return np.asarray(raised - np.log(np.exp(raised).sum(-1, keepdims=True)), np.float32)


@cache
def steps(labels: tuple[str, ...]) -> Scores:
    """Return what a step from one label to another costs: I- goes on only with what began."""
    cost = np.zeros((len(labels), len(labels)), np.float32)
    for at, name in enumerate(labels):
        if name.startswith("I"):
            cost[:, at] = NEVER_SCORE
            cost[[labels.index(f"B{name[1:]}"), at], at] = 0
    return cost


def best_path(scores: Scores, labels: tuple[str, ...]) -> list[int]:
    """Return the likeliest sequence of labels (Viterbi) in which every I- follows its own B- or I-."""
    cost = steps(labels)
    total = scores[0] + np.array([NEVER_SCORE if name.startswith("I") else 0 for name in labels])
    back = []
    for row in scores[1:]:
        reached = total[:, None] + cost
        back.append(reached.argmax(0))
        total = reached.max(0) + row
    path = [int(total.argmax())]
    for before in reversed(back):
        path.append(int(before[path[-1]]))
    return path[::-1]


def runs_of(path: Sequence[int], labels: Sequence[str]) -> list[tuple[int, int, str]]:
    """Return where each run begins and ends (exclusive), and its name."""
    found: list[tuple[int, int, str]] = []
    for at, label in enumerate(path):
        part, _, name = labels[label].partition("-")
        if part == "B":
            found.append((at, at + 1, name))
        elif part == "I":
            begun, _, name = found[-1]
            found[-1] = (begun, at + 1, name)
    return found
