"""The answer to the open question: a yes to all or some, a no, or what the built-in mind makes of a value."""

from __future__ import annotations

from collections.abc import Collection

from agents.contract import Assignment, Pending, RouterDecision
from agents.languages import retold, speaking
from agents.ledger.approvals import LEFT_AS_IS
from agents.ports import Ask, Understanding
from agents.specialists.router import as_read
from agents.user_words.mentions import short_answer

MISSING_AGREEMENT = "proceed"


async def route_answer(answer: str, leave_out: Collection[int], ask: Ask, built_in: Understanding) -> RouterDecision:
    """Return what an answer to the question comes to; ``leave_out`` are numbers of what a yes is not for."""
    pending = ask.pending
    said = short_answer(answer) or answer.strip()
    if pending is not None and pending.missing == MISSING_AGREEMENT and said in ("yes", "no"):
        with speaking(ask.language):
            return _apply_agreement(pending, leave_out if said == "yes" else range(len(pending.proposals) + 1))
    decision = await built_in.route(ask.model_copy(update={"text": said, "words": said, "hear": None}))
    return decision.model_copy(update={"look_back": None, "look_ahead": None, "unclear": []})


def _apply_agreement(pending: Pending, leave_out: Collection[int]) -> RouterDecision:
    wanted = [
        one.model_copy(update={"declined": True} if number in leave_out else {"agreed": True})
        for number, one in enumerate(pending.proposals, 1)
        if number not in leave_out or one.confirms
    ]
    does = any(not one.declined for one in wanted)
    return RouterDecision(
        answered=True,
        acknowledgement="" if does else retold(LEFT_AS_IS),
        disposition="dispatch" if does else "reply",
        targets=as_read(wanted, pending.text).targets,
    )


def join_decisions(first: RouterDecision, second: RouterDecision) -> RouterDecision:
    """Return two decisions about one message as one: each agent gets what both have for it."""
    targets = {target.worker: target for target in first.targets}
    for target in second.targets:
        known = targets.get(target.worker)
        targets[target.worker] = _together(known, target) if known else target
    acts = "dispatch" in (first.disposition, second.disposition)
    return second.model_copy(
        update={
            "answered": first.answered or second.answered,
            "acknowledgement": second.acknowledgement or _acknowledge_refusal(first, second),
            "heard_right": first.heard_right or second.heard_right,
            "disposition": "dispatch" if acts else second.disposition,
            "targets": list(targets.values()),
            "questions": [*first.questions, *second.questions],
        }
    )


def _acknowledge_refusal(first: RouterDecision, second: RouterDecision) -> str:
    """What is said of a no, where nothing else is done or said."""
    return "" if second.targets or second.said_early else first.acknowledgement


def _together(one: Assignment, other: Assignment) -> Assignment:
    if one.proposed is None or other.proposed is None:
        return one
    first, second = one.proposed, other.proposed
    proposals = [*first.proposals, *second.proposals]
    both = first.model_copy(
        update={
            "proposals": [item.model_copy(update={"place": place}) for place, item in enumerate(proposals)],
            "answers": [*first.answers, *second.answers],
            "citations": [*first.citations, *second.citations],
            "suggestion": second.suggestion or first.suggestion,
        }
    )
    return one.model_copy(update={"proposed": both})
