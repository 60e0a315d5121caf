"""Verb patterns and their steps as data: (verbs, shape of the object, steps parted by |); the narrow before the wide."""

from agents.understanding.step_library import desk, home, making, outside, people, trade, work

ROWS = (*people.ROWS, *outside.ROWS, *trade.ROWS, *making.ROWS, *home.ROWS, *desk.ROWS, *work.ROWS)

__all__ = ["ROWS"]
