"""The written questions that the selector of answers is fitted to, and the fit itself."""

from __future__ import annotations

import numpy as np

from app.memory.selector_weights import BY_MEANING, BY_NETWORK, BY_WORDS, CHANGING_WEIGHTS
from app.memory.units import sentences_in
from training.scenes import every_scene, hold_out, scenes
from training.selector import Example, chances_of, fit

TEXT = """# a comment
= a day
1 2025-03-01 It rained. I slept.
2 2025-03-02 It snowed.
? What did I do? | 1.2
? How was the weather? | 1.1 2.1 > 2
? Who called? | -
"""


def test_scenes_are_read() -> None:
    [scene] = scenes(TEXT)
    assert {name: memo.text for name, memo in scene.memos.items()} == {"1": "It rained. I slept.", "2": "It snowed."}
    assert scene.questions == [
        ("What did I do?", {("1", 2)}, ""),
        ("How was the weather?", {("1", 1), ("2", 1)}, "2"),
        ("Who called?", set(), ""),
    ]


def test_each_sentence_that_a_written_question_names_is_there() -> None:
    for scene in every_scene():
        for question, places, holds in scene.questions:
            assert not holds or holds in {memo for memo, _ in places}, (scene.name, question)
            for memo, sentence in places:
                assert 1 <= sentence <= len(list(sentences_in(scene.memos[memo].text))), (scene.name, question)


def test_an_eighth_of_the_scenes_is_held_out_of_training() -> None:
    names = [one.name for one in every_scene()]
    assert len(set(names)) == len(names)
    assert len(names) - 8 < len(hold_out(names)) * 8 < len(names) + 8
    assert hold_out([f"{number:02}" for number in range(10)]) == {"03"}


def test_what_tells_answers_apart_gets_weight() -> None:
    rows = np.array([[1.0, 0.3], [0.0, 0.3], [0.9, 0.2], [0.1, 0.2]])
    example = Example("?", rows, np.array([1.0, 0.0, 1.0, 0.0]), has_answer=True)
    weights = fit([example] * 20)
    assert weights[1] > 1 > abs(weights[2])
    assert (chances_of(rows, weights) > 0.5).tolist() == [True, False, True, False]


def test_shipped_weights_fit_their_features() -> None:
    assert (len(BY_NETWORK), len(BY_MEANING), len(BY_WORDS), len(CHANGING_WEIGHTS)) == (20, 19, 17, 17)
