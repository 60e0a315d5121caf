"""What calls are carried out against: the records behind the short ids, and what calls before them made of lists."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TypeVar

from agents.index.index import Items
from agents.index.items import plain_title
from agents.list_lines import Line
from agents.ports import INDEXED, Ask
from agents.records import AnyRecord, Event, Instruction, Kind, Note, ToDo
from app.models.understanding.chosen_records import ShortIds

KINDS: dict[type, Kind] = {ToDo: "todo", Event: "event", Note: "note", Instruction: "instruction"}
R = TypeVar("R", ToDo, Event, Note, Instruction)


class CannotDo(Exception):  # noqa: N818 - what a model is told, which may mend it
    """A call cannot be carried out; the message says why, for the model."""


@dataclass
class CallContext:
    """The message, the ids of its prompt, and each list as the calls so far leave it."""

    ask: Ask
    records: ShortIds
    changes: ShortIds
    lists: dict[str, list[Line]] = field(default_factory=dict)

    def record(self, said: str) -> AnyRecord:
        """Return the record that an id or, by a model's mistake, a title names. Raises CannotDo."""
        known = Items(self.ask.records.index, INDEXED)
        by_id = known.get(self.records.resolve(said))
        found = [by_id] if by_id else known.find_under("twin", [(kind, plain_title(said)) for kind in INDEXED])
        if len(found) != 1:
            raise CannotDo(f"there is no record {said[:40]}")
        return found[0].record

    def one_of(self, kind: type[R], said: str) -> R:
        """Return the record of a kind that an id names. Raises CannotDo."""
        found = self.record(said)
        if not isinstance(found, kind):
            raise CannotDo(f"{said[:40]} is a {KINDS[type(found)]}; use the tool for that")
        return found

    def lines(self, note: Note) -> list[Line]:
        """Return the lines of a list as the calls so far leave them."""
        return self.lists.setdefault(note.id, [line.model_dump() for line in note.items])
