"""Measures turns of a user with 5 and of one with 500 open tasks, side by side on one server.

    python -m benchmarks many_tasks [--many 500] [--events]

With ``--events`` each of them has as many appointments. Five tasks of each are due this week. Medians over alternating
rounds: what else the machine does strikes both alike.
"""

from __future__ import annotations

import argparse
import asyncio
import tempfile
from contextlib import AsyncExitStack
from datetime import date, timedelta
from pathlib import Path
from statistics import median

from tests.support.servers.load import ADMIN_KEY, Connection, connected, new_user, one_by_one
from tests.support.servers.running import running

FEW = 5
ROUNDS, EACH = 6, 20
SAID = ("what's due this week", "what about my kitchen", "remind me to ring the bank tomorrow at 5")
CHORES = "paint mend sweep order call measure clean sort wash pack".split()
PLACES = "kitchen hallway garden attic cellar garage balcony office shed roof".split()


async def settle_in(line: Connection, tasks: int, *, events: bool) -> str:
    """A new user's key, once so many open tasks are stored, and as many appointments."""
    key = await new_user(line)
    for number in range(tasks):
        # The same five are due this week, so that both answers are of one length.
        due = date.today() + timedelta(days=0 if number < FEW else 60 + number)  # noqa: DTZ011 - the server is here
        title = f"{CHORES[number % 10]} the {PLACES[number // 10 % 10]} number {number}"
        await line.post("/v1/todos", {"task": title, "deadline": due.isoformat()}, key)
        if events:
            day, hour = date.today() + timedelta(days=1 + number // 3), 8 + number % 3 * 4  # noqa: DTZ011
            start = f"{day.isoformat()}T{hour:02}:00:00Z"
            await line.post("/v1/events", {"title": f"meet {CHORES[number % 10]} team {number}", "start": start}, key)
    return key


async def both(url: str, many: int, *, events: bool) -> list[str]:
    """The keys of a user with few tasks and of one with many."""
    async with AsyncExitStack() as stack:
        line = await stack.enter_async_context(connected(url))
        return [await settle_in(line, count, events=events) for count in (FEW, many)]


async def measure(url: str, keys: list[str], said: str) -> tuple[float, float]:
    """Median milliseconds of a turn with few and with many tasks."""
    async with AsyncExitStack() as stack:
        line = await stack.enter_async_context(connected(url))
        spent: list[list[float]] = [[], []]

        async def send(client: int, _number: int) -> None:
            turn = await line.post("/v1/turns", {"text": said}, keys[client])
            assert turn["status"] == "done", turn

        for _ in range(ROUNDS):
            for client, times in enumerate(spent):
                times[len(times) :] = await one_by_one(lambda _, number, who=client: send(who, number), EACH)  # type: ignore[misc]
    return median(spent[0]), median(spent[1])


def main() -> None:
    """Print a line for each kind of message."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--many", type=int, default=500)
    parser.add_argument("--events", action="store_true")
    options = parser.parse_args()
    print(f"{'ms a turn, median':44}{f'{FEW} tasks':>12}{f'{options.many} tasks':>12}{'ratio':>10}")
    with tempfile.TemporaryDirectory() as folder, running(Path(folder) / "data", SUMMIT_ADMIN_KEY=ADMIN_KEY) as server:
        keys = asyncio.run(both(server.url, options.many, events=options.events))
        for said in SAID:
            few, many = asyncio.run(measure(server.url, keys, said))
            print(f"{said:44}{few:>12.1f}{many:>12.1f}{many / few:>10.2f}")


if __name__ == "__main__":
    main()
