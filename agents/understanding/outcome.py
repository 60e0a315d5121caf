"""What a clause comes to, and how well its words and the records bear it out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from agents.contract import Op, Option, Pending, Proposal, Question
from agents.dates_in_words import say_moments
from agents.index.items import Item
from agents.phrases import NOTHING_CALLED, quote, say_either
from agents.rendering.item_names import moment_of, names_of
from agents.understanding.clause_reading import ClauseReading, answer, change, unclear_reading
from agents.understanding.ground import MeantRecords, is_pointing
from agents.understanding.situation import Situation

MOST_OPTIONS = 12


@dataclass(slots=True)
class ClauseOutcome:
    """A share and, from 0 to 1, how well the records fit the words; ``known``: what is asked for is so already."""

    share: ClauseReading
    fit: float = 1.0
    known: bool = False


def change_outcome(text: str, *proposals: Proposal, fit: float = 1.0) -> ClauseOutcome:
    """Return the outcome of proposals; words that come to none were not understood."""
    return ClauseOutcome(change(text, *proposals) if proposals else unclear_reading(text), fit)


def answer_outcome(text: str, sentence: str) -> ClauseOutcome:
    """Return the outcome of a sentence about what was to be changed: it is no question, so memory is not asked."""
    return ClauseOutcome(answer(text, sentence, worker="update_todos"))


def already(text: str, sentence: str) -> ClauseOutcome:
    """Return the outcome of a sentence about what is asked for and is so already."""
    return ClauseOutcome(answer(text, sentence, worker="update_todos"), known=True)


def not_understood(text: str) -> ClauseOutcome:
    """Return the outcome of words that nobody understands."""
    return ClauseOutcome(unclear_reading(text))


def propose(item: Item, op: Op, fields: dict[str, Any] | None = None, reason: str = "you asked for it") -> Proposal:
    """Return one change of one stored record."""
    return Proposal(op=op, kind=item.kind, record_id=item.id, fields=fields or {}, reason=reason)


def not_there(name: str) -> str:
    """Return the truth about a name that nothing has."""
    named = "" if is_pointing(name) else name.strip(" ,.?!")
    if named.lower() in ("everything", "all", "it all", "all of it"):
        return "There is nothing of that kind."
    return f"{NOTHING_CALLED} {quote(named)}." if named else "I don't see which one you mean."


def which_of(
    text: str, items: Sequence[Item], drafts: Sequence[Sequence[Proposal]], situation: Situation
) -> ClauseOutcome:
    """Return the question which of equals is meant; the drafts are what is done to each of them."""
    shown = list(items)[:MOST_OPTIONS]
    names = names_of(shown, situation.now)
    options = [Option(label=name, kind=item.kind, record_id=item.id) for name, item in zip(names, shown, strict=True)]
    wanted = [draft for one in drafts[:MOST_OPTIONS] for draft in one]
    asked = _by_times(shown, situation) or f"Which one do you mean: {say_either([quote(name) for name in names])}?"
    pending = Pending(missing="which", text=text, at=situation.ask.at, proposals=wanted, options=options)
    return ClauseOutcome(ClauseReading(text=text, questions=[Question(text=asked, options=names, pending=pending)]))


def _by_times(items: Sequence[Item], situation: Situation) -> str:
    """Return the question which of several of one name is meant, by their times; empty where these do not tell."""
    moments = [moment_of(item.record) for item in items]
    known = [one for one in moments if one is not None]
    if len({item.title.casefold() for item in items}) > 1 or len({*map(str, known)}) < len(items):
        return ""
    return f"Which {quote(items[0].title)} do you mean: {say_either(say_moments(known, situation.now))}?"


def ask_for(missing: str, asked: str, draft: Proposal, text: str, situation: Situation) -> ClauseOutcome:
    """Return the question for what a draft lacks."""
    pending = Pending.model_validate({"missing": missing, "text": text, "at": situation.ask.at, "proposals": [draft]})
    return ClauseOutcome(ClauseReading(text=text, questions=[Question(text=asked, pending=pending)]))


def yes_or_no(asked: str, drafts: Sequence[Proposal], text: str, situation: Situation) -> ClauseOutcome:
    """Return a question that a yes answers."""
    pending = Pending(missing="proceed", text=text, at=situation.ask.at, proposals=list(drafts))
    return ClauseOutcome(
        ClauseReading(text=text, questions=[Question(text=asked, options=["yes", "no"], pending=pending)])
    )


def settle(
    text: str, target: MeantRecords, drafts: Sequence[Sequence[Proposal]], situation: Situation
) -> ClauseOutcome:
    """Return what is to be done to the records meant: to the one, to all of several, or the question which."""
    pairs = [(item, draft) for item, draft in zip(target.items, drafts, strict=True) if draft]
    if not pairs:
        return not_understood(text) if target.items else answer_outcome(text, not_there(target.name))
    if len(pairs) == 1 or target.several:
        return change_outcome(text, *(one for _, draft in pairs for one in draft), fit=target.fit)
    return which_of(text, [item for item, _ in pairs], [draft for _, draft in pairs], situation)
