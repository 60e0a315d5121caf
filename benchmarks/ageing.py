"""What a turn costs early and late in a thread's life."""

from __future__ import annotations

import time
from dataclasses import dataclass
from statistics import median

from benchmarks.gauges import Gauges
from tests.support.servers.load import Connection, connected, new_user

LONG = ("add task water the plants", "delete the task water the plants")
PAIRS = 25


@dataclass(frozen=True)
class Ageing:
    """Medians of a turn early and late in a thread: milliseconds and bytes of log."""

    early_ms: float
    early_bytes: float
    late_ms: float
    late_bytes: float


async def measure_ageing(url: str, gauges: Gauges, turns: int) -> Ageing:
    """Turn 50 of a new user's thread against turn ``turns`` of an old one, in alternation; few records in both."""
    gauges.without_page_images()
    async with connected(url) as line:
        old, young = await new_user(line), await new_user(line)
        for key, age in ((old, turns - PAIRS), (young, 50 - PAIRS)):
            for number in range(age):
                await line.post("/v1/turns", {"text": LONG[number % 2]}, key)
        late, early = [], []
        for number in range(1, 2 * PAIRS + 1):
            late.append(await _one_turn(line, gauges, old, number))
            early.append(await _one_turn(line, gauges, young, number))
    return Ageing(*(median(column) for column in (*zip(*early, strict=True), *zip(*late, strict=True))))


async def _one_turn(line: Connection, gauges: Gauges, key: str, number: int) -> tuple[float, float]:
    written, began = gauges.written(), time.perf_counter()
    turn = await line.post("/v1/turns", {"text": LONG[number % 2]}, key)
    spent = (time.perf_counter() - began) * 1000
    assert [change["status"] for change in turn["changes"]] == ["applied"], turn
    return spent, float(gauges.written() - written)
