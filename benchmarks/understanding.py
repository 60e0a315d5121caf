"""Measures the built-in understanding: time phrases, turns of a conversation corpus, and latency.

    python benchmarks/understanding.py --data DIR [--show time|corpus] [--suite NAME] [--compare]

DIR holds data/time/*.jsonl (phrases with the expected instants) and corpus/*.jsonl (turns with the expected changes).
"""

from __future__ import annotations

import argparse
import json
import re
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from agents.changes import Refused, Stamp, reverted, transition
from agents.contract import Change, Pending, Proposal, RouterDecision
from agents.ports import Ask, Records
from agents.records import FIELD_TYPES, RECORD_TYPES, Kind, Source, title_of
from agents.understanding import understand_line
from agents.understanding.line import ask_of
from agents.understanding.message import understand
from benchmarks import times
from benchmarks.rivals import others

Reader = Callable[[dict[str, Any]], list[dict[str, Any]]]
GROUPS: dict[Kind, str] = {"todo": "todos", "event": "events", "note": "notes", "instruction": "instructions"}
DAY = len("2026-11-18")


def lines(folder: Path) -> Iterator[tuple[str, dict[str, Any]]]:
    """Every JSON line of a folder with its file's name."""
    for path in sorted(folder.glob("*.jsonl")):
        for line in path.read_text(encoding="utf-8").splitlines():
            yield path.stem, json.loads(line)


ZONE_OFFSET = re.compile(r"([-+])(\d\d):00")


def zone_of(name: str) -> str:
    """A zone by name; "-02:00" is the zone of that fixed offset."""
    match = ZONE_OFFSET.fullmatch(name)
    return f"Etc/GMT{'+' if match[1] == '-' else '-'}{int(match[2])}" if match else name


def ours(case: dict[str, Any]) -> list[dict[str, Any]]:
    """The time entries of the built-in understanding."""
    return list(understand_line({"text": case["text"], "now": case["reference"], "tz": zone_of(case["tz"])})["time"])


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


@dataclass
class State:
    """Records that change from turn to turn, and the changes so far."""

    records: Records
    at: datetime
    timezone: str
    changes: list[Change] = field(default_factory=list)
    pending: Pending | None = None


def apply(state: State, proposals: Iterable[Proposal], turn: str) -> list[Change]:
    """Proposals carried out on the records in memory, by the ledger's own rules."""
    made = [one_change(state, proposal, turn, seq) for seq, proposal in enumerate(proposals)]
    state.changes += made
    return made


def one_change(state: State, proposal: Proposal, turn: str, seq: int) -> Change:
    """One proposal as the change that it comes to."""
    stamp = Stamp(state.at, state.timezone, Source())
    record_id = proposal.record_id or ("profile" if proposal.kind == "profile" else f"new-{turn}-{seq}-{proposal.kind}")
    before = stored(state, proposal.kind, record_id)
    error, after = None, before
    try:
        if proposal.op == "undo":
            target = next(change for change in state.changes if change.id == proposal.undo_of)
            after = reverted(before, target.before, stamp)
            target.status = "undone"
        else:
            after = transition(proposal, record_id, before, stamp)
        store(state, proposal.kind, record_id, after)
    except Refused as refused:
        error = str(refused)
    shown = after or before or {}
    return Change(
        id=f"{turn}-{proposal.kind}-{seq}",
        cursor=len(state.changes) + seq,
        turn_id=turn,
        agent="",
        seq=seq,
        op=proposal.op,
        kind=proposal.kind,
        record_id=record_id,
        title=title_of(proposal.kind, shown) if shown else "",
        fields=proposal.fields,
        before=before,
        after=after,
        status="failed" if error else "applied",
        error=error,
        created_at=state.at,
    )


def stored(state: State, kind: Kind, record_id: str) -> dict[str, Any] | None:
    """A record in JSON form."""
    if kind == "profile":
        return state.records.profile.model_dump(mode="json") if state.records.profile else None
    return next(
        (item.model_dump(mode="json") for item in getattr(state.records, GROUPS[kind]) if item.id == record_id), None
    )


