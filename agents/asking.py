"""How surely a user's own words ask for nothing, as the trained reader hears them."""

from __future__ import annotations

from dataclasses import dataclass

from agents.phrases import reads_english
from agents.ports import Ask
from agents.reading.words import split_words
from agents.time import clock_for
from agents.understanding.hearing import heard_in
from agents.user_words.mentions import question_in_reply, short_answer

IDLE = frozenset({"ask", "coach", "help", "chat", "remark"})
"""Acts that want nothing changed."""
ANSWERS = frozenset({"yes", "no"})
"""Acts that want nothing either where nothing was asked."""


@dataclass(frozen=True, slots=True)
class HeardChances:
    """How probably the words ask for nothing, from 0 to 1, and that something is taken back."""

    asks_nothing: float = 0.0
    takes_back: float = 0.0


def hear_request(ask: Ask) -> HeardChances:
    """Return what the reader hears; it knows the question that waits, but none that a model asked in its own words.

    Of words that are not English, or that are too many to be read, nothing is heard but a yes or a no to no question.
    """
    asked = bool(question_in_reply(ask))
    if ask.pending is None and not asked and short_answer(ask.text):
        return HeardChances(asks_nothing=1.0)
    if not ask.english or not reads_english(ask.text):
        return HeardChances()
    heard = heard_in(ask.text, ask, clock_for(ask.at, ask.timezone, ask.conventions))
    clauses = heard.reading.clauses
    taken_back = max((clause.chances.get("undo", 0.0) for clause in clauses), default=0.0)
    if (asked and ask.pending is None) or not clauses or len(heard.words) < len(split_words(ask.text)):
        return HeardChances(takes_back=taken_back)
    # Beside a passage, what Summit cannot do is to be done with the passage: "summarize this".
    idle = IDLE | {"cannot"} if ask.passed_on else IDLE
    idle = idle if ask.pending else idle | ANSWERS
    return HeardChances(min(sum(clause.chances[act] for act in idle) for clause in clauses), taken_back)
