"""A document cut into units: sentences, or short spans of them, each with its place in the text and in the sound."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import groupby

from app.memory.hearing import find_moments
from app.memory.model.memory import Document, Unit

MOST_PIECES = 60
"""Word pieces, about, that a unit has at most; a model of 256 of them never has to cut one."""
LETTERS_A_PIECE = 9
PIECE_PATTERN = re.compile(r"[A-Za-z0-9]+|\S")
SENTENCE_END = re.compile(r"(?<![.!?\u2026\u3002])[.!?\u2026\u3002]+[\"'\u201d\u2019)\]]*\s+|\n+\s*")
WORD = re.compile(r"\S+")
LAST_WORD = re.compile(r"(?:^|[^\w.])([\w.]+)$")
TITLES = frozenset("mr mrs ms dr prof st rev capt sgt".split())
"""Words that stand shortened before a name: their full stop ends no sentence."""
Span = tuple[int, int]


def units_of(document: Document, most: int = MOST_PIECES) -> list[Unit]:
    """The units of a document in their order; a unit has one speaker and at most ``most`` word pieces."""
    made = [
        (span, speaker)
        for start, end, speaker in _blocks(document)
        for span in _pack_sentences(document, start, end, most)
    ]
    return [_unit(document, place, span, speaker) for place, (span, speaker) in enumerate(made)]


def pieces(text: str) -> int:
    """About how many word pieces a text has: a long word has several; a sign, or a letter of another script, is one."""
    return sum(-(-len(found) // LETTERS_A_PIECE) for found in PIECE_PATTERN.findall(text))


def _blocks(document: Document) -> Iterator[tuple[int, int, str]]:
    """What one speaker says without a break."""
    if not document.passages:
        yield 0, len(document.text), ""
    for speaker, said in groupby(document.passages, lambda passage: passage.speaker):
        passages = list(said)
        yield passages[0].start, passages[-1].end, speaker


def _pack_sentences(document: Document, start: int, end: int, most: int) -> Iterator[Span]:
    """Sentences joined as long as there is room, and never over one that is left out."""
    sentences = sentences_in(document.text, start, end)
    for left_out, beside in groupby(sentences, lambda span: _is_left_out(document, span)):
        if not left_out:
            yield from _join_sentences(document.text, beside, most)


def _join_sentences(text: str, sentences: Iterable[Span], most: int) -> Iterator[Span]:
    """Sentences in units; one that is too long is cut between words."""
    begun: Span | None = None
    for sentence in sentences:
        for low, high in _cut(text, *sentence, most):
            if begun and pieces(text[begun[0] : high]) <= most:
                begun = (begun[0], high)
                continue
            if begun:
                yield begun
            begun = (low, high)
    if begun:
        yield begun


def _is_left_out(document: Document, sentence: Span) -> bool:
    return any(start < sentence[1] and sentence[0] < end for start, end in document.left_out)


def sentences_in(text: str, start: int = 0, end: int | None = None) -> Iterator[Span]:
    """Yield where each sentence of a text, or of a part of it, stands."""
    at, end = start, len(text) if end is None else end
    for found in SENTENCE_END.finditer(text, start, end):
        if _is_shortened(text, at, found):
            continue
        yield from _trim_span(text, at, found.end())
        at = found.end()
    yield from _trim_span(text, at, end)


def _is_shortened(text: str, begin: int, end: re.Match[str]) -> bool:
    """Return whether a full stop ends no sentence: that of a title, of an initial, or before a small letter."""
    word = LAST_WORD.search(text[begin : end.start()])
    behind = text[end.end() : end.end() + 1]
    if end[0].rstrip(" ") != "." or word is None or not behind:
        return False
    initial = len(word[1]) == 1 and word[1].isupper() and word[1] != "I"
    return initial or word[1].lower() in TITLES or ("." in word[1] and behind.islower())


def _trim_span(text: str, start: int, end: int) -> Iterator[Span]:
    kept = text[start:end].strip()
    if kept:
        begin = text.index(kept, start)
        yield begin, begin + len(kept)


def _cut(text: str, start: int, end: int, most: int) -> Iterator[Span]:
    room, begin, last = most, start, start
    for low, high in _words(text, start, end, most):
        cost = pieces(text[low:high])
        if cost > room and last > begin:
            yield begin, last
            begin, room = low, most
        room, last = room - cost, high
    yield begin, last


def _words(text: str, start: int, end: int, most: int) -> Iterator[Span]:
    """Words, and the parts of those that alone are too long."""
    for found in WORD.finditer(text, start, end):
        for low in range(found.start(), found.end(), most):
            yield low, min(low + most, found.end())


def _unit(document: Document, place: int, span: Span, speaker: str) -> Unit:
    start, end = span
    start_ms, end_ms = find_moments(document.passages, start, end)
    return Unit(place, document.text[start:end], start, end, speaker, start_ms, end_ms)
