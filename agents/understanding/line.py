"""One line of ``summit understand --jsonl``: the built-in understanding as plain data."""

from __future__ import annotations

import re
from datetime import datetime
from typing import Any
from zoneinfo import ZoneInfo

from agents.contract import WORKER_OF_KIND, Proposal, RouterDecision
from agents.conventions import Conventions
from agents.enforcement import ProposalContext, apply_instructions
from agents.fields import MOMENTS
from agents.policies import standing_of
from agents.ports import Ask, Records
from agents.records import NAMED_BY, Event, Instruction, Kind, Note, Profile, ToDo
from agents.store import by_kind
from agents.time import FIRST_YEAR, LAST_YEAR, clock_for, describe, find_times, to_instant
from agents.understanding.message import understand
from agents.understanding.wanted import message_intent

ZONE_OFFSET = re.compile(r"([-+])(\d\d)(?::?(\d\d))?")
# Zones that keep such an offset all year.
BROKEN_OFFSETS = {
    "-09:30": "Pacific/Marquesas", "+03:30": "Asia/Tehran", "+04:30": "Asia/Kabul", "+05:30": "Asia/Kolkata",
    "+05:45": "Asia/Kathmandu", "+06:30": "Asia/Yangon", "+08:45": "Australia/Eucla", "+09:30": "Australia/Darwin",
}  # fmt: skip
DAY_LENGTH = len("2026-11-18")


def understand_line(data: dict[str, Any]) -> dict[str, Any]:
    """Intents, times, disposition and proposals of one message.

    ``intent`` is what the message most probably wants, "ood" when it is not for Summit, and ``probability`` how sure
    that is; ``intents`` are the readings that decided each clause.
    ``data`` has text, now, tz and, optionally, id, given (stored items with local wall times) and conventions.
    """
    ask = ask_of(data)
    decision = understand(ask)
    proposals = as_instructed(decision, ask)
    passed, held = [item for item in proposals if not item.hold], [item for item in proposals if item.hold]
    clock = clock_for(ask.at, ask.timezone, ask.conventions)
    intent, probability, readings = message_intent(ask, decision)
    return {
        "id": data.get("id"),
        "intent": intent,
        "probability": round(probability, 4),
        "intents": readings,
        "time": [describe(found) for found in find_times(ask.text, clock)],
        "disposition": "clarify" if held and not passed else decision.disposition,
        "proposals": [as_row(item) for item in passed],
        **({"held": [as_row(item) for item in held]} if held else {}),
    }


def as_row(proposal: Proposal) -> dict[str, Any]:
    """A proposal in JSON form, with the agent that it is for."""
    return proposal.model_dump(mode="json", exclude_defaults=True) | {"worker": WORKER_OF_KIND[proposal.kind]}


def as_instructed(decision: RouterDecision, ask: Ask) -> list[Proposal]:
    """A decision's proposals as the standing instructions want them: what an agent's cycle does with them."""
    settled = [(target, target.proposed.proposals) for target in decision.targets if target.proposed]
    standing = standing_of(ask.records.instructions, [item for _, items in settled for item in items])
    stored = [(kind, record) for kind, found in by_kind(ask.records).items() for record in found]
    records = {(kind, record.id): record.model_dump(mode="json") for kind, record in stored}
    return [
        item
        for target, items in settled
        for item in apply_instructions(items, standing, ProposalContext(ask.at, ask.timezone, target.text, records))
    ]


def ask_of(data: dict[str, Any]) -> Ask:
    """The ask that a line describes; ``now`` without an offset is wall time in ``tz``."""
    if not isinstance(data, dict):
        raise TypeError("it is no JSON object")
    zone = zone_of(data.get("tz") or "UTC")
    said = datetime.fromisoformat(data["now"])
    if not FIRST_YEAR < said.year < LAST_YEAR:
        raise ValueError(f"now must lie between {FIRST_YEAR + 1} and {LAST_YEAR - 1}")
    at = said.astimezone(zone) if said.tzinfo else to_instant(said, zone)
    records = records_of(data.get("given") or {}, at, zone)
    conventions = Conventions.model_validate(data.get("conventions") or {})
    return Ask(text=data["text"], at=at, timezone=zone.key, records=records, conventions=conventions)


def zone_of(name: str) -> ZoneInfo:
    """A zone by its name, or by a fixed offset such as ``-02:00`` or ``+05:30``; ValueError for any other."""
    offset = ZONE_OFFSET.fullmatch(name)
    if offset and offset[3] in (None, "00"):
        # IANA writes the names of whole hours with their sign turned.
        name = f"Etc/GMT{'+' if offset[1] == '-' else '-'}{int(offset[2])}"
    elif offset:
        name = BROKEN_OFFSETS.get(f"{offset[1]}{offset[2]}:{offset[3]}", name)
    try:
        return ZoneInfo("UTC" if name == "Z" else name)
    except (OSError, KeyError, ValueError) as error:
        raise ValueError(f"{name!r} is no time zone, write one like Europe/Lisbon or +05:30") from error


def records_of(given: dict[str, Any], at: datetime, zone: ZoneInfo) -> Records:
    """Stored records from their short form."""

    def rows_of(kind: Kind) -> list[dict[str, Any]]:
        fields = [_local(_fields(kind, item), zone) for item in given.get(f"{kind}s", [])]
        return [_base(f"{kind}-{index}", at) | one for index, one in enumerate(fields, start=1)]

    profile = given.get("profile")
    return Records(
        todos=[ToDo.model_validate(item) for item in rows_of("todo")],
        events=[Event.model_validate({"zone": zone.key} | item) for item in rows_of("event")],
        notes=[Note.model_validate(item) for item in rows_of("note")],
        instructions=[Instruction.model_validate(item) for item in rows_of("instruction")],
        profile=Profile.model_validate(_base("profile", at) | profile) if profile else None,
    )


def _base(record_id: str, at: datetime) -> dict[str, Any]:
    return {"id": record_id, "created_at": at, "updated_at": at}


def _fields(kind: Kind, item: Any) -> dict[str, Any]:
    if isinstance(item, str):
        return {NAMED_BY.get(kind, "content"): item}
    if kind == "note" and item.get("category") == "list" and item.get("content") and not item.get("summary"):
        return {**item, "summary": item["content"]}
    return dict(item)


def _local(fields: dict[str, Any], zone: ZoneInfo) -> dict[str, Any]:
    return {
        name: _aware(value, zone) if name in MOMENTS and isinstance(value, str) else value
        for name, value in fields.items()
    }


def _aware(value: str, zone: ZoneInfo) -> str:
    if len(value) == DAY_LENGTH:
        return value
    said = datetime.fromisoformat(value)
    return (said if said.tzinfo else to_instant(said, zone)).isoformat()
