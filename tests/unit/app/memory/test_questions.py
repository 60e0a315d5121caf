"""Which messages only ask, and so are no memory of anything."""

from __future__ import annotations

import pytest

from app.storage.memory_sources import is_question


@pytest.mark.parametrize(
    ("message", "disposition", "asks"),
    [
        ("who works at Siemens?", "clarify", True),
        ("who works at Siemens", "clarify", True),
        ("what is on my list?", "dispatch", True),
        ("what did Anna say and when did she say it?", "reply", True),
        ("Summarize all my thoughts on the bees", "reply", True),
        ("do the laundry", "dispatch", False),
        ("What a day!", "reply", False),
        ("I met Anna at the market. Do you know her?", "clarify", False),
        ("Anna works at Siemens", "clarify", False),
        ("my brother asked what time it is", None, False),
        ("what is it, " * 1000 + "?", "reply", False),
    ],
)
def test_a_message_that_only_asks(message: str, disposition: str | None, asks: bool) -> None:  # noqa: FBT001 - a column
    assert is_question(message, disposition) is asks
