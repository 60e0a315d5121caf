"""What a run carries from step to step: plain values alone, so that any version can read a checkpoint."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from typing_extensions import TypedDict


class RunState(TypedDict, total=False):
    """A run between two nodes.

    ``step`` counts plans, ``heard`` is the place of the user's last message, ``said`` the user's own words.
    ``transcript`` is what the model is shown, as {role, content}. ``call`` is the next call {id, name, arguments},
    ``ask`` what the gate asks {id, kind, call, reason}, ``decision`` its answer {status, answer}. ``outcome`` is what
    came of the call; ``unknown`` says that nobody knows. ``tainted`` names the tool that brought foreign words.
    ``steps`` are fingerprints for the loop rule, ``acts`` what was done, for the end. ``plan`` is {title, steps,
    risks, premortem}, ``reserve`` the plans that were not chosen, ``finished`` the numbers of the plan's steps that the
    model has named as done. ``queued`` are further calls of its last answer, ``fault`` says how the model failed.
    """

    goal: str
    step: int
    heard: int
    said: list[str]
    transcript: list[dict[str, str]]
    planner: str
    plan: dict[str, Any] | None
    reserve: list[dict[str, Any]]
    finished: list[int]
    queued: list[dict[str, Any]]
    call: dict[str, Any] | None
    ask: dict[str, Any] | None
    decision: dict[str, Any] | None
    outcome: dict[str, Any] | None
    unknown: bool
    tainted: str
    steps: list[list[Any]]
    acts: list[dict[str, Any]]
    errors: int
    idle: int
    blocked: int
    silent: int
    nudged: bool
    taken: int
    tokens: int
    credits: int
    answer: str
    lesson: str
    learned: list[str]
    about_user: list[str]
    stop: str
    fault: str
    result: dict[str, Any] | None


def beginning(goal: str, planner: str, given: Mapping[str, Any] | None = None) -> RunState:
    """A run before its first step; a child is given what its user said to its parent, and what tainted that."""
    given = given or {}
    return RunState(
        goal=goal,
        step=0,
        heard=0,
        said=list(given.get("said", [goal])),
        transcript=[],
        planner=planner,
        plan=None,
        reserve=[],
        finished=[],
        queued=[],
        call=None,
        ask=None,
        decision=None,
        outcome=None,
        unknown=False,
        tainted=str(given.get("tainted", "")),
        steps=[],
        acts=[],
        errors=0,
        idle=0,
        blocked=0,
        silent=0,
        nudged=False,
        taken=0,
        tokens=0,
        credits=0,
        answer="",
        lesson="",
        learned=[],
        about_user=[],
        stop="",
        fault="",
        result=None,
    )
