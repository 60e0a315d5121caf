"""What a model's routing comes to: shares for the agents, harmless words, a question. Nothing in it is trusted."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import chain
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
from agents.grounding.prose import only_asks
from agents.grounding.provenance import CORRECTING, NAMED, covered
from agents.grounding.provenance import only_asks as only_wants_to_know
from agents.grounding.worded import words_of_user
from agents.languages import deferred, say, speaking
from agents.mind.message import understand
from agents.ports import Ask
from agents.shown_words import stems_in
from agents.understanding.confidence import unused
from agents.understanding.dialogue.undo import undo_question
from agents.understanding.scene import scene_of
from agents.understanding.text.intents import read
from app.llm.claims import said as sayable
from app.llm.prompting import SHORT_ID
from app.llm.requests import Act

MOST_OPTIONS = 8
LONGEST_SAID = 4000
NOTHING_STORED = deferred("(Nothing is changed.)")
TAG = re.compile(r"[A-Za-z]{2,3}(?:-[A-Za-z0-9]{2,8})*")
"""A BCP 47 tag, as far as its form goes."""
PART_END = re.compile(r"(?<![,;.!?])[,;.!?]+\s+")
LONGEST_QUESTION = 300
AS_BEFORE = re.compile(
    r"\b(?:put|move|set|change|bring|get)\b.+\bback\b|\bback (?:to )?(?:where|how|as)\b|\bas it was\b", re.IGNORECASE
)
"""Words that something is to be as it was before."""


def decision_of(act: Act, ask: Ask, plain: RouterDecision) -> RouterDecision | None:
    """The decision that a filled-in Route stands for, or a text in place of it; None when it says nothing.

    ``plain`` is the built-in decision about the same words: what these undo is decided by code alone. A text is no
    answer where it reads a change.
    """
    if act.op == "text":
        return None if _changes_something(plain) else _reply(str(act.fields.get("text") or ""), ask)
    return _routed(act.fields, ask, plain)


def _routed(said: dict[str, Any], ask: Ask, plain: RouterDecision) -> RouterDecision | None:
    targets = _targets(said.get("shares"), ask)
    taken_back, doubt = _taken_back(said.get("undo"), ask, plain)
    if {target.worker for target in targets} & {target.worker for target in taken_back}:
        return plain  # an agent is given one share of a message: the built-in decision has both in it
    question = doubt or (None if taken_back else _question(said, ask))
    unclear = [words for words in _texts(said.get("not_understood")) if words_of_user(words, ask)]
    words = sayable(str(said.get("say") or ""), LONGEST_SAID)
    if not (targets or taken_back or question or unclear or words):
        return None
    return RouterDecision(
        disposition=_disposition(targets or taken_back, question),
        targets=[*targets, *taken_back],
        acknowledgement="" if _writes([*targets, *taken_back]) and _foreign(said, ask) else words,
        questions=[question] if question else [],
        unclear=unclear,
        language=_language(said.get("language")),
        understanding="model",
    )


def _reply(text: str, ask: Ask) -> RouterDecision | None:
    words = sayable(text, LONGEST_SAID)
    if not words:
        return None
    question = _question({"question": words}, ask) if only_asks(words) else None
    return RouterDecision(
        disposition="clarify" if question else "reply",
        acknowledgement="" if question else words,
        questions=[question] if question else [],
        understanding="model",
    )


def floored(routed: RouterDecision, plain: RouterDecision, language: str = "") -> RouterDecision:
    """The model's decision; one that only talks says so where the built-in one reads something to keep or ask about."""
    if routed.targets or routed.questions or routed.unclear or not (unused(plain) and _offers(plain)):
        return routed
    with speaking(routed.language or language):
        nothing = say(NOTHING_STORED)
    return routed.model_copy(update={"acknowledgement": f"{routed.acknowledgement} {nothing}"})


def _offers(plain: RouterDecision) -> bool:
    held = [item for target in plain.targets if target.proposed for item in target.proposed.proposals if item.hold]
    return bool(plain.questions or held)


def _changes_something(plain: RouterDecision) -> bool:
    return any(target.proposed and target.proposed.proposals for target in plain.targets)


def _foreign(said: dict[str, Any], ask: Ask) -> bool:
    """Whether claims cannot be told from other words, as the language is not English."""
    return not (_language(said.get("language")) or ask.language).lower().startswith("en")


def _language(tag: Any) -> str:
    return tag.strip() if isinstance(tag, str) and TAG.fullmatch(tag.strip()) else ""


