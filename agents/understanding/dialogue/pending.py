"""A question that waits is tried first; a message that does not answer it is understood afresh."""

from __future__ import annotations

import re
from typing import Any

from agents.approvals import LEFT
from agents.contract import Option, Pending, Proposal
from agents.ports import Ask
from agents.records import Note
from agents.understanding.dialogue.partly import partly
from agents.understanding.items import choose, series
from agents.understanding.model.classifier import guess
from agents.understanding.references import alike, words_of
from agents.understanding.requests.lists import joined
from agents.understanding.requests.tasks import back_on, details, remind_at
from agents.understanding.scene import Scene
from agents.understanding.share import Share, change
from agents.understanding.slots import forms
from agents.understanding.slots.moves import moved
from agents.understanding.slots.slots import fill
from agents.understanding.text.filler import trim
from agents.understanding.text.intents import read
from agents.understanding.text.verbs import is_verb
from agents.understanding.time.merge import merged, on_day
from agents.understanding.time.search import find_times
from agents.understanding.time.values import Found

YES = re.compile(
    r"^(?:yes|yeah|yep|yup|ya|sure|ok|okay|go ahead|do it|please do|correct|right|exactly|of course|definitely|"
    r"absolutely|confirm(?:ed)?|"
    r"affirmative|fine|sounds good|go for it|yes please|that's right|all of them|i'm sure|y)\b",
    re.IGNORECASE,
)
REFUSAL = (
    r"(?:no|nope|nah|don't|do not|never ?mind|cancel(?: (?:it|that))?|stop|forget (?:it|that)|leave (?:it|them|that)|"
    r"not (?:now|yet|today|really|that|either|any|any of them)|rather not|wrong|n|neither|none(?: of them)?|thanks|"
    r"thank you|please|don't do (?:it|that)|keep (?:it|them)|it's fine|i'm good|that's wrong|i changed my mind)"
)
NO = re.compile(rf"^{REFUSAL}(?:[\s,.!]+{REFUSAL})*[\s.!]*$", re.IGNORECASE)
SURE = 0.8
LEAD = re.compile(r"^(?:to|about|that|it's about|of)\s+", re.IGNORECASE)
ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth")
ALL = re.compile(r"^(?:both|all|each|every one|everything|all of them|both of them)\b", re.IGNORECASE)
REMINDING = re.compile(r"\bremind me\b.{0,100}?\bto\s+(?P<what>[a-z].{2,200})$", re.IGNORECASE)
IT = re.compile(r"\w+\s+(?:it|that|this|them)\b", re.IGNORECASE)
SAME = re.compile(r"\b(?:it|that|this|so)\b", re.IGNORECASE)
MAX_WORDS = 12


def answer_to(pending: Pending, scene: Scene) -> list[Share] | None:
    """The shares that an answer leads to; None when the message is not one."""
    text = trim(scene.ask.text) or scene.ask.text.strip()
    if NO.match(scene.ask.text.strip()):
        return [_left(pending, scene.ask.text)]
    if pending.missing == "proceed":
        wanted = pending.proposals if _agrees(_raw(scene)) else partly(_raw(scene), pending.proposals, scene)
        return [_gathered(text, [item.model_copy(update={"agreed": True}) for item in wanted])] if wanted else None
    if pending.missing == "which":
        return _chosen(pending, text, scene)
    if pending.missing == "scope":
        return series.scoped(pending, text) if _short(text) else None
    if pending.missing == "rephrase":
        return _told(pending, text, scene)
    return _timed(pending, text, scene) if pending.missing == "when" else None


def _left(pending: Pending, text: str) -> Share:
    """A no; what was held in the ledger is told so."""
    held = [proposal for proposal in pending.proposals if proposal.confirms]
    if not held:
        return Share(note=LEFT)
    left = change(text, *[proposal.model_copy(update={"declined": True}) for proposal in held])
    left.note = LEFT
    return left


def _agrees(text: str) -> bool:
    """A yes, in plain words or in such that the model takes for one; what names a request of its own is none."""
    if not _short(text):
        return False
    if YES.match(text):
        return not re.search(r"\b(?:but|except|only)\b", text, re.IGNORECASE)
    found = guess(text)
    return found.label == "affirm" and found.sure >= SURE


