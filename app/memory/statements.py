"""Which sentences of a message are statements: those that neither order, ask nor answer anything."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from agents.phrases import COMMON
from app.memory.units import Span, sentences_in

REQUESTED = 0.5
"""Share of a sentence's telling words that a request has, from which on the sentence is that request."""
LEAST_WORDS = 2
"""Telling words without which a message states nothing: "yes", "milk", "the second one"."""
WORD = re.compile(r"[^\W_]+")
POINTING = frozenset("it that this them those these one ones same first second third last other".split())


def request_spans(text: str, requests: Sequence[str]) -> list[Span]:
    """Return the sentences of a message that are its requests; all where too little is left to state anything."""
    asked = {word for part in requests for word in _telling(part)}
    every = list(sentences_in(text))
    left = [span for span in every if not _is_requested(text[slice(*span)], asked)]
    states = len({word for span in left for word in _telling(text[slice(*span)])}) >= LEAST_WORDS
    return [span for span in every if not states or span not in left]


def _is_requested(sentence: str, asked: set[str]) -> bool:
    own = list(_telling(sentence))
    return sum(word in asked for word in own) >= REQUESTED * len(own) if own else bool(asked)


def _telling(text: str) -> Iterator[str]:
    words = (word.casefold() for word in WORD.findall(text))
    return (word for word in words if len(word) > 1 and word not in COMMON and word not in POINTING)
