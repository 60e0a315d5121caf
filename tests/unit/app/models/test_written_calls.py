"""Calls that a model wrote into its text: what hostile ones cost, and that honest ones behind them are read."""

from __future__ import annotations

import time

import pytest

from app.models.llm.written_calls import LONGEST_ARGUMENTS, read_text

MOST_CPU_SECONDS = 0.5
"""A tenth of a second on a busy machine; without a bound some of these take a minute."""


def is_tool(name: str) -> bool:
    return name in ("undo", "create_task")


@pytest.mark.parametrize(
    "beginning",
    [
        "undo(a=",
        "undo(a='",
        "undo(a=(",
        "undo(a=1 ",
        "undo(a=undo(a=1))",
        "{",
        "[{",
        "<function=undo>",
        "to=undo<|message|>{",
    ],
)
def test_beginnings_without_an_end_cost_next_to_nothing(beginning: str) -> None:
    text = beginning * (LONGEST_ARGUMENTS // len(beginning))
    begun = time.process_time()
    read_text(text, is_tool, alone=True)
    assert time.process_time() - begun < MOST_CPU_SECONDS


def test_calls_are_read_however_many_stand_one_after_the_other() -> None:
    words, calls = read_text("Sure. " + "create_task(title='x')\n" * 500, is_tool, alone=False)
    assert (words, len(calls)) == ("Sure.", 500)


def test_a_call_behind_one_that_was_never_closed_is_read() -> None:
    _, calls = read_text("undo(a= , I mean:\ncreate_task(title='buy milk')", is_tool, alone=False)
    assert [call["args"] for call in calls] == [{"title": "buy milk"}]


def test_a_long_call_is_read_whole() -> None:
    _, calls = read_text(f"create_task(title='{'x' * 20_000}')", is_tool, alone=False)
    assert len(calls[0]["args"]["title"]) == 20_000
