"""One turn in the queue, from acceptance to its answer; the happy path goes from top to bottom.

The stations of a message in words:

1. ``POST /v1/turns`` (``app/turns/routes/turns.py``): ``TurnIntake`` checks it and calls ``submit``.
2. ``submit``: ``Inbox.accept`` commits it before anybody is told. The SQL function ``accept_turn`` writes the row,
   leased where its thread is free, and the first event. A key that came before gives back its turn; behind another
   turn of the thread it waits as queued, and only the head of a thread is ever leased.
3. ``kick`` starts a worker for the thread, which runs its turns one after the other: the one that came with its lease,
   and those that ``Inbox.claim`` leases.
4. ``TurnRunner`` keeps the lease and runs the graph (``graph/builder.py``). The router asks
   ``ModelUnderstanding`` (``app/models/understanding/understanding.py``). Without a model, for closed forms, and where
   the model fails, that asks ``BuiltIn`` (``agents/understanding``: a small trained reader, and rules).
5. Each writing agent (``Agent.run`` in ``agents/specialists/agent.py``) applies a ``Batch`` to the ledger
   (``app/records/store/ledger.py``), which knows it again by its turn and agent, and computes its rows in
   ``agents/ledger/settle.py``.
6. ``Synthesizer`` (``agents/synthesizer.py``) words the reply from the ledger's rows. ``Progress`` writes what the
   graph tells as events, and keeps the ``Outcome``.
7. ``Inbox.finish`` commits the outcome, the messages and the last events. ``wait`` returns, and the route answers.

After a crash the lease ends. ``sweep`` finds the turn, here or at another server, and the claim gives it a higher
generation, so that the old server can write nothing more: ``check_fence`` guards what it would write, ``finish_turn``
compares the generation, and the index ``turns_one_writer`` allows one running turn a thread. Where the checkpoint has a
complete outcome, the turn is only finished. Else the graph runs again, and the ledger returns what it recorded the
first time.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from uuid import UUID

from agents.contract import Change
from app.errors import Conflict
from app.principal import Fence, Principal, StaleLease, acting_as
from app.records.model.records import ChangeLog
from app.records.store.event_log import EventLog
from app.shares import Shares
from app.turns.correction import say_again, take_back
from app.turns.model.turns import Accepted, Finished, NewTurn, Turn
from app.turns.run_throttle import RunThrottle
from app.turns.runner import TurnRunner
from app.turns.store.inbox import Inbox
from app.turns.undo import undo_change, undo_turn
from app.turns.waiters import TurnWaiters
from app.voice.model import Memo

log = logging.getLogger(__name__)

ThreadKey = tuple[UUID, UUID]

CANCEL_SECONDS = 5.0


class TurnService:
    """Accepts turns, runs those of free threads in this process, and finishes those of servers that died.

    ``run_throttle`` is that of the runs in this process, which make room for turns; ``shares`` says how many turns run
    at once, of one user and of all.
    """

    def __init__(
        self,
        *,
        inbox: Inbox,
        changes: ChangeLog,
        events: EventLog,
        runner: TurnRunner,
        run_throttle: RunThrottle,
        shares: Shares,
        sweep_seconds: float,
    ) -> None:
        self._inbox = inbox
        self._changes = changes
        self._runner = runner
        self._run_throttle = run_throttle
        self._shares = shares
        self._sweep_seconds = sweep_seconds
        self._workers: dict[ThreadKey, asyncio.Task[None]] = {}
        self._news: set[ThreadKey] = set()
        self._waiters = TurnWaiters(inbox, events, lambda turn: (turn.user_id, turn.thread_id) in self._workers)
        self._stopping = False

    async def submit(self, new: NewTurn) -> Accepted:
        """Commit the turn, then start it if its thread is free. Raises what Inbox.accept raises."""
        if new.strategy in ("interrupt", "rollback"):
            await self._make_way(new)
        accepted = await self._inbox.accept(new)
        if not accepted.replayed:
            first = accepted.turn if accepted.turn.state == "running" else None
            self.kick(new.user_id, accepted.turn.thread_id, first)
        return accepted

    def kick(self, user_id: UUID, thread_id: UUID, first: Turn | None = None) -> None:
        """Make sure that somebody here works through a thread's queue."""
        key = (user_id, thread_id)
        if self._stopping:
            return
        if first is None and key in self._workers:
            self._news.add(key)
            return
        if first is not None:
            self._waiters.expect(first)
        self._workers[key] = asyncio.create_task(self._work_through(key, self._workers.get(key), first))

    async def _work_through(self, key: ThreadKey, before: asyncio.Task[None] | None, first: Turn | None) -> None:
        try:
            if before:
                await asyncio.wait([before])
            turn, more = first, True
            while more or key in self._news:
                async with self._shares.place(key[0]):
                    turn = await self._take_up(key, turn)
                    more = turn is not None and await self._complete(turn) and not self._stopping
                turn = None
        except Exception:  # the lease ends by itself and the sweep takes over
            log.exception("stopped working through a thread; its turns are taken up again later")
        finally:
            if self._workers.get(key) is asyncio.current_task():
                del self._workers[key]

    async def _take_up(self, key: ThreadKey, first: Turn | None) -> Turn | None:
        """What to run now that there is a place for it; a server that stops begins nothing more."""
        if not self._stopping:
            return first or await self._claim_next(key)
        self._news.discard(key)
        if first is not None:
            await self._inbox.release(first, counts=False)
        return None

    async def _claim_next(self, key: ThreadKey) -> Turn | None:
        """Claim the thread's next turn; news that come while the claim looks are looked at again."""
        while True:
            self._news.discard(key)
            turn = await self._inbox.claim(*key)
            if turn is not None or key not in self._news:
                return turn

    async def _complete(self, turn: Turn) -> bool:
        """Run one claimed turn to its end, whatever happens on the way; whether its thread may have more to do."""
        finished: Finished | None = None
        with self._run_throttle.turn(), acting_as(Principal(turn.user_id, Fence(turn.id, turn.generation))):
            try:
                finished = await self._runner.run(turn)
            except StaleLease:
                log.warning("turn %s was taken over by another server; nothing of ours was written", turn.id)
            finally:
                self._waiters.tell(turn, finished.turn if finished else None)
        return finished is None or finished.more

    async def wait(self, user_id: UUID, turn_id: UUID, seconds: float) -> Turn:
        """The turn once it is finished, or as it is after ``seconds``. Raises NotFound."""
        return await self._waiters.wait(user_id, turn_id, seconds)

    async def cancel(self, user_id: UUID, turn_id: UUID) -> Turn | None:
        """Stop a turn; what it committed before stays and its reply says so. None for an unknown turn."""
        turn = await self._inbox.request_cancel(user_id, turn_id)
        if turn and turn.state == "cancelled":
            self.kick(user_id, turn.thread_id)
        if turn is None or turn.state != "running":
            return turn
        self._runner.cancel(turn_id)
        return await self.wait(user_id, turn_id, CANCEL_SECONDS)

    async def undo(self, user_id: UUID, turn_id: UUID, origin: UUID) -> list[Change]:
        """Undo every applied change of a turn, newest first, each alone, unless its record has changed since.

        Raises NotFound, Conflict.
        """
        return await undo_turn(self._changes, self._inbox, await self._waiters.require_turn(user_id, turn_id), origin)

    async def take_back(self, turn: Turn) -> None:
        """Undo what a turn did before its corrected words act. Raises Conflict."""
        await take_back(self._inbox, self.undo, turn)

    async def say_again(self, turn: Turn, memo: Memo) -> Turn | None:
        """Have the words of a turn's memo acted on as its user put them, once; None where nothing follows."""
        again = await say_again(self._inbox, self.submit, turn, memo)
        if again:
            self.kick(again.user_id, again.thread_id)
        return again

    async def undo_change(self, user_id: UUID, change_id: UUID, origin: UUID, timezone: str) -> Change:
        """Undo one change; raises NotFound, and answers a refusal as a failed change with its reason.

        Conflicts and free times are told in ``timezone``, an IANA name.
        """
        return await undo_change(self._changes, user_id, change_id, origin, timezone)

    async def _make_way(self, new: NewTurn) -> None:
        """Interrupt stops the thread's running turn; rollback also undoes what it changed."""
        turn = await self._inbox.in_the_way(new)
        if turn is None:
            return
        await self.cancel(new.user_id, turn.id)
        if new.strategy == "rollback":
            with contextlib.suppress(Conflict):
                await self.undo(new.user_id, turn.id, turn.id)

    async def sweep(self) -> None:
        """For ever: find turns that nobody runs (their server died, or never began) and run them here."""
        while not self._stopping:
            try:
                for user_id, thread_id in await self._inbox.threads_to_run():
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
        if self._workers:
            await asyncio.wait(list(self._workers.values()), timeout=grace_seconds)
        self._runner.shut_down()
        if self._workers:
            await asyncio.wait(list(self._workers.values()), timeout=2.0)
