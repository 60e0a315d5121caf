"""Calls that propose changes: of tasks, notes, lists, appointments, the profile and wishes, and what is undone."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from agents.contract import Op, Proposal
from agents.ledger.approvals import OFFERED
from agents.ledger.atomic_groups import undoing
from agents.list_lines import Line, name_of
from agents.records import PROFILE_ID, Event, Instruction, Note, Profile, ToDo
from app.models.understanding.call_context import CallContext, CannotDo
from app.models.understanding.prompt import latest_changes
from app.models.understanding.record_fields import Args, change, create, fields_of, read_day, read_time
from app.models.understanding.series_calls import change_series, leave_out

PLANNED = "planned"
"""The group of a plan's tasks begins with this."""
MOST_PLANNED, LONGEST_GROUP, LONGEST_SUMMARY = 30, 200, 200
CLOSING: dict[str, Op] = {"done": "complete", "completed": "complete", "archived": "archive"}
BY_NUMBER = ("tick", "untick", "remove", "move")
"""What a call says of lines, by their numbers."""
SINGLE_FIELDS = ("name", "location", "job", "college", "course")
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
    fields = fields_of("todo", args, context, moves=True) | _done_steps(args, task)
    return _propose_changes(task, fields, args.get("status"))


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


def edit_list(args: Args, context: CallContext) -> list[Proposal]:
    """Return a list as its lines are after the call, and the one that lines go to."""
    note = context.one_of(Note, args["id"])
    original = [line.model_dump() for line in note.items]
    numbers = {part: args.get(part) or () for part in BY_NUMBER}
    if any(not 0 < number <= len(original) for some in numbers.values() for number in some):
        raise CannotDo(f"the list has {len(original)} lines")
    named = {part: {name_of(original[number - 1]) for number in some} for part, some in numbers.items()}
    if not (args.get("add") or any(named.values())):
        raise CannotDo("that changes nothing")
    other = context.one_of(Note, args.get("move_to") or "") if numbers["move"] else None
    kept = [line for line in context.lines(note) if name_of(line) not in named["remove"] | named["move"]]
    context.lists[note.id] = _with_new([_apply_ticks(line, named) for line in kept], args.get("add") or ())
    changed = [note]
    if other:
        moved = [original[number - 1]["text"] for number in numbers["move"]]
        context.lists[other.id] = _with_new(context.lines(other), moved)
        changed.append(other)
    return [change(one, {"items": context.lists[one.id]}) for one in changed]


def _apply_ticks(line: Line, named: dict[str, set[str]]) -> Line:
    name = name_of(line)
    return {**line, "done": name in named["tick"] or (line["done"] and name not in named["untick"])}


def _with_new(lines: Sequence[Line], new: Sequence[str]) -> list[Line]:
    """Return the lines with new ones behind them; one that is there already is wanted again, not twice."""
    wanted = {name_of(line): line for text in new if text.strip() and (line := {"text": text.strip(), "done": False})}
    again = [{**line, "done": line["done"] and name_of(line) not in wanted} for line in lines]
    known = {name_of(line) for line in lines}
    return [*again, *(line for name, line in wanted.items() if name not in known)]


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
    records, day = [context.record(one) for one in dict.fromkeys(args["ids"])], args.get("occurrence")
    return [
        leave_out(one, day, context) if day and isinstance(one, Event) and one.recurrence else change(one, {}, "delete")
        for one in records
    ]


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


def save_profile(args: Args, context: CallContext) -> list[Proposal]:
    """Return the profile's change."""
    stored = context.ask.records.profile
    known = stored or Profile(id=PROFILE_ID, created_at=context.ask.at, updated_at=context.ask.at)
    forget = {name.strip().casefold() for name in args.get("forget") or ()}
    told = {one["name"].strip(): one for one in args.get("facts") or () if one.get("value")}
    have = {one.casefold() for one in known.interests}
    # A fact that is told anew holds from what is said with it.
    since = {name: day for name, day in known.since.items() if name.casefold() not in forget and name not in told}
    joined = {
        "facts": {name: value for name, value in known.facts.items() if name.casefold() not in forget}
        | {name: one["value"] for name, one in told.items()},
        "interests": [one for one in known.interests if one.casefold() not in forget]
        + [one for one in dict.fromkeys(args.get("interests") or ()) if one.casefold() not in have],
        "since": since
        | {name: read_day("since", one["since"]).isoformat() for name, one in told.items() if one.get("since")},
    }
    fields = {name: args.get(name) for name in SINGLE_FIELDS if name in args or name in forget}
    fields |= {name: value for name, value in joined.items() if value != getattr(known, name)}
    if not fields:
        raise CannotDo("that is known already")
    return [Proposal(op="update" if stored else "create", kind="profile", fields=fields, reason="you told me")]


def save_wish(args: Args, _context: CallContext) -> list[Proposal]:
    """Return a new standing wish."""
    return [create("instruction", {"text": args["text"]})]


def drop_wish(args: Args, context: CallContext) -> list[Proposal]:
    """Return that a standing wish goes."""
    return [change(context.one_of(Instruction, args["id"]), {}, "delete")]


PROPOSING: dict[str, Callable[[Args, CallContext], list[Proposal]]] = {
    make.__name__: make
    for make in (
        create_task, update_task, create_event, update_event, create_note, update_note, edit_list, delete, undo,
        save_profile, save_wish, drop_wish, offer_plan,
    )
}  # fmt: skip
"""The tools that make proposals; the others lead elsewhere."""
