from __future__ import annotations

import sys
from collections.abc import Callable

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from agents.contract import WORKERS
from agents.understanding import understand_line
from tests.agents.understanding.asking import decide

PIECES = st.sampled_from(
    [
        "add",
        "remind me",
        "to",
        "at",
        "5",
        "friday",
        "every",
        "and",
        ",",
        ".",
        "no wait",
        '"',
        "'",
        "delete",
        "the",
        "all",
        "list",
        ":",
        "-",
        "\n",
        "31",
        "february",
        "25:61",
        "😀",
        "買",
        "my name is",
        "in",
        "99999",
        "undo",
        "move",
        "half",
        "past",
    ]
)


@settings(max_examples=150, deadline=None)
@given(st.one_of(st.text(max_size=200), st.lists(PIECES, max_size=30).map(" ".join)))
@example("")
@example("\x00\ud800")
@example("on 30 february 0000")
@example("every 0 days")
@example("in 99999999999999999999 years")
def test_any_text_is_decided(text: str) -> None:
    decision = decide(text, todos=[{"task": "the list"}], events=[{"title": "friday", "start": "2026-11-20T10:00"}])
    assert {target.worker for target in decision.targets} <= set(WORKERS)
    assert decision.targets or decision.questions or decision.unclear or decision.acknowledgement


def calls_of(work: Callable[[], object]) -> int:
    """How many functions are called: a measure of cost that no other process disturbs."""
    count = 0

    def profile(_frame: object, event: str, _arg: object) -> None:
        nonlocal count
        count += event in ("call", "c_call")

    sys.setprofile(profile)
    try:
        work()
    finally:
        sys.setprofile(None)
    return count


@pytest.mark.parametrize(
    "unit", ["7", "7 ", "word ", "monday and ", "at 5 ", '"a" ', "add x and ", "...", "no wait ", "- "]
)
def test_cost_grows_with_length_and_no_faster(unit: str) -> None:
    def cost(size: int) -> int:
        text = unit * (size // len(unit))
        return calls_of(lambda: understand_line({"text": text, "now": "2026-11-18T10:30:00", "tz": "Europe/Lisbon"}))

    cost(400)
    small, large = cost(2_000), cost(4_000)
    assert large < 2.6 * small + 500
