"""Shares: whoever asks for little waits for one place, whatever another one asks for, and no place is ever lost."""

from __future__ import annotations

import asyncio
import random

from hypothesis import given
from hypothesis import strategies as st

from app.shares import Shares


async def settle() -> None:
    for _ in range(20):
        await asyncio.sleep(0)


class Room:
    """Who is in it, in the order in which they came in."""

    def __init__(self, places: int, each: int) -> None:
        self.shares = Shares(places, each)
        self.came: list[str] = []
        self.doors: dict[str, list[asyncio.Event]] = {}

    def ask(self, party: str) -> asyncio.Task[None]:
        return asyncio.create_task(self._stay(party))

    async def _stay(self, party: str) -> None:
        async with self.shares.place(party):
            door = asyncio.Event()
            self.came.append(party)
            self.doors.setdefault(party, []).append(door)
            await door.wait()

    def let_go(self, party: str) -> None:
        self.doors[party].pop(0).set()


async def test_a_newcomer_comes_next_however_long_the_queue() -> None:
    room = Room(1, 1)
    tasks = [room.ask("many") for _ in range(9)]
    await settle()
    tasks.append(room.ask("one"))
    await settle()
    room.let_go("many")
    await settle()
    assert room.came == ["many", "one"]
    for party in ("one", *["many"] * 8):
        room.let_go(party)
        await settle()
    assert room.came == ["many", "one", *["many"] * 8]
    await asyncio.gather(*tasks)


async def test_some_places_are_never_one_partys() -> None:
    room = Room(5, 3)
    tasks = [room.ask("many") for _ in range(9)]
    await settle()
    assert room.came == ["many"] * 3
    tasks += [room.ask("one"), room.ask("another")]
    await settle()
    assert room.came == [*["many"] * 3, "one", "another"]
    for task in tasks:
        task.cancel()
    await asyncio.wait(tasks)
    assert room.shares.waiting == 0


async def test_those_who_hold_as_many_take_turns() -> None:
    room = Room(1, 1)
    tasks = [room.ask(party) for party in ("a", "a", "a", "b", "b", "c")]
    order: list[str] = []
    for _ in range(6):
        await settle()
        order.append(room.came[-1])
        room.let_go(room.came[-1])
    assert order == ["a", "b", "c", "a", "b", "a"]
    await asyncio.gather(*tasks)


async def test_whoever_gave_up_waits_no_more() -> None:
    room = Room(1, 1)
    first, *others = [room.ask("many") for _ in range(4)]
    await settle()
    for task in others[:2]:
        task.cancel()
    await settle()
    assert room.shares.waiting == 1
    room.let_go("many")
    await settle()
    assert room.came == ["many", "many"]
    room.let_go("many")
    await asyncio.gather(first, others[2])


@given(st.integers(0, 2**32), st.integers(1, 4), st.integers(1, 4))
def test_whatever_is_cancelled_no_place_is_lost_or_given_twice(seed: int, places: int, each: int) -> None:
    async def play() -> None:
        chance, shares, inside = random.Random(seed), Shares(places, each), 0

        async def stay(party: str) -> None:
            nonlocal inside
            async with shares.place(party):
                inside += 1
                assert inside <= places
                try:
                    for _ in range(chance.randrange(4)):
                        await asyncio.sleep(0)
                finally:
                    inside -= 1

        tasks = [asyncio.create_task(stay(chance.choice("abc"))) for _ in range(30)]
        for _ in range(20):
            await asyncio.sleep(0)
            chance.choice(tasks).cancel()
        results = await asyncio.gather(*tasks, return_exceptions=True)
        assert all(one is None or isinstance(one, asyncio.CancelledError) for one in results), results
        assert (inside, shares.waiting, shares._free, +shares._held) == (0, 0, places, {})

    asyncio.run(play())
