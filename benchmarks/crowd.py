"""Many people at once, each of whom reads, thinks and says things: errors, times and what the server holds.

    python -m benchmarks crowd [--people 200] [--minutes 10] [--pause 20]

Each talks over REST, over a websocket or over a stream of events (a third each), and now and then asks memory, looks at
its lists or sends a recording. ``--pause`` is the seconds between two doings of one person, on average. The server's
memory and open files are printed each minute: what grows with them all is what grows with time.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import random
import tempfile
import time
from collections import Counter, defaultdict
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path

import httpx
import numpy as np
import psutil
from websockets.asyncio.client import connect

from tests.support.servers.running import running
from tests.survival.fleet import distinct

ADMIN_KEY = "crowd-administrator-key-0123456789"
CLIP = Path(__file__).parents[1] / "tests" / "data" / "jfk.flac"
SAID = (
    "buy oat milk for {} tomorrow",
    "lunch with {} on Friday at 1pm",
    "note that the code of {} is 4711",
    "what is on my list?",
    "add bread and butter to the shopping list of {}",
    "remind me to call {} in three days at nine",
)
SECONDS = 60.0
MEBIBYTE = 1024 * 1024
Doing = Callable[["Person"], Awaitable[None]]


@dataclass
class Told:
    """Seconds of each kind of doing, and what went wrong."""

    took: defaultdict[str, list[float]] = field(default_factory=lambda: defaultdict(list))
    wrong: Counter[str] = field(default_factory=Counter)

    def table(self) -> str:
        """A line for each kind: how many, and percentiles in milliseconds."""
        lines = [f"{'':12}{'count':>7}{'p50 ms':>9}{'p95 ms':>9}{'p99 ms':>9}"]
        for kind, took in sorted(self.took.items()):
            p50, p95, p99 = np.percentile(took, (50, 95, 99)) * 1000
            lines.append(f"{kind:12}{len(took):7}{p50:9.0f}{p95:9.0f}{p99:9.0f}")
        return "\n".join([*lines, f"errors: {dict(self.wrong) or 'none'}"])


@dataclass
class Person:
    """Somebody with a key, a way to talk, and a count of what was said."""

    client: httpx.AsyncClient
    key: str
    url: str
    chance: random.Random
    told: Told
    count: int = 0

    def words(self) -> str:
        """What is said next."""
        self.count += 1
        return distinct(self.chance.choice(SAID), f"{self.key} {self.count}")

    @property
    def headers(self) -> dict[str, str]:
        return {"Authorization": f"Bearer {self.key}"}


async def over_rest(person: Person) -> None:
    """A message and its answer."""
    answer = await person.client.post("/v1/turns", json={"text": person.words()}, headers=person.headers)
    answer.raise_for_status()


async def over_events(person: Person) -> None:
    """A message whose events are listened to until it is done."""
    accepted = {**person.headers, "Accept": "text/event-stream"}
    async with person.client.stream("POST", "/v1/turns", json={"text": person.words()}, headers=accepted) as answer:
        answer.raise_for_status()
        async for line in answer.aiter_lines():
            if line.startswith("event: turn.done"):
                return
    raise RuntimeError("the stream ended without turn.done")


async def over_socket(person: Person) -> None:
    """A message over a connection of its own."""
    url = f"ws{person.url.removeprefix('http')}/v1/ws"
    async with connect(url, additional_headers=person.headers, proxy=None) as socket:
        await socket.send(json.dumps({"type": "turn", "text": person.words()}))
        async with asyncio.timeout(SECONDS):
            while json.loads(await socket.recv())["type"] != "turn.done":
                pass


async def asking(person: Person) -> None:
    """A question to memory."""
    asked = {"question": "what is the code?"}
    (await person.client.post("/v1/memory/ask", json=asked, headers=person.headers)).raise_for_status()


async def looking(person: Person) -> None:
    """The lists of today."""
    (await person.client.get("/v1/todos", headers=person.headers)).raise_for_status()
    (await person.client.get("/v1/events", headers=person.headers)).raise_for_status()


async def recording(person: Person) -> None:
    """A recording, which is heard later."""
    sound = {"audio": ("jfk.flac", CLIP.read_bytes(), "audio/flac")}
    (await person.client.post("/v1/memos", files=sound, headers=person.headers)).raise_for_status()


TALKING: dict[str, Doing] = {"rest": over_rest, "events": over_events, "websocket": over_socket}
BESIDE: dict[str, tuple[float, Doing]] = {
    "memory": (0.1, asking),
    "lists": (0.2, looking),
    "recording": (0.01, recording),
}


async def living(person: Person, way: str, until: float, pause: float) -> None:
    """Do one thing after the other with pauses between."""
    await asyncio.sleep(person.chance.uniform(0, pause))
    while time.monotonic() < until:
        await timed(person, way, TALKING[way])
        for kind, (share, doing) in BESIDE.items():
            if person.chance.random() < share:
                await timed(person, kind, doing)
        await asyncio.sleep(person.chance.expovariate(1 / pause))


async def timed(person: Person, kind: str, doing: Doing) -> None:
    """Do it, and note how long it took or what went wrong."""
    began = time.perf_counter()
    try:
        await doing(person)
    except httpx.HTTPStatusError as refused:
        person.told.wrong[f"{kind} {refused.response.status_code}"] += 1
    except Exception as error:  # noqa: BLE001 - whatever happens to one person is counted
        person.told.wrong[f"{kind} {type(error).__name__}"] += 1
    else:
        person.told.took[kind].append(time.perf_counter() - began)


@asynccontextmanager
async def people(url: str, count: int, told: Told) -> AsyncIterator[list[Person]]:
    """So many users with connections."""
    limits = httpx.Limits(max_connections=None, max_keepalive_connections=count)
    async with httpx.AsyncClient(base_url=url, timeout=SECONDS, limits=limits, trust_env=False) as client:
        made = []
        for number in range(count):
            admin = {"Authorization": f"Bearer {ADMIN_KEY}"}
            user = await client.post("/v1/users", json={"name": f"person {number}"}, headers=admin)
            key = user.raise_for_status().json()["api_key"]
            made.append(Person(client, key, url, random.Random(number), told))
        yield made


async def watched(pid: int, told: Told, until: float) -> None:
    """Print each minute what the server holds."""
    server, began = psutil.Process(pid), time.monotonic()
    while True:
        held, done = server.memory_info().rss / MEBIBYTE, sum(map(len, told.took.values()))
        print(f"{time.monotonic() - began:5.0f} s{held:8.0f} MB{server.num_fds():6} files{done:7} done", flush=True)
        if time.monotonic() >= until:
            return
        await asyncio.sleep(min(60.0, max(0.0, until - time.monotonic())))


async def measure(url: str, pid: int, options: argparse.Namespace) -> None:
    """Let them live for as long as was asked, and print the table."""
    told, ways = Told(), list(TALKING)
    async with people(url, options.people, told) as crowd:
        until = time.monotonic() + 60 * options.minutes
        lives = [living(one, ways[at % 3], until, options.pause) for at, one in enumerate(crowd)]
        await asyncio.gather(watched(pid, told, until), *lives)
    print(told.table())


def main() -> None:
    """Start a server and measure."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--people", type=int, default=200)
    parser.add_argument("--minutes", type=float, default=10.0)
    parser.add_argument("--pause", type=float, default=20.0)
    options = parser.parse_args()
    with (
        tempfile.TemporaryDirectory(prefix="summit-bench-") as folder,
        running(Path(folder) / "data", SUMMIT_ADMIN_KEY=ADMIN_KEY) as server,
    ):
        asyncio.run(measure(server.url, server.process.pid, options))


if __name__ == "__main__":
    main()
