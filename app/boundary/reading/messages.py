"""Requests to a reader process, and its replies."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

from pydantic import BaseModel

from agents.contract import Proposed, RouterDecision, Worker
from agents.ports import INDEXED, Ask, Records
from agents.records import AnyRecord

RECORDS_PER_SLICE = 100
"""Records that are written before others are served."""


class Request(BaseModel):
    """A message to route; with ``worker`` the request for its proposals.

    ``stored`` are the records of the message, which are written beside it.
    """

    ask: Ask
    worker: Worker | None = None
    stored: Records = Records()

    async def to_json(self) -> bytes:
        """Return it as JSON, without the messages that each record came from: hundreds may come from a long one."""
        records = self.ask.records
        groups = {f"{kind}s": await _in_json(getattr(records, f"{kind}s")) for kind in INDEXED}
        stored = ",".join(f'"{group}":[{",".join(rows)}]' for group, rows in groups.items())
        rest = self.model_dump_json(exclude={"ask": {"records": set(groups)}, "stored": True})
        return f'{rest[:-1]},"stored":{{{stored}}}}}'.encode()

    def whole(self) -> Ask:
        """Return the message with its records."""
        groups = {f"{kind}s": getattr(self.stored, f"{kind}s") for kind in INDEXED}
        return self.ask.model_copy(update={"records": self.ask.records.model_copy(update=groups)})


class ReadingReply(BaseModel):
    """The result, or the ``fault`` that prevented it."""

    decision: RouterDecision | None = None
    proposed: Proposed | None = None
    fault: str = ""


async def _in_json(records: Sequence[AnyRecord]) -> list[str]:
    rows = list[str]()
    for begin in range(0, len(records), RECORDS_PER_SLICE):
        rows += [
            one.model_dump_json(exclude={"source"}, exclude_defaults=True)
            for one in records[begin : begin + RECORDS_PER_SLICE]
        ]
        await asyncio.sleep(0)
    return rows
