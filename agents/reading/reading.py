"""What a message says: clauses with what each asks for, and the words that fill each slot, all with their places."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Slot:
    """Characters ``start`` to ``end`` of the message, what they are, and how probably, from 0 to 1."""

    name: str
    text: str
    start: int
    end: int
    sure: float


@dataclass(frozen=True, slots=True)
class Clause:
    """One change, question or remark: characters ``start`` to ``end``, its act, its slots in order.

    ``chances`` are the probabilities of all acts; they add up to 1. ``topic`` is what of TOPICS_OF its act it is about,
    most probably; "" where the act has none.
    """

    act: str
    sure: float
    text: str
    start: int
    end: int
    slots: tuple[Slot, ...]
    chances: Mapping[str, float]
    topic: str = ""
    topic_sure: float = 0.0

    def all(self, *names: str) -> list[Slot]:
        """Its slots of these names, in order."""
        return [slot for slot in self.slots if slot.name in names]

    def words(self, *names: str) -> str:
        """The words of its slots of these names, side by side."""
        return " ".join(slot.text for slot in self.all(*names))


@dataclass(frozen=True, slots=True)
class Reading:
    """A message as it was read; what stands between its clauses asks for nothing."""

    text: str
    clauses: tuple[Clause, ...]
