"""Fit the selector of answers from memory to written questions: `python -m training.selector`.

Indexes the memos of training/answers/scenes.txt, searches them as the program does, and writes
app/memory/selector_weights.py; prints how well each scene is answered by weights that have not seen it. Where the
network of training.answerer has read each candidate, its score is one feature more: those weights learn from the scenes
that the network has not seen.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any
from unittest.mock import patch
from uuid import UUID

import numpy as np

from app.database.database import Database
from app.memory import selecting
from app.memory.changing import change_features, is_later
from app.memory.fusion import Cues, rank_candidates
from app.memory.model.memory import Candidate, Found, Query
from app.memory.selecting import MOST_COMPARED, features
from app.memory.store.memory import MemoryIndex
from app.memory.vectors.answerer import Answerer
from app.memory.vectors.onnx import MiniLM
from app.memory.vectors.weights import weights_path
from app.memory.wording import words_in
from training.scenes import (
    FOLDER,
    MODEL,
    NOW,
    Brought,
    Scene,
    every_scene,
    hold_out,
    index_scene,
    label_of,
    open_database,
    scenes,
    search_scenes,
)

SCENES = FOLDER / "scenes.txt"
TARGET = Path("app/memory/selector_weights.py")
SHRINKING = 0.5
"""How strongly weights are drawn to nothing."""
ROUNDS = 30
DECLINED = 0.9
"""Share of questions without an answer that should be declined."""
Later = Callable[[], Awaitable["Example | None"]]
Array = np.ndarray[Any, np.dtype[np.float64]]


@dataclass(frozen=True)
class Example:
    """A question with the features of its candidates, and which of them answer; -1 where that is not clear."""

    question: str
    rows: Array
    answers: Array
    has_answer: bool


async def examples(model: MiniLM | None) -> list[tuple[list[Example], list[Example]]]:
    """Return those of each scene for selecting and, with vectors where there is a model, those for what changed."""
    async with open_database() as database:
        told = [await _of_scene(database, model, one) for one in scenes(SCENES.read_text(encoding="utf-8"))]
        chosen = tuple(fit([one for made, _ in told for one in made]))
        # What may have changed is told by how likely it answers, too: by these weights, not by those before.
        with patch.object(selecting, "BY_MEANING", chosen):
            return [(made, [one for change in changes if (one := await change())]) for made, changes in told]


async def examples_with_scores(model: MiniLM, answerer: Answerer) -> list[list[Example]]:
    """Return those of each scene that the network has not seen, with its scores."""
    every = every_scene()
    kept = hold_out([one.name for one in every])
    brought = await search_scenes([one for one in every if one.name in kept], model)
    return [[_with_scores(one, answerer) for one in brought if one.scene == name] for name in sorted(kept)]


def _with_scores(one: Brought, answerer: Answerer) -> Example:
    rows = list(features(one.question, one.found, [each.candidate for each in one.ranked]))
    scores = answerer.score(one.question, one.texts)
    return Example(one.question, np.c_[np.array(rows), scores], np.array(one.answers), one.has_answer)


async def _of_scene(database: Database, model: MiniLM | None, scene: Scene) -> tuple[list[Example], list[Later]]:
    user, index = await index_scene(database, model, scene)
    made, changes = list[Example](), list[Later]()
    for question, places, holds in scene.questions:
        vector = model.embed([question])[0].tolist() if model else None
        found = await index.search(user, Query(question, vector, MODEL if model else ""))
        compared = rank_candidates(found.candidates, Cues(words_in(question), now=NOW))[:MOST_COMPARED]
        rows = list(features(question, found, [one.candidate for one in compared]))
        answers = [label_of(scene, one.candidate, places) for one in compared]
        if rows:
            made.append(Example(question, np.array(rows), np.array(answers), bool(places)))
        before = [one.candidate for one, answer in zip(compared, answers, strict=True) if answer > 0]
        if model:
            changes += [partial(_of_change, index, user, question, best, holds, found) for best in before]
    return made, changes


async def _of_change(
    index: MemoryIndex, user: UUID, question: str, best: Candidate, holds: str, asked: Found
) -> Example | None:
    """What was said after an answer, of which one memo may hold in its place."""
    vector = await index.vector_of(user, MODEL, best.id)
    found = await index.search(user, Query(question, vector, MODEL, since=best.captured_at))
    others = [one for one in found.candidates if is_later(best, one)]
    if not others or best.document == holds:
        return None
    answers = np.array([float(one.document == holds) for one in others])
    return Example(question, np.array(list(change_features(question, best, others, asked))), answers, bool(holds))


def fit(given: Sequence[Example]) -> Array:
    """Return the weights of a logistic regression, the bias first, by Newton's method."""
    rows = np.concatenate([one.rows[one.answers >= 0] for one in given])
    answers = np.concatenate([one.answers[one.answers >= 0] for one in given])
    rows = np.c_[np.ones(len(rows)), rows]
    shrinking = SHRINKING * np.eye(rows.shape[1])
    shrinking[0, 0] = 0
    weights = np.zeros(rows.shape[1])
    for _ in range(ROUNDS):
        chances = chances_of(rows[:, 1:], weights)
        slope = rows.T @ (chances - answers) + shrinking @ weights
        curve = (rows * (chances * (1 - chances))[:, None]).T @ rows + shrinking
        weights -= np.linalg.solve(curve, slope)
    return weights