def _targets(shares: Any, ask: Ask) -> list[Assignment]:
    """One assignment per agent that there is; words that are not the user's are replaced by the whole message."""
    told: dict[Worker, list[str]] = {}
    for share in shares if isinstance(shares, list) else []:
        agent, words = (share.get("agent"), str(share.get("words") or "")) if isinstance(share, dict) else (None, "")
        if agent in WORKERS:
            told.setdefault(agent, []).append(words if words_of_user(words, ask) else ask.text)
    return [Assignment(worker=worker, text=". ".join(dict.fromkeys(parts))) for worker, parts in told.items()]


def _taken_back(ids: Any, ask: Ask, plain: RouterDecision) -> tuple[list[Assignment], Question | None]:
    """What is undone at once, and what is asked about, where a model wants recent changes undone.

    Code knows what "undo the second one" means, whatever the model names; ids that are none of theirs are left out.
    """
    named = tuple(one for one in _texts(ids) if len(one) >= SHORT_ID)
    wanted = [change for change in ask.recent_changes if change.id.startswith(named) and change.status == "applied"]
    if not wanted:
        return [], None
    alone = (ask.model_copy(update={"text": part, "pending": None}) for part in _spoken_undos(ask))
    read_so = chain([plain], map(understand, alone))
    done = next(filter(None, map(_undos_of, read_so)), [])
    if done or not _may_undo(wanted, ask):
        return done, None
    question = undo_question(wanted, scene_of(ask))
    return (_undone(question), None) if _names_undo(wanted, ask) else ([], question)


def _names_undo(changes: Sequence[Change], ask: Ask) -> bool:
    """Whether the user names each change and says that it is to be as before: "put the dentist back"."""
    said = stems_in([ask.words or ask.text])
    named = all(covered(change.title, said) >= NAMED for change in changes)
    return named and AS_BEFORE.search(ask.words or ask.text) is not None


def _undone(question: Question) -> list[Assignment]:
    """The undos that a question asks about, an assignment for each agent."""
    by_worker: dict[Worker, list[Proposal]] = {}
    for proposal in question.pending.proposals:
        by_worker.setdefault(WORKER_OF_KIND[proposal.kind], []).append(proposal)
    words = question.pending.text
    return [
        Assignment(worker=worker, text=words, proposed=Proposed(proposals=undos)) for worker, undos in by_worker.items()
    ]


def _spoken_undos(ask: Ask) -> list[str]:
    """The parts of a message, as commas and stops part it, that speak of taking something back."""
    parts = PART_END.split(ask.words or ask.text)
    return [part for part in parts if any(intent.name in ("undo", "redo") for intent in read(part))]


def _undos_of(decision: RouterDecision) -> list[Assignment]:
    settled = [(target, target.proposed.proposals) for target in decision.targets if target.proposed]
    undos = [(target, [item for item in proposals if item.op == "undo"]) for target, proposals in settled]
    return [target.model_copy(update={"proposed": Proposed(proposals=items)}) for target, items in undos if items]


def _may_undo(changes: Sequence[Change], ask: Ask) -> bool:
    """Whether the user's words may ask for it: they speak of taking back, put something right, or name a change."""
    said = ask.words or ask.text
    if only_wants_to_know(said):
        return False
    named = any(covered(change.title, stems_in([said])) >= NAMED for change in changes)
    return named or bool(_spoken_undos(ask)) or CORRECTING.search(said) is not None or not ask.english


def _question(said: dict[str, Any], ask: Ask) -> Question | None:
    text = _asked(str(said.get("question") or "")[:LONGEST_QUESTION].strip(), ask)
    if not text:
        return None
    options = [
        label for label in _texts(said.get("options"))[:MOST_OPTIONS] if sayable(label, LONGEST_QUESTION) == label
    ]
    text = _with_options(text, options)
    waiting = Pending(
        missing="rephrase", text=ask.text, at=ask.at, options=[Option(label=label[:200]) for label in options]
    )
    return Question(text=text, options=options, pending=waiting)


def _with_options(text: str, options: Sequence[str]) -> str:
    """A question that names its answers: who hears it or reads it in a terminal sees no buttons."""
    unnamed = len(options) > 1 and not any(label.lower() in text.lower() for label in options)
    return f"{text} ({' / '.join(options)})" if unnamed and len(" / ".join(options)) <= LONGEST_QUESTION else text


def _asked(text: str, ask: Ask) -> str:
    """A question that may be shown: in another language nothing but one plain question can be told from a claim."""
    return text if not ask.english and only_asks(text) else sayable(text, LONGEST_QUESTION)


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
