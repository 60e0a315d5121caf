"""Measures intents: accuracy, macro average, wrong acts, and what acts although it is out of scope.

    python benchmarks/intents.py --data DIR [--show]

DIR holds data/intents/dev.jsonl. ``acted`` is whether it proposes a change.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from agents.understanding import understand_line

IDLE = frozenset({"ood", "chitchat", "affirm", "negate"})
NOW, ZONE = "2026-11-18T10:30:00", "Europe/Lisbon"


@dataclass(frozen=True, slots=True)
class Verdict:
    """One sentence: what it wants, what was said and how surely, and whether it acts."""

    text: str
    wanted: str
    said: str
    sure: float
    acted: bool


def verdicts(path: Path, spent: list[float]) -> list[Verdict]:
    """Every sentence of a file, read and carried out on an empty account."""
    return [_verdict(json.loads(line), spent) for line in path.read_text(encoding="utf-8").splitlines()]


def _verdict(row: dict[str, Any], spent: list[float]) -> Verdict:
    begun = time.perf_counter()
    line = understand_line({"text": row["text"], "now": NOW, "tz": ZONE})
    spent.append((time.perf_counter() - begun) * 1000)
    return Verdict(row["text"], row["intent"], line["intent"], line["probability"], bool(line["proposals"]))


def macro(rows: Sequence[Verdict], least: int) -> float:
    """Mean F1 of the intents with at least so many sentences."""
    counts = Counter(row.wanted for row in rows)
    said = Counter(row.said for row in rows)
    right = Counter(row.wanted for row in rows if row.wanted == row.said)
    scores = [2 * right[name] / (counts[name] + said[name]) for name in counts if counts[name] >= least]
    return sum(scores) / len(scores)


def table(rows: Sequence[Verdict], spent: Sequence[float]) -> None:
    """The figures, in per cent."""
    kept = sorted(rows, key=lambda row: -row.sure)[: int(len(rows) * 0.9)]
    foreign = [row for row in rows if row.wanted == "ood"]
    wrong = [row for row in kept if row.said != row.wanted]
    figures = {
        "accuracy": _share(rows, sum(row.said == row.wanted for row in rows)),
        "macro F1, all": 100 * macro(rows, 1),
        "macro F1, 10 or more": 100 * macro(rows, 10),
        "wrong at 90 % kept": _share(kept, len(wrong)),
        "wrong act at 90 % kept": _share(kept, sum(row.said not in IDLE for row in wrong)),
        "out of scope acted on": _share(foreign, sum(row.acted for row in foreign)),
    }
    print(f"intents, {len(rows)} sentences: " + "  ".join(f"{name} {value:.1f}" for name, value in figures.items()))
    print(f"ms: p50 {sorted(spent)[len(spent) // 2]:.2f}  max {max(spent):.1f}")


def _share(rows: Sequence[Verdict], count: int) -> float:
    return 100 * count / max(len(rows), 1)


def show(rows: Sequence[Verdict]) -> None:
    """What was guessed wrong, and what acted although it is out of scope."""
    for row in rows:
        if row.said != row.wanted or (row.acted and row.wanted in IDLE):
            print(f"{row.wanted:>20} -> {row.said:20} {row.sure:.2f} {'acted' if row.acted else '':6}{row.text[:120]}")


def measure(folder: Path, *, shown: bool) -> None:
    """Print the table for the visible sentences."""
    spent: list[float] = []
    rows = verdicts(folder / "data" / "intents" / "dev.jsonl", spent)
    if shown:
        show(rows)
    table(rows, spent)


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--show", action="store_true")
    options = parser.parse_args()
    measure(options.data, shown=options.show)


if __name__ == "__main__":
    main()
