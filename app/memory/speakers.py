"""Who speaks in a written talk: lines that begin with a name and a colon, as programs write talks down."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from app.memory.model.memory import Passage

MOST_NAME_WORDS = 3
LEAST_SPEAKERS = 2
Line = tuple[int, int, str]
"""Characters [start, end) of what is said in a line, and who is named before it, if anybody."""


def spoken_passages(text: str) -> list[Passage]:
    """Return what each speaker of a talk says, line by line; nothing for a text that is none.

    A talk has two speakers, and one of them speaks again: a list of things with headings is none. A line without a name
    goes on with what the one before it said.
    """
    lines = list(_lines(text))
    turns = Counter(name for _, _, name in lines if name)
    if len(turns) < LEAST_SPEAKERS or max(turns.values()) < LEAST_SPEAKERS:
        return []
    return list(_passages(lines))


def _passages(lines: Sequence[Line]) -> Iterator[Passage]:
    speaker = ""
    for start, end, name in lines:
        speaker = name or speaker
        if start < end:
            yield Passage(start, end, speaker)


def _lines(text: str) -> Iterator[Line]:
    at = 0
    for line in text.splitlines(keepends=True):
        named, colon, rest = line.partition(":")
        is_named = bool(colon) and _is_name(named) and (not rest or rest[0].isspace())
        said = rest if is_named else line
        start = at + len(line) - len(said.lstrip()) if said.strip() else at + len(line)
        yield start, max(start, at + len(line.rstrip())), named.strip() if is_named else ""
        at += len(line)


def _is_name(words: str) -> bool:
    parts = words.split()
    letters = all(part.replace("-", "").replace("'", "").replace(".", "").isalpha() for part in parts)
    return 0 < len(parts) <= MOST_NAME_WORDS and letters and all(part[0].isupper() for part in parts)
