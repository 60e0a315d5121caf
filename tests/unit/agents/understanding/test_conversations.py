"""Whole conversations of our own: words, and the exact changes and facts that have to come of them.

A reader that is trained anew reads some sentences better and some worse, so what counts is how many, by category:
floors.json has what was reached, and a few turns less are no fault.
"""

from __future__ import annotations

import json
from collections import Counter

import pytest

from tests.support.conversations.corpus import FOLDER, conversations
from tests.support.conversations.outcomes import judged

CASES = conversations()
FLOORS: dict[str, dict[str, float]] = json.loads((FOLDER / "floors.json").read_text(encoding="utf-8"))
SLACK = 0.02
"""The share of turns that may come out worse than when the floors were written."""


@pytest.mark.parametrize("category", sorted(FLOORS))
def test_conversations_come_to_what_was_meant(category: str) -> None:
    rows = list(judged(case for case in CASES if case["category"] == category))
    shares = {name: count / len(rows) for name, count in Counter(row.outcome for row in rows).items()}
    floor, lost = FLOORS[category], shares.get("swallowed", 0)
    assert shares.get("right", 0) >= floor["right"] - SLACK
    assert shares.get("right", 0) + shares.get("tap", 0) >= floor["or one yes"] - SLACK
    assert shares.get("wrong", 0) <= floor["wrong"] + SLACK / 2
    assert lost <= floor["swallowed"] + SLACK / 2


def test_every_category_has_a_floor() -> None:
    assert set(FLOORS) == {str(case["category"]) for case in CASES}


def test_a_batch_is_wholly_in_one_split_and_every_fixture_is_used() -> None:
    train, dev = ({case["batch"] for case in conversations([split])} for split in ("train", "dev"))
    assert not train & dev
    assert len({case["id"] for case in CASES}) == len(CASES)
    given = [json.loads(line).get("given") for file in FOLDER.glob("*.jsonl") for line in file.read_text().splitlines()]
    assert {name for name in given if isinstance(name, str)} == set(json.loads((FOLDER / "fixtures.json").read_text()))
