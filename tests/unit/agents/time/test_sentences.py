"""Sentences as they are said into a phone: the times in them, and none where words only look like times."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from agents.time import FoundTime, find_times
from tests.support.phrases import CLOCK, wall

SENTENCES = Path(__file__).parents[3] / "data" / "spoken_times.jsonl"


def sentences() -> list[dict[str, Any]]:
    return [json.loads(line) for line in SENTENCES.read_text(encoding="utf-8").splitlines()]


def shown(found: FoundTime) -> str:
    """A time in one line: an instant, "start..end", a rule and its first time, or a length."""
    if found.kind == "duration":
        return f"{(found.seconds or 0) // 60} minutes"
    if found.kind == "point":
        return wall(found.start) or ""
    if found.kind == "set":
        return f"{found.rrule} from {wall(found.start)}"
    return f"{wall(found.start) or ''}..{wall(found.end) or ''}"


@pytest.mark.parametrize("said", sentences(), ids=lambda said: said["text"])
def test_the_times_of_a_sentence_are_found(said: dict[str, Any]) -> None:
    assert [shown(found) for found in find_times(said["text"], CLOCK)] == said["times"]
