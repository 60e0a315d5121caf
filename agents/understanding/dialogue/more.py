"""One more of what was just done: another line, another record, another time; and what was cancelled, again."""

from __future__ import annotations

from typing import Any

from agents.contract import Change, Op, Proposal
from agents.index.items import Item
from agents.index.words import tokens, words_of
from agents.ledger.atomic_groups import undo_of
from agents.ledger.transitions import differing
from agents.phrases import quote
from agents.reading.reading import Clause
from agents.records import RECORD_TYPES
from agents.understanding.changes import change, create, lists
from agents.understanding.changes.revise import new_times, new_values, with_more_days
from agents.understanding.changes.task_steps import one_more_step
from agents.understanding.dialogue.correct import VALUES
from agents.understanding.ground import POINTING, ground, one_named
from agents.understanding.matching import has_words
from agents.understanding.outcome import Outcome, do, not_understood, tell, update
from agents.understanding.records.lists import is_list
from agents.understanding.records.members import without_member
from agents.understanding.share import propose
from agents.understanding.situation import Situation
from agents.understanding.slot_values import EDGES, loose_words, times_of, title_of
from agents.understanding.values.moves import move_fields

COMING = frozenset("coming comes joining joins join invite along".split())
AGAIN = frozenset("again rebook book instead back".split())
JOINTS = (" for ", " with ")


def more(clause: Clause, situation: Situation) -> Outcome:
    """Return one more of what this message or the last turn did: another line, another record, another time."""
    made: list[Proposal | Change] = [*situation.just_done(), *situation.scene.proposals]
    last = made[-1] if made else None
    if last is None or (clause.all("t", "i") and clause.all("g", "l")):
        return lists.put_on(clause, situation) if clause.all("i") else create.todo(clause, situation)
    item = situation.item(last.record_id or "".join(situation.touched[-1:]))
    of_list = item is not None and is_list(item)
    if clause.all("i") or (of_list and clause.all("t")):
        return lists.put_on(clause, situation)
    own_days = _on_more_days(clause, item, last.fields, situation) if item and not clause.all("t", "g") else None
    booked = None if _says_only_when(clause) else book_again(clause, situation)
    again = own_days or booked or one_more_step(clause, situation)
    if again or (last.op != "create" and clause.all("g", "t")):
        return again or _same_for_others(clause, last.op, last.fields, situation)
    if clause.all("t"):
        return _one_more_guest(clause, item) or _one_more(clause, last.kind, last.fields, situation)
    if clause.all("w") and last.op == "create" and item is not None and item.kind != "note":
        return _same_then(clause, item, last.fields, situation)
    return change.edit(clause, situation) if clause.slots else not_understood(clause.text)


def _says_only_when(clause: Clause) -> bool:
    """Return whether a clause says no more than another time: "also thursday" puts nothing back."""
    return not clause.all("g", "t") and not AGAIN & {*tokens(clause.text)}


def _on_more_days(clause: Clause, item: Item, fields: dict[str, Any], situation: Situation) -> Outcome | None:
    """Return a series on some more weekdays, "thursdays too", or one more at another hour; None for none."""
    repeat = next((found for found in times_of(clause, situation) if found.kind == "set" and found.rrule), None)
    if repeat is None or not getattr(item.record, "recurrence", None):
        return None
    days = {} if repeat.timed else with_more_days(item, repeat, situation)
    if days:
        return update(clause.text, item, days, "one more of its days")
    if not repeat.timed or "recurrence" not in fields:
        return None
    other = fields | move_fields(item, repeat, situation.scene) | {"recurrence": repeat.rrule}
    return do(clause.text, Proposal(op="create", kind=item.kind, fields=other, reason="one more"))


def book_again(clause: Clause, situation: Situation) -> Outcome | None:
    """Return what the last turn deleted at another time: "rebook it for friday"; None where that is not meant."""
    last = situation.just_done()[-1:]
    named = tokens(clause.words("g", "t"))
    if situation.touched or not clause.all("w") or not last or last[0].op != "delete" or last[0].before is None:
        return None
    if named and named[-1] not in POINTING and not has_words(last[0].title, clause.words("g", "t")):
        return None
    gone = RECORD_TYPES[last[0].kind].model_validate(last[0].before)
    fields = new_values(clause, Item(last[0].kind, gone.id, last[0].title, gone), situation)
    if not fields:
        return None
    back = undo_of(last[0], "you book it again")
    new = differing(last[0].kind, last[0].before, fields)
    moved = back.model_copy(update={"op": "update", "undo_of": None, "fields": new})
    return do(clause.text, back, *([moved] if new else []))


