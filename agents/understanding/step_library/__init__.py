"""Verb patterns and their steps as data: (verbs, shape of the object, steps parted by |)."""

from agents.understanding.step_library import desk, home, work

ROWS = (*home.ROWS, *desk.ROWS, *work.ROWS)

__all__ = ["ROWS"]
