"""The built-in understanding: clauses from the trained encoder, grounded in what is stored, weighed, decided."""

from agents.understanding.builtin import BuiltIn
from agents.understanding.line import understand_line
from agents.understanding.message import understand

__all__ = ["BuiltIn", "understand", "understand_line"]
