"""One turn, from the door to its answer: accept, claim, run the graph under a fence, finish. Read this first."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import time
from collections import defaultdict
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from typing import Any
from uuid import UUID
from zoneinfo import ZoneInfo

from langchain_core.messages import HumanMessage

from agents.contract import Change, Outcome, Proposal
from agents.ports import Batch
from app.errors import Conflict, NotFound
from app.ports import Accepted, ChangeLog, EventLog, Inbox, NewTurn, Turn, TurnState, main_thread
from app.principal import Fence, Principal, StaleLease, acting_as
from app.progress import Progress
from graph.builder import Summit

log = logging.getLogger(__name__)

OPEN_STATES: frozenset[TurnState] = frozenset({"queued", "running"})
POLL_SECONDS = 1.0
RETRY_SECONDS = 0.2
PRUNE_EVERY = 20
GAVE_UP = "Something went wrong on my side, several times, so I stopped. {done} Please say it again."
CANCELLED = "Cancelled. {done}"


class TurnService:
    """Accepts turns, runs those of free threads in this process, and finishes those of servers that died."""

    def __init__(
        self,
        *,
        inbox: Inbox,
        changes: ChangeLog,
        events: EventLog,
        graph: Summit,
        lease_seconds: float,
        attempts: int,
        sweep_seconds: float,
        prune: Callable[[str], Awaitable[None]],
    ) -> None:
        self._inbox = inbox
        self._changes = changes
        self._events = events
        self._graph = graph
        self._renew_seconds = lease_seconds / 3
        self._attempts = attempts
        self._sweep_seconds = sweep_seconds
        self._prune = prune
        self._drains: dict[tuple[UUID, UUID], asyncio.Task[None]] = {}
        self._runs: dict[UUID, asyncio.Task[Outcome]] = {}
        self._ended: defaultdict[UUID, asyncio.Event] = defaultdict(asyncio.Event)
        self._stopping = False

    # The doors' side

    async def submit(self, new: NewTurn) -> Accepted:
        """Commit the turn, then start it if its thread is free. Raises what Inbox.accept raises."""
        if new.strategy in ("interrupt", "rollback"):
            await self._make_way(new)
        accepted = await self._inbox.accept(new)
        if not accepted.replayed:
            first = accepted.turn if accepted.turn.state == "running" else None
            self.kick(new.user_id, accepted.turn.thread_id, first)
        return accepted

    async def wait(self, user_id: UUID, turn_id: UUID, seconds: float) -> Turn:
        """The turn once it is finished, or as it is after ``seconds``. Raises NotFound."""
        deadline = time.monotonic() + seconds
        turn = await self._known(user_id, turn_id)
        while turn.state in OPEN_STATES and (left := deadline - time.monotonic()) > 0:
            await self._end(turn, min(left, POLL_SECONDS))
            turn = await self._known(user_id, turn_id)
        self._ended.pop(turn_id, None)
        return turn

    async def cancel(self, user_id: UUID, turn_id: UUID) -> Turn | None:
        """Stop a turn; what it committed before stays and its reply says so. None for an unknown turn."""
        turn = await self._inbox.request_cancel(user_id, turn_id)
        if turn and turn.state == "cancelled":
            self.kick(user_id, turn.thread_id)
        running = self._runs.get(turn_id)
        if running:
            running.cancel("user")
            return await self.wait(user_id, turn_id, 2.0)
        return turn

    async def undo(self, user_id: UUID, turn_id: UUID, origin: UUID) -> list[Change]:
        """Undo every applied change of a turn, newest first; each stands or fails alone. Raises NotFound, Conflict."""
        turn = await self._known(user_id, turn_id)
        changes = [c for c in await self._changes.changes_of_turn(str(user_id), str(turn_id)) if c.status == "applied"]
        if not changes:
            raise Conflict("This turn has no change left to undo.")
        return await self._undo(user_id, origin, turn.timezone, list(reversed(changes)))

    async def undo_change(self, user_id: UUID, change_id: UUID, origin: UUID) -> Change:
        """Undo one change; a refused undo comes back as a failed change with its reason. Raises NotFound."""
        change = await self._changes.change(str(user_id), str(change_id))
        if change is None:
            raise NotFound(f"There is no change {change_id}.")
        return (await self._undo(user_id, origin, "UTC", [change]))[0]

    # The runner's side

    def kick(self, user_id: UUID, thread_id: UUID, first: Turn | None = None) -> None:
        """Make sure that somebody here works through a thread's queue."""
        key = (user_id, thread_id)
        if self._stopping or (first is None and key in self._drains):
            return
        task = asyncio.create_task(self._drain(key, self._drains.get(key), first))
        self._drains[key] = task
        task.add_done_callback(lambda done: self._drains.pop(key, None) if self._drains.get(key) is done else None)

    async def sweep(self) -> None:
        """For ever: find turns that nobody runs (their server died, or never began) and run them here."""
        while not self._stopping:
            try:
                for user_id, thread_id in await self._inbox.expired():
                    self.kick(user_id, thread_id)
            except Exception:
                log.warning("the sweep failed, trying again", exc_info=True)
            await asyncio.sleep(self._sweep_seconds)

    @asynccontextmanager
    async def running(self, grace_seconds: float) -> AsyncIterator[TurnService]:
        """Sweep while open; on the way out let turns finish for ``grace_seconds``, then hand them back."""
        sweeper = asyncio.create_task(self.sweep())
        try:
            yield self
        finally:
            self._stopping = True
            sweeper.cancel()
            await self._stop(grace_seconds)

    async def _stop(self, grace_seconds: float) -> None:
        if self._drains:
            await asyncio.wait(list(self._drains.values()), timeout=grace_seconds)
        for task in self._runs.values():
            task.cancel("shutdown")
        if self._drains:
            await asyncio.wait(list(self._drains.values()), timeout=2.0)

    async def _drain(self, key: tuple[UUID, UUID], before: asyncio.Task[None] | None, first: Turn | None) -> None:
        if before:
            await asyncio.wait([before])
        try:
            turn = first or await self._inbox.claim(*key)
            while turn is not None:
                await self._attend(turn)
                turn = None if self._stopping else await self._inbox.claim(*key)
        except Exception:  # the lease ends by itself and the sweep takes over
            log.exception("stopped working through a thread; its turns are taken up again later")

    async def _attend(self, turn: Turn) -> None:
        """Run one claimed turn to its end, whatever happens on the way."""
        with acting_as(Principal(turn.user_id, Fence(turn.id, turn.generation))):
            try:
                await self._carry_out(turn)
            except StaleLease:
                log.warning("turn %s was taken over by another server; nothing of ours was written", turn.id)
            except Exception:
                log.exception("turn %s failed at attempt %d", turn.id, turn.attempt)
                await self._retry_or_give_up(turn)
            finally:
                if turn.id in self._ended:
                    self._ended[turn.id].set()

    async def _carry_out(self, turn: Turn) -> None:
        if turn.cancel_requested:
            await self._finish_early(turn, "cancelled", CANCELLED)
            return
        if turn.canned_reply is not None:
            spoken = Outcome(disposition="reply", reply=turn.canned_reply)
            await self._inbox.finish(turn, "done", spoken, {})
            return
        progress = Progress(self._events, turn)
        run = asyncio.create_task(self._run_graph(turn, progress))
        self._runs[turn.id] = run
        keeper = asyncio.create_task(self._keep_lease(turn, run))
        try:
            outcome = await run
            state: TurnState = "waiting" if outcome.disposition == "clarify" else "done"
            await self._inbox.finish(turn, state, outcome, progress.usage())
            await self._tidy(turn)
        except asyncio.CancelledError as cancelled:
            await self._cancelled(turn, str(cancelled.args[0]) if cancelled.args else "")
        finally:
            keeper.cancel()
            self._runs.pop(turn.id, None)

    async def _tidy(self, turn: Turn) -> None:
        """Drop old checkpoints now and then: reading a thread scans all it has."""
        if turn.seq % PRUNE_EVERY == 0:
            with contextlib.suppress(Exception):  # tidying is never worth a turn; the next one tries again
                await self._prune(f"{turn.user_id}:{turn.thread_id}")

    async def _cancelled(self, turn: Turn, why: str) -> None:
        if why == "stale":
            raise StaleLease
        if why == "user":
            await self._finish_early(turn, "cancelled", CANCELLED)
        else:
            await self._inbox.release(turn)

    async def _run_graph(self, turn: Turn, progress: Progress) -> Outcome:
        config: Any = {"configurable": {"thread_id": f"{turn.user_id}:{turn.thread_id}"}, "run_id": turn.id}
        said_at = turn.captured_at.astimezone(ZoneInfo(turn.timezone))
        stream = self._graph.astream(
            {
                "messages": [HumanMessage(turn.text or "", id=f"{turn.id}:said")],
                "unsure": turn.unsure,
                "memo_id": str(turn.memo_id) if turn.memo_id else None,
            },
            config,
            context={"user_id": str(turn.user_id), "timezone": turn.timezone, "at": said_at.isoformat()},
            stream_mode=["updates", "custom"],
            durability="exit",
        )
        async for mode, chunk in stream:
            await progress.tell(mode, chunk)
        return progress.outcome()

    async def _keep_lease(self, turn: Turn, run: asyncio.Task[Outcome]) -> None:
        while True:
            await asyncio.sleep(self._renew_seconds)
            try:
                if await self._inbox.renew(turn):
                    run.cancel("user")
            except StaleLease:
                run.cancel("stale")
                return
            except Exception:
                log.warning("could not renew the lease of turn %s", turn.id, exc_info=True)

    async def _retry_or_give_up(self, turn: Turn) -> None:
        with contextlib.suppress(StaleLease):
            if turn.attempt >= self._attempts:
                await self._finish_early(turn, "failed", GAVE_UP)
                return
            await asyncio.sleep(RETRY_SECONDS * turn.attempt)
            await self._inbox.release(turn)

    async def _finish_early(self, turn: Turn, state: TurnState, template: str) -> None:
        """Answer a turn whose graph did not: only what the ledger shows is told."""
        changes = await self._changes.changes_of_turn(str(turn.user_id), str(turn.id))
        titles = [f"“{change.title}”" for change in changes if change.status == "applied"]
        done = f"Already done, and it can be undone: {', '.join(titles)}." if titles else "Nothing was changed."
        outcome = Outcome(disposition="dispatch" if titles else "reply", reply=template.format(done=done))
        await self._inbox.finish(turn, state, outcome, {})

    async def _make_way(self, new: NewTurn) -> None:
        """Interrupt stops the thread's running turn; rollback also undoes what it changed."""
        for turn_id in [turn_id for turn_id in self._runs if await self._on_thread(new, turn_id)]:
            await self.cancel(new.user_id, turn_id)
            if new.strategy == "rollback":
                with contextlib.suppress(Conflict):
                    await self.undo(new.user_id, turn_id, turn_id)

    async def _on_thread(self, new: NewTurn, turn_id: UUID) -> bool:
        turn = await self._inbox.get(new.user_id, turn_id)
        return turn is not None and turn.thread_id == (new.thread_id or main_thread(new.user_id))

    async def _end(self, turn: Turn, seconds: float) -> None:
        """Wait for the turn's end: told at once when it runs here, by its events when it runs elsewhere."""
        here = (turn.user_id, turn.thread_id) in self._drains
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                if here:
                    await self._ended[turn.id].wait()
                else:
                    async for _ in self._events.follow(turn.user_id, turn_id=turn.id):
                        pass

    async def _undo(self, user_id: UUID, origin: UUID, timezone: str, changes: list[Change]) -> list[Change]:
        proposals = [
            Proposal(op="undo", kind=change.kind, record_id=change.record_id, undo_of=change.id, reason="undo")
            for change in changes
        ]
        return await self._changes.apply(
            Batch(
                user_id=str(user_id),
                origin=str(origin),
                agent="undo",
                proposals=proposals,
                at=datetime.now(UTC),
                timezone=timezone,
            )
        )

    async def _known(self, user_id: UUID, turn_id: UUID) -> Turn:
        turn = await self._inbox.get(user_id, turn_id)
        if turn is None:
            raise NotFound(f"There is no turn {turn_id}.")
        return turn
