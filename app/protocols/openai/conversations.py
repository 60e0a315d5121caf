"""Which thread a conversation of OpenAI's protocol belongs to, and which turn a retry means.

Their clients send the whole conversation each time and name nothing. A front end may name its chat; else the beginning
of the conversation tells it apart for a day. What is said alone begins one: a tool that keeps no conversation, such as
`llm`, says "undo that" in a new one each time, which answers no question of an earlier one.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Awaitable, Callable
from datetime import UTC, date, datetime, timedelta
from uuid import UUID, uuid5

from fastapi import Request

from app.errors import InvalidInput, NotFound
from app.http.deps import Services
from app.protocols.openai.shapes import ChatRequest

LASTS = timedelta(hours=24)
THREAD = "x-summit-thread"
CHATS = ("x-openwebui-chat-id", "x-librechat-conversation-id", "x-conversation-id")
RETRIES = "x-stainless-retry-count"
LONGEST_NAME = 200


async def place_of(
    request: Request, services: Services, user_id: UUID, asked: ChatRequest, *, again: bool
) -> tuple[UUID, bytes]:
    """The thread of a conversation, and what the same conversation sent again has in common with it.

    It is the thread that is named, by Summit's id or by the front end's, else the last one that began like this. Words
    that stand alone begin a new one, unless they were sent before and are sent ``again``.
    """
    named = await _find_named_thread(request, services, user_id, asked)
    if named is not None:
        return named, body_hash(asked, str(named))
    begins = beginning(asked)
    last = await _last_begun(services, user_id, begins) if again or not asked.stands_alone else None
    if not asked.stands_alone:
        place = last or await _begin_thread(services, user_id, begins)
        return place, body_hash(asked, str(place))
    hashed = body_hash(asked, "")
    if last is not None and await services.inbox.sent_before(user_id, last, hashed):
        return last, hashed
    return await _begin_thread(services, user_id, begins), hashed


async def _find_named_thread(request: Request, services: Services, user_id: UUID, asked: ChatRequest) -> UUID | None:
    named = request.headers.get(THREAD) or (asked.metadata or {}).get("thread_id")
    if named is not None:
        return await _existing(services, user_id, named)
    chat = _chat(request, asked)
    if chat is None:
        return None
    thread_id = uuid5(user_id, f"openai chat {str(chat)[:LONGEST_NAME]}")
    return (await services.threads.create(user_id, "", thread_id)).id


def names_chat(request: Request, asked: ChatRequest) -> bool:
    """Whether the front end says which of its chats this is, so that the same messages are the same request."""
    return _chat(request, asked) is not None


def _chat(request: Request, asked: ChatRequest) -> object:
    chat = next((value for name in CHATS if (value := request.headers.get(name))), None)
    return chat or (asked.metadata or {}).get("chat_id")


def beginning(asked: ChatRequest) -> str:
    """What all messages of one conversation share: its first words."""
    first = next((message.outline for message in asked.messages if message.role == "user"), "")
    return hashlib.sha256(first.strip().encode()).hexdigest()


def body_hash(asked: ChatRequest, thread: str) -> bytes:
    """Equal for the same conversation sent again to a thread, streamed or not."""
    said = [[message.role, message.content] for message in asked.messages]
    return hashlib.sha256(json.dumps([thread, said], sort_keys=True).encode()).digest()


def is_retry(request: Request) -> bool:
    """Whether the client's library says that it sends this again."""
    count = request.headers.get(RETRIES, "0")
    return count.isascii() and count.isdigit() and int(count[:9]) > 0


async def _existing(services: Services, user_id: UUID, named: object) -> UUID:
    try:
        thread_id = UUID(str(named))
    except ValueError:
        raise InvalidInput("The thread must be an id of GET /v1/threads.", hint=f"Leave {THREAD} out.") from None
    if await services.threads.get(user_id, thread_id) is None:
        raise NotFound("There is no such thread.", hint=f"Leave {THREAD} out, and the conversation gets one.")
    return thread_id


async def _last_begun(services: Services, user_id: UUID, hashed: str) -> UUID | None:
    """Today's last thread of a beginning, or yesterday's while it is younger than a day."""
    now = datetime.now(UTC)
    for day in (now.date(), (now - LASTS).date()):
        last = await _how_many(services, user_id, hashed, day) - 1
        known = await services.threads.get(user_id, _name(user_id, hashed, day, last)) if last >= 0 else None
        if known and now - known.created_at < LASTS:
            return known.id
    return None


async def _begin_thread(services: Services, user_id: UUID, hashed: str) -> UUID:
    """A new thread of a beginning."""
    today = datetime.now(UTC).date()
    number = await _how_many(services, user_id, hashed, today)
    return (await services.threads.create(user_id, "", _name(user_id, hashed, today, number))).id


async def _how_many(services: Services, user_id: UUID, hashed: str, day: date) -> int:
    async def is_there(number: int) -> bool:
        return await services.threads.get(user_id, _name(user_id, hashed, day, number)) is not None

    return await first_that_is_not(is_there)


async def first_that_is_not(is_there: Callable[[int], Awaitable[bool]]) -> int:
    """The first number that is free, of numbers that are taken in their order: few are looked at, however many are."""
    above = 1
    while await is_there(above - 1):
        above *= 2
    free, taken = above - 1, above // 2 - 1
    while free - taken > 1:
        middle = (free + taken) // 2
        free, taken = (free, middle) if await is_there(middle) else (middle, taken)
    return free


def _name(user_id: UUID, hashed: str, day: date, number: int) -> UUID:
    return uuid5(user_id, f"openai {hashed} {day}{f' {number}' if number else ''}")
