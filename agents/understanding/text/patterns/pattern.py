"""The form of a pattern: an intent, the words that ask for it, and how sure that is."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Literal

Name = Literal[
    "add_task", "need", "complete", "reopen", "start", "update", "delete", "delete_all", "archive", "snooze",
    "convert", "schedule", "move", "relocate", "remind", "note", "list_create", "list_add", "list_remove",
    "list_query", "note_query", "profile", "profile_query", "instruction", "instruction_change", "instruction_drop",
    "instruction_query", "query_tasks", "query_calendar", "free", "when_is", "ask_memory", "focus", "undo", "redo",
    "small_talk", "out_of_scope", "statement", "unknown",
]  # fmt: skip


@dataclass(frozen=True, slots=True)
class Intent:
    """What is wanted, how sure that is, and the words the pattern caught by name."""

    name: Name
    sure: float
    parts: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Pattern:
    """One way to ask for something."""

    name: Name
    words: re.Pattern[str]
    sure: float = 0.9
    anywhere: bool = False
