"""Micro-steps: tasks of more than one action come with some that name their object."""

from __future__ import annotations

import re

import pytest

from agents.understanding.steps import library, rows, steps_for
from tests.support.readings import heard_as, proposals_of


def test_every_pattern_has_three_to_six_steps() -> None:
    shapes = [shape for found in library().values() for shape in found]
    assert all(re.compile(pattern, re.IGNORECASE).groups for pattern, _ in shapes)
    assert {len(steps) for _, steps in shapes} <= {3, 4, 5, 6}


def test_at_least_150_patterns_name_their_object() -> None:
    naming = [steps for _, _, steps in rows() if "{x}" in steps or "{y}" in steps]
    assert len(set(naming)) >= 150


def test_steps_read_as_sentences() -> None:
    steps = [step for _, _, row in rows() for step in row.split(" | ")]
    assert all(step[0].isupper() and step == step.strip() and not step.endswith(".") for step in steps)


@pytest.mark.parametrize("task", ["buy milk", "call Ana", "register at the town hall", "milk"])
def test_a_task_of_one_action_has_none(task: str) -> None:
    assert steps_for(task) == []


def test_a_new_task_comes_with_its_steps() -> None:
    (made,) = proposals_of(heard_as("{todo [t organise a party for Mia] [w by friday]}"))
    assert made.fields["solutions"] == steps_for("organise a party for Mia")
    assert any("the party" in step for step in made.fields["solutions"])
    (made,) = proposals_of(heard_as("{todo [t buy figs]}"))
    assert "solutions" not in made.fields
