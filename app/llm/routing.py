"""What a model's routing comes to: shares for the agents, harmless words, a question. Nothing in it is trusted."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from agents.contract import (
    WORKER_OF_KIND,
    WORKERS,
    Assignment,
    Change,
    Disposition,
    Option,
    Pending,
    Proposal,
    Proposed,
    Question,
    RouterDecision,
    Worker,
)
from agents.ports import Ask
from agents.understanding.grounding.prose import harmless, only_asks
from agents.understanding.grounding.worded import words_of_user

MOST_OPTIONS = 8
LONGEST_QUESTION = 300


def decision_of(said: dict[str, Any], ask: Ask) -> RouterDecision | None:
    """The decision that a filled-in Route stands for; None when it says nothing."""
    targets = _targets(said.get("shares"), ask)
    taken_back = _taken_back(said.get("undo"), ask)
    question = None if targets or taken_back else _question(said, ask)
    unclear = [words for words in _texts(said.get("not_understood")) if words_of_user(words, ask)]
    words = harmless(str(said.get("say") or "")[:1000])
    if not (targets or taken_back or question or unclear or words):
        return None
    return RouterDecision(
        disposition=_disposition(targets or taken_back, question),
        targets=[*targets, *taken_back],
        acknowledgement="" if targets and _writes(targets) else words,
        questions=[question] if question else [],
        unclear=unclear,
        understanding="model",
    )


def _targets(shares: Any, ask: Ask) -> list[Assignment]:
    """One assignment per agent that there is; words that are not the user's are replaced by the whole message."""
    told: dict[Worker, list[str]] = {}
    for share in shares if isinstance(shares, list) else []:
        agent, words = (share.get("agent"), str(share.get("words") or "")) if isinstance(share, dict) else (None, "")
        if agent in WORKERS:
            told.setdefault(agent, []).append(words if words_of_user(words, ask) else ask.text)
    return [Assignment(worker=worker, text=". ".join(dict.fromkeys(parts))) for worker, parts in told.items()]


def _taken_back(ids: Any, ask: Ask) -> list[Assignment]:
    """Undos of recent changes, by worker; ids that are none of them are left out."""
    wanted = set(_texts(ids))
    found = [change for change in reversed(ask.recent_changes) if change.id in wanted and change.status == "applied"]
    workers = dict.fromkeys(WORKER_OF_KIND[change.kind] for change in found)
    return [Assignment(worker=worker, text=ask.text, proposed=_undo(worker, found)) for worker in workers]


def _undo(worker: Worker, changes: list[Change]) -> Proposed:
    mine = [change for change in changes if WORKER_OF_KIND[change.kind] == worker]
    return Proposed(
        proposals=[
            Proposal(op="undo", kind=change.kind, undo_of=change.id, reason="you asked to undo it") for change in mine
        ]
    )


def _question(said: dict[str, Any], ask: Ask) -> Question | None:
    text = _asked(str(said.get("question") or "")[:LONGEST_QUESTION].strip(), ask)
    if not text:
        return None
    options = _texts(said.get("options"))[:MOST_OPTIONS]
    waiting = Pending(
        missing="rephrase", text=ask.text, at=ask.at, options=[Option(label=label[:200]) for label in options]
    )
    return Question(text=text, options=options, pending=waiting)


def _asked(text: str, ask: Ask) -> str:
    """A question that may be shown: in another language nothing but one plain question can be told from a claim."""
    return text if not ask.english and only_asks(text) else harmless(text)


def _texts(value: Any) -> list[str]:
    return list(_strings(value)) if isinstance(value, list) else []


def _strings(values: list[Any]) -> Iterator[str]:
    yield from (value.strip() for value in values if isinstance(value, str) and value.strip())


def _writes(targets: list[Assignment]) -> bool:
    return any(target.worker in WORKER_OF_KIND.values() for target in targets)


def _disposition(targets: list[Assignment], question: Question | None) -> Disposition:
    if targets:
        return "dispatch" if _writes(targets) else "reply"
    return "clarify" if question else "reply"
