"""A change by a run: through the ledger, under the user's instructions and customs, whichever tool wants it."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any
from uuid import UUID

from agents.contract import Change, Proposal
from agents.enforcement import ProposalContext, apply_instructions
from agents.ledger.atomic_groups import undoing
from agents.policies.standing import standing_of
from agents.ports import Batch
from agents.records import Instruction
from app.records.model.records import ChangeLog, RecordReader
from app.work.runs.tools.tool import ToolContext, ToolOutcome, failed_outcome

AGENT = "run"
RUN_REASON = "a run did it"
MOST_INSTRUCTIONS = 500


class RunChanges:
    """The ledger as runs use it; a call that is made again is answered from it, as its id is the origin."""

    def __init__(self, log: ChangeLog, records: RecordReader) -> None:
        self._log = log
        self._records = records

    async def make(self, context: ToolContext, proposal: Proposal) -> ToolOutcome:
        """What came of one proposal, as the standing instructions make it."""
        [change] = await self._apply(context, [await self._apply_instructions(context, proposal)])
        return _outcome(change)

    async def undo(self, context: ToolContext, change_id: UUID) -> ToolOutcome:
        """A change taken back with all that was made as one with it, unless what they changed has changed since."""
        change = await self._log.change(str(context.user_id), str(change_id))
        if change is None:
            return failed_outcome("not_found", "There is no such change.")
        together = await self._log.made_together(str(context.user_id), change.together) if change.together else []
        rows = await self._apply(context, undoing(change, together, RUN_REASON))
        return _outcome(next(row for row in rows if row.record_id == change.record_id))

    async def _apply_instructions(self, context: ToolContext, proposal: Proposal) -> Proposal:
        found = await self._records.list(context.user_id, "instruction", {}, MOST_INSTRUCTIONS, None)
        standing = standing_of([one for one in found.items if isinstance(one, Instruction)])
        named = await self._read_record(context, proposal)
        around = ProposalContext(at=context.at, timezone=context.timezone, records=named)
        return apply_instructions([proposal], standing, around)[0]

    async def _read_record(self, context: ToolContext, proposal: Proposal) -> dict[Any, dict[str, Any]]:
        if not proposal.record_id:
            return {}
        known = await self._records.get(context.user_id, proposal.kind, proposal.record_id)
        return {(proposal.kind, known.id): known.model_dump(mode="json")} if known else {}

    async def _apply(self, context: ToolContext, proposals: Sequence[Proposal]) -> list[Change]:
        batch = Batch(
            user_id=str(context.user_id),
            origin=str(context.call_id),
            agent=AGENT,
            proposals=list(proposals),
            at=context.at,
            timezone=context.timezone,
            conventions=context.conventions,
        )
        return await self._log.apply(batch)


def _outcome(change: Change) -> ToolOutcome:
    """What the ledger's row says, and nothing more."""
    if change.status == "needs_confirmation":
        return failed_outcome("refused", f"It is held for the user's yes: {change.reason or 'a standing instruction'}.")
    if change.status not in ("applied", "undone"):
        return failed_outcome("refused", change.error or "It was not done.")
    told = {"change_id": change.id, "op": change.op, "kind": change.kind, "record_id": change.record_id}
    conflicts = [f"{one.title} {one.start}" for one in change.conflicts]
    free = [f"{one.start} to {one.end}" for one in change.alternatives]
    clash = {"conflicts": conflicts, "free_instead": free} if conflicts else {}
    return ToolOutcome(json.dumps({**told, "title": change.title, **clash}), changed=change.before != change.after)
