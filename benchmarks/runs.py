"""What a step of a run costs beside its model and its tool, and how many loop cases are judged right.

    python -m benchmarks.runs [--steps 20] [--runs 5] [--beside 20] [--rounds 3] [--messages 40]

The model answers at once and the tool does nothing, so what is measured is the engine: checkpoints, trace, effects.
With --beside, chat is timed on an idle server and beside so many runs whose model takes half a second.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import tempfile
import time
from itertools import pairwise
from pathlib import Path
from statistics import median

from app.database.database import Database
from app.database.embedded import EmbeddedServer
from app.database.migrate import migrate
from app.http.accounts.store.users import Users
from app.work.runs.loops import is_looping, step_of
from benchmarks.runs_beside import Beside, measure_beside
from tests.support.runs.desk import Desk, Script, call, counted, finish

CASES = Path("tests/data/runs/loops.jsonl")
PUBLIC = 17
"""Of the cases, the first are those known from public threads; the rest are ours."""


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--steps", type=int, default=20)
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--beside", type=int, default=20, help="runs at once beside chat; 0 for none")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--messages", type=int, default=40, help="of a round, idle and beside runs each")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="summit-bench-") as folder:
        server = EmbeddedServer.start(Path(folder) / "postgres", lambda _: None)
        try:
            asyncio.run(migrate(server.url, lambda _: None))
            spent = asyncio.run(_steps(server.url, Path(folder), options.steps, options.runs))
        finally:
            server.stop()
    print(f"own overhead per step: p50 {median(spent) * 1000:.1f} ms, slowest {max(spent) * 1000:.1f} ms")
    if options.beside:
        with tempfile.TemporaryDirectory(prefix="summit-bench-") as folder:
            _tell(options.beside, measure_beside(Path(folder), options.beside, options.rounds, options.messages))
    print(f"loop cases: {_right()} of {PUBLIC} right")


def _tell(runs: int, found: Beside) -> None:
    idle, busy = found.p95()
    print(
        f"chat: idle p50 {median(found.idle):.0f} ms, p95 {idle:.0f} ms; beside {runs} runs ({found.steps} steps)",
        end=" ",
    )
    print(f"p50 {median(found.busy):.0f} ms, p95 {busy:.0f} ms: {busy / idle:.2f} times")


async def _steps(url: str, folder: Path, steps: int, runs: int) -> list[float]:
    """Seconds between two questions to the model, which take no time themselves."""
    spent: list[float] = []
    async with Database(url) as database:
        user = (await Users(database).create("Ada")).id
        for _ in range(runs):
            asked: list[float] = []

            def next_call(_: object, asked: list[float] = asked) -> object:
                asked.append(time.perf_counter())
                return call("count", text=str(len(asked))) if len(asked) <= steps else finish()

            desk = Desk(database, user, folder / "files", Script(next_call), more=[counted("count", [])])
            run = await desk.done(steps=steps + 2)
            assert run.stop_reason == "goal_achieved"
            spent += [later - earlier for earlier, later in pairwise(asked)]
    return spent


def _right() -> int:
    cases = [json.loads(line) for line in CASES.read_text(encoding="utf-8").splitlines()][:PUBLIC]
    return sum(_judged(case["steps"]) is case["stuck"] for case in cases)


def _judged(steps: list[list[str]]) -> bool:
    made = [
        step_of("tool", dict.fromkeys(action.split(), 1), told.removeprefix("!"), error=told.startswith("!"))
        for action, told in steps
    ]
    return any(is_looping(made[:length]) for length in range(1, len(made) + 1))


if __name__ == "__main__":
    main()
