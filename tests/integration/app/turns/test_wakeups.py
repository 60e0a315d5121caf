"""News that come while a thread's queue is being looked at are looked at again, not lost until the sweep."""

from __future__ import annotations

import asyncio
from typing import Any
from uuid import UUID, uuid4

from app.database.database import Database
from app.turns.model.turns import Turn
from app.voice.model import NewMemo
from tests.support.ledgers import LISBON, NOW
from tests.support.scripted import ScriptedUnderstanding
from tests.support.servers.turn_server import CountingInbox, new_turn, reply_of, turn_server


class SlowLook(CountingInbox):
    """An inbox whose next claim has looked already, but does not come back until it may."""

    def __init__(self, *values: Any, **options: Any) -> None:
        super().__init__(*values, **options)
        self.looked, self.may_return = asyncio.Event(), asyncio.Event()

    async def claim(self, user_id: UUID, thread_id: UUID) -> Turn | None:
        found = await super().claim(user_id, thread_id)
        if not self.looked.is_set():
            self.looked.set()
            await self.may_return.wait()
        return found


async def test_words_that_come_just_after_the_look_are_acted_on(database: Database) -> None:
    async with turn_server(database, ScriptedUnderstanding(), inbox_kind=SlowLook, sweep_seconds=3600) as server:
        slow = server.inbox
        assert isinstance(slow, SlowLook)
        memo = NewMemo(uuid4(), "wav", 4, b"sum", NOW, LISBON)
        turn = (await server.turns.submit(new_turn(server.user, None, memo=memo))).turn
        await slow.looked.wait()
        await server.inbox.deliver_transcript(server.user, memo.id, "call mom")
        server.turns.kick(server.user, turn.thread_id)
        slow.may_return.set()
        assert reply_of(await server.wait(turn)) == "Added “call mom” to your tasks."
