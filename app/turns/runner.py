"""Runs one claimed turn under its lease: retries, cancels, hand-backs, and the graph itself.

The caller acts as the turn's user, with the turn's fence: each write is refused once another server took the turn over.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import time
from collections.abc import Awaitable, Callable
from typing import Any
from uuid import UUID

from langgraph.graph import START

from agents.context import Context, conventions_of
from agents.contract import Outcome
from agents.dates_in_words import telling_times
from agents.ports import LedgerUnavailable
from agents.rendering.interrupted import CANCELLED, GAVE_UP, interrupted_outcome
from app.principal import Fence, Principal, StaleLease, acting_as
from app.records.model.records import ChangeLog
from app.records.store.event_log import EventLog
from app.tracing import Attributes, span
from app.turns.graph_input import config_of, context_of, graph_input, user_message
from app.turns.model.turns import Finished, Turn, TurnState
from app.turns.progress import Progress
from app.turns.store.inbox import Inbox
from graph.builder import TurnGraph

log = logging.getLogger(__name__)

RETRY_SECONDS = 0.2
NOTICE_SECONDS = 2.0  # within which a cancel that another server was told is noticed
PRUNE_EVERY = 20
LONGEST_PAUSE_SECONDS = 5.0
CUTS_AN_ATTEMPT = 10  # runs for each attempt that a turn has, if the database was out of reach in all of them


class TurnRunner:
    """Runs turns, each at most ``attempts`` times; ``prune`` drops a thread's old checkpoints."""

    def __init__(
        self,
        inbox: Inbox,
        changes: ChangeLog,
        events: EventLog,
        graph: TurnGraph,
        lease_seconds: float,
        attempts: int,
        prune: Callable[[str], Awaitable[None]],
    ) -> None:
        self._inbox = inbox
        self._changes = changes
        self._events = events
        self._graph = graph
        self._renew_seconds = min(lease_seconds / 3, NOTICE_SECONDS)
        self._attempts = attempts
        self._prune = prune
        self._runs: dict[UUID, asyncio.Task[Outcome]] = {}

    def cancel(self, turn_id: UUID) -> None:
        """Stop a turn for its user, if it runs here."""
        if run := self._runs.get(turn_id):
            run.cancel("user")

    def shut_down(self) -> None:
        """Stop every turn that runs here; each is handed back."""
        for run in self._runs.values():
            run.cancel("shutdown")

    async def run(self, turn: Turn) -> Finished | None:
        """Run a claimed turn and finish it; None where it was handed back. Raises StaleLease."""
        told: Attributes = {"summit.turn.id": str(turn.id), "summit.turn.attempt": turn.attempt}
        with span("turn", {**told, "summit.user.id": str(turn.user_id)}, trace=turn.id) as turn_span:
            began = time.monotonic()
            finished = await self._run_to_its_end(turn)
            turn_span.tell(_span_attributes(finished))
            state = finished.turn.state if finished else "handed back"
            log.info("turn=%s state=%s attempt=%d s=%.2f", turn.id, state, turn.attempt, time.monotonic() - began)
            return finished

    async def _run_to_its_end(self, turn: Turn) -> Finished | None:
        try:
            return await self._carry_out(turn)
        except StaleLease:
            raise
        except LedgerUnavailable as error:
            log.warning("turn %s was cut short (%s), it is run again", turn.id, error)
            await self._hand_back(turn)
            return None
        except Exception:
            # A server that stood still may first see closed connections: handing back tells that the lease is gone.
            log.exception("turn %s failed at attempt %d", turn.id, turn.attempt)
        if turn.attempt >= self._attempts:
            return await self._finish_early(turn, "failed", GAVE_UP)
        await asyncio.sleep(RETRY_SECONDS * turn.attempt)
        await self._inbox.release(turn)
        return None

    async def _hand_back(self, turn: Turn) -> None:
        """The database was out of reach, which is no attempt of the turn, unless it goes on and on."""
        await asyncio.sleep(min(RETRY_SECONDS * turn.generation, LONGEST_PAUSE_SECONDS))
        counts = turn.generation > self._attempts * CUTS_AN_ATTEMPT
        for _ in range(CUTS_AN_ATTEMPT):
            with contextlib.suppress(LedgerUnavailable):
                await self._inbox.release(turn, counts=counts)
                return
            await asyncio.sleep(RETRY_SECONDS)

    async def _carry_out(self, turn: Turn) -> Finished | None:
        if turn.cancel_requested:
            return await self._finish_early(turn, "cancelled", CANCELLED)
        if turn.attempt > self._attempts:  # its servers died of it, or were killed again and again
            return await self._finish_early(turn, "failed", GAVE_UP)
        if turn.canned_reply is not None:
            spoken = Outcome(disposition="reply", reply=turn.canned_reply)
            return await self._inbox.finish(turn, "done", spoken, {})
        return await self._run_under_lease(turn)

    async def _run_under_lease(self, turn: Turn) -> Finished | None:
        progress = Progress(self._events, turn)
        run = asyncio.create_task(self._run_graph(turn, progress))
        self._runs[turn.id] = run
        keeper = asyncio.create_task(self._keep_lease(turn, run))
        try:
            outcome = await run
            state: TurnState = "waiting" if outcome.disposition == "clarify" else "done"
            finished = await self._inbox.finish(turn, state, outcome, progress.usage(), await progress.rest())
            await self._tidy(turn)
            return finished
        except asyncio.CancelledError as cancelled:
            await progress.rest()
            return await self._handle_cancel(turn, str(cancelled.args[0]) if cancelled.args else "")
        finally:
            keeper.cancel()
            progress.stop()
            self._runs.pop(turn.id, None)

    async def _tidy(self, turn: Turn) -> None:
        """Drop old checkpoints now and then: reading a thread scans all it has."""
        if turn.seq % PRUNE_EVERY == 0:
            try:
                await self._prune(f"{turn.user_id}:{turn.thread_id}")
            except Exception as error:  # noqa: BLE001 - tidying is never worth a turn; the next one tries again
                log.warning("could not tidy up after turn %s (%s)", turn.id, type(error).__name__)

    async def _handle_cancel(self, turn: Turn, why: str) -> Finished | None:
        if why == "stale":
            raise StaleLease
        if why == "user":
            return await self._finish_early(turn, "cancelled", CANCELLED)
        await self._inbox.release(turn, counts=False)
        return None

    async def _run_graph(self, turn: Turn, progress: Progress) -> Outcome:
        context = context_of(turn)
        with telling_times(conventions_of(context).clock):
            return await self._outcome(turn, context, progress)

    async def _outcome(self, turn: Turn, context: Context, progress: Progress) -> Outcome:
        config = config_of(turn)
        if turn.tried_before and (known := await self._known_outcome(turn, config)):
            return known
        stream: Any = self._graph.astream(
            graph_input(turn),
            config,
            context=context,
            stream_mode=["updates", "custom"],
            durability="exit",
        )
        # Left to the garbage collector, a stream that fails here would write its last checkpoint as somebody else.
        async with contextlib.aclosing(stream):
            async for mode, chunk in stream:
                await progress.tell(mode, chunk)
        return progress.outcome()

    async def _known_outcome(self, turn: Turn, config: Any) -> Outcome | None:
        """The outcome of an earlier try that ended between its checkpoint and its finish, if it covers every agent."""
        values = (await self._graph.aget_state(config)).values
        outcome = values.get("outcome") if values.get("turn_id") == str(turn.id) else None
        return outcome if isinstance(outcome, Outcome) and outcome.complete else None

    async def _keep_lease(self, turn: Turn, run: asyncio.Task[Outcome]) -> None:
        with self._inbox.cancels(turn) as nudge:
            while True:
                await nudge.wait(self._renew_seconds)
                try:
                    if await self._inbox.renew(turn):
                        run.cancel("user")
                except StaleLease:
                    run.cancel("stale")
                    return
                except Exception:
                    log.warning("could not renew the lease of turn %s", turn.id, exc_info=True)

    async def _finish_early(self, turn: Turn, state: TurnState, words: str) -> Finished:
        """Answer a turn whose graph did not finish: the reply names only what the ledger shows."""
        turn = await self._inbox.seal(turn)
        await self._keep_user_message(turn)
        changes = await self._changes.changes_of_turn(str(turn.user_id), str(turn.id))
        return await self._inbox.finish(turn, state, interrupted_outcome(words, changes), {})

    async def _keep_user_message(self, turn: Turn) -> None:
        """A graph that was stopped may not have kept what was said, and "undo that" may mean it."""
        try:
            with acting_as(Principal(turn.user_id, Fence(turn.id, turn.generation))):
                await self._graph.aupdate_state(config_of(turn), {"messages": [user_message(turn)]}, as_node=START)
        except StaleLease:
            raise
        except Exception as error:  # noqa: BLE001 - a turn that cannot be remembered has to end all the same
            log.warning("could not keep what was said in turn %s (%s)", turn.id, type(error).__name__)


def _span_attributes(finished: Finished | None) -> Attributes:
    """What a span tells of the end of a turn."""
    if finished is None:
        return {"summit.outcome": "handed back"}
    usage = finished.turn.usage
    counts: Attributes = {
        "summit.usage.tokens": usage.get("tokens", 0),
        "summit.usage.credits": usage.get("credits", 0),
    }
    return {**counts, "summit.outcome": finished.turn.state}
