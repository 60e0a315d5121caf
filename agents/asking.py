"""How surely a user's own words ask for nothing, as the trained reader hears them."""

from __future__ import annotations

from dataclasses import dataclass

from agents.phrases import reads_english
from agents.ports import Ask
from agents.reading.words import split_words
from agents.time import clock_for
from agents.understanding.hearing import heard_in

IDLE = frozenset({"ask", "coach", "help", "chat", "remark"})
"""Acts that want nothing changed."""


@dataclass(frozen=True, slots=True)
class Heard:
    """How probably the words ask for nothing, from 0 to 1, and that something is taken back."""

    asks_nothing: float = 0.0
    takes_back: float = 0.0


def hear_request(ask: Ask) -> Heard:
    """Return what the reader hears; it knows the question that waits, but none that a model asked in its own words.

    Nothing is heard in words that are not English or that are too many to be read.
    """
    if not ask.english or not reads_english(ask.text):
        return Heard()
    heard = heard_in(ask.text, ask, clock_for(ask.at, ask.timezone, ask.conventions))
    clauses = heard.reading.clauses
    taken_back = max((clause.chances.get("undo", 0.0) for clause in clauses), default=0.0)
    asked = ask.pending is None and bool(ask.recent) and ask.recent[-1].replied.rstrip().endswith("?")
    if asked or not clauses or len(heard.words) < len(split_words(ask.text)):
        return Heard(takes_back=taken_back)
    # Beside a passage, what Summit cannot do is to be done with the passage: "summarize this".
    idle = IDLE | {"cannot"} if ask.passed_on else IDLE
    return Heard(min(sum(clause.chances[act] for act in idle) for clause in clauses), taken_back)
