"""A new item that is there already, to the word and the minute: said so, and not kept twice."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from agents.contract import Proposal
from agents.index.index import Items
from agents.index.items import plain_title
from agents.ledger.reminder_time import OPEN_TASK_STATES
from agents.ledger.transitions import ProposalRefused, Stamp, transition
from agents.phrases import quote
from agents.ports import Ask
from agents.records import AnyRecord, Kind, Source, ToDo, title_of
from agents.rendering.field_words import say_event_span, say_moment

ANOTHER = re.compile(r"\b(?:another|again|once more|second|one more|also|too)\b", re.IGNORECASE)
PLACES: dict[Kind, str] = {
    "todo": "on your tasks",
    "event": "on your calendar",
    "note": "among your notes",
    "instruction": "among your standing instructions",
}
SORTS: dict[Kind, frozenset[str]] = {"todo": frozenset({"kind"}), "note": frozenset({"category"})}
DERIVED = frozenset({"solutions", "summary", "policy", "zone"})
"""Fields that follow from the others, or are made up anew each time."""


def new_ones(proposals: Sequence[Proposal], ask: Ask) -> tuple[list[Proposal], list[str]]:
    """The proposals less those of what is stored already, and a sentence about each of these.

    Words such as "another" ask for a second one. What belongs to a group stays: the rest of it hangs on it.
    """
    if ANOTHER.search(ask.words or ask.text):
        return list(proposals), []
    twins = [_twin(proposal, ask) for proposal in proposals]
    kept = [proposal for proposal, twin in zip(proposals, twins, strict=True) if twin is None]
    return kept, [_there(twin, ask) for twin in twins if twin is not None]


def _twin(proposal: Proposal, ask: Ask) -> tuple[Kind, dict[str, Any]] | None:
    kind = proposal.kind
    if proposal.op != "create" or kind not in PLACES or proposal.group:
        return None
    try:
        wanted = transition(proposal, "", None, Stamp(ask.at, ask.timezone, Source())) or {}
    except ProposalRefused:
        return None
    said = (set(proposal.fields) - DERIVED) | SORTS.get(kind, frozenset())
    title = plain_title(title_of(kind, wanted))
    alike = Items(ask.records.index, (kind,)).find_under("twin", [(kind, title)])
    known = (item.record for item in alike if _is_open(item.record) and not _of_turn(item.record, ask))
    stored = (one.model_dump(mode="json") for one in known)
    same = next((one for one in stored if all(_plain(one[name]) == _plain(wanted[name]) for name in said)), None)
    return (kind, same) if same else None


def _of_turn(record: AnyRecord, ask: Ask) -> bool:
    """Whether this very turn has stored it, which is run again."""
    return bool(ask.turn_id) and record.source.turn_id == ask.turn_id


def _is_open(record: AnyRecord) -> bool:
    return not isinstance(record, ToDo) or record.status in OPEN_TASK_STATES


def _plain(value: Any) -> Any:
    return " ".join(value.casefold().split()) if isinstance(value, str) else value


def _there(twin: tuple[Kind, dict[str, Any]], ask: Ask) -> str:
    kind, record = twin
    when = record.get("remind_at") or record.get("deadline")
    told = say_event_span(record, ask.at) if kind == "event" else say_moment(when, ask.at) if when else ""
    place = "among your reminders" if record.get("remind_at") else PLACES[kind]
    return f"{quote(title_of(kind, record))} is {place} already{f', {told}' if told else ''}."
