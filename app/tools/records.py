"""Tools for what Summit itself keeps: every change goes through the ledger, under the user's standing instructions."""

from __future__ import annotations

import json
from typing import Any, Literal
from uuid import UUID

from pydantic import Field

from agents.contract import Change, Proposal
from agents.enforcement import ProposalContext, apply_instructions
from agents.policies.standing import standing_of
from agents.ports import Batch
from agents.records import Instruction
from app.ports import ChangeLog, RecordReader
from app.tools.tool import Form, Outcome, Tool, ToolContext, failed

AGENT = "run"
REASON = "a run did it"
MOST_INSTRUCTIONS = 500
OpName = Literal["create", "update", "complete", "archive", "delete"]
KindName = Literal["todo", "event", "note", "instruction"]
FIELDS = (
    "A todo has task, deadline, priority, list, notes, remind_at; an event title, start, end, all_day, location; a "
    "note content, category, items; an instruction text. Times are RFC 3339 with an offset, a whole day is YYYY-MM-DD."
)


class ChangeForm(Form):
    """One change of one record."""

    op: OpName
    kind: KindName
    record_id: str | None = Field(None, max_length=64, description="Of what is changed; none for what is new.")
    fields: dict[str, Any] = Field(default_factory=dict, description=FIELDS)


class ListForm(Form):
    """Which records."""

    kind: KindName
    q: str = Field("", max_length=200, description="Words that they contain.")
    status: str = Field("", max_length=20, description="Such as `not started` or `done`.")
    limit: int = Field(50, ge=1, le=200)


class UndoForm(Form):
    """A change to take back."""

    change_id: UUID


class RecordTools:
    """The tools over one ledger; a call that is made again is answered from the ledger, as its id is the origin."""

    def __init__(self, changes: ChangeLog, records: RecordReader) -> None:
        self._changes = changes
        self._records = records

    def tools(self) -> list[Tool]:
        """Read, change and undo."""
        return [
            Tool(
                "list_records",
                "List tasks (todo), appointments (event), notes or standing instructions.",
                ListForm,
                "read",
                self.list,
                idempotent=True,
                taints=True,
            ),
            Tool(
                "change_record",
                "Create, update, complete, archive or delete one record. " + FIELDS,
                ChangeForm,
                "write",
                self.change,
                idempotent=True,
                deletes=lambda form: form.op == "delete",
                instructs=lambda form: form.kind == "instruction",
            ),
            Tool("undo_change", "Take back a change by its id.", UndoForm, "write", self.undo, idempotent=True),
        ]

    async def list(self, context: ToolContext, form: ListForm) -> Outcome:
        """The records as JSON lines."""
        filters = {name: value for name, value in (("q", form.q), ("status", form.status)) if value}
        found = await self._records.list(context.user_id, form.kind, filters, form.limit, None)
        lines = [json.dumps(one.model_dump(mode="json", exclude_defaults=True)) for one in found.items]
        return Outcome("\n".join(lines) or "There is nothing.")

    async def change(self, context: ToolContext, form: ChangeForm) -> Outcome:
        """One proposal through the ledger, as the standing instructions make it."""
        proposal = Proposal(
            op=form.op, kind=form.kind, record_id=form.record_id, fields=form.fields, reason=REASON, agreed=False
        )
        return await self._apply(context, await self._instructed(context, proposal))

    async def undo(self, context: ToolContext, form: UndoForm) -> Outcome:
        """A change taken back, unless what it changed has changed since."""
        known = await self._changes.change(str(context.user_id), str(form.change_id))
        if known is None:
            return failed("not_found", "There is no such change.")
        return await self._apply(
            context, Proposal(op="undo", kind=known.kind, undo_of=known.id, record_id=known.record_id, reason=REASON)
        )

    async def _instructed(self, context: ToolContext, proposal: Proposal) -> Proposal:
        found = await self._records.list(context.user_id, "instruction", {}, MOST_INSTRUCTIONS, None)
        standing = standing_of([one for one in found.items if isinstance(one, Instruction)])
        named = await self._named(context, proposal)
        around = ProposalContext(at=context.at, timezone=context.timezone, records=named)
        return apply_instructions([proposal], standing, around)[0]

    async def _named(self, context: ToolContext, proposal: Proposal) -> dict[Any, dict[str, Any]]:
        if not proposal.record_id:
            return {}
        known = await self._records.get(context.user_id, proposal.kind, proposal.record_id)
        return {(proposal.kind, known.id): known.model_dump(mode="json")} if known else {}

    async def _apply(self, context: ToolContext, proposal: Proposal) -> Outcome:
        batch = Batch(
            user_id=str(context.user_id),
            origin=str(context.call_id),
            agent=AGENT,
            proposals=[proposal],
            at=context.at,
            timezone=context.timezone,
        )
        [change] = await self._changes.apply(batch)
        return _outcome(change)


def _outcome(change: Change) -> Outcome:
    """What the ledger's row says, and nothing more."""
    if change.status == "needs_confirmation":
        return failed("refused", f"It is held for the user's yes: {change.reason or 'a standing instruction'}.")
    if change.status not in ("applied", "undone"):
        return failed("refused", change.error or "It was not done.")
    told = {"change_id": change.id, "op": change.op, "kind": change.kind, "record_id": change.record_id}
    conflicts = [f"{one.title} {one.start}" for one in change.conflicts]
    clash = {"conflicts": conflicts} if conflicts else {}
    return Outcome(json.dumps({**told, "title": change.title, **clash}), changed=change.before != change.after)
