"""Measures slots and splitting: titles and time spans of appointments, two requests in one message, one kept whole.

    python benchmarks/slots.py --data DIR [--show]

DIR holds data/intents/dev.jsonl. Titles count as right when they are the labelled name without article and without
people and places labelled apart; times when the
words of all time phrases are those labelled. Messages of two requests are made of two sentences, chosen by a fixed
seed.
"""

from __future__ import annotations

import argparse
import json
import random
import re
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from agents.understanding import understand_line
from agents.understanding.hearing import heard_in
from agents.understanding.line import ask_of
from agents.understanding.message import understand
from agents.understanding.situation import situation_of
from benchmarks.intents import NOW, ZONE

TIMES = frozenset({"date", "time", "timeofday", "general_frequency"})
PLANNING = frozenset({"schedule_event", "reminder"})
REQUESTS = frozenset(
    {"add_task", "schedule_event", "reminder", "cancel_event", "delete_task", "query_calendar", "query_tasks"}
)
JOINTS = (" and ", ", and ", ". ", ", then ", " and also ", "; ")
PAIRS = 500
ARTICLE = re.compile(r"^(?:a|an|the|my|our)\s+")
EDGE_WORDS = frozenset("on at the of in for by this to from and a an until till between o'clock every each".split())
Row = dict[str, Any]


def rows_of(path: Path) -> list[Row]:
    """Labelled sentences."""
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def titles(rows: Sequence[Row], *, shown: bool) -> tuple[int, int]:
    """Right titles and sentences with exactly one labelled name that came to something."""
    right = total = 0
    for row in rows:
        names = [slot["value"] for slot in row["slots"] or [] if slot["type"] == "event_name"]
        if row["intent"] not in PLANNING or len(names) != 1:
            continue
        made = _made(row)
        total += 1
        hit = _plain(names[0]) in {*made, *(_bare(title, row) for title in made)}
        right += hit
        if shown and not hit:
            print(f"title {names[0]!r} -> {made} {row['text'][:110]}")
    return right, total


def _made(row: Row) -> list[str]:
    """The titles of what is proposed, or of what only waits for a time."""
    decision = understand(ask_of(_line(row)))
    drafts = [item for target in decision.targets if target.proposed for item in target.proposed.proposals]
    drafts += [item for question in decision.questions for item in question.pending.proposals]
    return [_title(item.model_dump()) for item in drafts]


def _bare(title: str, row: Row) -> str:
    """A title without the people and places that are labelled apart."""
    for slot in row["slots"] or []:
        if slot["type"] in ("person", "relation", "place_name"):
            title = re.sub(
                rf"\s*\b(?:with|at|in|for|and|of)?\s*(?:my |the )?{re.escape(_plain(slot['value']))}\b", "", title
            )
    return title.strip()


def _title(proposal: Row) -> str:
    return _plain(str(proposal["fields"].get("title") or proposal["fields"].get("task") or ""))


def _plain(text: str) -> str:
    return ARTICLE.sub("", re.sub(r"[^\w' ]", "", text.lower()).strip())


def _line(row: Row) -> Row:
    return {"text": row["text"], "now": NOW, "tz": ZONE}


def spans(rows: Sequence[Row], *, shown: bool) -> tuple[int, int]:
    """Sentences whose time words are exactly the labelled ones, and sentences with any."""
    right = total = 0
    for row in rows:
        wanted = [word for slot in row["slots"] or [] if slot["type"] in TIMES for word in _words(slot["value"])]
        if not wanted:
            continue
        found = [word for entry in understand_line(_line(row))["time"] for word in _words(entry["text"])]
        total += 1
        right += sorted(found) == sorted(wanted)
        if shown and sorted(found) != sorted(wanted):
            print(f"time {wanted} -> {found} {row['text'][:110]}")
    return right, total


def _words(text: str) -> list[str]:
    return [word for word in re.findall(r"[\w':]+", text.lower()) if word not in EDGE_WORDS]


def pairs(rows: Sequence[Row], *, shown: bool) -> tuple[int, int]:
    """Messages of two requests that come apart at the joint, and how many there are."""
    chance = random.Random(11)
    whole = [row["text"] for row in rows if row["intent"] in REQUESTS and len(row["text"].split()) > 2]
    right = 0
    for _ in range(PAIRS):
        first, second, joint = chance.choice(whole), chance.choice(whole), chance.choice(JOINTS)
        message = first + joint + second
        got = _clauses(message)
        hit = len(got) == 2 and message.index(got[1]) >= len(first) and got[0] in first
        right += hit
        if shown and not hit:
            print(f"pair {message!r} -> {got}")
    return right, PAIRS


def _clauses(text: str) -> list[str]:
    ask = ask_of(_line({"text": text}))
    return [clause.text for clause in heard_in(text, ask, situation_of(ask).clock).reading.clauses]


def singles(rows: Sequence[Row], *, shown: bool) -> tuple[int, int]:
    """Single requests that stay whole, and how many there are."""
    whole = [row["text"] for row in rows if row["intent"] in REQUESTS]
    cut = [text for text in whole if len(_clauses(text)) > 1]
    for text in cut if shown else ():
        print(f"single {text!r} -> {_clauses(text)}")
    return len(whole) - len(cut), len(whole)


def joined(rows: Sequence[Row]) -> list[Row]:
    """Single requests with an "and" in them: the hard ones to keep whole."""
    return [row for row in rows if " and " in row["text"]]


def measure(folder: Path, *, shown: bool) -> None:
    """Print the table for the visible sentences."""
    rows = rows_of(folder / "data" / "intents" / "dev.jsonl")
    figures = {
        "calendar title exact": titles(rows, shown=shown),
        "time span exact": spans(rows, shown=shown),
        "two requests split right": pairs(rows, shown=shown),
        "single kept whole": singles(rows, shown=shown),
        "single with and kept whole": singles(joined(rows), shown=False),
    }
    for name, (right, total) in figures.items():
        print(f"{name}: {right}/{total} ({100 * right / max(total, 1):.0f} %)")


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--show", action="store_true")
    options = parser.parse_args()
    measure(options.data, shown=options.show)


if __name__ == "__main__":
    main()
