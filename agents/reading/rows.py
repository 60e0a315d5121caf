"""A message as the encoder takes it: pieces of words, with what is known of each."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from agents.reading.labels import CONTEXTS
from agents.reading.words import Span

START, END, UNKNOWN = 101, 102, 100
MOST_PIECES = 400
"""Pieces of a message that are read together; what goes beyond is no part of the row. Attention costs their square."""
MOST_ASIDE = 40
"""Pieces that tell what the message comes after."""


class Vocabulary(Protocol):
    """Words as pieces of a vocabulary."""

    def pieces(self, word: str) -> tuple[int, ...]:
        """The numbers of a word in lower case, at least one."""


@dataclass(frozen=True, slots=True)
class PieceRow:
    """Pieces with the segment and flags of each, the number of the context, the place of each word's first piece."""

    pieces: list[int]
    segments: list[int]
    flags: list[int]
    context: int
    first: list[int]


@dataclass(frozen=True, slots=True)
class MessageSurroundings:
    """What a message comes after: one of CONTEXTS, and the kinds and names of what was done or asked, as words."""

    context: str = "idle"
    aside: tuple[str, ...] = ()


def row_of(
    text: str, words: Sequence[Span], flags: Sequence[int], after: MessageSurroundings, vocabulary: Vocabulary
) -> PieceRow:
    """Return the row of as many words as fit."""
    pieces, bits, first = [START], [0], []
    for (start, end), flag in zip(words, flags, strict=True):
        of_word = vocabulary.pieces(text[start:end].lower().strip() or ".")
        if len(pieces) + len(of_word) >= MOST_PIECES:
            break
        first.append(len(pieces))
        pieces += of_word
        bits += [flag] * len(of_word)
    said = [*pieces, END]
    told = [piece for word in after.aside for piece in vocabulary.pieces(word.lower())][:MOST_ASIDE]
    beside = [*told, END] if told else []
    return PieceRow(
        said + beside,
        [0] * len(said) + [1] * len(beside),
        bits + [0] * (1 + len(beside)),
        CONTEXTS.index(after.context),
        first,
    )
