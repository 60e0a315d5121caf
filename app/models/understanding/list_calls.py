"""Calls about the lines of lists, which are known by their numbers."""

from __future__ import annotations

from collections.abc import Sequence

from agents.contract import Proposal
from agents.list_lines import Line, name_of
from agents.records import Note
from app.models.understanding.call_context import CallContext, CannotDo
from app.models.understanding.record_fields import Args, change

BY_NUMBER = ("tick", "untick", "remove", "move")


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
