"""Steps of runs begin one after another, further apart while somebody talks."""

import asyncio

from app.turns.run_throttle import QUIET_GAP_SECONDS, TALK_GAP_SECONDS, TALK_SECONDS, RunThrottle
from tests.support.waiting import HANG_SECONDS


class Time:
    """A clock that moves where somebody sleeps."""

    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now

    async def sleep(self, seconds: float) -> None:
        await asyncio.sleep(0)
        self.now += seconds


async def beginnings(run_throttle: RunThrottle, time: Time, count: int) -> list[float]:
    """When steps begin that all want to begin now."""
    begun = []

    async def step() -> None:
        await run_throttle.step()
        begun.append(time.now)

    await asyncio.gather(*(step() for _ in range(count)))
    return [round(at - begun[0], 3) for at in begun]


async def test_a_step_alone_begins_at_once() -> None:
    time = Time()

    await RunThrottle(time, time.sleep).step()

    assert time.now == 1000.0


async def test_steps_keep_a_small_gap_while_nobody_talks() -> None:
    time = Time()

    assert await beginnings(RunThrottle(time, time.sleep), time, 3) == [0, QUIET_GAP_SECONDS, 2 * QUIET_GAP_SECONDS]


async def test_steps_are_further_apart_while_a_turn_is_under_way_and_a_moment_longer() -> None:
    time = Time()
    run_throttle = RunThrottle(time, time.sleep)
    with run_throttle.turn():
        assert await beginnings(run_throttle, time, 3) == [0, TALK_GAP_SECONDS, 2 * TALK_GAP_SECONDS]

    assert await beginnings(run_throttle, time, 2) == [0, TALK_GAP_SECONDS]

    time.now += TALK_SECONDS
    assert await beginnings(run_throttle, time, 2) == [0, QUIET_GAP_SECONDS]


async def test_a_step_that_is_cancelled_while_it_waits_holds_up_no_other() -> None:
    time = Time()
    run_throttle = RunThrottle(time, lambda _: asyncio.sleep(3600))
    await run_throttle.step()
    waiting = asyncio.create_task(run_throttle.step())
    await asyncio.sleep(0)
    waiting.cancel()
    await asyncio.wait([waiting])
    time.now += QUIET_GAP_SECONDS

    async with asyncio.timeout(HANG_SECONDS):
        await run_throttle.step()
