"""What a step of a run costs beside its model and its tool, and how many loop cases are judged right.

    python -m benchmarks.runs [--steps 20] [--runs 5]

The model answers at once and the tool does nothing, so what is measured is the engine: checkpoints, trace, effects.
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

from app.runs.loops import is_looping, step_of
from app.storage.database import Database
from app.storage.embedded import EmbeddedServer
from app.storage.migrate import migrate
from app.storage.users import PostgresUsers
from tests.app.runs.desk import Desk, Script, call, counted, finish

CASES = Path("tests/data/runs/loops.jsonl")
PUBLIC = 17
"""Of the cases, the first are those known from public threads; the rest are ours."""


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--steps", type=int, default=20)
    parser.add_argument("--runs", type=int, default=5)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="summit-bench-") as folder:
        server = EmbeddedServer.start(Path(folder) / "postgres", lambda _: None)
        try:
            asyncio.run(migrate(server.url, lambda _: None))
            spent = asyncio.run(_steps(server.url, Path(folder), options.steps, options.runs))
        finally:
            server.stop()
    print(f"own overhead per step: p50 {median(spent) * 1000:.1f} ms, slowest {max(spent) * 1000:.1f} ms")
    print(f"loop cases: {_right()} of {PUBLIC} right")


async def _steps(url: str, folder: Path, steps: int, runs: int) -> list[float]:
    """Seconds between two questions to the model, which take no time themselves."""
    spent: list[float] = []
    async with Database(url) as database:
        user = (await PostgresUsers(database).create("Ada")).id
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
