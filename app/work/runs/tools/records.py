"""Tools for what Summit itself keeps: every change goes through the ledger, under the user's standing instructions."""

from __future__ import annotations

import json
from typing import Any, Literal
from uuid import UUID

from pydantic import Field

from agents.contract import Proposal
from agents.fields import FIELDS
from app.records.model.records import RecordReader
from app.work.runs.tools.changes import RUN_REASON, RunChanges
from app.work.runs.tools.tool import Form, Tool, ToolContext, ToolOutcome

OpName = Literal["create", "update", "complete", "archive", "delete"]
KindName = Literal["todo", "event", "note", "instruction"]
OFFERED = ", ".join(name for name, field in FIELDS.items() if field.is_offered)
DESCRIPTION = (
    f"A todo has {OFFERED}; an event title, start, end, all_day, location; a "
    "note content, category, items; an instruction text. Times are RFC 3339 with an offset, a whole day is YYYY-MM-DD."
)


class ChangeForm(Form):
    """One change of one record."""

    op: OpName
    kind: KindName
    record_id: str | None = Field(None, max_length=64, description="Of what is changed; none for what is new.")
    fields: dict[str, Any] = Field(default_factory=dict, description=DESCRIPTION)


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
    """The tools over one user's records."""

    def __init__(self, changes: RunChanges, records: RecordReader) -> None:
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
                "Create, update, complete, archive or delete one record. " + DESCRIPTION,
                ChangeForm,
                "write",
                self.change,
                idempotent=True,
                deletes=lambda form: form.op == "delete",
                instructs=lambda form: form.kind == "instruction",
            ),
            Tool(
                "undo_change",
                "Take back a change by its id, and what was made as one with it.",
                UndoForm,
                "write",
                self.undo,
                idempotent=True,
            ),
        ]

    async def list(self, context: ToolContext, form: ListForm) -> ToolOutcome:
        """The records as JSON lines."""
        filters = {name: value for name, value in (("q", form.q), ("status", form.status)) if value}
        found = await self._records.list(context.user_id, form.kind, filters, form.limit, None)
        lines = [json.dumps(one.model_dump(mode="json", exclude_defaults=True)) for one in found.items]
        return ToolOutcome("\n".join(lines) or "There is nothing.")

    async def change(self, context: ToolContext, form: ChangeForm) -> ToolOutcome:
        """One proposal through the ledger, as the standing instructions make it."""
        proposal = Proposal(
            op=form.op, kind=form.kind, record_id=form.record_id, fields=form.fields, reason=RUN_REASON, agreed=False
        )
        return await self._changes.make(context, proposal)

    async def undo(self, context: ToolContext, form: UndoForm) -> ToolOutcome:
        """See RunChanges.undo."""
        return await self._changes.undo(context, form.change_id)
