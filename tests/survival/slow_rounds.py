"""Connections whose headers or bodies come a byte at a time, while others are served.

    python -m tests.survival.slow_rounds [--connections 400]

Half of them drip headers, half bodies, a byte a second each. Every one has to be closed within 30 s, and the 99th
percentile of what others wait for an answer has to stay under half a second; on a machine so busy that it is not even
before they come, it must not double.
"""

from __future__ import annotations

import argparse
import asyncio
import sys
import tempfile
import time
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import urlsplit

import httpx
import numpy as np

from tests.support.servers.running import running
from tests.survival.fleet import ONE, distinct

HEADERS = b"POST /v1/todos HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Slow: "
REST = b"x" * 60
"""More seconds than anybody may be held."""
BODY = b"POST /v1/todos HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nContent-Length: 300\r\n\r\n"
DRIP_SECONDS = 1.0
CLOSED_SECONDS, WAITED_SECONDS = 30.0, 0.5
OTHERS, PAUSE_SECONDS = 8, 0.5
BEFORE_SECONDS = 20.0


@dataclass
class Told:
    """Seconds that each slow connection was held, and each of the others' requests took before and then."""

    held: list[float] = field(default_factory=list)
    before: list[float] = field(default_factory=list)
    waited: list[float] = field(default_factory=list)
    refused: int = 0

    def faults(self) -> list[str]:
        """What is not as it has to be."""
        late, slow = max(self.held), p99(self.waited)
        found = {
            f"a connection was held for {late:.1f} s": late > CLOSED_SECONDS,
            f"others waited {slow:.3f} s": slow > max(WAITED_SECONDS, 2 * p99(self.before)),
            f"{self.refused} requests of others failed": self.refused > 0,
        }
        return [what for what, wrong in found.items() if wrong]


def p99(seconds: Sequence[float]) -> float:
    """The 99th percentile."""
    return float(np.percentile(seconds, 99))


async def drip(url: str, at_once: bytes, slowly: bytes, told: Told) -> None:
    """Say something at once and the rest slowly, until the other side has closed the connection."""
    parts = urlsplit(url)
    reader, writer = await asyncio.open_connection(parts.hostname, parts.port)
    began = time.monotonic()
    closed = asyncio.create_task(_closed(reader))
    writer.write(at_once)
    for byte in slowly:
        writer.write(bytes([byte]))
        await asyncio.wait([closed], timeout=DRIP_SECONDS)
        if closed.done():
            break
    told.held.append(time.monotonic() - began)
    closed.cancel()
    writer.close()


async def _closed(reader: asyncio.StreamReader) -> None:
    """Read what comes until nothing more does."""
    with suppress(ConnectionError):
        await reader.read()


async def live(client: httpx.AsyncClient, over: asyncio.Event, told: Told, number: int) -> None:
    """Add a task and read the list, again and again."""
    count = 0
    while not over.is_set():
        count += 1
        said = client.post("/v1/turns", json={"text": distinct(ONE, f"{number} {count}")})
        for request in (said, client.get("/v1/todos", params={"limit": 20})):
            began = time.monotonic()
            try:
                (await request).raise_for_status()
            except httpx.HTTPError:
                told.refused += 1
            else:
                told.waited.append(time.monotonic() - began)
        await asyncio.sleep(PAUSE_SECONDS)


async def campaign(url: str, connections: int) -> Told:
    """Hold that many connections, and live beside them until all are closed."""
    told, over = Told(), asyncio.Event()
    async with httpx.AsyncClient(base_url=url, timeout=CLOSED_SECONDS, trust_env=False) as client:
        others = [asyncio.create_task(live(client, over, told, number)) for number in range(OTHERS)]
        await asyncio.sleep(BEFORE_SECONDS)
        told.before, told.waited = told.waited, []
        said = [(b"", HEADERS + REST), (BODY, REST)]
        await asyncio.gather(*(drip(url, *said[number % 2], told) for number in range(connections)))
        over.set()
        await asyncio.gather(*others)
    return told


def main() -> int:
    """One campaign; exit status 1 when anything is not as it has to be."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--connections", type=int, default=400)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="summit-slow-") as folder, running(Path(folder) / "data") as server:
        told = asyncio.run(campaign(server.url, options.connections))
    sys.stdout.write("".join(f"{fault}\n" for fault in told.faults()))
    sys.stdout.write(
        f"{options.connections} connections closed within {max(told.held):.1f} s; "
        f"p99 of {len(told.waited)} requests of others {1000 * p99(told.waited):.0f} ms, "
        f"before {1000 * p99(told.before):.0f} ms\n"
    )
    return int(bool(told.faults()))


if __name__ == "__main__":
    sys.exit(main())
