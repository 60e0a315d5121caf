"""Messages as a trained reader would read them, written in the marks of training/FORMAT.md."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any

from agents.contract import Proposal, RouterDecision
from agents.policies import Standing
from agents.policies.compiling import rules_in_reading
from agents.ports import Ask, Records
from agents.reading.labels import ACTS
from agents.reading.reading import Clause, Reading, Slot
from agents.records import Event, Note, ToDo
from agents.understanding.message import decide_reading
from agents.understanding.situation import Situation, situation_of
from training.annotations import parse_sentence

NOW = datetime(2026, 11, 18, 14, 20, tzinfo=UTC)
"""A Wednesday."""
BASE = {"created_at": NOW, "updated_at": NOW}


def read_as(marked: str, sure: float = 0.99, **chances: float) -> Reading:
    """Return the reading of a marked sentence, each part as sure as said; ``chances`` are those of other acts."""
    sentence = parse_sentence(marked)
    text = sentence.text

    def slots(clause: Any) -> tuple[Slot, ...]:
        return tuple(Slot(one.name, text[one.start : one.end], one.start, one.end, sure) for one in clause.slots)

    clauses = tuple(
        Clause(
            one.act,
            sure,
            text[one.start : one.end],
            one.start,
            one.end,
            slots(one),
            dict.fromkeys(ACTS, 0.0) | {one.act: sure} | chances,
            one.topic,
            sure if one.topic else 0.0,
        )
        for one in sentence.clauses
    )
    return Reading(text, clauses)


def wishes(*marked: str) -> dict[str, Standing]:
    """Return what marked wishes are held to, by their words."""
    readings = [read_as(f"wish | {each}") for each in marked]
    return {each.text: Standing(text=each.text, rules=rules_in_reading(each)) for each in readings}


def ask_for(text: str = "", **more: Any) -> Ask:
    """Return a message said in Lisbon on that Wednesday."""
    return Ask(text=text, at=NOW, timezone="Europe/Lisbon", **more)


def heard_as(marked: str, records: Records | None = None, sure: float = 0.99, **more: Any) -> RouterDecision:
    """Return what a message comes to that is read as it is marked."""
    reading = read_as(marked, sure)
    return decide_reading(reading, situation_of(ask_for(reading.text, records=records or Records(), **more)))


def clause_in(marked: str, records: Records | None = None) -> tuple[Clause, Situation]:
    """Return the first clause of a marked message, with its situation."""
    reading = read_as(marked)
    situation = situation_of(ask_for(reading.text, records=records or Records()))
    situation.clauses = reading.clauses
    return reading.clauses[0], situation


def proposals_of(decision: RouterDecision) -> list[Proposal]:
    """Return all proposals of a decision in the order in which they were said."""
    found = [item for target in decision.targets if target.proposed for item in target.proposed.proposals]
    return sorted(found, key=lambda item: item.place)


def task(name: str, **fields: Any) -> ToDo:
    """Return a stored task; its id is its name."""
    return ToDo.model_validate({"id": name, "task": name, **BASE, **fields})


def event(name: str, start: str, **fields: Any) -> Event:
    """Return a stored appointment; its id is its name."""
    return Event.model_validate({"id": name, "title": name, "start": start, "zone": "Europe/Lisbon", **BASE, **fields})


def shopping(name: str, items: Sequence[str]) -> Note:
    """Return a stored list; its id is its name."""
    return Note.model_validate({"id": name, "category": "list", "summary": name, "items": list(items), **BASE})