def store(state: State, kind: Kind, record_id: str, after: dict[str, Any] | None) -> None:
    """Keep or drop a record."""
    record = RECORD_TYPES[kind].model_validate(after) if after else None
    if kind == "profile":
        state.records = state.records.model_copy(update={"profile": record})
        return
    items = getattr(state.records, GROUPS[kind])
    kept = [record if item.id == record_id and record else item for item in items if item.id != record_id or record]
    if record and not any(item.id == record_id for item in items):
        kept.append(record)
    state.records = state.records.model_copy(update={GROUPS[kind]: kept})


def clashes(state: State, change: Change) -> list[str]:
    """Titles of the events that stand where a changed one does."""
    after = change.after or {}
    if change.kind != "event" or change.op == "delete" or len(str(after.get("start"))) <= DAY:
        return []
    mine = datetime.fromisoformat(after["start"]), datetime.fromisoformat(after["end"])
    return [
        event.title
        for event in state.records.events
        if event.id != change.record_id
        and isinstance(event.start, datetime)
        and isinstance(event.end, datetime)
        and event.start < mine[1]
        and event.end > mine[0]
    ]


def holds(text: str, wanted: str) -> bool:
    """Whether a text contains words in order."""
    return re.search(".*".join(re.escape(word) for word in wanted.lower().split()), text.lower(), re.DOTALL) is not None


def same_value(got: Any, wanted: Any, name: str) -> bool:
    """Whether a stored field is what was expected."""
    if wanted is None or isinstance(wanted, bool | int):
        return got == wanted or (wanted is None and got in ("", []))
    if isinstance(wanted, list):
        texts = [item if isinstance(item, str) else item.get("text", "") for item in got or []]
        enough = name != "items" or len(texts) == len(wanted)
        return enough and all(any(holds(text, item.lstrip("~")) for text in texts) for item in wanted)
    if name == "recurrence":
        return dict(times.rule_parts(got).items()) == times.rule_parts(wanted)
    if isinstance(wanted, str) and wanted.startswith("~"):
        return holds(str(got), wanted[1:])
    return bool(str(got)[: len(wanted)] == wanted if re.match(r"\d{4}-\d\d-\d\dT", str(wanted)) else got == wanted)


def matches(change: Change, wanted: dict[str, Any], state: State) -> bool:
    """Whether a change is the expected one."""
    ops = {"archive", "delete"} if wanted["op"] in ("archive", "delete") else {wanted["op"]}
    if wanted["kind"] == "profile":
        ops |= {"create", "update"}
    if change.op not in ops or change.kind != wanted["kind"] or change.status != "applied":
        return False
    named = change.before or change.after or {}
    if wanted.get("match") and not holds(all_text(change.kind, named), wanted["match"].lstrip("~")):
        return False
    after = local(change.after or {}, state)
    return all(field_matches(after, change, name, value, state) for name, value in wanted.get("fields", {}).items())


def field_matches(after: dict[str, Any], change: Change, name: str, value: Any, state: State) -> bool:
    """One expected field."""
    if name == "conflict":
        return bool(bool(clashes(state, change)) == value)
    if name == "content" and change.kind == "note":
        return same_value(all_text("note", after), value, name)
    return same_value(after.get(name), value, name)


def all_text(kind: Kind, record: dict[str, Any]) -> str:
    """What names a record."""
    if kind == "note":
        items = " ".join(item["text"] for item in record.get("items", []))
        return f"{record.get('summary', '')} {record.get('content', '')} {items}"
    return title_of(kind, record) if record else ""


def local(record: dict[str, Any], state: State) -> dict[str, Any]:
    """Instants as local wall time to the minute."""
    zone = ZoneInfo(state.timezone)

    def said(value: Any) -> Any:
        if isinstance(value, str) and re.match(r"\d{4}-\d\d-\d\dT", value):
            return datetime.fromisoformat(value).astimezone(zone).strftime("%Y-%m-%dT%H:%M")
        return value

    return {name: said(value) for name, value in record.items()}


