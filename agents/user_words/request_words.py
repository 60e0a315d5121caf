"""Which words of a message order something, ask or answer: the rest is what its user states, and may be remembered."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from agents.contract import Pending, Question, RouterDecision

STATING = frozenset({"update_profile"})
"""Agents that are told something: what the others are given is an order or a question."""
KEPT_AS_SAID = frozenset({"note", "profile"})
"""Kinds of records that are offered for what somebody merely states."""


def request_words(decision: RouterDecision, asked: Sequence[Question], message: str) -> list[str]:
    """Return the parts of a message that are no statement, in its own words; an answer is one as a whole.

    ``asked`` are the questions that the turn puts because of its message.
    """
    if decision.answered and not decision.heard_right:
        return [message]
    return list(dict.fromkeys(part or message for part in _parts(decision, asked)))


def _parts(decision: RouterDecision, asked: Sequence[Question]) -> Iterator[str]:
    yield from (target.text for target in decision.targets if target.worker not in STATING)
    yield from (question.pending.text for question in asked if _is_about_request(question.pending))


def _is_about_request(pending: Pending) -> bool:
    """Whether a question is how to carry out an order, not what to do with words that may be none."""
    if pending.missing in ("which", "scope", "when", "transcript"):
        return True
    return any(proposal.kind not in KEPT_AS_SAID for proposal in pending.proposals)
