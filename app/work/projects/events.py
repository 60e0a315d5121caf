"""What coding agents report while they work, in one form for all of them."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

Kind = Literal["started", "said", "tool", "tool_result", "usage", "error", "result", "other", "log", "verdict"]
MAX_TEXT_CHARS = 4000


@dataclass(frozen=True)
class AgentEvent:
    """One line of an agent, or a verdict on it with its evidence.

    ``text`` is cut; ``failed`` is what the line itself says; ``session`` can be resumed.
    """

    kind: Kind
    text: str = ""
    failed: bool = False
    session: str = ""
    cost_usd: float | None = None
    evidence: Mapping[str, Any] | None = None


def document_in(line: str) -> dict[str, Any] | None:
    """The JSON object that a line is; None for any other line."""
    try:
        found = json.loads(line) if line.lstrip().startswith("{") else None
    except (ValueError, RecursionError):
        return None
    return found if isinstance(found, dict) else None


def text_of(value: Any) -> str:
    """What a value says, as text that is cut: blocks of content are joined, anything else is JSON."""
    if isinstance(value, list):
        value = "\n".join(str(part["text"]) for part in value if isinstance(part, dict) and "text" in part)
    if value is not None and not isinstance(value, str):
        value = json.dumps(value)
    return (value or "")[:MAX_TEXT_CHARS]


def dict_at(document: dict[str, Any], *path: str) -> dict[str, Any]:
    """The object at a path; empty where there is none."""
    found: Any = document
    for name in path:
        found = found.get(name) if isinstance(found, dict) else None
    return found if isinstance(found, dict) else {}
