"""Whole conversations of our own: words, and the exact changes and facts that have to come of them."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from tests.support.conversations.corpus import FOLDER, conversations
from tests.support.conversations.outcomes import judged

PAGE = Path(__file__).resolve().parents[4] / "docs" / "architecture" / "understanding.md"
CASES = conversations()
LISTED: dict[str, Any] = json.loads((FOLDER / "asked.json").read_text(encoding="utf-8"))
FAILS: dict[str, list[str]] = LISTED.pop("fails")
BY_A_TAP: dict[str, list[str]] = LISTED
TAPPED = {case for cases in BY_A_TAP.values() for case in cases}
CLASS_OF = {case: name for name, cases in FAILS.items() for case in cases}
RIGHT = frozenset({"right", "tap"})
HARMLESS = RIGHT | {"asked", "reply"}
"""What a listed one may come to: it asks, or answers otherwise, and changes nothing wrong."""
PASSED_OVER = {"own-chat-7"}
"""“The faucet too”, after a change that waits, is answered with “I see.”"""


CATEGORIES = sorted({str(case["category"]) for case in CASES})


@pytest.mark.parametrize("category", CATEGORIES)
def test_a_conversation_comes_to_what_was_meant_at_once_or_by_one_yes(category: str) -> None:
    """Those that do not are listed; one that comes out right now is struck from asked.json and the page."""
    failing, tapped, wrong = set[str](), set[str](), dict[str, list[str]]()
    for case in (case for case in CASES if case["category"] == category):
        rows = list(judged([case]))
        outcomes = {row.outcome for row in rows}
        harmless = HARMLESS | ({"swallowed"} if case["id"] in PASSED_OVER else set())
        if outcomes - RIGHT:
            failing.add(case["id"])
        elif "tap" in outcomes:
            tapped.add(case["id"])
        if outcomes - (harmless if case["id"] in CLASS_OF else RIGHT):
            turns = [f"{row.said}\n{row.told}\n{row.why}" for row in rows if row.outcome not in RIGHT]
            wrong[case["id"]] = turns
    listed = {case["id"] for case in CASES if case["category"] == category}
    assert (wrong, failing, tapped) == ({}, CLASS_OF.keys() & listed, TAPPED & listed)


def test_the_page_lists_what_fails_by_class() -> None:
    section = PAGE.read_text(encoding="utf-8").partition("## What it does not read")[2].partition("\n## ")[0]
    told = {name: int(count) for name, count in re.findall(r"^\| ([^|]+) \| (\d+) \|", section, re.MULTILINE)}
    assert told == {name: len(cases) for name, cases in (FAILS | BY_A_TAP).items()}
    assert f"{len(CASES):,}" in section
    assert f"{len(CLASS_OF)} come" in section


def test_a_batch_is_wholly_in_one_split_and_every_fixture_is_used() -> None:
    train, dev = ({case["batch"] for case in conversations([split])} for split in ("train", "dev"))
    assert not train & dev
    assert len({case["id"] for case in CASES}) == len(CASES)
    given = [json.loads(line).get("given") for file in FOLDER.glob("*.jsonl") for line in file.read_text().splitlines()]
    assert {name for name in given if isinstance(name, str)} == set(json.loads((FOLDER / "fixtures.json").read_text()))
