"""What a run on a project carries from stage to stage, and what it ends with."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

from typing_extensions import TypedDict

from app.work.runs.ending import REASONS
from app.work.runs.lessons import LONGEST_GOAL, REASONS_WITHOUT_LESSON
from app.work.runs.model.lessons import NewLesson
from app.work.runs.model.runs import StopReason

Stage = Literal["open", "require", "agree", "plan", "build", "check", "review", "offer", "publish", "look_back"]
APPROVED = "approved"
IN_PHASE: tuple[Stage, ...] = ("build", "check", "review")
LONGEST_LESSON = 1000
CANNOT_GO_ON = "I stopped because the work could not go on"


class PipelineState(TypedDict, total=False):
    """A run on a project between two stages.

    ``bench`` is where it works. ``phases`` are {title, goal, done_when}, ``phase`` is the number of the one that is
    worked on, ``round`` how often it came back. ``notes`` go to the next role. ``tries`` counts tries of one step,
    ``session`` is an agent's to go on with. ``ask`` and ``decision`` are as in a RunState. ``checked`` tells which
    checks passed, ``cost`` is in dollars as far as agents tell it; ``begun`` is what it was when the phase began.
    ``parks`` counts pauses for a usage limit, ``ended`` says of each phase that is over how it ended, ``known`` is what
    earlier runs learned.
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
    begun: float
    parks: int
    ended: list[dict[str, Any]]
    known: str
    learns: bool
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
        begun=0.0,
        parks=0,
        ended=[],
        known="",
        learns=False,
        published="",
        lesson="",
        why="",
        stop="",
        result=None,
    )


def phase_ended(state: PipelineState, how: str) -> list[dict[str, Any]]:
    """What is told of the phases that are over, the one that is worked on among them."""
    phase = state["phases"][state["phase"]]
    spent = round(state["cost"] - state["begun"], 4)
    return [*state["ended"], {"title": phase["title"], "end": how, "rounds": state["round"], "dollars": spent}]


def result_of(state: PipelineState, reason: str) -> dict[str, Any]:
    """The result, by what was built and reviewed, not by what was wanted."""
    phases = [phase["title"] for phase in state.get("phases", [])]
    built = phases[: state.get("phase", 0)]
    branch = state.get("bench", {}).get("branch", "")
    ended = list(state.get("ended", []))
    if phases[len(built) :] and reason != "goal_achieved" and state.get("stage") in IN_PHASE:
        ended = phase_ended(state, reason)
    words = _reason(reason, state.get("why", ""))
    told = [f"{words}."] if words else []
    told += [state["why"]] if state.get("why") else []
    told += [f"Built and reviewed: {'; '.join(built)}."] if built else []
    told += [_as_told(one) for one in ended if one["end"] != APPROVED]
    told += [state["published"]] if state.get("published") else [f"The branch is {branch}."] if branch else []
    return {
        "answer": "\n".join(told),
        "achieved": reason == "goal_achieved",
        "done": built,
        "not_done": phases[len(built) :] or ([] if reason == "goal_achieved" else [state.get("goal", "")]),
        "unknown": [],
        "lesson": state.get("lesson", ""),
        "tainted_by": "",
        "phases": ended,
    }


def lessons_of_work(state: PipelineState, reason: StopReason) -> list[NewLesson]:
    """What work on a project leaves to later work on it; the words of its agents are not the user's."""
    if reason in REASONS_WITHOUT_LESSON or "bench" not in state:
        return []
    goal, achieved = taught(state["bench"]["root"], state["goal"]), reason == "goal_achieved"
    rounds = sum(one["rounds"] for one in state["ended"])
    went = f"was built in {len(state['ended'])} phases and {rounds} rounds" if achieved else f"ended: {REASONS[reason]}"
    score = 1.0 if achieved else 0.3
    found = [NewLesson("experience", f"“{goal}” {went}.", goal, score, foreign=False)]
    if lesson := " ".join(state.get("lesson", "").split())[:LONGEST_LESSON]:
        name = goal.partition(":")[0]
        found.append(NewLesson("knowledge", f"{name}: {lesson}", goal, score, foreign=True))
    return found


def taught(root: str, goal: str) -> str:
    """A goal with the folder that it is about: what later goals are compared with."""
    return f"{root.rstrip('/').rpartition('/')[2]}: {' '.join(goal.split())[:LONGEST_GOAL]}"


def _as_told(phase: Mapping[str, Any]) -> str:
    dollars = f", ${phase['dollars']:.2f}" if phase["dollars"] else ""
    reason = _reason(phase["end"], CANNOT_GO_ON)
    return f"Phase “{phase['title']}” ended after {phase['rounds']} rounds{dollars}: {reason}."


def _reason(reason: str, why: str) -> str:
    """The reason in words; where something failed and it is known what, it was not our side that broke."""
    if reason == "failed" and why:
        return CANNOT_GO_ON
    return next((words for name, words in REASONS.items() if name == reason), "")
