"""Which sentences of a message are statements: those that neither order, ask nor answer, and are more than talk.

What a sentence is for is told by the trained reader's acts; what became an order, by what its turn gave to agents.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from agents.phrases import COMMON
from agents.reading.encoder import load_encoder
from agents.reading.heard import Heard, hear
from agents.reading.rows import MessageSurroundings
from agents.time import Clock
from app.memory.units import Span, sentences_in

ASKING_ACTS = ("ask", "coach", "help", "cannot", "yes", "no", "pick", "tell", "undo", "fix", "more")
"""Acts that want or give an answer, whatever became of them."""
STATING_ACTS = ("remark", "fact", "note")
"""Acts that state something. The others may do so, too ("the dentist is on Friday"): what became of them tells."""
TALKING_ACT = "chat"
LEAST_CHANCE = 0.6
"""From there on none of 283 sentences of written memos is left out, and 94 of 100 written questions are."""
MIN_REQUESTED_SHARE = 0.5
"""Share of a sentence's telling words that a request has, from which on the sentence is that request."""
WORD = re.compile(r"[^\W_]+")


@dataclass(frozen=True, slots=True)
class Sentence:
    """Characters ``start`` to ``end`` of a message, and how probably its words are for what."""

    start: int
    end: int
    asks: float
    talks: float
    states: float


def unstated_spans(text: str, requests: Sequence[str] | None, clock: Clock, least: float = LEAST_CHANCE) -> list[Span]:
    """Return the sentences of a message that are no statement.

    ``requests`` are the parts that its turn took for requests; where it did not note them (None), orders are told by
    their acts alone. Small talk is kept beside a statement, not by itself. ``least`` is the probability that tells.
    """
    every = sentences_read(text, clock)
    silent = [one for one in every if one.asks >= least or _is_ordered(text, one, requests, least)]
    left = [one for one in every if one not in silent]
    if all(one.asks + one.talks >= least for one in left):
        silent = every
    return [(one.start, one.end) for one in silent]


def sentences_read(text: str, clock: Clock) -> list[Sentence]:
    """Return the sentences of a message as the trained reader takes them, by itself and with nothing before it."""
    heard = hear(text, clock, {}, MessageSurroundings(), load_encoder())
    return [_read(heard, span) for span in sentences_in(text)]


def _read(heard: Heard, span: Span) -> Sentence:
    shares = heard.shares(*span)
    return Sentence(*span, _sum(shares, ASKING_ACTS), _sum(shares, [TALKING_ACT]), _sum(shares, STATING_ACTS))


def _sum(shares: Mapping[str, float], acts: Sequence[str]) -> float:
    return sum(shares.get(act, 0.0) for act in acts)


def _is_ordered(text: str, one: Sentence, requests: Sequence[str] | None, least: float) -> bool:
    if requests is None:
        return 1 - one.states - one.talks >= least
    asked = {word for part in requests for word in _telling(part)}
    own = list(_telling(text[one.start : one.end]))
    return sum(word in asked for word in own) >= MIN_REQUESTED_SHARE * len(own) if own else bool(asked)


def _telling(text: str) -> Iterator[str]:
    words = (word.casefold() for word in WORD.findall(text))
    return (word for word in words if len(word) > 1 and word not in COMMON)
