"""What a run ends with, whatever ended it: the answer as far as it goes, what was done, what was not, a lesson."""

from __future__ import annotations

from typing import Any

from app.ports.runs import StopReason
from app.runs.state import RunState

REASONS: dict[StopReason, str] = {
    "goal_achieved": "",
    "max_steps": "I stopped at the limit of steps",
    "timeout": "I stopped at the limit of time",
    "budget_exceeded": "I stopped at the limit of what it may cost",
    "loop_detected": "I stopped because I went round in circles",
    "no_state_change": "I stopped because nothing changed any more",
    "no_progress": "I stopped because nothing worked any more",
    "kill_switch": "I stopped because all runs were stopped",
    "unsafe_action_blocked": "I stopped because what I wanted to do is not allowed",
    "cancelled": "I stopped because you asked me to",
    "needs_input": "I stopped because I had no answer from you",
    "failed": "I stopped because something broke on my side",
}
FINDINGS = 3
EXCERPT = 600


def reason_of(state: RunState) -> StopReason:
    """Why a run ended; one that says nothing broke."""
    found = state.get("stop", "")
    return next((reason for reason in REASONS if reason == found), "failed")


def result_of(state: RunState, reason: StopReason) -> dict[str, Any]:
    """The result; acts are told by what came of them, never by what was wanted."""
    acts = state.get("acts", [])
    done = [_line(act) for act in acts if act["ok"] and act["changed"]]
    unknown = [_line(act) for act in acts if act.get("unknown")]
    result = {
        "answer": state.get("answer", "") or _partial(state, reason, done),
        "achieved": reason == "goal_achieved",
        "done": done,
        "not_done": [] if reason == "goal_achieved" else _open(state),
        "unknown": unknown,
        "lesson": state.get("lesson", ""),
    }
    return {**result, "tainted_by": state.get("tainted", "")}


def _partial(state: RunState, reason: StopReason, done: list[str]) -> str:
    """What there is to tell without a model, which may be what the run has no more of."""
    found = [act["text"][:EXCERPT] for act in state.get("acts", []) if act["ok"] and not act["changed"]]
    parts = [f"{REASONS[reason]}."] if REASONS[reason] else []
    parts += [f"Done: {'; '.join(done)}."] if done else ["Nothing was changed."]
    parts += [f"Found so far:\n{text}" for text in found[-FINDINGS:]]
    return "\n".join(parts)


def _open(state: RunState) -> list[str]:
    plan = state.get("plan") or {"steps": []}
    steps = [str(step["intent"]) for step in plan["steps"]][state.get("at", 0) :]
    return steps or [state.get("goal", "")]


def _line(act: dict[str, Any]) -> str:
    return f"{act['name']}: {act['text'][:200]}"
