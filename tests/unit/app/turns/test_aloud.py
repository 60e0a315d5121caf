"""What is read out: the words, and nothing that only eyes can use."""

from __future__ import annotations

from time import thread_time

import pytest

from app.turns.aloud import aloud


@pytest.mark.parametrize(
    ("written", "said"),
    [
        ("I added “call mom”, due tomorrow at 5.", "I added call mom, due tomorrow at 5."),
        ("Open tasks:\n- call mom\n- buy milk", "Open tasks:\ncall mom.\nbuy milk"),
        ("1. eggs\n2) milk", "eggs.\nmilk"),
        ("**Done** 🎉 — see [the note](/v1/notes/1)", "Done — see the note"),
        ("Look at https://example.org/a?b=c today", "Look at today"),
        ("At 14:30 it is 3-4 degrees, $5.", "At 14:30 it is 3-4 degrees, $5."),
        ("\n\n", ""),
    ],
)
def test_a_reply_as_it_is_read_out(written: str, said: str) -> None:
    assert aloud(written) == said


@pytest.mark.parametrize("part", ["[", "[a](", "- ", "https://", " \n", "*", "1. ", "\t"])
def test_no_length_takes_long(part: str) -> None:
    began = thread_time()
    aloud(part * 20_000)
    assert thread_time() - began < 5
