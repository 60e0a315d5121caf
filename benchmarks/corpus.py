"""Plays a conversation corpus and says what became of its turns.

    python benchmarks/corpus.py --in-process FILE ... [--only TEXT] [--totals]
    python benchmarks/corpus.py --data DIR [--only TEXT]

The first plays in this process and counts turns that are right, right after one tap, incomplete, wrong, swallowed,
asked about or only answered amiss; ``--totals`` prints no sentence. The second goes through the real server over HTTP
and prints each turn that is not right. DIR holds corpus/*.jsonl. Every case gets a user of its own; what is given is
stored through the API, each turn is posted with the case's clock and zone, and its changes, disposition and reply are
compared with what is expected.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import httpx

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from agents.understanding.line import records_of
from benchmarks.understanding import lines
from tests.support.conversations import outcomes
from tests.support.conversations.judging import fault
from tests.support.conversations.playing import Played
from tests.support.servers.running import running

ADMIN_KEY = "corpus-administrator-key-0123456789"
KEPT_BY_LEDGER = {"id", "version", "created_at", "updated_at", "source"}


class Speaker:
    """One user of the server."""

    def __init__(self, client: httpx.Client, name: str) -> None:
        made = client.post("/v1/users", json={"name": name}, headers={"Authorization": f"Bearer {ADMIN_KEY}"})
        made.raise_for_status()
        self._client = client
        self._head = {"Authorization": f"Bearer {made.json()['api_key']}"}

    def seed(self, given: dict[str, Any], at: datetime, tz: str) -> None:
        """Store what a case begins with."""
        records = records_of(given, at, ZoneInfo(tz))
        for path in ("todos", "events", "notes", "instructions"):
            for record in getattr(records, path):
                self._send(
                    "POST", f"/v1/{path}", record.model_dump(mode="json", exclude=KEPT_BY_LEDGER, exclude_unset=True)
                )
        if records.profile:
            self._send("PATCH", "/v1/profile", given["profile"])
        for memo in given.get("memos", []):
            captured = datetime.fromisoformat(memo["captured_at"]).replace(tzinfo=ZoneInfo(tz)).isoformat()
            self._send("POST", "/v1/memos", {"transcript": memo["transcript"], "captured_at": captured}, needed=False)

    def say(self, text: str, at: datetime, tz: str) -> dict[str, Any]:
        """The finished turn."""
        body = {"text": text, "captured_at": at.isoformat(), "timezone": tz}
        return self._send("POST", "/v1/turns", body)

    def _send(self, method: str, path: str, body: dict[str, Any], *, needed: bool = True) -> dict[str, Any]:
        answer = self._client.request(method, path, json=body, headers=self._head)
        if needed and answer.is_error:
            raise RuntimeError(f"{method} {path} {body}: {answer.status_code} {answer.text}")
        return dict(answer.json()) if answer.is_success else {}


def play(client: httpx.Client, case: dict[str, Any]) -> Iterator[Played]:
    """A conversation turn by turn, half a minute apart."""
    speaker, tz = Speaker(client, case["id"]), case["tz"]
    at = datetime.fromisoformat(case["now"]).replace(tzinfo=ZoneInfo(tz))
    speaker.seed(case.get("given") or {}, at, tz)
    for index, turn in enumerate(case["turns"]):
        said = speaker.say(turn["say"], at + timedelta(seconds=30 * index), tz)
        wrong = fault(turn["expect"], said["disposition"] or said["status"], said["changes"], said["reply"] or "", tz)
        made = [(row["op"], row["kind"], row["title"], row["fields"], row["error"]) for row in said["changes"]]
        yield Played(case["id"], case["category"], turn["say"], wrong, f"{said['disposition']} {made} {said['reply']}")


def main() -> None:
    """Print what is not right, and how many turns are."""
    parser = argparse.ArgumentParser(description=__doc__)
    chosen = parser.add_mutually_exclusive_group(required=True)
    chosen.add_argument("--data", type=Path, help="play through a server what is in corpus/*.jsonl there")
    chosen.add_argument("--in-process", type=Path, nargs="+", metavar="FILE", help="play these files without a server")
    parser.add_argument("--only", default="", help="cases whose id contains this")
    parser.add_argument("--totals", action="store_true", help="print no sentences")
    options = parser.parse_args()
    if options.in_process:
        return _in_process(options.in_process, options.only, totals_only=options.totals)
    return _through_server(options)


def _in_process(paths: Sequence[Path], only: str, *, totals_only: bool) -> None:
    for path in paths:
        cases = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines() if line.strip()]
        rows = list(outcomes.judged(case for case in cases if only in case["id"]))
        for row in rows:
            if row.outcome != "right" and not totals_only:
                print(f"{row.outcome:10} {row.case}: {row.said[:300]}\n      {row.told[:500]}\n   => {row.why[:400]}\n")
        counts, size = outcomes.totals(rows), max(len(rows), 1)
        told = ", ".join(f"{name} {count} ({100 * count / size:.1f} %)" for name, count in counts.items())
        slowest = sorted(row.ms for row in rows)[int(0.95 * len(rows))] if rows else 0.0
        print(f"{path.name}: {len(rows)} turns: {told}; cost {outcomes.cost(counts):.2f}; p95 {slowest:.1f} ms")


def _through_server(options: argparse.Namespace) -> None:
    cases = [case for _, case in lines(options.data / "corpus") if options.only in case["id"]]
    with (
        tempfile.TemporaryDirectory() as folder,
        running(Path(folder) / "data", SUMMIT_ADMIN_KEY=ADMIN_KEY) as server,
        server.client() as client,
    ):
        played = [row for case in cases for row in play(client, case)]
    for row in played:
        if row.wrong:
            print(f"{row.case} {row.category}: {row.said[:300]}\n      {row.told[:700]}\n   => {row.wrong}\n")
    right = sum(row.wrong is None for row in played)
    print(f"corpus over HTTP: {right}/{len(played)} turns right ({100 * right / max(len(played), 1):.0f} %)")


if __name__ == "__main__":
    main()
