"""Texts as the two arms read them."""

from __future__ import annotations

import re

from app.memory.model.memory import Unit

WORD = re.compile(r"\w+")


def words_in(question: str) -> frozenset[str]:
    """The words of a question in lower case."""
    return frozenset(WORD.findall(question.lower()))


def embedding_text(unit: Unit) -> str:
    """A unit as the model of meaning reads it: who speaks is a part of what is said."""
    return f"{unit.speaker}: {unit.text}" if unit.speaker else unit.text
