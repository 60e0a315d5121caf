"""The built-in understanding: words to typed proposals, without a model, a clock or a network."""

from agents.understanding.builtin import BuiltIn
from agents.understanding.line import understand_line

__all__ = ["BuiltIn", "understand_line"]
