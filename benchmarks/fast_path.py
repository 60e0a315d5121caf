"""How many turns the built-in understanding settles without asking a model, and how many of these it gets right.

    python -m benchmarks fast_path --data DIR [--show 0.85]

DIR holds corpus/*.jsonl. For each confidence: the share of turns that ask no model (coverage), the share of those that
come out as the corpus expects (agreement), and the same of the turns that are left to a model. ``--show`` prints the
turns that would be settled wrongly.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path

from app.settings import Settings
from benchmarks.understanding import lines
from tests.support.conversations.playing import Played, play

CONFIDENCES = (0.0, 0.5, 0.6, 0.7, 0.75, 0.8, 0.85, 0.9, 0.95, 1.0)


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--show", type=float, help="print what is settled wrongly at this confidence")
    options = parser.parse_args()
    played = [row for _, case in lines(options.data / "corpus") for row in play(case, [])]
    print("confidence  coverage  agreement  agreement of the rest")
    for sure in CONFIDENCES:
        kept = [row for row in played if row.sure >= sure]
        rest = [row for row in played if row.sure < sure]
        print(f"{sure:10.2f}  {len(kept) / max(len(played), 1):7.1%}  {right(kept):9.1%}  {right(rest):9.1%}")
    print(f"{len(played)} turns; the setting is {Settings.model_fields['llm_fast_path'].default}")
    for row in played if options.show is not None else ():
        if row.wrong and row.sure >= options.show:
            print(f"{row.case} {row.sure:.2f} {row.said[:200]}\n   {row.told[:300]}\n   => {row.wrong}")


def right(rows: Sequence[Played]) -> float:
    """The share of turns that are as expected."""
    return sum(row.wrong is None for row in rows) / max(len(rows), 1)


if __name__ == "__main__":
    main()
