"""Freezes what the conversations are read as: each clause with its frame, for the first turns that come out right.

    python scripts/annotate.py

Writes scripts/sentences.jsonl from tests/data/conversations; ``scripts/train.py`` fits the reader of frames on it.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from agents.ports import Ask
from agents.understanding.message import read_clauses
from agents.understanding.model.frames import frames_of
from agents.understanding.scene import scene_of
from agents.understanding.text.restated import restated
from tests.support.conversations.corpus import conversations
from tests.support.conversations.outcomes import judged
from tests.support.conversations.playing import state_of

TARGET = Path(__file__).with_name("sentences.jsonl")


def annotated(case: dict[str, Any]) -> dict[str, Any] | None:
    """The first turn of a conversation: text, clauses and their frames; None where the rules read it wrong."""
    text, state = case["turns"][0]["say"], state_of(case)
    ask = Ask(text=text, at=state.at, timezone=state.timezone, records=state.records)
    first = next(iter(judged([case])))
    if first.outcome not in ("right", "tap"):
        return None
    pairs = read_clauses(restated(text), scene_of(ask))
    frames = [frames_of(share) for _, share in pairs]
    return {"text": text, "cuts": [clause.text for clause, _ in pairs], "frames": frames}


def main() -> None:
    """Write the sentences."""
    rows = [row for case in conversations(["train"]) if (row := annotated(case))]
    TARGET.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows), encoding="utf-8")
    print(f"{TARGET.name}: {len(rows)} sentences")


if __name__ == "__main__":
    main()
