"""Chat while many runs work: the same messages on an idle server, then beside runs at once, in rounds."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import quantiles

import httpx

from tests.support.fakes import Call, RecordedRequest, Reply, ScriptedModelServer, chat
from tests.support.servers.load import ADMIN_KEY
from tests.support.servers.running import RunningServer
from tests.survival.fleet import distinct

MESSAGE = "buy oat milk for {} tomorrow"
STEPS = 60
"""Of a run: enough that none ends while chat is measured."""
THINKING_SECONDS = 0.5
WARM_UP = 5
START_SECONDS = 60.0


@dataclass(frozen=True)
class Beside:
    """Milliseconds of chat on an idle server and beside runs; how many steps the runs made meanwhile."""

    idle: Sequence[float]
    busy: Sequence[float]
    steps: int

    def p95(self) -> tuple[float, float]:
        """Of both."""
        return tuple(quantiles(times, n=20)[-1] for times in (self.idle, self.busy))  # type: ignore[return-value]


def measure_beside(folder: Path, runs: int, rounds: int, messages: int) -> Beside:
    """Each round: messages on the idle server, then the same number while ``runs`` of another user work."""
    settings = {
        "SUMMIT_ADMIN_KEY": ADMIN_KEY,
        "SUMMIT_ALLOWED_NETWORKS": '["127.0.0.0/8"]',
        "SUMMIT_RUN_CONCURRENCY": str(runs),
        "SUMMIT_RUN_STEPS": str(STEPS * 2),
    }
    idle: list[float] = []
    busy: list[float] = []
    steps = 0
    with ScriptedModelServer() as models:
        models.script("/chat/completions", _thinking)
        server = RunningServer(folder / "data", **settings)
        try:
            talker, worker = _user(server.url), _user(server.url)
            _choose_model(worker, models.base_url)
            _talk(talker, "warm", WARM_UP)
            for number in range(rounds):
                idle += _talk(talker, f"idle {number}", messages)
                started = _start(worker, runs)
                before = len(models.requests)
                busy += _talk(talker, f"busy {number}", messages)
                steps += len(models.requests) - before
                _stop(worker, started)
        finally:
            server.stop()
    return Beside(idle, busy, steps)


def _thinking(request: RecordedRequest) -> Reply:
    """A model that takes its time, as models do, and works through its steps."""
    time.sleep(THINKING_SECONDS)
    seen = sum("<observation tool" in str(message["content"]) for message in request.json["messages"])
    return chat(Call("write_file", {"path": f"{seen}.txt", "content": str(seen)}))(request)


def _user(url: str) -> httpx.Client:
    admin = {"Authorization": f"Bearer {ADMIN_KEY}"}
    key = httpx.post(f"{url}/v1/users", json={"name": "bench"}, headers=admin).json()["api_key"]
    return httpx.Client(base_url=url, headers={"Authorization": f"Bearer {key}"}, timeout=60)


def _choose_model(worker: httpx.Client, base_url: str) -> None:
    """The model is that of the user with the runs alone, so that chat waits for none."""
    admin = {"Authorization": f"Bearer {ADMIN_KEY}"}
    lab = {"slug": "lab", "name": "Lab", "base_url": base_url}
    _good(worker.post("/v1/providers", json=lab, headers=admin))
    _good(worker.post("/v1/providers", json={"slug": "lab", "api_key": "x"}))
    _good(worker.put("/v1/models/chat", json={"provider": "lab", "model": "scripted"}))


def _talk(talker: httpx.Client, mark: str, count: int) -> list[float]:
    spent = []
    for number in range(count):
        began = time.perf_counter()
        turn = _good(talker.post("/v1/turns", json={"text": distinct(MESSAGE, f"{mark} {number}")})).json()
        spent.append((time.perf_counter() - began) * 1000)
        assert turn["status"] == "done", turn
    return spent


def _start(worker: httpx.Client, runs: int) -> list[str]:
    """Runs that are all at work."""
    ids = [_good(worker.post("/v1/runs", json={"goal": "count", "planner": "react"})).json()["id"] for _ in range(runs)]
    until = time.monotonic() + START_SECONDS
    while {worker.get(f"/v1/runs/{one}").json()["status"] for one in ids} != {"running"}:
        assert time.monotonic() < until, "not all runs are at work"
        time.sleep(0.1)
    return ids


def _stop(worker: httpx.Client, ids: Sequence[str]) -> None:
    for one in ids:
        _good(worker.post(f"/v1/runs/{one}/cancel"))
    until = time.monotonic() + START_SECONDS
    while {worker.get(f"/v1/runs/{one}").json()["status"] for one in ids} != {"done"}:
        assert time.monotonic() < until, "not all runs have ended"
        time.sleep(0.1)


def _good(answer: httpx.Response) -> httpx.Response:
    assert answer.is_success, answer.text
    return answer