def _told(pending: Pending, text: str, scene: Scene) -> list[Share] | None:
    """What a reminder or a task is about, told afterwards."""
    slots = fill(text, scene.clock)
    if not pending.proposals or not slots.title or not _short(text) or _commands(text):
        return None
    draft = pending.proposals[0]
    name = "title" if draft.kind == "event" else "task"
    said = details(slots) if draft.kind == "todo" and draft.fields.get("kind") != "reminder" else {}
    told = draft.model_copy(update={"fields": {**draft.fields, **said, name: LEAD.sub("", slots.title)}})
    if draft.fields.get("kind") == "reminder" and not draft.fields.get("remind_at"):
        at = remind_at(slots.when, scene) if slots.when else None
        if at is None:
            return [choose.ask("when", "And when shall I remind you?", [told], scene)]
        told = told.model_copy(update={"fields": {**told.fields, "remind_at": at}})
    return [change(text, told)]


def _commands(text: str) -> bool:
    """Whether a message is a request of its own rather than an answer."""
    return any(intent.sure > 0.7 for intent in read(text))


def retold(pending: Pending, ask: Ask) -> Ask | None:
    """For uncertain speech: the transcript as its own message once the user says yes."""
    if pending.missing != "transcript" or not YES.match(ask.text.strip().lower()) or not _short(ask.text):
        return None
    return ask.model_copy(update={"text": pending.text, "at": pending.at, "pending": None})


def _raw(scene: Scene) -> str:
    return re.sub(r"^(?:um|uh|oh|well)[\s,]+", "", scene.ask.text.strip(), flags=re.IGNORECASE)


def _short(text: str) -> bool:
    return len(text.split()) <= MAX_WORDS


def _gathered(text: str, proposals: list[Proposal]) -> Share:
    return change(text, *proposals)


def _chosen(pending: Pending, text: str, scene: Scene) -> list[Share] | None:
    options = pick_options(text, pending.options) or _on_day(text, pending.options, scene)
    if not options:
        return None
    drafts = pending.proposals
    chosen = [_filled(draft, option, scene) for option in options for draft in drafts]
    return [change(text, *[_shifted(item, pending, scene) for item in chosen])]


def _shifted(chosen: Proposal, pending: Pending, scene: Scene) -> Proposal:
    """A moved event gets the time that was asked for as its start, as long as it was."""
    if chosen.op != "update" or chosen.kind != "event" or set(chosen.fields) != {"deadline"}:
        return chosen
    item = next((item for item in scene.items("event") if item.id == chosen.record_id), None)
    times = [found for found in find_times(pending.text, scene.clock, bare=True) if found.moment]
    fields = moved(item, times[-1], scene) if item and times else {}
    return chosen.model_copy(update={"fields": fields}) if fields else chosen


def _on_day(text: str, options: list[Option], scene: Scene) -> list[Option]:
    """The one option that falls on the day that a short answer names: "the one on the 24th"."""
    times = find_times(text, scene.clock) if _short(text) else []
    days = {found.moment.date() for found in times if found.day_said and found.moment}
    there = {item.id for item in scene.items("todo", "event") if item.day in days}
    found = [option for option in options if option.record_id in there]
    return found if len(found) == 1 else []


def pick_options(text: str, options: list[Option]) -> list[Option]:
    """The options that a short answer means: by name, by number, or all."""
    if not _short(text) or not options:
        return []
    if ALL.match(text):
        return options
    said = text.lower().split()
    for place, word in enumerate(ORDINALS):
        if (word in said or str(place + 1) in said) and place < len(options):
            return [options[place]]
    if "last" in said:
        return [options[-1]]
    words = words_of(re.sub(r"^(?:i mean|the|no)\s+", "", text, flags=re.IGNORECASE))
    scored = [
        (sum(max((alike(word, other) for other in words_of(option.label)), default=0) for word in words), option)
        for option in options
    ]
    best = max(score for score, _ in scored)
    top = [option for score, option in scored if score == best]
    return top if best >= 0.8 and len(top) == 1 else []


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


