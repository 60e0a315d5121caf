"""References, micro-steps and the energy in words."""

from __future__ import annotations

import re
import time

import pytest

from agents.understanding.dialogue.focus import energy_in
from agents.understanding.references import alike, candidates, items_of, one_edit_apart
from agents.understanding.steps import library, rows, steps_for
from tests.support.asking import ask

TITLES = ["Ring the roofer", "Ring the tailor", "Grade essays", "Kiln", "Kiln shelves", "Doctor Lima"]


def found(phrase: str) -> list[str]:
    records = ask("", todos=[{"task": title} for title in TITLES]).records
    return [item.title for item in candidates(phrase, items_of(records, "todo"))]


@pytest.mark.parametrize(
    ("phrase", "titles"),
    [
        ("the tailor", ["Ring the tailor"]),
        ("grading the essays", ["Grade essays"]),
        ("the roofr", ["Ring the roofer"]),
        ("ring", ["Ring the roofer", "Ring the tailor"]),
        ("kiln", ["Kiln"]),
        ("dr lima", ["Doctor Lima"]),
        ("the piano", []),
        ("", []),
    ],
)
def test_candidates(phrase: str, titles: list[str]) -> None:
    assert found(phrase) == titles


@pytest.mark.parametrize(
    ("left", "right", "near"), [("roofer", "roofr", True), ("tailor", "tialor", True), ("tailor", "sailors", False)]
)
def test_one_edit(left: str, right: str, *, near: bool) -> None:
    assert one_edit_apart(left, right) is near
    assert (alike(left, right) > 0) is near


def test_every_pattern_has_three_to_six_steps() -> None:
    shapes = [shape for found in library().values() for shape in found]
    assert all(re.compile(pattern, re.IGNORECASE).groups for pattern, _ in shapes)
    assert {len(steps) for _, steps in shapes} <= {3, 4, 5, 6}


def test_the_first_task_does_not_wait_for_the_patterns_of_all_others() -> None:
    def first() -> float:
        library.cache_clear()
        re.purge()
        begun = time.thread_time()
        assert steps_for("organise a party")
        return time.thread_time() - begun

    def all_others() -> float:
        re.purge()
        begun = time.thread_time()
        for shapes in library().values():
            for pattern, _ in shapes:
                re.compile(pattern, re.IGNORECASE)
        return time.thread_time() - begun

    assert min(first() for _ in range(3)) < min(all_others() for _ in range(3)) / 2


def test_at_least_150_patterns_name_their_object() -> None:
    naming = [steps for _, _, steps in rows() if "{x}" in steps or "{y}" in steps]
    assert len(set(naming)) >= 150


def test_steps_read_as_sentences() -> None:
    steps = [step for _, _, row in rows() for step in row.split(" | ")]
    assert all(step[0].isupper() and step == step.strip() and not step.endswith(".") for step in steps)
    assert not any(
        re.search(r"\b(?:the|a|an|old|new|your) \{x\}", step)
        for _, shape, row in rows()
        if "X" in shape
        for step in row.split(" | ")
    )


@pytest.mark.parametrize(
    ("task", "step"),
    [
        ("replace the kitchen tap", "Measure the old kitchen tap"),
        ("take the dog to the vet", "Call the vet about the dog"),
        ("train for a half marathon", "Note the day of the half marathon"),
        ("repot my fern", "Water my fern an hour before"),
    ],
)
def test_a_step_reads_well(task: str, step: str) -> None:
    assert step in steps_for(task)


@pytest.mark.parametrize(
    "task", ["plan Leo's birthday", "write the annual report", "clean the garage", "prepare for the job interview"]
)
def test_steps_name_the_object(task: str) -> None:
    noun = task.rsplit(maxsplit=1)[-1]
    assert any(noun in step for step in steps_for(task))


@pytest.mark.parametrize("task", ["buy milk", "call mom", "floss", "", "x" * 500])
def test_trivial_tasks_have_no_steps(task: str) -> None:
    assert steps_for(task) == []


@pytest.mark.parametrize(
    ("text", "energy"), [("so tired today", "low"), ("I'm full of energy", "high"), ("buy milk", None)]
)
def test_energy(text: str, energy: str | None) -> None:
    assert energy_in(text) == energy
