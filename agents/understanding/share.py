"""What one clause comes to: one worker's proposals, answers and questions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from agents.contract import WORKER_OF_KIND, FocusSuggestion, Lookback, Op, Pending, Proposal, Question, Worker
from agents.index.items import Item
from agents.suggestion_feedback import Feedback


@dataclass(slots=True)
class Share:
    """The outcome of a clause for one worker; ``note`` is a lead-in for the reply that claims no change.

    ``filler``: the note is a friendly word, which may stand only for words that ask for nothing.
    """

    worker: Worker | None = None
    text: str = ""
    proposals: list[Proposal] = field(default_factory=list)
    answers: list[str] = field(default_factory=list)
    questions: list[Question] = field(default_factory=list)
    unclear: list[str] = field(default_factory=list)
    suggestion: FocusSuggestion | None = None
    feedback: Feedback | None = None
    note: str = ""
    filler: bool = False
    look_back: Lookback | None = None


def change(text: str, *proposals: Proposal) -> Share:
    """Proposals of one kind, for the worker of that kind."""
    return Share(WORKER_OF_KIND[proposals[0].kind], text, proposals=list(proposals))


def answer(text: str, *sentences: str, worker: Worker = "recall") -> Share:
    """Sentences about what is stored."""
    return Share(worker, text, answers=list(sentences))


def ask(text: str, asked: str, pending: Pending, answers: Sequence[str] = ()) -> Share:
    """A question with the answers that it offers."""
    return Share(text=text, questions=[Question(text=asked, options=list(answers), pending=pending)])


def propose(item: Item, op: Op, fields: dict[str, Any] | None = None, reason: str = "you asked for it") -> Proposal:
    """One change of one stored record."""
    return Proposal(op=op, kind=item.kind, record_id=item.id, fields=fields or {}, reason=reason)


def delete(item: Item, reason: str = "you asked to delete it") -> Proposal:
    """The deletion of one stored record."""
    return propose(item, "delete", reason=reason)


def fill(draft: Proposal, fields: dict[str, Any], **others: Any) -> Proposal:
    """A proposal with more fields, and with other things about it."""
    return draft.model_copy(update={"fields": draft.fields | fields, **others})


def bind(group: str, *parts: Proposal) -> list[Proposal]:
    """Proposals that are made as one: all of them, or none."""
    return [part.model_copy(update={"group": group}) for part in parts]