def _one_more_guest(clause: Clause, item: Item | None) -> Outcome | None:
    """Return the appointment just spoken of with one more guest: "Ola is coming too"; None where none is meant."""
    if item is None or item.kind != "event" or clause.all("w") or not COMING & {*loose_words(clause)}:
        return None
    joint = "and" if " with " in item.title else "with"
    named = f"{item.title} {joint} {title_of(clause, 't')}"
    return update(clause.text, item, {"title": named}, "one more guest")


def _event_then(clause: Clause, fields: dict[str, Any], situation: Situation) -> Outcome:
    """Return one more appointment, at the hours of the last one where the same are said."""
    item = situation.latest()
    if not {"same"} & set(tokens(clause.text)) or item is None or item.kind != "event":
        return create.event(clause, situation)
    known = Item(item.kind, item.id, _named_alike(clause, item.title), item.record)
    kept = {name: fields[name] for name in ("location", "notes", "busy") if name in fields}
    return _same_then(clause, known, kept | {"title": known.title}, situation)


def _named_alike(clause: Clause, title: str) -> str:
    """Return the name of what is the same for somebody else: "vet for Biscuit" after "vet for Mabel"."""
    new, said = title_of(clause, "t"), tokens(clause.text)
    joints = [joint for joint in JOINTS if joint in title]
    head, joint, tail = title.partition(joints[0] if len(joints) == 1 else JOINTS[0])
    is_name = len(tail.split()) in (1, 2) and tail[:1].isupper() == new[:1].isupper()
    return f"{head}{joint}{new}" if joint and is_name and {"same", "for"} <= set(said) else new


def _one_more(clause: Clause, kind: str, fields: dict[str, Any], situation: Situation) -> Outcome:
    if kind == "event":
        return _event_then(clause, fields, situation)
    if kind == "note":
        return create.note(clause, situation)
    if fields.get("kind") == "reminder" and clause.all("w"):
        return create.remind(clause, situation)
    outcome = create.todo(clause, situation)
    for draft in outcome.share.proposals if fields.get("deadline") and not clause.all("w") else ():
        draft.fields.setdefault("deadline", fields["deadline"])
    return outcome


def _same_for_others(clause: Clause, op: Op, fields: dict[str, Any], situation: Situation) -> Outcome:
    """Return the same change for the records that are named now; times that it says go before."""
    if op == "update" and clause.all(*VALUES):
        return change.edit(clause, situation)
    target = ground(clause, situation) if clause.all("g") else one_named(title_of(clause, "t"), (), situation)
    if not target.items and clause.all("t"):
        return create.todo(clause, situation)
    if not target.items:
        return tell(clause.text, f"I found nothing called {quote(target.name)}.")
    if target.only and target.only.kind == "todo" and without_member(clause.words("g"), target.only):
        return change.mark_done(clause, situation)  # "Bob too"
    drafts = [propose(item, op, fields, "the same again") for item in target.items]
    return do(clause.text, *drafts, fit=target.fit if len(drafts) == 1 or target.several else 0.5)


def _same_then(clause: Clause, item: Item, fields: dict[str, Any], situation: Situation) -> Outcome:
    """Return the same thing made once more at another time."""
    name = "title" if item.kind == "event" else "task"
    title = str(fields.get(name, "")).strip(EDGES)
    kept = {key: value for key, value in fields.items() if key not in ("start", "end", "deadline", "remind_at")}
    times = [found for found in new_times(clause, item, situation) if found.kind not in ("set", "duration")]
    each = [new for found in times if (new := move_fields(item, found, situation.scene))]
    drafts = [Proposal(op="create", kind=item.kind, fields=kept | new, reason="one more") for new in each]
    return do(clause.text, *drafts) if drafts and words_of(title) else not_understood(clause.text)
