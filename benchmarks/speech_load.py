"""How fast messages are answered while long recordings are transcribed.

    python -m benchmarks speech_load [--minutes 5] [--messages 60] [--recordings 2]

One client says things one by one: in peace, while that many recordings of so many minutes are heard, in peace again.
"""

from __future__ import annotations

import argparse
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from statistics import median, quantiles

import httpx
import numpy as np

from tests.support.servers.running import RunningServer, running
from tests.support.speech.sounds import encode, silence, voice
from tests.survival.fleet import distinct

TEXT = "buy oat milk for {} tomorrow"
WARM_UP = 10
HEARD = ("transcribed", "indexed", "needs_you", "failed")


def recording(minutes: float) -> bytes:
    """A real voice with pauses, again and again."""
    spoken = np.concatenate([voice(), silence(1)])
    return encode(np.resize(spoken, int(minutes * 60 * 16_000)), "ogg")


def answered(client: httpx.Client, name: str, messages: int) -> list[float]:
    """Milliseconds that each message took."""
    took = []
    for number in range(messages):
        began = time.perf_counter()
        body = {"text": distinct(TEXT, f"{name} {number}")}
        client.post("/v1/turns", json=body).raise_for_status()
        took.append(1000 * (time.perf_counter() - began))
    return took


def waiting(client: httpx.Client, memos: Sequence[str]) -> int:
    """How many of the recordings have no words yet."""
    return sum(client.get(f"/v1/memos/{memo}").json()["state"] not in HEARD for memo in memos)


def measure(server: RunningServer, options: argparse.Namespace) -> None:
    """Print a line for each phase, and the ratio of p95."""
    sound = recording(options.minutes)
    with server.client() as client:
        answered(client, "warm", WARM_UP)
        before = answered(client, "before", options.messages)
        began = time.perf_counter()
        sent = [client.post("/v1/memos", files={"audio": ("talk.ogg", sound)}) for _ in range(options.recordings)]
        memos = [one.raise_for_status().json()["id"] for one in sent]
        during = answered(client, "during", options.messages)
        left = waiting(client, memos)
        while waiting(client, memos):
            time.sleep(0.2)
        heard = time.perf_counter() - began
        after = answered(client, "after", options.messages)
    for name, took in (("in peace", before), (f"{options.recordings} transcriptions", during), ("in peace", after)):
        print(f"{name:20} p50 {median(took):6.1f} ms   p95 {p95(took):6.1f} ms   longest {max(took):6.1f} ms")
    print(f"p95 beside transcriptions: {p95(during) / p95(before + after):.2f} x; {left} of them were still under way")
    print(f"{options.recordings} x {options.minutes:g} minutes were heard in {heard:.0f} s")


def p95(took: Sequence[float]) -> float:
    """What 95 % are faster than."""
    return quantiles(took, n=20)[-1]


def main() -> None:
    """Start a server and measure."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--minutes", type=float, default=5.0)
    parser.add_argument("--messages", type=int, default=60)
    parser.add_argument("--recordings", type=int, default=2)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="summit-bench-") as folder, running(Path(folder) / "data") as server:
        measure(server, options)


if __name__ == "__main__":
    main()
