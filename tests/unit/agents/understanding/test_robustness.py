from __future__ import annotations

import sys
from collections.abc import Callable
from datetime import UTC, datetime

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from agents.contract import WORKERS
from agents.time import clock_for
from agents.understanding import understand_line
from tests.fuzz.sound import sound
from tests.support.asking import decide

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


@settings(max_examples=150)
@given(st.one_of(st.text(max_size=200), st.lists(PIECES, max_size=30).map(" ".join)))
@example("")
@example("\x00\ud800")
@example("on 30 february 0000")
@example("every 0 days")
@example(":.LO0IS")
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
    small, large = cost(1_000), cost(2_000)
    assert large < 2.6 * small + 500


HOSTILE = {
    "5 KB of digits": "7" * 5_000,
    "5 KB of digits with gaps": "12 34567 8 " * 500,
    "nested quotes": '"' * 250 + "friday" + "'" * 250,
    "quotes in quotes": "add " + "\"a 'b " * 150 + "friday" + "' \"" * 150,
    "emoji": "🎉📅👩‍👩‍👧 " * 500,
    "mixed scripts": "встреча в friday 明天 على שלום ९ बजे ٣ " * 50,
    "250 clauses": "call mom at 5 and " * 250,
    "a long word": "monday" * 1_000,
    "brackets": "(" * 2_500 + ")" * 2_500,
    "zero widths": "fri\u200bday \u202e5 mp ta\u0301 " * 100,
    "controls": "\x00\x01\x7f\u0085 friday\r\n\t" * 150,
    "years": "99999 " * 250,
    "every": "every " * 500,
    "fractions": "1/2/3/4-5.6:7 " * 250,
}


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_text_is_answered_at_a_cost_like_that_of_other_text(name: str) -> None:
    def cost(text: str) -> int:
        return calls_of(lambda: understand_line({"text": text, "now": "2026-11-18T10:30:00", "tz": "Europe/Lisbon"}))

    calm = "word in a sentence that is like any other "
    cost(calm)
    size = len(HOSTILE[name])
    # Under a name of its own, for what was read lately is not read again.
    assert cost(HOSTILE[name]) < 60 * cost(f"{name} " + calm * (1 + size // len(calm)))


@pytest.mark.parametrize(
    "text",
    [
        "on 31 february",
        "at 25:61",
        "in the year 99999",
        "on the 32nd of may",
        "in 99999999 years",
        "every 0 days",
        "mañana a las cinco",
        "завтра в пять часов вечера",
        "明天下午五点开会",
        "nächsten dienstag um halb acht",
        "demain à dix-sept heures",
        "غدا في الساعة الخامسة",
        "amanhã às cinco da tarde",
        "domani alle cinque",
    ],
)
def test_what_does_not_exist_and_what_is_not_english_is_no_time(text: str) -> None:
    line = understand_line({"text": text, "now": "2026-11-18T10:30:00", "tz": "Europe/Lisbon"})
    assert line["time"] == []
    assert not any("deadline" in item["fields"] or "start" in item["fields"] for item in line["proposals"])


@pytest.mark.parametrize("text", ["for 300 years starting tomorrow", "2027 quarters commencing christmas"])
def test_a_stretch_ends_within_the_calendar(text: str) -> None:
    sound(text, clock_for(datetime(2026, 11, 18, 10, 30, tzinfo=UTC), "Europe/Lisbon"))
