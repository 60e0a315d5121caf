"""Calls about tasks, notes and appointments, wishes and what is taken back, as proposals."""

from __future__ import annotations

from typing import Any

from agents.contract import Op, Proposal
from agents.ledger.approvals import OFFERED
from agents.ledger.atomic_groups import undoing
from agents.records import AnyRecord, Event, Instruction, Note, ToDo
from app.models.understanding.call_context import CallContext, CannotDo
from app.models.understanding.prompt import latest_changes
from app.models.understanding.record_fields import Args, change, create, fields_of
from app.models.understanding.series_calls import change_series, leave_out
from app.models.understanding.times import read_time

PLANNED = "planned"
"""The group of a plan's tasks begins with this."""
MOST_PLANNED, LONGEST_GROUP, LONGEST_SUMMARY = 30, 200, 200
CLOSING: dict[str, Op] = {"done": "complete", "completed": "complete", "archived": "archive"}
STATUS = {"open": "not started"}
"""What a status is called in records, where it has another name there."""


def create_task(args: Args, context: CallContext) -> list[Proposal]:
    """Return a new task, reminder or habit."""
    fields = fields_of("todo", args, context, moves=False)
    kind = "habit" if args.get("habit") else "reminder" if fields.get("remind_at") else None
    return [create("todo", fields | ({"kind": kind} if kind else {}))]


def update_task(args: Args, context: CallContext) -> list[Proposal]:
    """Return what becomes of a task: other values, and that it is finished, archived or open again."""
    task = context.one_of(ToDo, args["id"])
    return _propose_changes(
        task, fields_of("todo", args, context, moves=True) | _done_steps(args, task), args.get("status")
    )


def _done_steps(args: Args, task: ToDo) -> dict[str, Any]:
    if "done_steps" not in args:
        return {}
    steps, numbers = args.get("steps", task.solutions), args["done_steps"]
    if any(not 0 < number <= len(steps) for number in numbers):
        raise CannotDo(f"the task has {len(steps)} steps")
    return {"done_steps": list(dict.fromkeys([*task.done_steps, *(steps[number - 1] for number in numbers)]))}


def create_note(args: Args, context: CallContext) -> list[Proposal]:
    """Return a new note or list."""
    category = args.get("category") or ("list" if args.get("items") else "note")
    text = args.get("text") or ("" if category == "list" else args["title"])
    fields = fields_of("note", args, context, moves=False) | {"category": category, "content": text}
    return [create("note", _of_note({name: value for name, value in fields.items() if value}))]


def update_note(args: Args, context: CallContext) -> list[Proposal]:
    """Return what becomes of a note."""
    note = context.one_of(Note, args["id"])
    text = args.get("text", note.content)
    if args.get("add_text"):
        text = f"{text}\n{args['add_text']}".strip()
    fields = fields_of("note", args, context, moves=True) | {"content": text}
    return _propose_changes(note, _of_note(fields), args.get("status"))


def _of_note(fields: dict[str, Any]) -> dict[str, Any]:
    return fields | ({"summary": fields["summary"][:LONGEST_SUMMARY]} if fields.get("summary") else {})


def _propose_changes(record: ToDo | Note, fields: Args, status: str | None) -> list[Proposal]:
    """Return other values of a record and, apart from these, that it is closed; what is no change is left out."""
    wanted = dict(fields)
    if status and status not in CLOSING:
        wanted["status"] = STATUS.get(status, status)
    for name in ("status", "content"):
        if name in wanted and wanted[name] == getattr(record, name):
            wanted.pop(name)
    found = [change(record, wanted)] if wanted else []
    found += [change(record, {}, CLOSING[status])] if status in CLOSING else []
    if not found:
        raise CannotDo("that changes nothing")
    return found


def offer_plan(args: Args, context: CallContext) -> list[Proposal]:
    """Return the tasks of a plan, which wait together for one yes."""
    drafts = [draft for one in args["tasks"][:MOST_PLANNED] for draft in create_task(one, context)]
    if not drafts:
        raise CannotDo("a plan needs tasks")
    waits = {"hold": OFFERED, "group": f"{PLANNED} {args['about']}"[:LONGEST_GROUP], "reason": "you planned it"}
    return [one.model_copy(update=waits) for one in drafts]


def create_event(args: Args, context: CallContext) -> list[Proposal]:
    """Return a new appointment."""
    return [create("event", _of_event(args, context, moves=False))]


def update_event(args: Args, context: CallContext) -> list[Proposal]:
    """Return what becomes of an appointment; of a series as far as its scope says."""
    event = context.one_of(Event, args["id"])
    fields = _of_event(args, context, moves=True)
    if not fields:
        raise CannotDo("that changes nothing")
    if event.recurrence:
        return change_series(event, fields, args.get("scope"), args.get("occurrence"), context)
    return [change(event, fields)]


def _of_event(args: Args, context: CallContext, *, moves: bool) -> dict[str, Any]:
    """Return the fields; the end is as far behind the start as the model has it, also where code reads another day."""
    fields = fields_of("event", args, context, moves=moves)
    start, end = fields.get("start"), fields.get("end")
    if start and end and type(start) is type(end):
        stated = read_time("start", args["start"], "", context.ask)
        fields["end"] = end + (start - stated) if type(stated) is type(start) else end
    return {name: value for name, value in fields.items() if value or name not in ("start", "end")}


def delete(args: Args, context: CallContext) -> list[Proposal]:
    """Return what goes; of an appointment that repeats, where a day is named, the one on that day."""
    return [
        _propose_removal(context.record(one), args.get("occurrence"), context) for one in dict.fromkeys(args["ids"])
    ]


def _propose_removal(record: AnyRecord, occurrence: str | None, context: CallContext) -> Proposal:
    if occurrence and isinstance(record, Event) and record.recurrence:
        return leave_out(record, occurrence, context)
    return change(record, {}, "delete")


def undo(args: Args, context: CallContext) -> list[Proposal]:
    """Return what takes changes back, with all that was made as one with each of them."""
    known = latest_changes(context.ask)
    wanted = [context.changes.resolve(one) for one in dict.fromkeys(args["change_ids"])]
    found = [one for known_id in wanted for one in known if one.id == known_id]
    if len(found) < len(wanted):
        raise CannotDo("there is no such recent change")
    if any(one.status == "undone" for one in found):
        raise CannotDo("that is undone already")
    taken = {part.undo_of: part for one in found for part in undoing(one, known, "you asked to undo it")}
    return list(taken.values())


def save_wish(args: Args, _context: CallContext) -> list[Proposal]:
    """Return a new standing wish."""
    return [create("instruction", {"text": args["text"]})]


def drop_wish(args: Args, context: CallContext) -> list[Proposal]:
    """Return that a standing wish goes."""
    return [change(context.one_of(Instruction, args["id"]), {}, "delete")]
