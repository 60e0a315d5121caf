"""Whether a call is made, asked about or refused: by its risk, what has tainted the run, and what its user allowed."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal
from urllib.parse import urlsplit

from app.work.runs.model.runs import Allowance
from app.work.runs.tools.tool import Form, Risk, Tool, ToolContext

Decision = Literal["allow", "ask", "deny"]
Manner = Literal["plain", "deletes", "instructs", "fetches", "outside"]


@dataclass(frozen=True)
class Situation:
    """A call as the policy sees it: ``granted`` by an administrator, ``named``: its host, by the user."""

    risk: Risk
    manner: Manner = "plain"
    tainted: bool = False
    granted: bool = True
    named: bool = True
    allowed: frozenset[Allowance] = frozenset()


@dataclass(frozen=True)
class Ruling:
    """The decision and why, for people."""

    decision: Decision
    reason: str = ""


ALLOW = Ruling("allow")


def rule(situation: Situation) -> Ruling:
    """The decision for one situation. After a taint, what the user allowed beforehand does not count any more."""
    if situation.risk == "execute" and not situation.granted:
        return Ruling("deny", "an administrator has not granted programs to you")
    if situation.manner == "fetches":
        return _fetching(situation)
    wanted = _needed_permission(situation)
    if wanted is None:
        return ALLOW
    if situation.tainted:
        return Ruling("ask", f"it {VERBS[wanted]}, and the run has read words that are not yours")
    return ALLOW if wanted in situation.allowed else Ruling("ask", f"it {VERBS[wanted]}")


VERBS: dict[str, str] = {
    "send": "sends something",
    "execute": "runs a program",
    "delete": "deletes something",
    "instruct": "changes a standing instruction",
    "write": "writes outside your own folder",
}


def _needed_permission(situation: Situation) -> str | None:
    """What must be allowed; None for what is done without a question. Instructions are asked about every time."""
    if situation.risk in ("send", "execute"):
        return situation.risk
    if situation.manner == "instructs":
        return "instruct"
    return {"deletes": "delete", "outside": "write"}.get(situation.manner)


def _fetching(situation: Situation) -> Ruling:
    if situation.named:
        return ALLOW
    if situation.tainted:
        return Ruling("ask", "it calls an address that you did not name, and the run has read words that are not yours")
    return ALLOW


def situation_of(tool: Tool, form: Form, context: ToolContext, *, tainted: bool) -> Situation:
    """A call in a run as the policy sees it."""
    url = tool.target(form)
    return Situation(
        risk=tool.risk,
        manner=_manner(tool, form, context),
        tainted=tainted,
        granted=not tool.program or tool.program in context.programs,
        named=not url or is_named(url, context.said),
        allowed=frozenset(context.allowed),
    )


def _manner(tool: Tool, form: Form, context: ToolContext) -> Manner:
    if tool.target(form):
        return "fetches"
    if tool.instructs(form):
        return "instructs"
    if tool.deletes(form):
        return "deletes"
    own = context.roots[0] if context.roots else None
    outside = [path for path in tool.writes(form) if path.startswith("/") and not (own and _is_in(path, own))]
    return "outside" if outside else "plain"


def _is_in(path: str, folder: Path) -> bool:
    """Whether a path is in a folder by its words; what has .. in it is refused where it is opened."""
    return Path(path).is_relative_to(folder)


def is_named(url: str, said: Sequence[str]) -> bool:
    """Whether the user's own words name the host of an address, whole: not one that only contains it."""
    host = (urlsplit(url).hostname or "").lower()
    if not host:
        return False
    whole = re.compile(rf"(?<![\w.-]){re.escape(host)}(?![\w-]|\.\w)")
    return any(whole.search(words.lower()) for words in said)
