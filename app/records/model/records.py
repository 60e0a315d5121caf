"""Records, the ledger and remembered answers, as the doors use them."""

from __future__ import annotations

from typing import Any, Protocol
from uuid import UUID

from agents.contract import Change, Imported, LookAhead, Lookback
from agents.ports import Batch
from agents.records import AnyRecord, Kind
from app.database.model import Page


class RecordReader(Protocol):
    """Reads the records of one user."""

    async def get(self, user_id: UUID, kind: Kind, record_id: str) -> AnyRecord | None:
        """One record by its id or a unique prefix of at least 6 characters."""

    async def list(self, user_id: UUID, kind: Kind, filters: dict[str, Any], limit: int, cursor: str | None) -> Page:
        """Records, newest first or as ``filters['sort']`` says."""


class ChangeLog(Protocol):
    """The ledger as the doors use it."""

    async def apply(self, batch: Batch) -> list[Change]:
        """Apply proposals; see agents.ports.Ledger."""

    async def change(self, user_id: str, change_id: str) -> Change | None:
        """One change."""

    async def changes_of_turn(self, user_id: str, *turn_ids: str) -> list[Change]:
        """The changes of one or more turns, oldest first."""

    async def imported_appointments(self, user_id: str, look: LookAhead, limit: int) -> list[Imported]:
        """Appointments of imported calendars; see agents.ports.Ledger."""

    async def history(self, user_id: str, look: Lookback, limit: int) -> list[Change]:
        """Changes by time and words; see agents.ports.Ledger."""

    async def last_of_record(self, user_id: str, kind: Kind, record_id: str) -> Change | None:
        """The newest applied change of a record; None for a record that never was."""

    async def made_together(self, user_id: str, together: str) -> list[Change]:
        """The changes that were made as one, oldest first."""

    async def changes_after(self, user_id: str, cursor: int, limit: int, record_id: str | None = None) -> list[Change]:
        """Changes of the user, or of one record alone, with a larger cursor, oldest first."""

    async def changes_before(self, user_id: str, cursor: int, limit: int, record_id: str | None = None) -> list[Change]:
        """Changes of the user, or of one record alone, with a smaller cursor, latest first."""
