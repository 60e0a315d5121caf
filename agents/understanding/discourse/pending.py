"""A question that waits is tried first; a message that does not answer it is understood afresh."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import Any

from agents.contract import Option, Pending, Proposal, Question
from agents.ledger.approvals import LEFT
from agents.phrases import quoted, say_list
from agents.ports import Ask
from agents.records import Kind, Note
from agents.understanding.discourse import amending, mixed, replay, timing
from agents.understanding.discourse.consent import agrees, refuses
from agents.understanding.discourse.partly import partly, told_in_full
from agents.understanding.discourse.picking import picked
from agents.understanding.discourse.surplus import of_question, surplus
from agents.understanding.grammar import patterns_of
from agents.understanding.items import choose, series
from agents.understanding.model.frames import frame_chances
from agents.understanding.requests.lists import joined
from agents.understanding.requests.tasks import details, remind_at
from agents.understanding.scene import Scene, scene_of
from agents.understanding.share import Share, change
from agents.understanding.slots.slots import fill
from agents.understanding.text.filler import trim
from agents.understanding.text.intents import read

P = patterns_of(__name__)
MAX_WORDS, SURE_FRAME = 12, 0.9


@dataclass(frozen=True, slots=True)
class Answered:
    """What an answer comes to, and the words after it that ask for something else."""

    shares: list[Share]
    rest: str = ""


def answer_to(pending: Pending, scene: Scene) -> Answered | None:
    """What an answer leads to; None when the message is not one."""
    if refuses(pending, scene):
        return Answered([_left(pending, scene.ask.text)])
    cut = mixed.parted(scene.ask.text)
    if cut is not None and (answered := _with_more(*cut, pending, scene)) is not None:
        return answered
    shares = _answer(pending, scene) or _amended(pending, scene)
    return Answered(shares) if shares is not None else None


def _with_more(head: str, rest: str, pending: Pending, scene: Scene) -> Answered | None:
    """An answer with a wish of its own after it: "the first, and add call mum"."""
    said = replace(scene, ask=scene.ask.model_copy(update={"text": head}))
    if refuses(pending, said):
        return Answered([_left(pending, head)], rest)
    shares = _answer(pending, said)
    return Answered(shares, rest) if shares is not None else None


def _amended(pending: Pending, scene: Scene) -> list[Share] | None:
    """A yes with a change to it: "yes but make it high priority", "no, at four"."""
    if pending.missing != "proceed" or len(pending.proposals) != 1:
        return None
    changed = amending.amended(pending.proposals[0], _raw(scene), scene)
    return [change(scene.ask.text, *changed)] if changed else None


def _answer(pending: Pending, scene: Scene) -> list[Share] | None:
    """The shares that a message without anything else leads to."""
    text = trim(scene.ask.text) or scene.ask.text.strip()
    if pending.missing == "proceed":
        names = told_in_full(_raw(scene), pending.proposals, scene)
        if names:
            return [_asked_again(names, pending)]
        wanted = (
            pending.proposals if agrees(_raw(scene), pending, scene) else partly(_raw(scene), pending.proposals, scene)
        )
        return [change(text, *[item.model_copy(update={"agreed": True}) for item in wanted])] if wanted else None
    if pending.missing == "which":
        return _chosen(pending, text, scene)
    if pending.missing == "scope":
        beyond = not _short(text) or surplus(text, of_question(pending, scene), scene)
        return None if beyond else series.scoped(pending, text)
    if pending.missing == "rephrase":
        return _told(pending, text, scene)
    return timing.timed(pending, text, scene) if pending.missing == "when" else None


def _asked_again(names: list[str], pending: Pending) -> Share:
    """The question that waits, with everything that it is about."""
    text = f"{say_list([quoted(name) for name in names])}. Shall I go on?"
    return Share(text=text, questions=[Question(text=text, options=["yes", "no"], pending=pending)])


def _left(pending: Pending, text: str) -> Share:
    """A no; what was held in the ledger is told so."""
    held = [proposal for proposal in pending.proposals if proposal.confirms]
    if not held:
        return Share(note=LEFT)
    left = change(text, *[proposal.model_copy(update={"declined": True}) for proposal in held])
    left.note = LEFT
    return left


def _told(pending: Pending, text: str, scene: Scene) -> list[Share] | None:
    """What a reminder or a task is about, told afterwards."""
    slots = fill(text, scene.clock)
    if not pending.proposals or not slots.title or not _short(text) or _commands(scene.ask.text):
        return None
    draft = pending.proposals[0]
    if slots.when and draft.fields.get("remind_at"):
        return None
    name = "title" if draft.kind == "event" else "task"
    said = details(slots) if draft.kind == "todo" and draft.fields.get("kind") != "reminder" else {}
    told = draft.model_copy(update={"fields": {**draft.fields, **said, name: P.LEAD.sub("", slots.title)}})
    if draft.fields.get("kind") == "reminder" and not draft.fields.get("remind_at"):
        at = remind_at(slots.when, scene) if slots.when else None
        if at is None:
            return [choose.ask("when", "And when shall I remind you?", [told], scene)]
        told = told.model_copy(update={"fields": {**told.fields, "remind_at": at}})
    return [change(text, told)]


def _commands(text: str) -> bool:
    """Whether a message is a question, a fact or a request of its own rather than an answer."""
    own = text.rstrip().endswith("?") or frame_chances(text)["profile"] >= SURE_FRAME
    return own or any(intent.sure > mixed.SURE for intent in read(text))


def retold(pending: Pending, ask: Ask) -> Ask | None:
    """For uncertain speech: the transcript as its own message once the user says yes."""
    said, more = mixed.parted(ask.text) or (ask.text, "")
    if pending.missing != "transcript" or not agrees(said.strip(), pending, scene_of(ask)):
        return None
    text = f"{pending.text}. {more}" if more else pending.text
    return ask.model_copy(update={"text": text, "at": pending.at, "pending": None})


def _raw(scene: Scene) -> str:
    return re.sub(r"^(?:um|uh|oh|well)[\s,]+", "", scene.ask.text.strip(), flags=re.IGNORECASE)


def _short(text: str) -> bool:
    return len(text.split()) <= MAX_WORDS


def _chosen(pending: Pending, text: str, scene: Scene) -> list[Share] | None:
    turned = P.OTHERWISE.match(text)
    named = picked(turned["which"], pending.options, scene, asked=pending.text) if turned else []
    if turned and len(named) == 1:
        drafts = _meant(pending, named[0], scene)
        wanted = amending.otherwise(drafts[0], turned["to"], scene) if len(drafts) == 1 else None
        if wanted:
            return [change(text, wanted)]
    options = picked(text, pending.options, scene, asked=pending.text) or _another(text, pending, scene)
    if not options:
        return None
    return [change(text, *[item for option in options for item in _meant(pending, option, scene)])]


def _meant(pending: Pending, option: Option, scene: Scene) -> list[Proposal]:
    """What the question's own message asks of the option: understood again, now that it is known which one is meant."""
    ops = {draft.op for draft in pending.proposals}
    again = replay.of(pending.text, scene, chosen=option.record_id or "")
    found = [
        item for item in again if item.record_id == option.record_id and item.op in ops and item.kind == option.kind
    ]
    return found or [_filled(draft, option, scene) for draft in pending.proposals]


