"""Where speech without punctuation goes over from a story to a request."""

from __future__ import annotations

import pytest

from agents.understanding.text.repairs import repaired
from agents.understanding.text.roundabout import imperative
from agents.understanding.text.stops import stopped


@pytest.mark.parametrize(
    ("text", "whole"),
    [
        (
            "the accountant isn't coming on monday so get rid of it",
            "the accountant isn't coming on monday. get rid of it",
        ),
        ("he keeps saying that he wants to move it", "he keeps saying that he wants to move it"),
        ("dinner on saturday at eight it'll be like two hours", "dinner on saturday at eight. it'll be like two hours"),
        ("so much to do let me think i need to call bob", "so much to do. i need to call bob"),
        ("the flyer is out and the venue that's done", "the flyer is out. the venue is done"),
        ("from now on when i add something about the kids make it high", None),
        ("my car won't start, so delete that one", None),
        ("because it's important", None),
    ],
)
def test_a_stop_stands_where_the_request_begins(text: str, whole: str | None) -> None:
    assert stopped(text) == (whole or text)


@pytest.mark.parametrize(
    ("said", "meant"),
    [
        ("lunch on friday at one sorry not friday saturday", "lunch on saturday at one"),
        ("shopping list add milk and eggs", "add milk and eggs to my shopping list"),
        ("shopping list is too long", "shopping list is too long"),
        ("i want to write this down before i lose it the code is seven", "note that the code is seven"),
        ("the lesson isn't at the gym this week it's at the pool", "the lesson is at the pool now"),
        ("can you take that off my calendar", "can you delete that"),
    ],
)
def test_roundabout_speech_is_a_plain_request(said: str, meant: str) -> None:
    assert imperative(repaired(said)) == meant