def _timed(pending: Pending, text: str, scene: Scene) -> list[Share] | None:
    place = _place(pending, text, scene)
    if place is not None and place >= len(pending.options):
        return None
    text = pending.options[place].label if place is not None else text
    times = merged(find_times(text, scene.clock, bare=len(text.split()) <= 3), scene.clock)
    when = next((found for found in times if found.moment), None)
    if when is None or not _short(text) or not pending.proposals:
        return None
    draft = pending.proposals[0]
    if _reminds_of_another(draft, text) or _does_another(draft, text, scene):
        return None
    if when.timed and not when.day_said:
        when = _on_the_day_said(when, pending, scene)
    fields = _when_fields(draft, when, text, pending, scene)
    repeat = next((found for found in times if found.kind == "set" and found.rrule), None)
    if fields and repeat:
        fields["recurrence"] = repeat.rrule
    return [change(text, draft.model_copy(update={"fields": draft.fields | fields}))] if fields else None


def _reminds_of_another(draft: Proposal, text: str) -> bool:
    """Whether the message asks for a reminder of its own: it would be lost if only its time were taken."""
    match = REMINDING.search(text)
    if match is None or SAME.search(match["what"]):
        return False
    asked = words_of(str(draft.fields.get("task") or draft.fields.get("title") or ""))
    return not any(alike(word, other) >= SURE for word in words_of(match["what"]) for other in asked)


def _does_another(draft: Proposal, text: str, scene: Scene) -> bool:
    """Whether the message is about another thing to do ("call mom tomorrow at 5"), not a time with a few words around."""
    said = trim(text)
    title = fill(said, scene.clock).title
    if not said or not is_verb(said.split()[0].lower()) or IT.match(said) or REMINDING.search(said):
        return False
    named = words_of(title)
    asked = words_of(str(draft.fields.get("task") or draft.fields.get("title") or ""))
    return len(named) > 1 and not any(alike(word, other) >= SURE for word in named for other in asked)


def _on_the_day_said(when: Found, pending: Pending, scene: Scene) -> Found:
    """A clock time on the day that the question's own message named."""
    before = [found for found in merged(find_times(pending.text, scene.clock), scene.clock) if found.moment]
    day = next((found.moment for found in before if found.day_said), None)
    return on_day(when, day.date(), scene.clock) if day and len(before) == 1 else when


def _place(pending: Pending, text: str, scene: Scene) -> int | None:
    """Which of the offered times a short answer takes: "yes", "the first one", "the last"."""
    if not pending.options or not _short(text):
        return None
    said = re.findall(r"\w+", text.lower())
    place = next((place for place, word in enumerate(ORDINALS) if word in said), None)
    if place is None and "last" in said:
        return len(pending.options) - 1
    return 0 if place is None and YES.match(text) and not find_times(text, scene.clock) else place


def _length(pending: Pending, scene: Scene) -> int | None:
    """Minutes: as long as the times on offer, or as the question's own message said."""
    offered = find_times(pending.options[0].label, scene.clock) if pending.options else []
    if offered and offered[0].start and offered[0].end:
        return round((offered[0].end - offered[0].start).total_seconds() / 60)
    return fill(pending.text, scene.clock).minutes


def _when_fields(draft: Proposal, when: Any, text: str, pending: Pending, scene: Scene) -> dict[str, Any] | None:
    from agents.understanding.requests.events import when_fields

    if draft.kind == "event":
        slots = fill(text, scene.clock)
        slots.minutes = slots.minutes or _length(pending, scene)
        slots.times = [when] if when.timed else merged(slots.times, scene.clock) or [when]
        found = when_fields(slots, str(draft.fields.get("title", "")))
        return (
            found or {"start": forms.day(when.moment), "end": forms.day(when.moment), "all_day": True}
            if _all_day(text)
            else found
        )
    if "snooze_until" in draft.fields:
        return {"snooze_until": back_on(when, scene)}
    if draft.fields.get("kind") == "reminder":
        at = remind_at(when, scene)
        return {"remind_at": at} if at else None
    due = forms.due(when)
    return {"deadline": due} if due else None


def _all_day(text: str) -> bool:
    return re.search(r"\ball day\b|\bwhole day\b", text, re.IGNORECASE) is not None
