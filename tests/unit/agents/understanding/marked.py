"""Clauses written by hand: act and topic, then words with the slots marked: "ask/details when is the [g rehearsal]"."""

from __future__ import annotations

import re
from datetime import datetime
from typing import Any
from zoneinfo import ZoneInfo

from agents.ports import Ask, Exchange
from agents.reading.reading import Clause, Slot
from agents.understanding.line import records_of
from agents.understanding.situation import Situation, situation_of

ZONE = "Europe/Dublin"
NOW = datetime(2026, 3, 4, 9, 0, tzinfo=ZoneInfo(ZONE))
"""A Wednesday."""
MARK = re.compile(r"\[(\w+) ([^\]]+)\]")


def clause_of(marked: str, *, sure: float = 0.95) -> Clause:
    """Return a clause as the encoder would give it."""
    kind, _, words = marked.partition(" ")
    act, _, topic = kind.partition("/")
    text, slots, end = "", list[Slot](), 0
    for mark in MARK.finditer(words):
        text += words[end : mark.start()]
        slots.append(Slot(mark[1], mark[2], len(text), len(text) + len(mark[2]), sure))
        text, end = text + mark[2], mark.end()
    text += words[end:]
    return Clause(act, sure, text, 0, len(text), tuple(slots), {act: sure}, topic, sure)


def situation_with(given: dict[str, Any] | None = None, *recent: tuple[str, str], text: str = "") -> Situation:
    """Return a situation over records in their short form, after some exchanges of words and replies."""
    records = records_of(given or {}, NOW, ZoneInfo(ZONE))
    exchanges = [Exchange(said=said, replied=replied) for said, replied in recent]
    return situation_of(Ask(text=text, at=NOW, timezone=ZONE, records=records, recent=exchanges))
