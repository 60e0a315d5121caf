"""What a message asks for: clauses from the trained encoder, grounded in what is stored, weighed, decided."""

from agents.mind.message import understand

__all__ = ["understand"]