def _another(text: str, pending: Pending, scene: Scene) -> list[Option]:
    """Something else than what was offered: "neither, i meant the lab report"."""
    named = P.NEITHER.match(scene.ask.text.strip())
    if named is None or not _short(text) or not pending.proposals:
        return []
    draft = pending.proposals[0]
    kinds: tuple[Kind, ...] = ("todo",) if draft.op == "complete" else ("todo", "event", "note")
    found = choose.search(named["what"], scene, kinds, lambda _: True, None)
    return (
        [Option(label=item.title[:200], kind=item.kind, record_id=item.id) for item in found[:1]]
        if len(found) == 1
        else []
    )


def _filled(draft: Proposal, option: Option, scene: Scene) -> Proposal:
    kind = option.kind or draft.kind
    fields = dict(draft.fields)
    if kind == "note" and "items" in fields and draft.op == "update":
        fields["items"] = _joined(option, fields["items"], scene)
    meant = {"kind": kind, "record_id": option.record_id, "undo_of": option.change_id, "fields": fields}
    return draft.model_copy(update=meant)


def _joined(option: Option, added: list[Any], scene: Scene) -> list[Any]:
    item = next((item for item in scene.items("note") if item.id == option.record_id), None)
    return joined(item, added) if item and isinstance(item.record, Note) else added
