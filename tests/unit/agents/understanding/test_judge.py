"""Where no sure pattern decides: the model holds back, offers, or names what is wanted."""

from __future__ import annotations

import time

import pytest

from agents.understanding.model.classifier import coefficients, guess
from agents.understanding.model.packing import pack, unpack
from tests.support.asking import decide, proposals


@pytest.mark.parametrize(
    "text",
    [
        "could you get me a taxi to the station",
        "please play the new album by my favourite band",
        "can you send a text to my boss saying i'm ill",
        "transfer twenty dollars from my savings to my checking account",
        "add this song to my running playlist",
    ],
)
def test_what_is_meant_for_another_service_is_not_acted_on(text: str) -> None:
    assert proposals(text) == []


GYM = {"id": "e1", "title": "gym", "start": "2026-11-24T17:00:00Z", "end": "2026-11-24T18:00:00Z"}


@pytest.mark.parametrize(
    ("text", "changes"),
    [
        ("they moved the gym to 6pm", 1),
        ("so they moved the gym to 6pm", 1),
        ("what if I moved the gym to 5:30pm?", 0),
        ("if I moved the gym to 8pm would it clash?", 0),
        ("suppose I moved the gym to 9pm", 0),
        ("and imagine they moved the gym to 6pm", 0),
    ],
)
def test_news_changes_something_and_a_supposition_does_not(text: str, changes: int) -> None:
    assert len(proposals(text, events=[GYM])) == changes


@pytest.mark.parametrize(
    "text",
    [
        "defrost the chicken for sunday",
        "sew the button on the grey coat by thursday",
        "pay the gas bill, 10 minutes",
        "return the ladder to Lee",
        "I have to water the ferns",
    ],
)
def test_what_reads_like_a_task_becomes_one(text: str) -> None:
    assert [(item.op, item.kind) for item in proposals(text)] == [("create", "todo")]


def test_a_doubtful_task_is_offered_and_made_after_a_yes() -> None:
    question = decide("book a hotel room in Oslo for two adults").questions[0]
    made = proposals("yes", pending=question.pending)
    assert [item.op for item in made] == ["create"]


@pytest.mark.parametrize(
    ("text", "worker"),
    [
        ("anything happening for me on saturday", "recall"),
        ("could you read out everything that's on my to do list", "recall"),
        ("do you happen to know what my name is", "recall"),
    ],
)
def test_questions_in_unknown_words_are_answered(text: str, worker: str) -> None:
    decision = decide(text)
    assert (decision.disposition, [target.worker for target in decision.targets]) == ("reply", [worker])


def test_probabilities_add_up() -> None:
    found = guess("move the dentist to friday")
    assert sum(found.chances.values()) == pytest.approx(1.0)
    assert found.chances[found.label] == found.sure == max(found.chances.values())


def test_no_words_are_a_guess_without_certainty() -> None:
    found = guess("")
    assert found.sure == pytest.approx(1 / len(found.chances))


def test_coefficients_survive_the_file() -> None:
    packed = unpack(pack([[0.5, -1.0], [0.0, 1.0]], ["a", "b"], 2.0))
    assert packed.labels == ("a", "b")
    values = [(byte - 128) * packed.unit for byte in packed.rows]
    assert values == pytest.approx([1.0, -2.0, 0.0, 2.0], abs=0.02)


def test_loading_and_guessing_are_quick() -> None:
    coefficients.cache_clear()
    begun = time.thread_time()
    coefficients()
    assert time.thread_time() - begun < 5
    guess.cache_clear()
    begun = time.thread_time()
    for count in range(50):
        guess(f"move the {count} dentist appointment to friday afternoon please")
    assert time.thread_time() - begun < 5
