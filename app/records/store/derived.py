"""Rows that follow from records: written in the transaction in which the ledger keeps the records themselves."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Protocol
from uuid import UUID

from agents.records import Kind
from app.database.database import Connection


@dataclass(frozen=True)
class Touched:
    """A record that a batch changed, in JSON form as it is now; None when it is gone."""

    kind: Kind
    record_id: str
    record: dict[str, Any] | None


class Deriver(Protocol):
    """Keeps rows of its own true to the records of some ``kinds``, from which they follow."""

    kinds: ClassVar[frozenset[Kind]]

    async def derive(self, conn: Connection, user_id: UUID, touched: Sequence[Touched]) -> None:
        """Bring the rows up to the records of these kinds that were touched, at least one.

        ``conn`` is in the ledger's transaction, under the user's lock: use it and no other, and let what fails raise.
        """
