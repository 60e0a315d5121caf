"""Stand-ins that do as they are told: an understanding with a script, and a ledger whose writes fail on demand."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Literal

from agents.contract import (
    WORKER_OF_KIND,
    Assignment,
    Change,
    Imported,
    LookAhead,
    Lookback,
    Proposal,
    Proposed,
    RouterDecision,
    Worker,
)
from agents.ports import Ask, Batch, LedgerUnavailable
from agents.records import Kind
from app.records.model.records import ChangeLog

Script = RouterDecision | Callable[[Ask], RouterDecision]
Fault = Literal["before", "after", "slow", "slow after", "cut before", "cut after"]
"""A write fails, takes too long, or loses its connection once; ``after`` is after its commit."""


def decide(*proposals: Proposal, **values: Any) -> RouterDecision:
    """A decision that hands each proposal to the agent of its kind."""
    workers = dict.fromkeys(WORKER_OF_KIND[proposal.kind] for proposal in proposals)
    targets = [_assignment(worker, proposals) for worker in workers]
    return RouterDecision(disposition="dispatch" if proposals else "reply", targets=targets, **values)


def _assignment(worker: Worker, proposals: tuple[Proposal, ...]) -> Assignment:
    mine = [proposal for proposal in proposals if WORKER_OF_KIND[proposal.kind] == worker]
    return Assignment(worker=worker, text="", proposed=Proposed(proposals=mine))


def add(task: str) -> Proposal:
    return Proposal(op="create", kind="todo", fields={"task": task})


@dataclass
class ScriptedUnderstanding:
    """Answers each text from its script; a text that is not in it becomes a task."""

    script: dict[str, Script] = field(default_factory=dict)
    asks: list[Ask] = field(default_factory=list)

    async def route(self, ask: Ask) -> RouterDecision:
        self.asks.append(ask)
        scripted = self.script.get(ask.text, decide(add(ask.text)))
        return scripted if isinstance(scripted, RouterDecision) else scripted(ask)

    async def propose(self, worker: Worker, ask: Ask) -> Proposed:
        return Proposed(proposals=[add(ask.text)])


class WriteError(RuntimeError):
    """What a faulty ledger raises."""


@dataclass
class FaultyLedger:
    """A ledger whose writes fail for some agents: before or after the commit, at once or much too late."""

    ledger: ChangeLog
    faults: dict[str, Fault] = field(default_factory=dict)

    async def apply(self, batch: Batch) -> list[Change]:
        fault = self.faults.get(batch.agent) if batch.proposals else None
        if fault == "slow":
            await asyncio.Event().wait()
        if fault == "before":
            raise WriteError
        self._cut_connection(batch, "cut before")
        changes = await self.ledger.apply(batch)
        self._cut_connection(batch, "cut after")
        if fault == "slow after":
            await asyncio.Event().wait()
        if fault == "after":
            raise WriteError
        return changes

    def _cut_connection(self, batch: Batch, fault: Fault) -> None:
        if self.faults.get(batch.agent) == fault:
            del self.faults[batch.agent]
            raise LedgerUnavailable

    async def changes_of_turn(self, user_id: str, *turn_ids: str) -> list[Change]:
        return await self.ledger.changes_of_turn(user_id, *turn_ids)

    async def change(self, user_id: str, change_id: str) -> Change | None:
        return await self.ledger.change(user_id, change_id)

    async def history(self, user_id: str, look: Lookback, limit: int) -> list[Change]:
        return await self.ledger.history(user_id, look, limit)

    async def imported_appointments(self, user_id: str, look: LookAhead, limit: int) -> list[Imported]:
        return await self.ledger.imported_appointments(user_id, look, limit)

    async def last_of_record(self, user_id: str, kind: Kind, record_id: str) -> Change | None:
        return await self.ledger.last_of_record(user_id, kind, record_id)

    async def made_together(self, user_id: str, together: str) -> list[Change]:
        return await self.ledger.made_together(user_id, together)

    async def changes_after(self, user_id: str, cursor: int, limit: int, record_id: str | None = None) -> list[Change]:
        return await self.ledger.changes_after(user_id, cursor, limit, record_id)

    async def changes_before(self, user_id: str, cursor: int, limit: int, record_id: str | None = None) -> list[Change]:
        return await self.ledger.changes_before(user_id, cursor, limit, record_id)
