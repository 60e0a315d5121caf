"""Whole conversations of our own: words, and the exact changes and facts that have to come of them."""

from __future__ import annotations

import json
from typing import Any

import pytest

from benchmarks.conversations import FOLDER, conversations
from benchmarks.playing import play

CASES = conversations()


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case['id']} {case['category']}")
def test_a_conversation_comes_to_what_was_meant(case: dict[str, Any]) -> None:
    wrong = [f"{row.said}\n{row.told}\n{row.wrong}" for row in play(case, []) if row.wrong]
    assert wrong == []


def test_a_batch_is_wholly_in_one_split_and_every_fixture_is_used() -> None:
    train, dev = ({case["batch"] for case in conversations([split])} for split in ("train", "dev"))
    assert not train & dev
    assert len({case["id"] for case in CASES}) == len(CASES)
    named = {json.loads(line).get("given") for file in FOLDER.glob("*.jsonl") for line in file.read_text().splitlines()}
    assert named - {None} == set(json.loads((FOLDER / "fixtures.json").read_text()))
