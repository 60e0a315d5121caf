"""Calls about notes and lists as proposals; lines of a list are known by their numbers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from agents.contract import Op, Proposal
from agents.list_lines import Line, name_of
from agents.records import Note
from app.llm.call_context import CallContext, CannotDo
from app.llm.times import read_time

ASKED = "you asked for it"
OPS: dict[str, Op] = {"completed": "complete", "archived": "archive"}
LONGEST_SUMMARY = 200


def create_note(args: dict[str, Any], context: CallContext) -> list[Proposal]:
    """Return a new note or list."""
    items = args.get("items")
    category = args.get("category") or ("list" if items else "note")
    fields: dict[str, Any] = {"category": category, "summary": args["title"][:LONGEST_SUMMARY]}
    text = args.get("text") or ("" if category == "list" else args["title"])
    fields |= {"content": text} if text else {}
    fields |= {"items": [{"text": line, "done": False} for line in items]} if items else {}
    return [Proposal(op="create", kind="note", fields=fields | _due(args, context), reason=ASKED)]


def update_note(args: dict[str, Any], context: CallContext) -> list[Proposal]:
    """Return what becomes of a note."""
    note = context.one_of(Note, args["id"])
    fields = {"summary": args["title"][:LONGEST_SUMMARY]} if "title" in args else {}
    text = args.get("text", note.content)
    if args.get("add_text"):
        text = f"{text}\n{args['add_text']}".strip()
    fields |= {"content": text} if text != note.content else {}
    fields |= _due(args, context)
    status = args.get("status")
    fields |= {"status": "active"} if status == "active" and note.status != "active" else {}
    changed = [Proposal(op="update", kind="note", record_id=note.id, fields=fields, reason=ASKED)] if fields else []
    closing = [Proposal(op=OPS[status], kind="note", record_id=note.id, reason=ASKED)] if status in OPS else []
    if not (changed or closing):
        raise CannotDo("that changes nothing")
    return [*changed, *closing]


def edit_list(args: dict[str, Any], context: CallContext) -> list[Proposal]:
    """Return a list as its lines are after the call, and the one that lines go to."""
    note = context.one_of(Note, args["id"])
    before = context.lines(note)
    _check_numbers(args, len(note.items))
    original = [line.model_dump() for line in note.items]
    names = {
        part: [name_of(original[at - 1]) for at in args.get(part) or ()]
        for part in ("tick", "untick", "remove", "move")
    }
    gone = {*names["remove"], *names["move"]}
    after = [_ticked(line, names) for line in before if name_of(line) not in gone]
    context.lists[note.id] = _with_new(after, args.get("add") or ())
    changed = [note]
    if names["move"]:
        other = context.one_of(Note, args.get("move_to") or "")
        moved = [original[at - 1]["text"] for at in args["move"]]
        context.lists[other.id] = _with_new(context.lines(other), moved)
        changed.append(other)
    return [_as_update(one, context) for one in changed]


def _check_numbers(args: dict[str, Any], count: int) -> None:
    numbers = [number for part in ("tick", "untick", "remove", "move") for number in args.get(part) or ()]
    if any(not 0 < number <= count for number in numbers):
        raise CannotDo(f"the list has {count} lines")
    if not (numbers or args.get("add")):
        raise CannotDo("that changes nothing")


def _ticked(line: Line, names: dict[str, list[str]]) -> Line:
    name = name_of(line)
    done = name in names["tick"] or (line["done"] and name not in names["untick"])
    return {**line, "done": done}


def _with_new(lines: Sequence[Line], new: Sequence[str]) -> list[Line]:
    """Return the lines with new ones behind them; one that is there already is wanted again, not twice."""
    found = list(lines)
    for text in filter(None, (one.strip() for one in new)):
        line = {"text": text, "done": False}
        there = next((at for at, one in enumerate(found) if name_of(one) == name_of(line)), None)
        if there is None:
            found.append(line)
        else:
            found[there] = {**found[there], "done": False}
    return found


def _as_update(note: Note, context: CallContext) -> Proposal:
    return Proposal(op="update", kind="note", record_id=note.id, fields={"items": context.lists[note.id]}, reason=ASKED)


def _due(args: dict[str, Any], context: CallContext) -> dict[str, Any]:
    if "remind_at" not in args:
        return {}
    at = args["remind_at"]
    return {"deadline": read_time("remind_at", at, args.get("when_words", ""), context.ask) if at else None}
