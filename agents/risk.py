"""What a model proposes and is done at once, and what is asked first: by how bad a wrong change would be.

The built-in understanding, which knows how sure it is, weighs the same in agents/understanding/decide.py.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal

from agents.contract import Proposal

Act = Literal["make", "personal", "remove", "remove several", "clear", "outward"]
"""To create and edit; the profile and rules; to take away one thing, several, all of a kind; to reach others."""
Source = Literal["own words", "beside passages"]
"""Whether a message is all its user's, or passes on words of others."""
Verdict = Literal["do", "ask"]

SURE_ENOUGH, RATHER_SURE = 0.9, 0.5
"""How probably words ask for nothing, so that what can be undone waits; and from which on several deletions wait."""
UNSURE = "I am not sure that you asked for this"
MISREAD = "I am not sure that I understood you"
ASKED_FIRST = "you want to be asked first"
ASKED_ON_CONFLICT = "you want to be asked before events overlap"
PASSES_ON = "your message has words of others in it"
CLEARS = "that would be everything"
MANY_EDITS, ALL_OF_A_KIND = 10, 3
"""More edits than this are several; from this many on, taking away all of a kind is clearing it."""
TAKING = frozenset({"delete", "archive", "undo"})
PERSONAL = frozenset({"profile", "instruction"})


@dataclass(frozen=True, slots=True)
class Grounds:
    """What speaks for a change: it is ``named``, or several are by a word such as "both"; where the words come from.

    ``asks_nothing`` is how probably the user's own words ask for nothing, from 0 to 1; of what is ``unsaid`` the user
    has used no word.
    """

    named: bool = False
    source: Source = "own words"
    asks_nothing: float = 0.0
    unsaid: bool = False


def judge(act: Act, grounds: Grounds) -> Verdict:
    """Return whether an act is done at once or asked first."""
    if act in ("clear", "outward"):
        return "ask"
    if act == "make":
        return "ask" if grounds.unsaid or grounds.asks_nothing >= SURE_ENOUGH else "do"
    most = RATHER_SURE if act == "remove several" else SURE_ENOUGH  # one thing comes back with one tap
    grounded = grounds.named and grounds.source == "own words" and grounds.asks_nothing < most
    return "do" if grounded else "ask"


def act_of(proposal: Proposal) -> Act:
    """Return what kind of act a single change is."""
    if proposal.op in TAKING:
        return "remove"
    return "personal" if proposal.kind in PERSONAL else "make"


def require_confirmation(
    proposals: Sequence[Proposal], grounds_of: Callable[[Proposal, Act], Grounds], stored: Callable[[Proposal], int]
) -> list[Proposal]:
    """Return the proposals, each with why it must wait for a yes where it must.

    ``grounds_of`` tells what speaks for one of them, ``stored`` how many open records of its kind there are.
    """
    acts = _acts(proposals, stored)
    return [_hold_if_risky(one, act, grounds_of(one, act)) for one, act in zip(proposals, acts, strict=True)]


def _acts(proposals: Sequence[Proposal], stored: Callable[[Proposal], int]) -> list[Act]:
    """Return what each is beside the others: one deletion of several weighs as all of them."""
    taken = [one for one in proposals if one.op in TAKING]
    edited = len({one.record_id for one in proposals if one.op in ("update", "complete")})
    cleared = {one.kind for one in taken if _clears(one, taken, stored(one))}
    return [_act_beside(one, len(taken), edited, cleared=one.kind in cleared) for one in proposals]


def _act_beside(proposal: Proposal, taken: int, edited: int, *, cleared: bool) -> Act:
    if proposal.op in TAKING:
        return "clear" if cleared and proposal.op != "undo" else "remove several" if taken > 1 else "remove"
    many = edited > MANY_EDITS and proposal.op in ("update", "complete")
    return "remove several" if many else act_of(proposal)


def _clears(proposal: Proposal, taken: Sequence[Proposal], stored: int) -> bool:
    alike = {one.record_id for one in taken if one.kind == proposal.kind and one.op != "undo"}
    return len(alike) >= max(ALL_OF_A_KIND, stored)


def _hold_if_risky(proposal: Proposal, act: Act, grounds: Grounds) -> Proposal:
    settled = proposal.hold or proposal.agreed or proposal.confirms
    if settled or judge(act, grounds) == "do":
        return proposal
    why = CLEARS if act == "clear" else PASSES_ON if grounds.source == "beside passages" else UNSURE
    return proposal.model_copy(update={"hold": why})
