"""The one next action as a model chooses it, with the built-in ranking as its material."""

from __future__ import annotations

from collections.abc import Mapping

from agents.contract import FocusSuggestion, Proposed
from agents.estimates import estimated_minutes
from agents.phrases import quoted
from agents.ports import Ask
from app.llm.claims import said
from app.llm.requests import Act

LONGEST = 300


def suggested_lines(plain: Proposed) -> list[str]:
    """What the built-in ranking chose, as lines of a prompt."""
    one = plain.suggestion
    lines = [f"{one.action} ({one.minutes} minutes): {one.why}"] if one else []
    return [*lines, *plain.answers]


def suggestion_of(act: Act, ids: Mapping[str, str], ask: Ask, plain: Proposed) -> Proposed | None:
    """What the model suggests or says; None where it names nothing that is stored and says nothing."""
    if act.op in ("say", "text"):
        told = said(str(act.fields.get("text") or ""), LONGEST)
        return plain.model_copy(update={"suggestion": None, "answers": [told], **MODEL}) if told else None
    chosen = ids.get(str(act.fields.get("task")))
    todo = next((todo for todo in ask.records.todos if todo.id == chosen), None)
    if todo is None:
        return None
    step, minutes = _line(act, "step"), act.fields.get("minutes")
    length = todo.time_to_complete or estimated_minutes(todo.task, todo.solutions)
    suggestion = FocusSuggestion(
        action=step or todo.task,
        task_id=todo.id,
        step=step or None,
        minutes=minutes if isinstance(minutes, int) and 0 < minutes <= 24 * 60 else length,
        why=f"{quoted(todo.task)}: {_line(act, 'why') or 'it fits best now'}",
        encouragement=_line(act, "encouragement"),
    )
    return plain.model_copy(update={"suggestion": suggestion, "answers": [], **MODEL})


MODEL = {"understanding": "model", "look_ahead": None}


def _line(act: Act, name: str) -> str:
    return said(str(act.fields.get(name) or ""), LONGEST)
