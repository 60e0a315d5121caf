"""Verb patterns and their steps as data: (verbs, shape of the object, steps parted by |)."""

from agents.understanding.step_library.home import ROWS as HOME
from agents.understanding.step_library.work import ROWS as WORK

ROWS = (*HOME, *WORK)

__all__ = ["ROWS"]
