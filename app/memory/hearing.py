"""When words of a recording are said: by the times of its words where they are known, else by those of segments."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from app.memory.model.memory import Passage

Segments = Sequence[Mapping[str, Any]]


def passages_of(transcript: str, segments: Segments) -> Iterator[Passage]:
    """Yield where each segment stands in a transcript, word by word where their times are known.

    One that does not stand there is passed over.
    """
    for whole, words in _locate_segments(transcript, segments):
        yield from words or [whole]


def words_of(transcript: str, segments: Segments) -> list[Passage]:
    """Return where the words stand whose times are known."""
    return [word for _, words in _locate_segments(transcript, segments) for word in words]


def find_moments(passages: Sequence[Passage], start: int, end: int) -> tuple[int | None, int | None]:
    """Return when the characters [start, end) are said: passages state their time, and within one it passes evenly."""
    timed = [one for one in passages if one.start_ms is not None and one.start < end and start < one.end]
    if not timed:
        return None, None
    return _moment(timed[0], start), _moment(timed[-1], end)


def _locate_segments(transcript: str, segments: Segments) -> Iterator[tuple[Passage, list[Passage]]]:
    end = 0
    for segment in segments:
        words = segment["text"].strip()
        start = transcript.find(words, end) if words else -1
        if start >= 0:
            end = start + len(words)
            whole = Passage(start, end, segment.get("speaker") or "", segment["start_ms"], segment["end_ms"])
            yield whole, _words(transcript, whole, segment.get("words") or [])


def _words(transcript: str, whole: Passage, words: Sequence[tuple[int, int, str]]) -> list[Passage]:
    """The words of a passage, which cover it; none where one is spelled otherwise, or their times are not known."""
    found, at = list[Passage](), whole.start
    for start_ms, end_ms, word in words:
        at += _spaces(transcript, at, whole.end)
        if not word or not transcript.startswith(word, at):
            return []
        found.append(Passage(at, at + len(word), whole.speaker, start_ms, end_ms))
        at += len(word)
    return found if at == whole.end else []


def _spaces(text: str, start: int, end: int) -> int:
    return len(text[start:end]) - len(text[start:end].lstrip())


def _moment(passage: Passage, at: int) -> int:
    begin = passage.start_ms or 0
    length = (passage.end_ms if passage.end_ms is not None else begin) - begin
    share = (at - passage.start) / max(1, passage.end - passage.start)
    return begin + round(length * min(1.0, max(0.0, share)))
