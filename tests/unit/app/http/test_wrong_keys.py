"""Wrong keys are answered later and later, and a flood of guesses is not read at all; right keys never wait."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.errors import TooManyRequests
from app.http.auth import issue_key
from app.http.wrong_keys import WINDOW_SECONDS, WrongKeys, address_of, is_told

GUESS = "Bearer the administrator's key?"


@dataclass
class Clock:
    """Stands still unless somebody sleeps, or is told to."""

    now: float = 0.0
    slept: list[float] = field(default_factory=list)

    def read(self) -> float:
        return self.now

    async def sleep(self, seconds: float) -> None:
        self.slept.append(seconds)
        self.now += seconds


def wrong_keys(clock: Clock) -> WrongKeys:
    return WrongKeys(0.5, 3, clock.read, clock.sleep)


async def test_pauses_double_for_one_address_and_end_at_the_longest() -> None:
    clock = Clock()
    wrong = wrong_keys(clock)
    for _ in range(7):
        await wrong.hold("203.0.113.9")
    await wrong.hold("203.0.113.10")
    assert clock.slept == [0.5, 1, 2, 4, 8, 10, 10, 0.5]


async def test_after_the_window_it_begins_anew() -> None:
    clock = Clock()
    wrong = wrong_keys(clock)
    await wrong.hold("203.0.113.9")
    await wrong.hold("203.0.113.9")
    clock.now += WINDOW_SECONDS
    assert wrong.count("203.0.113.9") == 1
    await wrong.hold("203.0.113.9")
    assert clock.slept[-1] == 0.5


async def test_while_too_many_wait_a_guess_is_not_read_but_a_key_of_ours_is() -> None:
    over = asyncio.Event()

    async def sleep(_seconds: float) -> None:
        await over.wait()

    wrong = WrongKeys(0.5, 3, lambda: 0.0, sleep)
    waiting = [asyncio.create_task(wrong.hold("here")) for _ in range(3)]
    await asyncio.sleep(0)
    for guess in (GUESS, "Bearer x.y.z"):
        with pytest.raises(TooManyRequests):
            wrong.admit("here", guess)
    wrong.admit("here", f"Bearer {issue_key().text}")
    wrong.admit("here", None)
    wrong.admit("there", GUESS)
    with pytest.raises(TooManyRequests):
        await wrong.hold("here")
    over.set()
    await asyncio.gather(*waiting)
    wrong.admit("here", GUESS)


@given(st.integers(1, 10_000_000))
def test_of_a_flood_ever_fewer_are_told(count: int) -> None:
    told = sum(is_told(one) for one in range(1, min(count, 5000) + 1))
    assert told <= 10 + count.bit_length()
    assert is_told(min(count, 10))


@pytest.mark.parametrize(
    ("host", "address"),
    [
        ("203.0.113.9", "203.0.113.9"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
        ("2001:db8:1:2:ffff::1", "2001:db8:1:2::/64"),
        ("::ffff:203.0.113.9", "203.0.113.9"),
        ("testclient", "testclient"),
    ],
)
def test_one_machine_is_one_address(host: str, address: str) -> None:
    assert address_of({"type": "http", "client": (host, 1)}) == address
    assert address_of({"type": "http", "client": None}) == "elsewhere"
