"""Tools for memory: search what was said or kept, and keep a note of one's own."""

from __future__ import annotations

import json
from typing import Protocol
from uuid import UUID

from pydantic import Field

from agents.contract import Proposal
from app.memory.model.memory import Asked, Match
from app.work.runs.tools.changes import RUN_REASON, RunChanges
from app.work.runs.tools.tool import Form, Tool, ToolContext, ToolOutcome


class SearchForm(Form):
    """What to look for."""

    query: str = Field(min_length=1, max_length=2000)
    limit: int = Field(8, ge=1, le=30)


class StoreForm(Form):
    """What to keep."""

    text: str = Field(min_length=1, max_length=20_000)


class Searching(Protocol):
    """The part of memory that runs use."""

    async def search(self, user_id: UUID, asked: Asked) -> tuple[list[Match], bool]:
        """What is near, the best first; see app.memory.model.memory.MemoryAnswers."""


class MemoryTools:
    """The tools over one memory; what is stored is a note, so it is found, shown and undone as notes are."""

    def __init__(self, memory: Searching, changes: RunChanges) -> None:
        self._memory = memory
        self._changes = changes

    def tools(self) -> list[Tool]:
        """Search and store."""
        return [
            Tool(
                "search_memory",
                "Search memos, notes, messages and facts; each line is a quote with its source.",
                SearchForm,
                "read",
                self.search,
                idempotent=True,
                taints=True,
            ),
            Tool("store_memory", "Keep a note of something learned.", StoreForm, "write", self.store, idempotent=True),
        ]

    async def search(self, context: ToolContext, form: SearchForm) -> ToolOutcome:
        """Quotes with their sources, the best first."""
        asked = Asked(form.query, context.at, context.timezone, context.conventions, limit=form.limit)
        found, _ = await self._memory.search(context.user_id, asked)
        lines = [
            json.dumps({"source": one.source, "id": one.id, "at": one.captured_at.isoformat(), "quote": one.quote})
            for one in (match.citation for match in found)
        ]
        return ToolOutcome("\n".join(lines) or "There is nothing about that.")

    async def store(self, context: ToolContext, form: StoreForm) -> ToolOutcome:
        """A note; see RunChanges.make."""
        fields = {"content": form.text}
        return await self._changes.make(
            context, Proposal(op="create", kind="note", fields=fields, reason=RUN_REASON, agreed=False)
        )
