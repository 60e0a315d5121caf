"""What a run on a project carries from stage to stage, and what it ends with."""

from __future__ import annotations

from typing import Any, Literal

from typing_extensions import TypedDict

from app.runs.ending import REASONS

Stage = Literal["open", "require", "agree", "plan", "build", "check", "review", "offer", "publish", "look_back"]


class PipelineState(TypedDict, total=False):
    """A run on a project between two stages.

    ``bench`` is where it works. ``phases`` are {title, goal, done_when}, ``phase`` is the number of the one that is
    worked on, ``round`` how often it came back. ``notes`` go to the next role. ``tries`` counts tries of one step,
    ``session`` is an agent's to go on with. ``ask`` and ``decision`` are as in a RunState. ``checked`` tells which
    checks passed, ``cost`` is in dollars as far as agents tell it.
    """

    goal: str
    stage: Stage
    bench: dict[str, str]
    phases: list[dict[str, str]]
    phase: int
    round: int
    requirements: int
    steps: int
    notes: str
    tries: int
    session: str
    ask: dict[str, Any] | None
    decision: dict[str, Any] | None
    checked: list[str]
    cost: float
    published: str
    lesson: str
    why: str
    stop: str
    result: dict[str, Any] | None


def beginning(goal: str) -> PipelineState:
    """A run on a project before its first stage."""
    return PipelineState(
        goal=goal,
        stage="open",
        phases=[],
        phase=0,
        round=1,
        requirements=1,
        steps=0,
        notes="",
        tries=0,
        session="",
        ask=None,
        decision=None,
        checked=[],
        cost=0.0,
        published="",
        lesson="",
        why="",
        stop="",
        result=None,
    )


def result_of(state: PipelineState, reason: str) -> dict[str, Any]:
    """The result, by what was built and reviewed, not by what was wanted."""
    phases = [phase["title"] for phase in state.get("phases", [])]
    built = phases[: state.get("phase", 0)]
    branch = state.get("bench", {}).get("branch", "")
    words = next((words for name, words in REASONS.items() if name == reason), "")
    told = [f"{words}."] if words else []
    told += [state["why"]] if state.get("why") else []
    told += [f"Built and reviewed: {'; '.join(built)}."] if built else []
    told += [state["published"]] if state.get("published") else [f"The branch is {branch}."] if branch else []
    return {
        "answer": "\n".join(told),
        "achieved": reason == "goal_achieved",
        "done": built,
        "not_done": phases[len(built) :] or ([] if reason == "goal_achieved" else [state.get("goal", "")]),
        "unknown": [],
        "lesson": state.get("lesson", ""),
        "tainted_by": "",
    }
