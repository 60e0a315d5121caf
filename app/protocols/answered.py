"""Conversations that go on behind the last message of their user: with an answer, or with what a client's tool gave.

Clients send them to go on; the message itself was worked on before and acts once.
"""

from __future__ import annotations

from collections.abc import Sequence
from uuid import UUID

from app.http.deps import Services
from app.turns.model.turns import Turn

USERS = frozenset({"user", "human"})
ANSWERS = frozenset({"assistant", "ai", "tool", "function"})


def goes_on(roles: Sequence[str]) -> bool:
    """Whether an answer stands behind the last message of the user."""
    last = max((at for at, role in enumerate(roles) if role in USERS), default=len(roles))
    return any(role in ANSWERS for role in roles[last + 1 :])


async def turn_before(services: Services, user_id: UUID, thread_id: UUID, said: str) -> Turn | None:
    """The last turn of a thread, if its message was this one."""
    turns = await services.inbox.of_thread(user_id, thread_id, 1)
    return next((turn for turn in turns if turn.text == said), None)
