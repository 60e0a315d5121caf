"""Requests to a reader process, and its replies."""

from __future__ import annotations

from pydantic import BaseModel

from agents.contract import Proposed, RouterDecision, Worker
from agents.ports import Ask

UNREAD = {kind: {"__all__": {"source"}} for kind in ("todos", "events", "notes", "instructions")}


class Request(BaseModel):
    """A message to route; with ``worker`` the request for its proposals, with ``decision`` for its confidence."""

    ask: Ask
    worker: Worker | None = None
    decision: RouterDecision | None = None

    def written(self) -> bytes:
        """As JSON, without the messages that each record came from: hundreds may come from one long message."""
        return self.model_dump_json(exclude={"ask": {"records": UNREAD}}).encode()


class Reply(BaseModel):
    """The result, or the ``fault`` that prevented it."""

    decision: RouterDecision | None = None
    proposed: Proposed | None = None
    sureness: float = 0.0
    fault: str = ""
