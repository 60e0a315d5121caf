"""The built-in understanding: clauses from the trained encoder, grounded in what is stored, weighed, decided."""

from agents.mind.builtin import BuiltIn
from agents.mind.line import understand_line
from agents.mind.message import understand

__all__ = ["BuiltIn", "understand", "understand_line"]
