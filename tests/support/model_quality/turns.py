"""The turns, the people who say them, and the sessions that they are played in.

``tests/data/README.md`` tells what a line has.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

FOLDER = Path(__file__).resolve().parents[3] / "tests" / "data" / "model_quality"
TIMES = ("start", "end", "deadline", "remind_at", "snooze_until")
DAY = len("2026-11-18")
SETS: Sequence[tuple[str, str, str]] = (
    ("single", "people.json", "turns.jsonl"),
    ("conversations", "lives.json", "conversations.jsonl"),
)
"""Messages of their own on small accounts, and conversations on full ones: their accounts and their lines."""
GROUPS = {"todos": "todo", "events": "event", "notes": "note", "instructions": "instruction"}


@dataclass(frozen=True)
class Turn:
    """One message and what has to come of it; ``name`` is that of its case, with a number where it has several."""

    name: str
    say: str
    expect: dict[str, Any]


@dataclass(frozen=True)
class Case:
    """A person at a moment, what is stored for them and what was said before, and the turns to judge."""

    name: str
    kept_in: str
    category: str
    at: datetime
    zone: str
    language: str | None
    given: dict[str, Any]
    earlier: Sequence[dict[str, Any]]
    turns: Sequence[Turn]

    def stored(self) -> list[tuple[str, dict[str, Any]]]:
        """Kind and fields of each record that it begins with, times as instants."""
        several = [(kind, fields) for group, kind in GROUPS.items() for fields in self.given.get(group, ())]
        profile = [("profile", self.given["profile"])] if "profile" in self.given else []
        return [(kind, self.instants(fields)) for kind, fields in [*several, *profile]]

    def instants(self, fields: dict[str, Any]) -> dict[str, Any]:
        """The fields with the wall clock of the person's zone as instants; days stay days."""
        return {name: self._instant(value) if name in TIMES else value for name, value in fields.items()}

    def _instant(self, value: str) -> str:
        return (
            value
            if len(value) == DAY
            else datetime.fromisoformat(value).replace(tzinfo=ZoneInfo(self.zone)).isoformat()
        )


def cases(only: Sequence[str] = (), folder: Path = FOLDER) -> list[Case]:
    """Those of these names, categories or sets, or all."""
    return [one for known in SETS for one in _kept_in(*known, folder) if not only or _chosen(one, only)]


def _chosen(case: Case, only: Sequence[str]) -> bool:
    return bool({case.name, case.category, case.kept_in} & set(only))


def _kept_in(kept_in: str, accounts: str, lines: str, folder: Path) -> list[Case]:
    people = json.loads((folder / accounts).read_text(encoding="utf-8"))
    read = [json.loads(line) for line in (folder / lines).read_text(encoding="utf-8").splitlines()]
    return [_case(kept_in, line, people[line["who"]]) for line in read]


def _case(kept_in: str, line: dict[str, Any], person: dict[str, Any]) -> Case:
    several = len(line["turns"]) > 1
    return Case(
        name=line["id"],
        kept_in=kept_in,
        category=line["category"],
        at=datetime.fromisoformat(person["now"]).replace(tzinfo=ZoneInfo(person["tz"])),
        zone=person["tz"],
        language=person.get("language"),
        given=person["given"],
        earlier=line.get("earlier", ()),
        turns=[
            Turn(f"{line['id']}-{number}" if several else line["id"], turn["say"], turn["expect"])
            for number, turn in enumerate(line["turns"], 1)
        ],
    )
