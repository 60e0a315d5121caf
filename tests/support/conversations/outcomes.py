"""What became of each turn of a corpus: right, right after one tap, or wrong in one of five ways. In process.

A tap is a yes to the question of the turn, or the best of its options. A wrong change is any that is applied and not
expected; a change is incomplete if its record and times are right and a detail is missing; a wanted change is swallowed
if it was neither made nor asked about.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from copy import deepcopy
from dataclasses import dataclass
from typing import Any, Literal

from agents.contract import Pending
from agents.understanding.message import understand
from tests.support.conversations.judging import Row, fault, matches
from tests.support.conversations.playing import Mind, State, Turned, state_of, turned

Outcome = Literal["right", "tap", "incomplete", "wrong", "swallowed", "asked", "reply"]
OUTCOMES: tuple[Outcome, ...] = ("right", "tap", "incomplete", "wrong", "swallowed", "asked", "reply")
COST: dict[Outcome, int] = {"wrong": 10, "swallowed": 5, "asked": 2, "incomplete": 2, "tap": 1, "right": 0, "reply": 1}
DECISIVE = frozenset({"start", "end", "deadline", "remind_at", "recurrence", "snooze_until", "all_day", "text"})
"""Fields that make a change another one; a missing one of the rest is a detail."""
NAMES = frozenset({"task", "title", "content", "items"})
MOST_TAPS = 12


@dataclass(frozen=True, slots=True)
class Judged:
    """One turn, what became of it, and what was done and told."""

    case: str
    said: str
    outcome: Outcome
    told: str
    why: str
    ms: float


def judged(cases: Iterable[dict[str, Any]], mind: Mind = understand) -> Iterator[Judged]:
    """Each turn of these conversations; a speaker who gets what was wanted by one tap has tapped before the next."""
    for case in cases:
        state = state_of(case, mind)
        for index, turn in enumerate(case["turns"]):
            made = turned(turn["say"], state, f"t{index}")
            tapped = _tapped(turn["expect"], made, state, f"t{index}")
            outcome, why = _outcome(turn["expect"], made, state.timezone, tapped=tapped is not None)
            state = tapped or state
            yield Judged(case["id"], turn["say"], outcome, made.told, why, made.ms)


def totals(rows: Iterable[Judged]) -> dict[Outcome, int]:
    """How many turns came to each."""
    counts = Counter(row.outcome for row in rows)
    return {name: counts[name] for name in OUTCOMES}


def cost(counts: dict[Outcome, int]) -> float:
    """The mean cost of a turn: a wrong change 10, a swallowed one 5, a question that does not help 2, a tap 1."""
    return sum(COST[name] * count for name, count in counts.items()) / max(sum(counts.values()), 1)


def _outcome(expect: Row, made: Turned, tz: str, *, tapped: bool) -> tuple[Outcome, str]:
    why = fault(expect, made.disposition, made.rows, made.reply, tz)
    if why is None:
        return "right", ""
    if tapped:
        return "tap", why
    applied = [row for row in made.rows if row["status"] == "applied"]
    wanted, extra, partly = list(expect["changes"]), [], False
    for row in applied:
        hit = next((one for one in wanted if matches(row, one, tz)), None)
        near = hit or next((one for one in wanted if matches(row, _bare(one), tz)), None)
        partly = partly or (hit is None and near is not None)
        if near is None:
            extra.append(row["title"])
        else:
            wanted.remove(near)
    if extra:
        return "wrong", why
    asks = made.pending is not None or made.disposition == "clarify"
    if wanted:
        return ("asked" if asks else "swallowed"), why
    return ("incomplete" if partly else "asked" if asks and expect["changes"] else "reply"), why


def _bare(wanted: Row) -> Row:
    """The expected change less its details."""
    kept = DECISIVE | NAMES
    return {**wanted, "fields": {name: value for name, value in wanted.get("fields", {}).items() if name in kept}}


def _tapped(expect: Row, made: Turned, before: State, name: str) -> State | None:
    """The state after the tap that gives exactly what is expected; None where none does, or none was needed."""
    if (
        made.pending is None
        or not expect["changes"]
        or not fault(expect, made.disposition, made.rows, "", before.timezone)
    ):
        return None
    for tap in _taps(made.pending):
        state = deepcopy(before)
        after = turned(tap, state, f"{name}-tap")
        rows = [row for row in [*made.rows, *after.rows] if row["status"] == "applied"]
        if fault({**expect, "reply_has": [], "reply_lacks": []}, "dispatch", rows, "", before.timezone) is None:
            return state
    return None


def _taps(pending: Pending) -> list[str]:
    if pending.missing in ("proceed", "transcript"):
        return ["yes"]
    offered = [option.label for option in pending.options] or pending.choices
    return [label for label in offered if label != "no"][:MOST_TAPS]
