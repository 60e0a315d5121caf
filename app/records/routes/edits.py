"""Edits of records through the doors: each is a batch of the ledger, so it can be undone and everything syncs."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, NoReturn
from uuid import UUID, uuid4

from pydantic import ValidationError

from agents.contract import Change, Op, Proposal
from agents.ledger.transitions import differing
from agents.ports import Batch
from agents.records import RECORD_TYPES, Kind
from app.errors import Conflict, InvalidInput, NotFound
from app.http.deps import Services
from app.http.etags import changed_meanwhile, check_match
from app.http.schemas import as_json, refused_view
from app.http.zone import customs_of_user

AGENT = "rest"
EDIT_REASON = "edited by hand"
# A create that is sent again finds its row undone if it was undone since.
MADE_STATUSES = frozenset({"applied", "undone"})


@dataclass(frozen=True)
class Editor:
    """Edits one user's records of one kind."""

    services: Services
    user_id: UUID
    kind: Kind

    async def current(self, record_id: str) -> dict[str, Any]:
        """The record in JSON form; raises NotFound."""
        found = await self.services.records.get(self.user_id, self.kind, record_id)
        return as_json(found) if found else await self._raise_not_found(record_id)

    async def _raise_not_found(self, record_id: str) -> NoReturn:
        """Say that there is no such record; of a deleted one, also how it comes back."""
        last = await self.services.changes.last_of_record(str(self.user_id), self.kind, record_id)
        if last is None or last.before is None:
            raise NotFound(f"There is no such {self.kind}.")
        hint = f"POST /v1/changes/{last.id}/undo brings it back as it was."
        raise NotFound(f"This {self.kind} was deleted.", hint=hint, change=as_json(refused_view(last)))

    async def recorded_changes(self, origin: UUID) -> list[Change]:
        """The changes of an earlier attempt at the request with this ``origin``."""
        return [change for change in await self._apply_all([], origin) if change.status in MADE_STATUSES]

    async def create(self, fields: dict[str, Any], origin: UUID | None = None) -> Change:
        """Create a record; raises InvalidInput when the ledger refuses it."""
        change = await self._apply(self._proposal("create", None, fields), origin or uuid4())
        if change.status not in MADE_STATUSES:
            raise InvalidInput(change.error or "", change=as_json(refused_view(change)))
        return change

    async def update(
        self, before: dict[str, Any], fields: dict[str, Any], if_match: str | None, origin: UUID | None = None
    ) -> list[Change]:
        """Change a record, unless it is like that already; what has the same origin changes it once.

        Raises PreconditionFailed, InvalidInput, Conflict.
        """
        expected = check_match(if_match, before)
        wanted = differing(self.kind, before, fields)
        if not wanted:
            return []
        return [await self._insist(self._proposal("update", before["id"], wanted, expected), before, origin)]

    async def delete(self, before: dict[str, Any], if_match: str | None) -> Change:
        """Delete a record; raises PreconditionFailed, Conflict."""
        expected = check_match(if_match, before)
        return await self._insist(self._proposal("delete", before["id"], {}, expected), before)

    def _proposal(self, op: Op, record_id: str | None, fields: dict[str, Any], expected: int | None = None) -> Proposal:
        return Proposal(
            op=op, kind=self.kind, record_id=record_id, fields=fields, reason=EDIT_REASON, expected_version=expected
        )

    async def _insist(self, proposal: Proposal, before: dict[str, Any], origin: UUID | None = None) -> Change:
        change = await self._apply(proposal, origin or uuid4())
        if change.status == "applied":
            return change
        now = await self.current(before["id"])
        if proposal.expected_version not in {None, now["version"]}:
            raise changed_meanwhile(now)
        refusal = Conflict if _fits(self.kind, now, proposal.fields, change.error or "") else InvalidInput
        raise refusal(change.error or "", change=as_json(refused_view(change)))

    async def _apply(self, proposal: Proposal, origin: UUID) -> Change:
        return (await self._apply_all([proposal], origin))[0]

    async def _apply_all(self, proposals: list[Proposal], origin: UUID) -> list[Change]:
        zone, _ = await customs_of_user(self.services, self.user_id)
        batch = Batch(
            user_id=str(self.user_id),
            origin=str(origin),
            agent=AGENT,
            proposals=proposals,
            at=datetime.now(UTC),
            timezone=zone,
        )
        return await self.services.changes.apply(batch)


def _fits(kind: Kind, now: dict[str, Any], fields: dict[str, Any], error: str) -> bool:
    """Whether the fields are valid by themselves; the ledger names a field whose value it refuses."""
    if error.partition(":")[0] in fields:
        return False
    try:
        RECORD_TYPES[kind].model_validate({**now, **fields})
    except ValidationError:
        return False
    return True
