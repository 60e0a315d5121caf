"""One turn, from the door to its answer: accept, claim, run the graph under a fence, finish. Read this first."""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Any
from uuid import UUID

from langgraph.graph import START

from agents.contract import Change, Outcome
from agents.ports import LedgerUnavailable
from agents.rendering.interrupted import CANCELLED, GAVE_UP, interrupted_outcome
from app.errors import Conflict
from app.ports import Accepted, ChangeLog, EventLog, Finished, Inbox, NewTurn, Turn, TurnState
from app.principal import Fence, Principal, StaleLease, acting_as
from app.turns.graph_input import config_of, context_of, graph_input, user_message
from app.turns.progress import Progress
from app.turns.undo import undo_change, undo_turn
from app.turns.waiters import TurnWaiters
from graph.builder import Summit

log = logging.getLogger(__name__)

ThreadKey = tuple[UUID, UUID]

RETRY_SECONDS = 0.2
NOTICE_SECONDS = 2.0  # within which a cancel that another server was told is noticed
CANCEL_SECONDS = 5.0
PRUNE_EVERY = 20
LONGEST_PAUSE_SECONDS = 5.0
CUTS_AN_ATTEMPT = 10  # runs for each attempt that a turn has, if the database was out of reach in all of them


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
        self._renew_seconds = min(lease_seconds / 3, NOTICE_SECONDS)
        self._attempts = attempts
        self._sweep_seconds = sweep_seconds
        self._prune = prune
        self._drains: dict[ThreadKey, asyncio.Task[None]] = {}
        self._news: set[ThreadKey] = set()
        self._runs: dict[UUID, asyncio.Task[Outcome]] = {}
        self._endings = TurnWaiters(inbox, events, lambda turn: (turn.user_id, turn.thread_id) in self._drains)
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
        return await self._endings.wait(user_id, turn_id, seconds)

    async def cancel(self, user_id: UUID, turn_id: UUID) -> Turn | None:
        """Stop a turn; what it committed before stays and its reply says so. None for an unknown turn."""
        turn = await self._inbox.request_cancel(user_id, turn_id)
        if turn and turn.state == "cancelled":
            self.kick(user_id, turn.thread_id)
        if turn is None or turn.state != "running":
            return turn
        if run := self._runs.get(turn_id):
            run.cancel("user")
        return await self.wait(user_id, turn_id, CANCEL_SECONDS)

    async def undo(self, user_id: UUID, turn_id: UUID, origin: UUID) -> list[Change]:
        """Undo every applied change of a turn, newest first; each stands or fails alone. Raises NotFound, Conflict."""
        return await undo_turn(self._changes, self._inbox, await self._endings.known(user_id, turn_id), origin)

    async def undo_change(self, user_id: UUID, change_id: UUID, origin: UUID) -> Change:
        """Undo one change; a refused undo comes back as a failed change with its reason. Raises NotFound."""
        return await undo_change(self._changes, user_id, change_id, origin)

    # The runner's side

    def kick(self, user_id: UUID, thread_id: UUID, first: Turn | None = None) -> None:
        """Make sure that somebody here works through a thread's queue."""
        key = (user_id, thread_id)
        if self._stopping:
            return
        if first is None and key in self._drains:
            self._news.add(key)
            return
        if first is not None:
            self._endings.expect(first)
        self._drains[key] = asyncio.create_task(self._drain(key, self._drains.get(key), first))

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

    async def _drain(self, key: ThreadKey, before: asyncio.Task[None] | None, first: Turn | None) -> None:
        try:
            if before:
                await asyncio.wait([before])
            turn = first or await self._next(key)
            while turn is not None:
                more = await self._attend(turn)
                turn = await self._next(key) if (more or key in self._news) and not self._stopping else None
        except Exception:  # the lease ends by itself and the sweep takes over
            log.exception("stopped working through a thread; its turns are taken up again later")
        finally:
            if self._drains.get(key) is asyncio.current_task():
                del self._drains[key]

    async def _next(self, key: ThreadKey) -> Turn | None:
        """Claim the thread's next turn; news that come while the claim looks are looked at again."""
        while True:
            self._news.discard(key)
            turn = await self._inbox.claim(*key)
            if turn is not None or key not in self._news:
                return turn

    async def _attend(self, turn: Turn) -> bool:
        """Run one claimed turn to its end, whatever happens on the way; whether its thread may have more to do."""
        finished: Finished | None = None
        with acting_as(Principal(turn.user_id, Fence(turn.id, turn.generation))):
            try:
                finished = await self._try(turn)
            except StaleLease:
                log.warning("turn %s was taken over by another server; nothing of ours was written", turn.id)
            finally:
                self._endings.tell(turn, finished.turn if finished else None)
        return finished is None or finished.more

    async def _try(self, turn: Turn) -> Finished | None:
        """Carry a turn out; if that fails, hand it back or give up. Raises StaleLease."""
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
        return await self._run(turn)

    async def _run(self, turn: Turn) -> Finished | None:
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
            return await self._cancelled(turn, str(cancelled.args[0]) if cancelled.args else "")
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

    async def _cancelled(self, turn: Turn, why: str) -> Finished | None:
        if why == "stale":
            raise StaleLease
        if why == "user":
            return await self._finish_early(turn, "cancelled", CANCELLED)
        await self._inbox.release(turn, counts=False)
        return None

    async def _run_graph(self, turn: Turn, progress: Progress) -> Outcome:
        config = config_of(turn)
        if turn.tried_before and (told := await self._told_before(turn, config)):
            return told
        stream: Any = self._graph.astream(
            graph_input(turn),
            config,
            context=context_of(turn),
            stream_mode=["updates", "custom"],
            durability="exit",
        )
        # Left to the garbage collector, a stream that fails here would write its last checkpoint as somebody else.
        async with contextlib.aclosing(stream):
            async for mode, chunk in stream:
                await progress.tell(mode, chunk)
        return progress.outcome()

    async def _told_before(self, turn: Turn, config: Any) -> Outcome | None:
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
        """Answer a turn whose graph did not: only what the ledger shows is told."""
        turn = await self._inbox.seal(turn)
        await self._keep_said(turn)
        changes = await self._changes.changes_of_turn(str(turn.user_id), str(turn.id))
        return await self._inbox.finish(turn, state, interrupted_outcome(words, changes), {})

    async def _keep_said(self, turn: Turn) -> None:
        """A graph that was stopped may not have kept what was said, and "undo that" may mean it."""
        try:
            with acting_as(Principal(turn.user_id, Fence(turn.id, turn.generation))):
                await self._graph.aupdate_state(config_of(turn), {"messages": [user_message(turn)]}, as_node=START)
        except StaleLease:
            raise
        except Exception as error:  # noqa: BLE001 - a turn that cannot be remembered has to end all the same
            log.warning("could not keep what was said in turn %s (%s)", turn.id, type(error).__name__)

    async def _make_way(self, new: NewTurn) -> None:
        """Interrupt stops the thread's running turn; rollback also undoes what it changed."""
        turn = await self._inbox.in_the_way(new)
        if turn is None:
            return
        await self.cancel(new.user_id, turn.id)
        if new.strategy == "rollback":
            with contextlib.suppress(Conflict):
                await self.undo(new.user_id, turn.id, turn.id)
