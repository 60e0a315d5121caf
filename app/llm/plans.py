"""A plan that a model offers: its tasks wait together for one yes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from agents.contract import Proposal
from agents.grounding.provenance import ADDRESS, only_asks
from agents.grounding.worded import words_of_user
from agents.ports import Ask

OFFERED = "a plan is added only with your yes"
PLANNED = "planned"
"""The group of a plan's tasks begins with this."""
MOST_TASKS = 20


def planned(fields: Mapping[str, Any], ask: Ask) -> list[Proposal]:
    """The tasks of a plan for what the user's own words name, held as one; none where the message only asks."""
    about, tasks = fields.get("about"), fields.get("tasks")
    wanted = isinstance(about, str) and words_of_user(about, ask) and not only_asks(ask.words or ask.text)
    if not wanted or not isinstance(tasks, list):
        return []
    said = ask.words or ask.text
    named = [task for task in tasks[:MOST_TASKS] if isinstance(task, dict) and _own(task, said)]
    return [_held(task, f"{PLANNED} {about}") for task in named]


def shown(tasks: Sequence[Proposal]) -> list[str]:
    """A plan with its steps, a line for each task; one without steps is all in the question."""
    if not any(task.fields.get("solutions") for task in tasks):
        return []
    lines = [f"{place}. {_line(task.fields)}\n" for place, task in enumerate(tasks, start=1)]
    return ["\n" + "".join(lines)]


def _line(fields: Mapping[str, Any]) -> str:
    steps = "; ".join(str(step).rstrip(".") for step in fields.get("solutions", ()))
    return f"{fields['task']}: {steps}" if steps else str(fields["task"])


def _own(task: Mapping[str, Any], said: str) -> bool:
    """Whether a task has a name, without an address or a number that the user did not say."""
    name = str(task.get("task") or "").strip()
    found = ADDRESS.search(name)
    return bool(name) and (found is None or found[0] in said)


def _held(task: Mapping[str, Any], group: str) -> Proposal:
    steps = [str(step) for step in task.get("solutions") or () if isinstance(step, str) and not ADDRESS.search(step)]
    fields = {"task": str(task["task"]).strip(), **({"solutions": steps} if steps else {})}
    return Proposal(op="create", kind="todo", fields=fields, hold=OFFERED, group=group, reason="you planned it")