def reply_of(decision: RouterDecision, changes: list[Change], state: State) -> str:
    """The facts that a reply would say."""
    parts = [decision.acknowledgement, *[question.text for question in decision.questions], *decision.unclear]
    for target in decision.targets:
        parts += target.proposed.answers if target.proposed else []
        if target.proposed and target.proposed.suggestion:
            parts += [target.proposed.suggestion.action, target.proposed.suggestion.why]
    for change in changes:
        parts += [change.title, *clashes(state, change)]
    return " ".join(parts).lower()


def fault(expect: dict[str, Any], decision: RouterDecision, changes: list[Change], state: State) -> str | None:
    """What is wrong with a turn; None when it is right."""
    real = [change for change in changes if change.status == "applied"]
    left = list(real)
    for wanted in expect["changes"]:
        hit = next((change for change in left if matches(change, wanted, state)), None)
        if hit is None:
            return f"lacks {json.dumps(wanted)}"
        left.remove(hit)
    if left:
        return f"also {[(change.op, change.kind, change.title) for change in left]}"
    if decision.disposition not in expect["disposition"] and not (
        expect["changes"] and decision.disposition == "dispatch"
    ):
        return f"disposition {decision.disposition}"
    reply = reply_of(decision, changes, state)
    missing = [words for words in expect.get("reply_has", []) if not any(word in reply for word in words.split("|"))]
    extra = [words for words in expect.get("reply_lacks", []) if words.lower() in reply]
    return f"reply lacks {missing} or has {extra}: {reply[:200]}" if missing or extra else None


def play(case: dict[str, Any], spent: list[float]) -> list[tuple[str, str | None, str]]:
    """A conversation turn by turn: category, fault, what came of it."""
    ask = ask_of({"text": "", "now": case["now"], "tz": case["tz"], "given": case.get("given")})
    state = State(ask.records, ask.at, case["tz"])
    result = []
    for index, turn in enumerate(case["turns"]):
        begun = time.perf_counter()
        decision = understand(
            Ask(
                text=turn["say"],
                at=state.at,
                timezone=state.timezone,
                records=state.records,
                recent_changes=state.changes,
                pending=state.pending,
            )
        )
        spent.append((time.perf_counter() - begun) * 1000)
        proposals = [item for target in decision.targets if target.proposed for item in target.proposed.proposals]
        changes = apply(state, proposals, f"t{index}")
        state.pending = decision.questions[0].pending if decision.questions else None
        wrong = fault(turn["expect"], decision, changes, state)
        made = [(item.op, item.kind, item.title, item.fields, item.error) for item in changes]
        told = f"{decision.disposition} {made}"
        result.append(
            (
                case["category"],
                wrong,
                f"{turn['say'][:300]}\n      {told[:500]}\n      {reply_of(decision, changes, state)[:200]}",
            )
        )
    return result


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--show", choices=("time", "corpus"))
    parser.add_argument("--suite")
    parser.add_argument("--compare", action="store_true", help="also measure dateparser and parsedatetime")
    options = parser.parse_args()
    assert FIELD_TYPES
    folder = options.data / "data" / "time"
    times.show(measure_times(folder, options.suite, show=options.show == "time"), "ours")
    for name, reader in others().items() if options.compare else ():
        times.show(measure_times(folder, options.suite, show=False, reader=reader), name)
    spent: list[float] = []
    played = [
        (case["id"], len(case["turns"]), *row)
        for _, case in lines(options.data / "corpus")
        for row in play(case, spent)
    ]
    if options.show == "corpus":
        for case_id, _, category, wrong, told in played:
            if wrong:
                print(f"{case_id} {category}: {told}\n   => {wrong}\n")
    single = [row for row in played if row[1] == 1]
    for name, rows in (("all turns", played), ("single turns", single)):
        right = sum(row[3] is None for row in rows)
        print(f"corpus {name}: {right}/{len(rows)} right ({100 * right / max(len(rows), 1):.0f} %)")
    spent.sort()
    if spent:
        print(
            f"latency ms: p50 {spent[len(spent) // 2]:.1f}  p95 {spent[int(len(spent) * 0.95)]:.1f}  max "
            f"{spent[-1]:.1f}"
        )


if __name__ == "__main__":
    main()
