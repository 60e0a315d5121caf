"""Calls about tasks as proposals."""

from __future__ import annotations

from typing import Any

from agents.contract import Op, Proposal
from agents.ledger.approvals import OFFERED
from agents.records import ToDo
from app.llm.call_context import CallContext, CannotDo
from app.llm.times import read_instant, read_time

ASKED = "you asked for it"
PLANNED = "planned"
"""The group of a plan's tasks begins with this."""
MOST_PLANNED = 30
OPS: dict[str, Op] = {"done": "complete", "archived": "archive"}
STATUS = {"open": "not started", "in progress": "in progress"}
DIRECT = {"title": "task", "priority": "priority", "minutes": "time_to_complete", "list": "list", "notes": "notes"}


def create_task(args: dict[str, Any], context: CallContext) -> list[Proposal]:
    """Return a new task, reminder or habit."""
    fields = _values(args) | _times(args, context, moves=False)
    if args.get("steps"):
        fields["solutions"] = args["steps"]
    if args.get("habit"):
        fields["kind"] = "habit"
    elif fields.get("remind_at"):
        fields["kind"] = "reminder"
    return [Proposal(op="create", kind="todo", fields=fields, reason=ASKED)]


def update_task(args: dict[str, Any], context: CallContext) -> list[Proposal]:
    """Return what becomes of a task: other values, and that it is finished, archived or open again."""
    task = context.one_of(ToDo, args["id"])
    fields = _values(args) | _times(args, context, moves=True) | _steps(args, task)
    status = args.get("status")
    if status in STATUS and task.status != STATUS[status]:
        fields["status"] = STATUS[status]
    changed = [Proposal(op="update", kind="todo", record_id=task.id, fields=fields, reason=ASKED)] if fields else []
    closing = [Proposal(op=OPS[status], kind="todo", record_id=task.id, reason=ASKED)] if status in OPS else []
    if not (changed or closing):
        raise CannotDo("that changes nothing")
    return [*changed, *closing]


def offer_plan(args: dict[str, Any], context: CallContext) -> list[Proposal]:
    """Return the tasks of a plan, which wait together for one yes."""
    group = f"{PLANNED} {args['about']}"[:200]
    drafts = [_planned(one, context) for one in args["tasks"][:MOST_PLANNED]]
    if not drafts:
        raise CannotDo("a plan needs tasks")
    return [one.model_copy(update={"hold": OFFERED, "group": group, "reason": "you planned it"}) for one in drafts]


def _planned(one: dict[str, Any], context: CallContext) -> Proposal:
    steps = one.get("steps")
    known = {"title": one["title"], "due": one.get("due"), "steps": steps if isinstance(steps, list) else None}
    return create_task({name: value for name, value in known.items() if value}, context)[0]


def _values(args: dict[str, Any]) -> dict[str, Any]:
    return {name: _cleared(args[said]) for said, name in DIRECT.items() if said in args}


def _cleared(value: Any) -> Any:
    return None if value == "" else value


def _times(args: dict[str, Any], context: CallContext, *, moves: bool) -> dict[str, Any]:
    words, found = args.get("when_words", ""), dict[str, Any]()
    if "due" in args:
        found["deadline"] = read_time("due", args["due"], words, context.ask, moves=moves) if args["due"] else None
    if "remind_at" in args:
        at = args["remind_at"]
        found["remind_at"] = read_instant("remind_at", at, words, context.ask) if at else None
    if args.get("snooze_until"):
        found["snooze_until"] = read_time("snooze_until", args["snooze_until"], words, context.ask)
    if "repeat" in args:
        found["recurrence"] = _cleared(args["repeat"])
    return found


def _steps(args: dict[str, Any], task: ToDo) -> dict[str, Any]:
    steps = args.get("steps", task.solutions)
    found: dict[str, Any] = {"solutions": steps} if "steps" in args else {}
    if "done_steps" in args:
        wrong = [number for number in args["done_steps"] if not 0 < number <= len(steps)]
        if wrong:
            raise CannotDo(f"the task has {len(steps)} steps")
        done = [*task.done_steps, *(steps[number - 1] for number in args["done_steps"])]
        found["done_steps"] = list(dict.fromkeys(done))
    return found
