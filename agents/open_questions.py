"""Questions that wait: a message that does not answer one is handled by itself, and the question stays."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any
from uuid import NAMESPACE_OID, uuid5

from agents.contract import Change, Pending, Proposal, Question

MAX_OPEN_QUESTIONS = 3
"""So many questions wait at once; the oldest ones after that are given up, and the reply says so."""


def left_open(
    before: Pending | None, asked: Sequence[Question], changes: Sequence[Change], *, answered: bool
) -> list[Question]:
    """The questions of earlier turns that stay open after a turn that ``asked`` questions and made ``changes``.

    The one to answer first is in front; ``answered`` tells that the message was the answer to that one. What cannot
    be filled by a later message, as nothing was drafted, is not asked again.
    """
    chain = list(waiting_in(before))[1 if answered else 0 :]
    anew = {question.text for question in asked}
    return [
        _asked_again(one) for one in chain if _fillable(one) and one.asked not in anew and not _is_settled(one, changes)
    ]


def besides(pending: Pending | None, memo_id: str | None) -> Pending | None:
    """The questions that wait, without whether that recording was heard rightly: a turn of its words settles it."""
    if pending is None or memo_id is None:
        return pending
    behind = besides(pending.behind, memo_id)
    return behind if pending.memo_id == memo_id else pending.model_copy(update={"behind": behind})


def in_front(pending: Pending | None, wanted: str | None) -> Pending | None:
    """The questions that wait, with the one of that id in front; as they are where none has it."""
    chain = list(waiting_in(pending))
    named = next((one for one in chain if wanted and one.id == wanted), None)
    if named is None:
        return pending
    behind: Pending | None = None
    for one in [*(other for other in reversed(chain) if other is not named), named]:
        behind = one.model_copy(update={"behind": behind})
    return behind


def waiting(asked: Sequence[Question], turn_id: str = "") -> Question | None:
    """The first of these questions, with those behind it that wait until it is answered; new ones get their ids."""
    behind: Pending | None = None
    question: Question | None = None
    for place, one in reversed([*enumerate(asked[:MAX_OPEN_QUESTIONS])]):
        name = one.pending.id if one.pending.kept else _name(turn_id, place)
        put = {"asked": one.text, "choices": one.options, "behind": behind, "id": name}
        behind = one.pending.model_copy(update=put)
        question = one.model_copy(update={"pending": behind})
    return question


def _name(turn_id: str, place: int) -> str:
    """The first question of a turn has the turn's id, and the others ids of their own that come again in a rerun."""
    return str(uuid5(NAMESPACE_OID, f"{turn_id} asks {place}")) if place else turn_id


def given_up(asked: Sequence[Question]) -> Sequence[Question]:
    """Those of these questions that are too many to wait."""
    return asked[MAX_OPEN_QUESTIONS:]


def waiting_in(pending: Pending | None) -> Iterator[Pending]:
    """Each question that waits, the one in front first."""
    while pending is not None:
        yield pending
        pending = pending.behind


def _asked_again(pending: Pending) -> Question:
    return Question(text=pending.asked, options=pending.choices, pending=pending.model_copy(update={"kept": True}))


def _fillable(pending: Pending) -> bool:
    return bool(pending.asked) and (bool(pending.proposals) or pending.missing == "transcript")


def _is_settled(pending: Pending, changes: Sequence[Change]) -> bool:
    """Whether a change resolves the question, whatever its wording."""
    made = [change for change in changes if change.status != "failed"]
    return any(_fills(draft, pending, change) for draft in pending.proposals for change in made)


def _fills(draft: Proposal, pending: Pending, change: Change) -> bool:
    if draft.confirms:
        return change.confirms == draft.confirms
    if change.op in ("delete", "archive") and draft.record_id == change.record_id and draft.record_id:
        return True  # what is gone cannot be changed
    if (draft.op, draft.kind) != (change.op, change.kind):
        return False
    if draft.op == "create":
        return change.title.casefold() in (str(value).casefold() for value in draft.fields.values())
    meant = {draft.record_id, *(option.record_id for option in pending.options)}
    return change.record_id in meant and _lines(draft.fields) <= _lines(change.fields)


def _lines(fields: dict[str, Any]) -> set[str]:
    """The lines of a list: other lines added to it are not those that the question is about."""
    lines = fields.get("items") or []
    return {str(line["text"] if isinstance(line, dict) else line).casefold() for line in lines}