def chances_of(rows: Array, weights: Array) -> Array:
    """Return how likely each row answers."""
    told: Array = 1 / (1 + np.exp(-(weights[0] + rows @ weights[1:])))
    return told


def report(name: str, every: Sequence[Sequence[Example]]) -> None:
    """Print how the scenes are answered by weights that were fitted without each of them."""
    judged: list[tuple[float, bool, bool, bool]] = []
    for place, scene in enumerate(every):
        weights = fit([one for other, given in enumerate(every) if other != place for one in given])
        for one in scene:
            chances = chances_of(one.rows, weights)
            order = np.argsort(-chances)
            first, second = (bool((one.answers[order[:most]] != 0).any()) for most in (1, 2))
            judged.append((float(chances.max()), one.has_answer, first, second))
    with_answer = [one for one in judged if one[1]]
    without = sorted(chance for chance, has, _, _ in judged if not has)
    mark = without[int(DECLINED * len(without))]
    above = [one for one in with_answer if one[0] > mark]
    print(
        f"{name}: first right {sum(one[2] for one in with_answer)}/{len(with_answer)}, first two "
        f"{sum(one[3] for one in with_answer)}, mark {mark:.2f}: {sum(one[3] for one in above)} right above it, "
        f"{len(above) - sum(one[3] for one in above)} wrong"
    )


def main() -> None:
    """Fit the selectors by the network and meaning, by meaning, and by words, and write their weights."""
    lines = [f'"""{HEADING}"""', ""]
    reader = MiniLM(weights_path(), threads=2)
    fitted = {"BY_NETWORK": asyncio.run(examples_with_scores(reader, Answerer(threads=2)))}
    for name, model in (("BY_MEANING", reader), ("BY_WORDS", None)):
        every = asyncio.run(examples(model))
        fitted[name] = [one for one, _ in every]
        if model:
            fitted["CHANGING_WEIGHTS"] = [one for _, one in every]
    for name, chosen in fitted.items():
        report(name, chosen)
        weights = fit([one for scene in chosen for one in scene])
        lines.append(f"{name} = (\n" + "".join(f"    {weight:.3f},\n" for weight in weights) + ")")
    TARGET.write_text("\n".join(lines) + "\n", encoding="utf-8")


HEADING = (
    "Weights of the selector of answers, written by ``python -m training.selector``; the first of each is the bias."
)

if __name__ == "__main__":
    main()
