"""The table of a run: shares by category, what a turn took, and what went wrong."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median, quantiles
from typing import Any

from tests.support.model_quality.judge import RESULTS, Verdict
from tests.support.model_quality.stage import Played

ROW = "{:<14}{:>6}{:>8}{:>8}{:>8}{:>7}{:>9}{:>7}{:>8}{:>8}{:>8}{:>8}{:>8}"
HEAD = (
    "category",
    "turns",
    "right",
    "wrong",
    "by code",
    "held",
    "refused",
    "reply",
    "asked",
    "calls",
    "tok in",
    "tok out",
    "ms",
)


@dataclass(frozen=True)
class Judged:
    """A turn and the verdict on it."""

    played: Played
    verdict: Verdict


def show(rows: Sequence[Judged], baseline: dict[str, Any] | None) -> None:
    """Print everything."""
    print(ROW.format(*HEAD))
    for category in dict.fromkeys(row.played.case.category for row in rows):
        _line(category, [row for row in rows if row.played.case.category == category])
    for kept_in in dict.fromkeys(row.played.case.kept_in for row in rows):
        _line(kept_in, [row for row in rows if row.played.case.kept_in == kept_in])
    _line("all", rows)
    _figures(rows, baseline)
    for row in rows:
        if row.verdict.result != "right":
            _failure(row)


def summary(rows: Sequence[Judged]) -> dict[str, Any]:
    """A run as JSON: the shares, and each turn with its verdict."""
    count = max(len(rows), 1)
    return {
        "turns": len(rows),
        "share": {name: _count(rows, name) / count for name in RESULTS},
        "wrong_by_code": sum(row.verdict.cause == "code" for row in rows),
        "tokens_a_turn": sum(map(_tokens, rows)) / count,
        "tokens": {row.played.turn.name: _tokens(row) for row in rows},
        "each": {row.played.turn.name: _one(row) for row in rows},
    }


def _one(row: Judged) -> dict[str, Any]:
    played, verdict = row.played, row.verdict
    return {
        "say": played.turn.say,
        "result": verdict.result,
        "cause": verdict.cause,
        "why": verdict.why,
        "reply": played.reply,
        "changes": [[c["op"], c["kind"], c["title"], c["status"]] for c in played.changes],
        "calls": [asked.key for asked in played.asked],
        "ms": round(played.ms, 1),
    }


def _line(name: str, rows: Sequence[Judged]) -> None:
    count = len(rows)
    calls = sum(len(row.played.asked) for row in rows)
    took = median(row.played.ms for row in rows)
    print(
        ROW.format(
            name,
            count,
            *(_share(_count(rows, one), count) for one in ("right", "wrong change")),
            sum(row.verdict.cause == "code" for row in rows),
            *(_share(_count(rows, one), count) for one in ("held", "refused", "reply")),
            _share(sum(bool(row.played.asked) for row in rows), count),
            f"{calls / count:.2f}",
            *(f"{sum(spent) / count:.0f}" for spent in (_spent_in(rows), _spent_out(rows))),
            f"{took:.0f}",
        )
    )


def _figures(rows: Sequence[Judged], baseline: dict[str, Any] | None) -> None:
    times = [row.played.ms for row in rows]
    unasked = [row.played.turn.name for row in rows if not row.played.asked]
    missing = [asked.key for row in rows for asked in row.played.asked if asked.answer is None]
    print(f"ms a turn: p50 {median(times):.0f}" + (f"  p95 {quantiles(times, n=20)[-1]:.0f}" if len(times) > 1 else ""))
    print("tokens are counted at four characters each, tools and schemas included")
    print(f"{len(unasked)} turns asked no model: {' '.join(unasked)}")
    if missing:
        print(f"{len(missing)} calls were not answered: {' '.join(missing[:12])}{' ...' if len(missing) > 12 else ''}")
    if baseline:
        both = [row for row in rows if row.played.turn.name in baseline["tokens"]]
        before = sum(baseline["tokens"][row.played.turn.name] for row in both)
        now = sum(map(_tokens, both))
        share = f"{now / before - 1:+.0%}" if before else "-"
        print(f"tokens of {len(both)} turns: {now}, {before} in the baseline ({share})")


def _failure(row: Judged) -> None:
    played, verdict = row.played, row.verdict
    by = f" by {verdict.cause}" if verdict.cause else ""
    print(f"\n{played.turn.name}: {verdict.result}{by}: {verdict.why}")
    print(f"   said  {played.turn.say}\n   reply {' / '.join(played.reply.splitlines())[:300]}")


def _count(rows: Sequence[Judged], result: str) -> int:
    return sum(row.verdict.result == result for row in rows)


def _share(part: int, count: int) -> str:
    return f"{part / count:.0%}"


def _spent_in(rows: Sequence[Judged]) -> list[int]:
    return [asked.tokens_in for row in rows for asked in row.played.asked]


def _spent_out(rows: Sequence[Judged]) -> list[int]:
    return [asked.tokens_out for row in rows for asked in row.played.asked]


def _tokens(row: Judged) -> int:
    return sum(_spent_in([row])) + sum(_spent_out([row]))


def default_baseline(folder: Path) -> Path:
    """Where the tokens of an earlier version are kept."""
    return folder / "baseline.json"
