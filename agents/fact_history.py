"""What was known about the user, and from when to when: read from the ledger's rows, which nothing is taken from."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import date, datetime, time
from typing import Any

from pydantic import AwareDatetime, BaseModel

from agents.contract import Change
from agents.phrases import say_list
from agents.records import ProfileFields


class FactSource(BaseModel):
    """Where a fact comes from: the change that brought it, and the turn and agent that made the change."""

    change_id: str
    turn_id: str | None
    agent: str


class Fact(BaseModel):
    """One thing that was known about the user; ``valid_to`` is null while it still is.

    ``name`` is a field of the profile, or the name of another fact; ``valid_from`` is the day that was stated with it
    ("since march"), else when it was told.
    """

    name: str
    value: str
    told_at: AwareDatetime
    valid_from: AwareDatetime
    valid_to: AwareDatetime | None = None
    source: FactSource

    def is_valid_between(self, since: AwareDatetime, until: AwareDatetime) -> bool:
        """Whether it was so at some moment of [since, until)."""
        ended = self.valid_to is not None and self.valid_to <= max(since, self.valid_from)
        return self.valid_from < until and not ended


def fact_history(changes: Sequence[Change]) -> list[Fact]:
    """The facts that the profile's changes brought, oldest first; what was undone was never so."""
    told: list[Fact] = []
    standing: dict[str, Fact] = {}
    for change in sorted(filter(_counts, changes), key=lambda change: (change.created_at, change.cursor)):
        for name, value in _changed_facts(change):
            begins = _begins(name, change)
            if name in standing:
                before = standing.pop(name)
                before.valid_to = max(begins, before.valid_from)
            if value:
                standing[name] = _fact(name, value, begins, change)
                told.append(standing[name])
    return told


def _counts(change: Change) -> bool:
    """Undone changes carry that status themselves, so the undos need not be looked at."""
    return change.kind == "profile" and change.status == "applied" and change.op != "undo" and not change.has_been_held


def _changed_facts(change: Change) -> Iterator[tuple[str, str]]:
    before, after = change.before or {}, change.after or {}
    for name in ProfileFields.model_fields:
        if name not in ("facts", "since") and name in change.fields:
            yield name, _text(after.get(name))
    old, new = before.get("facts") or {}, after.get("facts") or {}
    yield from ((name, _text(new.get(name))) for name in {**old, **new} if old.get(name) != new.get(name))


def _begins(name: str, change: Change) -> datetime:
    """The day that this change states for a fact, from its first moment; else when the change was made."""
    old, new = ((state or {}).get("since") or {} for state in (change.before, change.after))
    stated = new.get(name)
    if not stated or stated == old.get(name):
        return change.created_at
    return datetime.combine(date.fromisoformat(stated), time(), change.created_at.tzinfo)


def _fact(name: str, value: str, begins: datetime, change: Change) -> Fact:
    source = FactSource(change_id=change.id, turn_id=change.turn_id, agent=change.agent)
    return Fact(name=name, value=value, told_at=change.created_at, valid_from=begins, source=source)


def _text(value: Any) -> str:
    return say_list([str(item) for item in value]) if isinstance(value, list) else str(value or "")
