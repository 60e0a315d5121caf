"""How a proposal changes a record: the rules both ledgers share, without any I/O."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, date, datetime
from typing import Any
from zoneinfo import ZoneInfo

from pydantic import ValidationError

from agents.contract import ALREADY, Op, Proposal
from agents.ledger.limits import LedgerLimits
from agents.ledger.next_round import next_round, next_time
from agents.list_lines import lines_in, merge_lines
from agents.policies import Policy, policy_of
from agents.records import DEFAULT_EVENT_LENGTH, FIELD_TYPES, PROFILE_ID, RECORD_TYPES, Kind, Source, title_of
from agents.recurrence.rules import unusable_reason, wall_clock
from agents.timers import has_rung

ZONED: dict[Kind, tuple[str, ...]] = {"todo": ("deadline", "remind_at"), "note": ("deadline", "recurrence")}
"""What is read by the wall clock of where it was said."""
SUMMARY_WORDS = 10
BOOKKEEPING = frozenset({"id", "version", "created_at", "updated_at", "source"})
ALLOWED_OPS: dict[Kind, frozenset[Op]] = {
    "todo": frozenset({"create", "update", "complete", "archive", "delete"}),
    "event": frozenset({"create", "update", "delete"}),
    "note": frozenset({"create", "update", "complete", "archive", "delete"}),
    "profile": frozenset({"create", "update"}),
    "instruction": frozenset({"create", "update", "delete"}),
    "memo": frozenset({"create", "update", "delete"}),
}
CLOSING_STATUS: dict[tuple[Kind, Op], str] = {
    ("todo", "complete"): "done",
    ("todo", "archive"): "archived",
    ("note", "complete"): "completed",
    ("note", "archive"): "archived",
}
CLOSING_OPS: dict[tuple[Kind, str], Op] = {(kind, status): op for (kind, op), status in CLOSING_STATUS.items()}
PLURAL: dict[Kind, str] = {
    "todo": "tasks",
    "event": "events",
    "note": "notes",
    "profile": "profiles",
    "instruction": "instructions",
    "memo": "memos",
}
MOST_TOLD, LONGEST_TOLD = 5, 200
"""Faults of one proposal that are told, and characters of each."""
"""How a refusal ends that says that nothing is wrong: the record is as it was wanted."""
CLOSED_WORD = {"done": "done", "completed": "done", "archived": "archived"}


class ProposalRefused(Exception):  # noqa: N818 - a refusal is an outcome of its own, not a fault
    """The proposal cannot be applied; the message says why, for people."""


@dataclass(frozen=True)
class Stamp:
    """When a change happens and what caused it. ``at`` is aware and in the speaker's zone.

    ``wanted_at`` is when it was asked for, where a yes came later.
    """

    at: datetime
    timezone: str
    source: Source
    wanted_at: datetime | None = None

    @property
    def requested_at(self) -> datetime:
        """The time of the request."""
        return self.wanted_at or self.at

    @property
    def text(self) -> str:
        """The instant as records keep it: in UTC, so that it sorts as text."""
        return self.at.astimezone(UTC).isoformat().replace("+00:00", "Z")


def transition(
    proposal: Proposal, record_id: str, before: dict[str, Any] | None, stamp: Stamp
) -> dict[str, Any] | None:
    """The record after the proposal, in JSON form; None when it is gone.

    Raises:
        Refused: the proposal does not fit the record, its kind or its fields.

    """
    kind, op = proposal.kind, proposal.op
    if op not in ALLOWED_OPS[kind]:
        raise ProposalRefused(f"“{op}” is not possible for {PLURAL[kind]}")
    if op == "create" and before is None:
        return _create_record(proposal, record_id, stamp)
    if before is None:
        raise ProposalRefused(f"there is no such {kind} any more")
    if op == "create" and kind != "profile":
        raise ProposalRefused(f"this {kind} exists already")
    _check_version(proposal, before)
    return None if op == "delete" else _update_record(proposal, before, stamp)


def as_closing(proposal: Proposal, before: dict[str, Any] | None) -> Proposal:
    """The proposal, as a completion if it is an update that sets the status of one.

    Closing is an operation of its own: it rolls a recurring task forward, where a bare status would end it.
    """
    status = str(proposal.fields.get("status"))
    op = CLOSING_OPS.get((proposal.kind, status)) if proposal.op == "update" and before else None
    if op is None or before is None or before.get("status") == status:
        return proposal
    rest = {name: value for name, value in proposal.fields.items() if name != "status"}
    return proposal.model_copy(update={"op": op, "fields": rest})


def same_content(left: dict[str, Any] | None, right: dict[str, Any] | None) -> bool:
    """Whether two states of a record say the same, whatever their versions."""
    return _content(left) == _content(right)


def revert(current: dict[str, Any] | None, before: dict[str, Any] | None, stamp: Stamp) -> dict[str, Any] | None:
    """The state before a change, as a new version: versions never run backwards, or an old ETag would fit again."""
    if before is None:
        return None
    newest = max((current or before)["version"], before["version"])
    return {**before, "version": newest + 1, "updated_at": stamp.text}


def changed_fields(before: dict[str, Any] | None, after: dict[str, Any] | None) -> dict[str, Any]:
    """The fields that differ, with their new values; of something new, the fields that say something."""
    old, new = before or {}, after or {}
    names = [name for name in new if name not in BOOKKEEPING and old.get(name) != new[name]]
    return {name: new[name] for name in names if before is not None or new[name] not in (None, "", [], {})}


def differing(kind: Kind, before: dict[str, Any], fields: dict[str, Any]) -> dict[str, Any]:
    """The fields that would change a record in JSON form; all of them when only the ledger can tell."""
    try:
        after = RECORD_TYPES[kind].model_validate({**before, **fields}).model_dump(mode="json")
    except ValidationError:
        return fields
    return {name: value for name, value in fields.items() if after[name] != before.get(name)}


def fresh_id(proposal: Proposal, made: str) -> str:
    """The id a proposal is about: its own, or a new one for something created."""
    return PROFILE_ID if proposal.kind == "profile" else proposal.record_id or made


def _content(record: dict[str, Any] | None) -> dict[str, Any] | None:
    """What a record says; a field that came later is missing in older rows, and says nothing in newer ones."""
    return record and {
        name: value for name, value in record.items() if name not in BOOKKEEPING and value not in (None, [])
    }


def _check_version(proposal: Proposal, before: dict[str, Any]) -> None:
    if proposal.expected_version is not None and proposal.expected_version != before["version"]:
        raise ProposalRefused(f"“{title_of(proposal.kind, before)}” has changed in the meantime")


def _create_record(proposal: Proposal, record_id: str, stamp: Stamp) -> dict[str, Any]:
    fields = _valid(proposal.kind, proposal.fields)
    if proposal.kind == "note" and not fields.get("summary"):
        fields["summary"] = " ".join(fields.get("content", "").split()[:SUMMARY_WORDS])
    if proposal.kind == "event":
        fields.setdefault("zone", stamp.timezone)
        fields = _with_end(fields)
    if proposal.kind == "instruction":
        fields = _with_policy(fields)
    if proposal.kind in ZONED and any(fields.get(name) for name in ZONED[proposal.kind]):
        fields.setdefault("zone", stamp.timezone)
    made = _record(proposal.kind, {**fields, **_birth(record_id, stamp)})
    return _with_first_round(made, stamp) if proposal.kind == "note" else made


def _with_first_round(note: dict[str, Any], stamp: Stamp) -> dict[str, Any]:
    """A note that repeats is due: where no day was said, at the next round after today."""
    zone = ZoneInfo(note["zone"] or stamp.timezone)
    today = stamp.at.astimezone(zone).date().isoformat()
    rule = None if note["deadline"] else note["recurrence"]
    if rule is None or unusable_reason(
        rule, wall_clock(today, zone), LedgerLimits().recurrence_count
    ):  # what cannot happen is refused later
        return note
    return {**note, "deadline": next_time(rule, today, zone, stamp.at)}


def _with_policy(fields: dict[str, Any]) -> dict[str, Any]:
    """An instruction with what its words compile to, unless rules were given."""
    if fields.get("policy") is not None:
        return {**fields, "policy": _valid_policy(fields["policy"])}
    text = fields.get("text")
    return {**fields, "policy": policy_of(text)} if isinstance(text, str) else fields


def _valid_policy(policy: Any) -> dict[str, Any]:
    try:
        return Policy.model_validate(policy).model_dump(mode="json")
    except ValidationError as error:
        raise ProposalRefused(f"policy: {explain_validation(error)}") from error


def _birth(record_id: str, stamp: Stamp) -> dict[str, Any]:
    return {"id": record_id, "version": 1, "created_at": stamp.text, "updated_at": stamp.text, "source": stamp.source}


def _update_record(proposal: Proposal, before: dict[str, Any], stamp: Stamp) -> dict[str, Any]:
    closing = (proposal.kind, proposal.op) in CLOSING_STATUS
    fields = _require_known_fields(proposal.kind, proposal.fields) if proposal.fields or not closing else {}
    if closing:
        fields = {**fields, **_closing_fields(proposal, _record(proposal.kind, {**before, **fields}), stamp)}
    if proposal.kind == "event":
        fields = _moved_whole(fields, before)
    if proposal.kind == "todo" and fields.get("snooze_until") and has_rung(before):
        fields = {"status": "not started", **fields}
    if proposal.kind == "instruction":
        fields = _with_policy(fields)
    if proposal.seen not in (None, before.get("items")) and isinstance(fields.get("items"), list):
        fields = {**fields, "items": merge_lines(proposal.seen or [], lines_in(fields), lines_in(before))}
    after = _record(proposal.kind, {**before, **fields})
    after = _with_first_round(after, stamp) if proposal.kind == "note" else after
    if same_content(after, before):
        raise ProposalRefused(f"“{title_of(proposal.kind, before)}” is like that {ALREADY}")
    return {**after, "version": before["version"] + 1, "updated_at": stamp.text}


def _closing_fields(proposal: Proposal, before: dict[str, Any], stamp: Stamp) -> dict[str, Any]:
    status = CLOSING_STATUS[proposal.kind, proposal.op]
    if before["status"] == status:
        raise ProposalRefused(f"“{title_of(proposal.kind, before)}” is {CLOSED_WORD[status]} {ALREADY}")
    goes_on = status != "archived" and before.get("recurrence")
    rolled = next_round(before, stamp.at, stamp.timezone) if goes_on else None
    fresh: dict[str, Any] = {"done_steps": []} if before.get("done_steps") else {}
    return {**rolled, **fresh} if rolled else {"status": status}


def _with_end(fields: dict[str, Any]) -> dict[str, Any]:
    if fields.get("end") is not None:
        return fields
    start = fields["start"]
    return {**fields, "end": start + DEFAULT_EVENT_LENGTH if isinstance(start, datetime) else start}


def _moved_whole(fields: dict[str, Any], before: dict[str, Any]) -> dict[str, Any]:
    """Moving an event keeps its length."""
    if "start" not in fields or "end" in fields:
        return fields
    try:
        old = _span(before)
        start = _instant_or_day(fields["start"])
        length = old[1] - old[0] if isinstance(start, datetime) == isinstance(old[0], datetime) else None
    except (ValueError, TypeError):
        return fields
    return _with_end({**fields, "end": start + length if length is not None else None})


def _span(event: dict[str, Any]) -> tuple[Any, Any]:
    return _instant_or_day(event["start"]), _instant_or_day(event["end"])


def _instant_or_day(value: Any) -> Any:
    if not isinstance(value, str):
        return value
    return date.fromisoformat(value) if len(value) == len("2026-11-18") else datetime.fromisoformat(value)


def _require_known_fields(kind: Kind, fields: dict[str, Any]) -> dict[str, Any]:
    unknown = set(fields) - set(FIELD_TYPES[kind].model_fields)
    if unknown:
        raise ProposalRefused(f"{PLURAL[kind]} have no field {', '.join(sorted(unknown))[:LONGEST_TOLD]}")
    if not fields:
        raise ProposalRefused(f"nothing was said that would change the {kind}")
    return fields


def _valid(kind: Kind, fields: dict[str, Any]) -> dict[str, Any]:
    try:
        return FIELD_TYPES[kind].model_validate(fields).model_dump(exclude_unset=True)
    except ValidationError as error:
        raise ProposalRefused(explain_validation(error)) from error


def _record(kind: Kind, values: dict[str, Any]) -> dict[str, Any]:
    try:
        return RECORD_TYPES[kind].model_validate(values).model_dump(mode="json")
    except ValidationError as error:
        raise ProposalRefused(explain_validation(error)) from error


def explain_validation(error: ValidationError) -> str:
    """A validation error in one line: field, then what is wrong with it."""
    parts = []
    for item in error.errors(include_url=False, include_context=False, include_input=False):
        place = ".".join(str(step) for step in item["loc"] if isinstance(step, int) or not step.startswith("function"))
        parts.append(f"{place}: {item['msg'].removeprefix('Value error, ')}" if place else item["msg"])
    told = list(dict.fromkeys(part.removeprefix("Value error, ") for part in parts))
    more = [f"and {len(told) - MOST_TOLD} more"] if len(told) > MOST_TOLD else []
    return "; ".join([*(part[:LONGEST_TOLD] for part in told[:MOST_TOLD]), *more])
