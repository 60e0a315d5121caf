"""Whole conversations of our own: words, and the exact changes and facts that have to come of them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from benchmarks.playing import play

CASES = sorted((Path(__file__).parents[2] / "data").glob("conversations*.jsonl"))


def cases() -> list[dict[str, Any]]:
    return [json.loads(line) for file in CASES for line in file.read_text(encoding="utf-8").splitlines()]


@pytest.mark.parametrize("case", cases(), ids=lambda case: f"{case['id']} {case['category']}")
def test_a_conversation_comes_to_what_was_meant(case: dict[str, Any]) -> None:
    wrong = [f"{row.said}\n{row.told}\n{row.wrong}" for row in play(case, []) if row.wrong]
    assert wrong == []
