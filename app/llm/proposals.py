"""What an agent's model wants, as proposals: changes as far as the user's words ask for them, answers, questions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from agents.contract import Pending, Proposal, Proposed, Question
from agents.grounding.worded import REASON, Wish, settled
from agents.languages import say_number, speaking
from agents.ports import Ask
from app.llm.claims import said
from app.llm.lists import held_to_words
from app.llm.plans import planned, shown
from app.llm.requests import Act
from app.llm.times import Doubt, agreed
from app.llm.tools import Tool

TALK = ("say", "text")
CHANGING = ("create", "update", "delete", "plan")
LONGEST_SAID = 2000


def answers_the_ask(acts: Sequence[Act], plain: Proposed) -> bool:
    """Whether an answer is of use: changes, or words that claim nothing.

    Text in place of a call is no answer where the built-in understanding reads a change, ``plain``.
    """
    if any(act.op in CHANGING for act in acts):
        return True
    passed_over = any(act.op == "text" for act in acts) and plain.proposals
    return not passed_over and any(_said(act) for act in acts if act.op in TALK)


def proposed_by(acts: Sequence[Act], tool: Tool, ids: Mapping[str, str], ask: Ask, plain: Proposed) -> Proposed:
    """What the acts come to; ``ids`` are the records' by the short ones, ``plain`` the built-in share of the words."""
    wishes = [_wish(act, tool, ids) for act in acts if act.op in ("create", "update", "delete")]
    clear = [agreed(wish, ask, plain.proposals) for wish in wishes]
    traced, left = held_to_words([wish for wish, doubt in clear if doubt is None], ask, plain)
    proposed = settled(traced, ask, plain.proposals)
    doubts = [_which_time(wish, doubt, ask, plain) for wish, doubt in clear if doubt]
    offered = [proposal for act in acts if act.op == "plan" for proposal in planned(act.fields, ask)]
    lines = shown(offered)
    with speaking(ask.reply_language):
        unread = [_unread(garbled)] if (garbled := sum(act.op == "garbled" for act in acts)) else []
    told = [text for act in acts if act.op in TALK and (text := _said(act))]
    questions = [_question(text, ask) for text in told if text.endswith("?")]
    answers = [text for text in told if not text.endswith("?")]
    return proposed.model_copy(
        update={
            "proposals": [*proposed.proposals, *offered],
            "questions": [*proposed.questions, *doubts, *questions],
            "answers": [*lines, *left, *proposed.answers, *answers, *unread],
        }
    )


def _said(act: Act) -> str:
    """What an act says, as far as it claims nothing."""
    return said(str(act.fields.get("text") or ""), LONGEST_SAID)


def _question(text: str, ask: Ask) -> Question:
    return Question(text=text, pending=Pending(missing="rephrase", text=ask.text, at=ask.at))


def _wish(act: Act, tool: Tool, ids: Mapping[str, str]) -> Wish:
    known = ids.get(act.known or "", act.known)
    return Wish(act.op, tool.kind, known, act.fields)  # type: ignore[arg-type]


def _which_time(wish: Wish, doubt: Doubt, ask: Ask, plain: Proposed) -> Question:
    """The question which of two times is meant; what is to be done waits for it."""
    timeless = replace(wish, fields={name: value for name, value in wish.fields.items() if name != doubt.field})
    drafted = settled([timeless], ask, plain.proposals)
    found = [*drafted.proposals, *(item for one in drafted.questions for item in one.pending.proposals)]
    bare = Proposal(op=wish.op, kind=wish.kind, record_id=wish.record_id, fields={}, reason=REASON)
    waiting = Pending(missing="when", text=ask.text, at=ask.at, proposals=found or [bare])
    with speaking(ask.reply_language):
        text = doubt.text
    return Question(text=text, options=[doubt.read, doubt.stated], pending=waiting)


def _unread(count: int) -> str:
    return say_number(
        "The language model also wanted {count} thing that I could not read; left undone.",
        "The language model also wanted {count} things that I could not read; left undone.",
        count,
    )
