"""A message that asks for more than one turn takes: the work on it would keep everybody else waiting."""

from __future__ import annotations

from agents.contract import RouterDecision
from agents.ports import Ask
from agents.time import clock_for
from agents.understanding.text.clauses import split

MOST_REQUESTS = 200
"""With 500 open tasks so many take some two seconds, during which nobody else is answered."""
SHORTEST_REQUEST = 2
"""Characters, with what divides it from the next one."""


def turned_away(ask: Ask) -> RouterDecision | None:
    """What a message with too many requests is answered; nothing is done of it, for nobody could tell which part."""
    if len(ask.text) < MOST_REQUESTS * SHORTEST_REQUEST:
        return None
    count = len(split(ask.text, clock_for(ask.at, ask.timezone, ask.conventions)))
    if count <= MOST_REQUESTS:
        return None
    words = f"That is {count} requests in one message, and I take {MOST_REQUESTS} at most. Please send it in parts."
    return RouterDecision(disposition="reply", acknowledgement=f"{words} I left everything as it is.")
