"""What a running graph does, told as events while it happens and summed up as usage."""

from __future__ import annotations

import time
from typing import Any

from agents.contract import WORKERS, Outcome
from app.ports import EventLog, EventType, Turn

HANDLER_PREFIX = "__error_handler__"


class Progress:
    """Translates one turn's stream into events; a sentence is told as soon as it is known to be true."""

    def __init__(self, events: EventLog, turn: Turn) -> None:
        self._events = events
        self._turn = turn
        self._started = self._last = time.monotonic()
        self._stages: dict[str, float] = {}
        self._outcome: Outcome | None = None

    async def tell(self, mode: str, chunk: Any) -> None:
        """Keep what one chunk of the stream tells."""
        events: list[tuple[EventType, dict[str, Any]]] = []
        if mode == "custom":
            events.append(("reply.delta", {"text": chunk["delta"]}))
        else:
            for node, update in chunk.items():
                events += self._of_node(node.removeprefix(HANDLER_PREFIX), update or {})
        if events:
            await self._events.append(self._turn.user_id, self._turn.id, events)

    def outcome(self) -> Outcome:
        """What the turn ended with."""
        if self._outcome is None:
            raise RuntimeError("the graph ended without an outcome")
        return self._outcome

    def usage(self) -> dict[str, Any]:
        """Milliseconds by stage; tokens and credits are zero as long as no model took part."""
        total = time.monotonic() - self._started
        ms = {stage: round(seconds * 1000, 1) for stage, seconds in {**self._stages, "total": total}.items()}
        return {"ms": ms, "tokens": 0, "credits": 0}

    def _of_node(self, node: str, update: dict[str, Any]) -> list[tuple[EventType, dict[str, Any]]]:
        if node == "conversation_agent":
            self._stage("route")
            return self._routed(update)
        if node in WORKERS:
            self._stage("agents")
            return [self._agent_finished(node, update)]
        self._stage("reply")
        self._outcome = update.get("outcome") or self._outcome
        return []

    def _routed(self, update: dict[str, Any]) -> list[tuple[EventType, dict[str, Any]]]:
        decision = update["decision"]
        targets = [assignment.worker for assignment in decision.targets]
        routed = {"disposition": decision.disposition, "targets": targets}
        return [("route.decided", routed), *[("agent.started", {"agent": worker}) for worker in targets]]

    def _agent_finished(self, node: str, update: dict[str, Any]) -> tuple[EventType, dict[str, Any]]:
        reports = update.get("reports") or []
        changes = [change.id for report in reports for change in report.changes]
        failed = any(report.error for report in reports)
        return ("agent.finished", {"agent": node, "changes": changes, "failed": failed})

    def _stage(self, name: str) -> None:
        now = time.monotonic()
        self._stages[name] = self._stages.get(name, 0.0) + now - self._last
        self._last = now
