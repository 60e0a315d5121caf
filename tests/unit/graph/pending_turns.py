"""Every kind of open question crossed with every kind of next message, from `tests/data/pending_turns.toml`."""

from __future__ import annotations

import random
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

DATA = tomllib.loads((Path(__file__).parents[2] / "data" / "pending_turns.toml").read_text(encoding="utf-8"))
STAYING = frozenset({"wish", "bare", "asks", "remark", "junk"})
"""Classes of messages that do not answer."""
CLOSING = frozenset({"answer", "answer and a wish", "no", "no and a wish"})
MORE = ", and add {thing}"


@dataclass(frozen=True, slots=True)
class Turn:
    """A message that comes while a question waits; ``makes`` is all that it changes, or for "half" the most."""

    question: Mapping[str, Any] = field(repr=False)
    said: str
    kind: str
    makes: Sequence[str]

    def __str__(self) -> str:
        return f"{self.question['name']} / {self.kind}: {self.said}"


def turns() -> list[Turn]:
    """All of them; what is drawn from the word lists is drawn alike each time."""
    return [turn for question in DATA["question"] for turn in _of(question)]


def _of(question: Mapping[str, Any]) -> Iterator[Turn]:
    for said, makes in question["answers"].items():
        yield Turn(question, said, "answer", makes)
    said, makes = next(iter(question["answers"].items()))
    yield _drawn(Turn(question, said + MORE, "answer and a wish", [*makes, "+ todo {thing}"]))
    for said in question.get("misses", []):
        yield Turn(question, said, "miss", [])
    for said in question["traps"]:
        yield Turn(question, said, "remark", [])
    for row in DATA["next"]:
        if row["class"] not in question.get("lacks", []):
            makes = question["offers"] if row["class"] == "half" else row.get("makes", [])
            held = [one for one in makes if one[0] in question.get("holds", "")]
            yield _drawn(Turn(question, row["said"], row["class"], [] if held else makes))


def _drawn(turn: Turn) -> Turn:
    chance = random.Random(f"{turn.question['name']}: {turn.said}")
    pairs = {name: word if isinstance(word := chance.choice(some), list) else [word, word] for name, some in WORDS}
    said, stored = ({name: pair[side] for name, pair in pairs.items()} for side in (0, 1))
    makes = [one.format_map(stored) for one in turn.makes]
    return Turn(turn.question, turn.said.format_map(said), turn.kind, makes)


WORDS = sorted(DATA["words"].items())
