"""Linked events take the colour of their task: when they are linked, and when its priority changes later."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from agents.colors import SHADING, color_of
from agents.contract import Change, Proposal

State = dict[str, Any] | None
FOLLOWS = "it shows how much its task matters"


def with_task_color(proposal: Proposal, before: State, after: State, task: State) -> State:
    """An event that a change links to a task, in the task's colour, unless one was said."""
    linked = (after or {}).get("task_id")
    if after is None or not linked or linked == (before or {}).get("task_id") or "color" in proposal.fields:
        return after
    return {**after, "color": color_of(task or {})}


def tasks_changing_color(proposals: Iterable[Proposal], targets: Iterable[Change]) -> list[str]:
    """The tasks whose colour a batch may change, by what it proposes and by the changes that it undoes or confirms."""
    wanted = [(item.record_id, item.fields) for item in proposals if item.kind == "todo"]
    named = [(item.record_id, item.fields) for item in targets if item.kind == "todo"]
    return sorted({task for task, fields in (*wanted, *named) if task and SHADING & set(fields)})


def recolor_proposals(row: Change, events: Sequence[State]) -> list[Proposal]:
    """The changes by which linked events follow a change of their task; one with a colour of its own keeps it."""
    if row.kind != "todo" or row.status != "applied" or row.before is None or row.after is None:
        return []
    old, new = color_of(row.before), color_of(row.after)
    return [
        Proposal(
            op="update", kind="event", record_id=event["id"], fields={"color": new}, reason=FOLLOWS, place=row.place
        )
        for event in events
        if event and old != new and event["color"] == old
    ]
