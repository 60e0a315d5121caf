"""How sure it is that a whole message was understood: the fast path past any model."""

from __future__ import annotations

from agents.contract import Proposed, RouterDecision
from agents.mind.hearing import heard_in
from agents.mind.situation import situation_of
from agents.phrases import NOTHING_CALLED
from agents.ports import Ask

CERTAIN, NOT_AT_ALL = 1.0, 0.0
LONGEST = 60
"""Words of a message that the built-in understanding is trusted with."""


def sureness_of(ask: Ask, decision: RouterDecision) -> float:
    """Return from 0 to 1 how probably ``decision`` is all that the message wants.

    1 where only code may decide: answers to a question that waits, undos, what the ledger is asked for. Else the least
    sure clause counts; anything asked, not understood or not found counts as 0.
    """
    if decision.answered or decision.look_back or ask.history is not None or _undoes(decision):
        return CERTAIN
    if decision.unclear or decision.questions or _is_empty(decision) or len(ask.text.split()) > LONGEST:
        return NOT_AT_ALL
    clauses = heard_in(ask.text, ask, situation_of(ask).clock).reading.clauses
    return min((clause.sure for clause in clauses), default=NOT_AT_ALL)


def _undoes(decision: RouterDecision) -> bool:
    return any(proposal.op == "undo" for settled in _settled(decision) for proposal in settled.proposals)


def _is_empty(decision: RouterDecision) -> bool:
    """Return whether the answer is that nothing was found: a model may know what was meant."""
    answers = [sentence for settled in _settled(decision) for sentence in settled.answers]
    return any(sentence.startswith(NOTHING_CALLED) for sentence in answers)


def _settled(decision: RouterDecision) -> list[Proposed]:
    return [target.proposed for target in decision.targets if target.proposed]
