"""The colour of an event linked to a task: by the task's priority, else by its difficulty."""

from __future__ import annotations

from typing import Any

PLAIN = "#1a73e8"
SHADING = frozenset({"priority", "difficulty"})
COLORS = {"high": "#d93025", "medium": "#f9ab00", "low": "#188038"}
BY_DIFFICULTY = {"hard": "high", "medium": "medium", "easy": "low"}

COLOR_NAMES = {"#d93025": "red", "#f9ab00": "yellow", "#188038": "green", PLAIN: "blue"}


def color_of(todo: dict[str, Any]) -> str:
    """The colour for a task in JSON form: by its priority, else by its difficulty."""
    level = todo.get("priority") or BY_DIFFICULTY.get(todo.get("difficulty") or "")
    return COLORS.get(level or "", PLAIN)
