"""The loop rule, on cases written as (action, outcome); an outcome that begins with ! is an error."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from app.work.runs.loops import ERRORS_IN_A_ROW, CallStep, is_looping, keeps_failing, step_of

CASES = [
    json.loads(line) for line in Path("tests/data/runs/loops.jsonl").read_text(encoding="utf-8").splitlines() if line
]


def steps_of(case: dict[str, Any]) -> list[CallStep]:
    return [
        step_of("tool", arguments_of(action), outcome.removeprefix("!"), error=outcome.startswith("!"))
        for action, outcome in case["steps"]
    ]


def arguments_of(action: str) -> dict[str, str]:
    words = action.split()
    return {word.partition("=")[0] if "=" in word else str(place): word for place, word in enumerate(words)}


@pytest.mark.parametrize("case", CASES, ids=[case["case"] for case in CASES])
def test_a_sequence_is_a_loop_or_not(case: dict[str, Any]) -> None:
    steps = steps_of(case)
    found = [length for length in range(1, len(steps) + 1) if is_looping(steps[:length])]
    assert bool(found) is case["stuck"]


def test_errors_in_a_row_count_whatever_was_tried() -> None:
    errors = [step_of("t", {"n": n}, f"e{n}", error=True) for n in range(ERRORS_IN_A_ROW)]
    assert not keeps_failing(errors[1:])
    assert keeps_failing(errors)
    assert not keeps_failing([*errors, step_of("t", {}, "well", error=False)])
    assert not is_looping(errors)
