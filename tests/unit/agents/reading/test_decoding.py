"""Scores become clauses and slots that are whole, whatever the scores."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

from agents.reading.decoding import best_path, decode_scores, logarithms, runs_of
from agents.reading.labels import ACTS, CUTS, LABEL_COUNT, SLOT_LABELS
from agents.reading.words import split_words

LABELS = ("O", "B-a", "I-a", "B-b", "I-b")


def whole(path: list[int]) -> bool:
    names = [LABELS[at] for at in path]
    return all(
        not now.startswith("I") or (before[1:] == now[1:] and before != "O")
        for before, now in zip(["O", *names], names, strict=False)
    )


@pytest.mark.parametrize("seed", range(40))
def test_the_best_path_is_the_best_of_all_whole_ones(seed: int) -> None:
    scores = np.random.default_rng(seed).normal(size=(4, len(LABELS))).astype(np.float32)
    paths = [list(path) for path in product(range(len(LABELS)), repeat=4) if whole(list(path))]
    best = max(paths, key=lambda path: sum(float(scores[at, label]) for at, label in enumerate(path)))
    assert best_path(scores, LABELS) == best


def test_runs_end_where_the_next_begins() -> None:
    assert runs_of([1, 2, 1, 0, 3, 4, 4], LABELS) == [(0, 2, "a"), (2, 3, "a"), (4, 7, "b")]


def test_probabilities_add_up_to_one() -> None:
    scores = np.random.default_rng(3).normal(size=(6, 9)).astype(np.float32) * 30
    assert np.exp(logarithms(scores)).sum(-1) == pytest.approx(np.ones(6))


@pytest.mark.parametrize("seed", range(20))
def test_whatever_the_scores_every_place_is_one_of_the_text(seed: int) -> None:
    text = "um book pottery on friday and the kiln needs wood"
    words = split_words(text)
    scores = np.random.default_rng(seed).normal(size=(len(words), LABEL_COUNT)).astype(np.float32) * 4
    reading = decode_scores(text, words, scores)
    assert reading.clauses
    for clause in reading.clauses:
        assert text[clause.start : clause.end] == clause.text
        assert sum(clause.chances.values()) == pytest.approx(1, abs=1e-4)
        assert clause.sure == max(clause.chances.values())
        for slot in clause.slots:
            assert text[slot.start : slot.end] == slot.text
            assert clause.start <= slot.start < slot.end <= clause.end
            assert 0 <= slot.sure <= 1


def test_clauses_and_slots_are_those_of_the_highest_scores() -> None:
    text = "book pottery friday"
    scores = np.zeros((3, LABEL_COUNT), np.float32)
    slots = ["O", "B-t", "B-w"]
    for at, (cut, slot) in enumerate(zip("BII", slots, strict=True)):
        scores[at, CUTS.index(cut)] = 5
        scores[at, len(CUTS) + SLOT_LABELS.index(slot)] = 8
        scores[at, len(CUTS) + len(SLOT_LABELS) + ACTS.index("event")] = 6
    (clause,) = decode_scores(text, split_words(text), scores).clauses
    assert (clause.act, clause.text) == ("event", text)
    assert [(slot.name, slot.text) for slot in clause.slots] == [("t", "pottery"), ("w", "friday")]
    assert (clause.words("t"), [slot.text for slot in clause.all("w", "d")]) == ("pottery", ["friday"])


def test_no_words_are_no_clauses() -> None:
    assert decode_scores("", [], np.zeros((0, LABEL_COUNT), np.float32)).clauses == ()
