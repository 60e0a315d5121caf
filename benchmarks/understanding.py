"""Measures the built-in understanding: time phrases, intents, slots, splitting, turns of a corpus, and latency.

    python benchmarks/understanding.py --data DIR [--show time|corpus] [--suite NAME] [--compare]

DIR holds data/time/*.jsonl (phrases with the expected instants), data/intents/*.jsonl (sentences with intent and slots)
and corpus/*.jsonl (turns with the expected changes).
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from agents.understanding import understand_line
from agents.understanding.warm import warm
from benchmarks import intents, slots, times
from benchmarks.rivals import others
from tests.support.conversations.playing import Played, play

Reader = Callable[[dict[str, Any]], list[dict[str, Any]]]


def lines(folder: Path) -> Iterator[tuple[str, dict[str, Any]]]:
    """Every JSON line of a folder with its file's name."""
    for path in sorted(folder.glob("*.jsonl")):
        for line in path.read_text(encoding="utf-8").splitlines():
            yield path.stem, json.loads(line)


def ours(case: dict[str, Any]) -> list[dict[str, Any]]:
    """The time entries of the built-in understanding."""
    return list(understand_line({"text": case["text"], "now": case["reference"], "tz": case["tz"]})["time"])


def timed(reader: Reader, spent: list[float]) -> Reader:
    """The same reader, noting the milliseconds of processor time that each phrase takes."""

    def read(case: dict[str, Any]) -> list[dict[str, Any]]:
        begun = time.process_time()
        found = reader(case)
        spent.append((time.process_time() - begun) * 1000)
        return found

    return read


def measure_times(folder: Path, suite: str | None, *, show: bool, reader: Reader = ours) -> dict[str, times.Tally]:
    """Verdicts by suite and direction."""
    tallies: dict[str, times.Tally] = {}
    for name, case in lines(folder):
        if suite and name != suite:
            continue
        found = reader(case)
        verdict = times.tally(tallies, name, case, found)
        if show and verdict != "right":
            print(
                f"{verdict:8}{name:12}{case['text'][:70]!r} {case['reference']} {case['kind']} "
                f"{json.dumps(case['expected'])[:140]}\n{'':20}{found}"
            )
    return tallies


def measure_corpus(folder: Path, *, show: bool) -> None:
    """Print how many turns of each category are right, and how long a message takes."""
    spent: list[float] = []
    cases = [case for _, case in lines(folder)]
    played = [(len(case["turns"]) == 1, row) for case in cases for row in play(case, spent)]
    for _, row in played if show else ():
        if row.wrong:
            print(f"{row.case} {row.category}: {row.said[:300]}\n      {row.told[:700]}\n   => {row.wrong}\n")
    categories = {row.category: [other for _, other in played if other.category == row.category] for _, row in played}
    print(
        "corpus by category: "
        + "  ".join(f"{name} {_right(rows)}/{len(rows)}" for name, rows in sorted(categories.items()))
    )
    for name, rows in (
        ("all turns", [row for _, row in played]),
        ("single turns", [row for alone, row in played if alone]),
    ):
        print(f"corpus {name}: {_right(rows)}/{len(rows)} right ({100 * _right(rows) / max(len(rows), 1):.0f} %)")
    spent.sort()
    if spent:
        middle, late = spent[len(spent) // 2], spent[int(len(spent) * 0.95)]
        print(f"latency ms: p50 {middle:.1f}  p95 {late:.1f}  max {spent[-1]:.1f}")


def _right(rows: Sequence[Played]) -> int:
    return sum(row.wrong is None for row in rows)


def main() -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--show", choices=("time", "corpus", "intents", "slots"))
    parser.add_argument("--suite")
    parser.add_argument("--compare", action="store_true", help="also measure dateparser and parsedatetime")
    options = parser.parse_args()
    folder = options.data / "data" / "time"
    warm()
    spent: list[float] = []
    times.show(measure_times(folder, options.suite, show=options.show == "time", reader=timed(ours, spent)), "ours")
    spent.sort()
    if spent:
        middle, late = spent[len(spent) // 2], spent[int(len(spent) * 0.95)]
        print(f"phrases, ms of processor time: p50 {middle:.2f}  p95 {late:.2f}  max {spent[-1]:.1f}")
    for name, reader in others().items() if options.compare else ():
        times.show(measure_times(folder, options.suite, show=False, reader=reader), name)
    intents.measure(options.data, shown=options.show == "intents")
    slots.measure(options.data, shown=options.show == "slots")
    measure_corpus(options.data / "corpus", show=options.show == "corpus")


if __name__ == "__main__":
    main()
