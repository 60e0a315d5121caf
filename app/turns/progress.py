"""Translate a running graph's stream into events, and sum up its usage."""

from __future__ import annotations

import asyncio
import time
from typing import Any

from agents.contract import WORKERS, Outcome
from app.models.metering import start_meter
from app.records.model.events import EventDraft, EventType
from app.records.store.event_log import EventLog
from app.turns.model.turns import Turn
from graph.builder import ROUTER

HANDLER_PREFIX = "__error_handler__"
GATHER_SECONDS = 0.05


class Progress:
    """Translates one turn's stream into events; each sentence is sent as soon as it is known to be true.

    What comes within ``GATHER_SECONDS`` is kept together, and the last of it together with the turn's end.
    It also keeps the outcome and the usage, with which the runner finishes the turn.
    """

    def __init__(self, events: EventLog, turn: Turn) -> None:
        self._events = events
        self._turn = turn
        self._meter = start_meter()
        self._started = self._last = time.monotonic()
        self._stages: dict[str, float] = {}
        self._outcome: Outcome | None = None
        self._pending: list[EventDraft] = []
        self._timer: asyncio.TimerHandle | None = None
        self._keeping: asyncio.Task[None] | None = None

    async def tell(self, mode: str, chunk: Any) -> None:
        """Take in what one chunk of the stream tells."""
        if mode == "custom":
            self._pending += [("reply.delta", _delta(chunk))] if "delta" in chunk else []
        else:
            for node, update in chunk.items():
                self._pending += self._of_node(node.removeprefix(HANDLER_PREFIX), update or {})
        if ROUTER in chunk or "pause" in chunk:
            await (
                self._still()
            )  # what follows is kept at once: before the agents begin, whose changes the ledger tells,
            await self._keep()  # or a mind that takes its time
        elif self._pending and self._timer is None:
            self._timer = asyncio.get_running_loop().call_later(GATHER_SECONDS, self._keep_soon)

    async def rest(self) -> list[EventDraft]:
        """What is still to be kept; whoever asks keeps it. Raises StaleLease."""
        await self._still()
        rest, self._pending = self._pending, []
        return rest

    def stop(self) -> None:
        """Start nothing any more."""
        if self._timer:
            self._timer.cancel()
            self._timer = None

    async def _still(self) -> None:
        """Return when nothing is being kept and nothing will be by itself."""
        self.stop()
        if self._keeping:
            await self._keeping

    def _keep_soon(self) -> None:
        self._keeping = asyncio.create_task(self._keep())
        self._keeping.add_done_callback(_taken_note_of)

    async def _keep(self) -> None:
        while self._pending:
            pending, self._pending = self._pending, []
            await self._events.append(self._turn.user_id, self._turn.id, pending)
        self._timer = None

    def outcome(self) -> Outcome:
        """What the turn ended with."""
        if self._outcome is None:
            raise RuntimeError("the graph ended without an outcome")
        return self._outcome

    def usage(self) -> dict[str, Any]:
        """Milliseconds by stage, tokens and credits; these are zero as long as no model took part."""
        total = time.monotonic() - self._started
        ms = {stage: round(seconds * 1000, 1) for stage, seconds in {**self._stages, "total": total}.items()}
        return {"ms": ms, **self._meter.summary()}

    def _of_node(self, node: str, update: dict[str, Any]) -> list[tuple[EventType, dict[str, Any]]]:
        if node == ROUTER:
            self._stage("route")
            return self._route_events(update)
        if node in WORKERS:
            self._stage("agents")
            return [self._agent_finished(node, update)] if update else []
        self._stage("reply")
        self._outcome = update.get("outcome") or self._outcome
        return []

    def _route_events(self, update: dict[str, Any]) -> list[tuple[EventType, dict[str, Any]]]:
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


def _delta(chunk: dict[str, Any]) -> dict[str, Any]:
    return {"text": chunk["delta"], "receipt": chunk.get("receipt", False)}


def _taken_note_of(keeping: asyncio.Task[None]) -> None:
    """Whoever asks for the rest hears of a failure; a turn that failed otherwise does not ask."""
    if not keeping.cancelled():
        keeping.exception()
