"""A message cut at its sentence ends and lines; quoted words stay whole."""

from __future__ import annotations

from collections.abc import Sequence

from agents.understanding.grammar import patterns_of
from agents.understanding.text.headings import ADDENDUM, DETAIL, LEVEL

Span = tuple[int, int]
P = patterns_of(__name__)
HARD = P.HARD


def quotes(text: str) -> list[Span]:
    """Where quoted words stand; they are literal."""
    return [match.span() for match in P.QUOTED.finditer(text)]


def sentences(text: str, literal: bytearray) -> list[str]:
    """The pieces between full stops, question marks and line ends; ``literal`` marks what is quoted."""
    pieces, last = [], 0
    for match in HARD.finditer(text):
        if literal[match.start()] or (text[match.start()] == "." and _abbreviated(text, match.start())):
            continue
        if ADDENDUM.match(text, match.end()) or (match[0] != "\n" and DETAIL.match(text, match.end())):
            continue
        if LEVEL.fullmatch(text[last : match.start()].strip()):
            continue
        pieces.append(text[last : match.start()] + ("?" if "?" in match[0] else ""))
        last = match.end()
    return [piece for piece in (*pieces, text[last:]) if piece.strip()]


def shadow(length: int, spans: Sequence[Span]) -> bytearray:
    """One byte a character: 1 where a span covers it."""
    covered = bytearray(length + 1)
    for start, end in spans:
        covered[start:end] = b"\1" * (end - start)
    return covered


def _abbreviated(text: str, dot: int) -> bool:
    return P.ABBREVIATION.search(text[max(dot - 8, 0) : dot]) is not None
