"""Whether an agent is alive, and what to do if not: silence, then patterns, then one diagnosis, then a person.

Alive is whoever prints, changes files or uses the processor. An error that is printed for ever is no progress.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from app.work.projects.agents import TURN_LIMIT_STATUS
from app.work.projects.trouble import Trouble

Action = Literal["continue", "done", "failed", "park", "back_off", "resume", "ask", "kill", "diagnose"]
OUT_OF_MEMORY = (137, -9)
LIMITS_PASS: tuple[Trouble, ...] = ("overloaded", "rate_limit")
A_PERSON: tuple[Trouble, ...] = ("auth", "billing", "awaiting_input", "git_worktree")
ONCE_MORE: tuple[Trouble, ...] = ("oom", "network", "provider_empty")


@dataclass(frozen=True)
class Windows:
    """Seconds: of silence before an agent is looked at, and of grace after its result; and repeats that are endless."""

    silence: float = 300.0
    grace: float = 10.0
    repeats: int = 20


@dataclass(frozen=True)
class Observed:
    """What is known of an agent now. ``quiet`` is the seconds since it printed, changed files or used the processor.

    ``status`` is its exit status, None while it runs; ``repeats`` counts the same line without anything done between.
    ``resets_at`` is when a limit ends, in seconds since 1970; ``resumed`` is how often it was resumed.
    ``words`` are its last ones that are no report of its work.
    """

    quiet: float = 0.0
    status: int | None = None
    result: Literal["none", "good", "bad"] = "none"
    since_result: float = 0.0
    trouble: Trouble | None = None
    repeats: int = 0
    resets_at: int | None = None
    resumed: int = 0
    words: str = ""


@dataclass(frozen=True)
class Verdict:
    """What to do, why in words, and the evidence it rests on."""

    action: Action
    why: str
    until: int | None = None


def judge(seen: Observed, windows: Windows) -> Verdict:
    """The next step for an agent that was observed."""
    if seen.status is not None:
        return _judge_end(seen)
    if seen.result != "none":
        return _after_result(seen, windows)
    if seen.trouble is not None and (verdict := _judge_trouble(seen.trouble, seen)):
        return verdict
    if seen.repeats >= windows.repeats:
        return Verdict("diagnose", f"The same line came {seen.repeats} times, and nothing was done in between.")
    if seen.quiet < windows.silence:
        return Verdict("continue", "It is at work.")
    return Verdict("diagnose", f"Nothing was printed, changed or computed for {seen.quiet:.0f} s.")


def _judge_end(seen: Observed) -> Verdict:
    if seen.result == "good":
        return Verdict("done", "It reported its result.")
    if seen.status in OUT_OF_MEMORY or seen.trouble == "oom":
        return _once_more(seen, "It ran out of memory.")
    if seen.trouble is not None and (verdict := _judge_trouble(seen.trouble, seen)):
        return verdict
    if seen.trouble in ONCE_MORE:
        return _once_more(seen, f"It ended by {_trouble_name(seen.trouble)}.")
    return Verdict("failed", _how(seen))


def _how(seen: Observed) -> str:
    if seen.status == TURN_LIMIT_STATUS:
        return "It may take no more turns."
    end = "It ended without a result." if seen.status == 0 else f"It ended with status {seen.status}."
    return f"{end}{_quote_last_words(seen)}"


def _quote_last_words(seen: Observed) -> str:
    return f" Its last words: “{seen.words}”." if seen.words else ""


def _after_result(seen: Observed, windows: Windows) -> Verdict:
    if seen.since_result < windows.grace:
        return Verdict("continue", "It reported its result and is ending.")
    return Verdict("kill", f"It reported its result {seen.since_result:.0f} s ago and did not end.")


def _judge_trouble(trouble: Trouble, seen: Observed) -> Verdict | None:
    """What a kind of trouble asks for, whether the agent ended by it or hangs in it; None where time may mend it."""
    if trouble == "usage_limit":
        return Verdict("park", "Its usage limit is reached.", seen.resets_at)
    if trouble in A_PERSON:
        return Verdict("ask", f"It needs a person: {_trouble_name(trouble)}.{_quote_last_words(seen)}")
    if trouble == "git_lock":
        return Verdict("back_off", "Another git holds the lock.")
    if trouble in LIMITS_PASS and seen.status is not None:
        return Verdict("back_off", f"The provider said {_trouble_name(trouble)}.")
    return None


def _once_more(seen: Observed, why: str) -> Verdict:
    return Verdict("resume", why) if seen.resumed == 0 else Verdict("failed", f"{why} It was resumed once already.")


def _trouble_name(trouble: Trouble) -> str:
    return "login" if trouble == "auth" else trouble.replace("_", " ")
