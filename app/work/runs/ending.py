"""What a run ends with, whatever ended it: the answer as far as it goes, what was done, what was not, a lesson."""

from __future__ import annotations

from typing import Any

from app.work.runs.model.runs import StopReason
from app.work.runs.state import RunState

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
FAULTS: dict[str, str] = {
    "unreachable": "the language model's server cannot be reached",
    "timeout": "the language model's server did not answer in time",
    "too late": "the language model's server did not answer in time",
    "rate limited": "the language model's server takes no more requests for now",
    "server error": "the language model's server failed",
    "denied": "the language model's server refuses the key, or does not have the model",
    "refused": "the language model's server does not accept what it is asked",
    "nonsense": "the language model answered in no form that can be read",
    "resting": "the language model's server failed before, and is not asked for a while",
}
"""By the kinds of app.models.llm.faults."""
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
    why = _reason(state, reason)
    parts = [f"{why}."] if why else []
    parts += [f"Done: {'; '.join(done)}."] if done else ["Nothing was changed."]
    parts += [f"Found so far:\n{text}" for text in found[-FINDINGS:]]
    return "\n".join(parts)


def _reason(state: RunState, reason: StopReason) -> str:
    """Whose fault it was, where the model's server failed."""
    kind = state.get("fault", "")
    if reason != "failed" or not kind:
        return REASONS[reason]
    return f"I stopped because {FAULTS.get(kind, f'the language model failed ({kind})')}"


def _open(state: RunState) -> list[str]:
    """The steps of the plan that the model has not named as finished; without such a plan, the goal."""
    steps, finished = (state.get("plan") or {"steps": []})["steps"], state.get("finished", [])
    left = [str(step["intent"]) for number, step in enumerate(steps, start=1) if number not in finished]
    return left or [state.get("goal", "")]


def _line(act: dict[str, Any]) -> str:
    return f"{act['name']}: {act['text'][:200]}"
