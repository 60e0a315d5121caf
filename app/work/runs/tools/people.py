"""Tools that end a run or ask its user: the engine acts on them, nothing is executed."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from app.work.runs.tools.tool import Form, Tool, ToolContext, ToolOutcome, failed_outcome

Fact = Annotated[str, Field(min_length=1, max_length=500)]
FINISH, ASK, DELEGATE = "finish", "ask_user", "delegate_task"


class FinishForm(Form):
    """How the run ends."""

    answer: str = Field(min_length=1, max_length=20_000, description="What the user reads: results with sources.")
    achieved: bool = Field(default=True, description="Whether the goal is reached.")
    lesson: str = Field("", max_length=500, description="What to do differently next time, if anything.")
    learned: list[Fact] = Field(
        default_factory=list,
        max_length=5,
        description="Facts that will help later runs with other goals, each by itself.",
    )
    about_user: list[Fact] = Field(
        default_factory=list, max_length=5, description="What the user said of themselves; kept only if they want that."
    )


class QuestionForm(Form):
    """What only the user knows."""

    question: str = Field(min_length=1, max_length=1000)


class DelegateForm(Form):
    """A part of the goal."""

    goal: str = Field(
        min_length=1, max_length=4000, description="Whole and by itself: the other run sees nothing else."
    )
    steps: int = Field(10, ge=2, le=100, description="Most steps that it may take of yours.")


async def _not_here(_context: ToolContext, _form: Form) -> ToolOutcome:
    return failed_outcome("broken", "This is done by the engine.")


def people_tools() -> list[Tool]:
    """Finish, hand on, and ask the user."""
    return [
        Tool(FINISH, "End the run with its answer.", FinishForm, "read", _not_here, idempotent=True),
        Tool(
            DELEGATE,
            "Hand a part of the goal to another run, within your own limits, and wait for its answer.",
            DelegateForm,
            "write",
            _not_here,
            taints=True,
        ),
        Tool(ASK, "Ask the user something; the run waits for the answer.", QuestionForm, "read", _not_here),
    ]
