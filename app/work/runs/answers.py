"""One answer of a model: the calls to make in their order, the steps of the plan that it names, what is not made."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pydantic import Field, ValidationError

from app.models.model.thinking import Thought, ToolCall
from app.work.runs.tools.people import FINISH
from app.work.runs.tools.tool import Form, Tool


class StepsForm(Form):
    """Steps of the plan, by their numbers."""

    steps: list[int] = Field(min_length=1, max_length=20, description="Numbers of steps that are finished now.")


async def _nothing(*_: Any) -> Any:
    raise NotImplementedError


STEP_DONE = Tool("step_done", "Say which steps of the plan are finished.", StepsForm, "read", _nothing)
NOT_BESIDE_OTHERS = (
    "`finish` was not made, as it stood beside other calls. Call it by itself once you saw what came of them."
)
SAME_CALL_TWICE = "Your answer had the same call twice; it is made once."
UNREADABLE = "Not made, as the arguments are no JSON object: {names}."
NO_SUCH_STEP = "The plan has no such step: its steps are 1 to {last}."


@dataclass(frozen=True)
class PlannedCalls:
    """``calls`` to make in their order, ``finished`` steps, and a ``note`` of what became of the rest."""

    calls: Sequence[ToolCall]
    finished: list[int]
    note: str


def read_answer(thought: Thought, plan: Mapping[str, Any] | None, finished: Sequence[int]) -> PlannedCalls:
    """Part a model's answer; nothing of it is dropped without a word."""
    notes = [UNREADABLE.format(names=", ".join(thought.unreadable))] if thought.unreadable else []
    calls = list[ToolCall]()
    named = set(finished)
    for call in thought.calls:
        if call.name == STEP_DONE.name and has_steps(plan):
            notes.append(_name_steps(call, len((plan or {})["steps"]), named))
        elif call in calls:
            notes.append(SAME_CALL_TWICE)
        else:
            calls.append(call)
    if len(calls) > 1 and any(call.name != FINISH for call in calls):
        others = [call for call in calls if call.name != FINISH]
        notes += [NOT_BESIDE_OTHERS] * (len(others) < len(calls))
        calls = others
    return PlannedCalls(calls, sorted(named), "\n".join(dict.fromkeys(filter(None, notes))))


def has_steps(plan: Mapping[str, Any] | None) -> bool:
    """Whether there is a plan whose steps can be named."""
    return bool(plan and plan["steps"])


def _name_steps(call: ToolCall, last: int, named: set[int]) -> str:
    """Add the steps that a call names; what the model is told of it."""
    try:
        steps = StepsForm.model_validate(dict(call.arguments)).steps
    except ValidationError:
        return NO_SUCH_STEP.format(last=last)
    known = {step for step in steps if 1 <= step <= last}
    named |= known
    return NO_SUCH_STEP.format(last=last) if known != set(steps) else ""


def not_made(queued: Sequence[Mapping[str, Any]], why: str) -> str:
    """The words for calls of an answer that were left out."""
    names = "; ".join(f"{one['name']} {dict(one['arguments'])}"[:200] for one in queued)
    return f"Not made, as {why}: {names}. Call again what is still wanted."
