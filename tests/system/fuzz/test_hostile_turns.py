from __future__ import annotations

from pathlib import Path

import pytest

from app.boundary.reading.beside import TOO_SLOW
from tests.fuzz.hostile import hostile
from tests.fuzz.hostile_turns import FINISHED, MOST_CHARS, flooded

LONGEST_STEP = 250.0
"""Milliseconds of the processor; the clock would also count what other programs do."""
KNOWN = ("add" + " " * 4000 + "milk", "add" + "\t" * 19_990 + "milk", "put " + "titled-" * 2800, "put " + "1/2/" * 4900)


def test_no_message_stops_the_server(tmp_path: Path) -> None:
    with flooded(tmp_path, SUMMIT_READ_SECONDS="0.5") as flood:  # so that a fast machine gives up, too
        found = flood.attack([*KNOWN, *hostile(12, 16, MOST_CHARS)], clients=2)
        steps = flood.steps()
    assert {one.state for one in found} <= FINISHED
    assert [step for step in steps if step.processor > LONGEST_STEP] == []
    assert any(one.reply.startswith(TOO_SLOW) for one in found)
    assert all("milk" in one.reply for one in found if one.text in KNOWN[:2])


@pytest.mark.parametrize("count", [1, 50])
def test_the_same_seed_makes_the_same_texts(count: int) -> None:
    texts = hostile(3, count, 2000)
    assert texts == hostile(3, count, 2000)
    assert len(texts) == count
    assert all(0 < len(text) <= 2000 for text in texts)
