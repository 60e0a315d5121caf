"""Which thread a conversation of OpenAI's protocol belongs to, and which turn a retry means.

Their clients send the whole conversation each time and name nothing. A front end may name its chat; else the beginning
of the conversation tells it apart for a day.
"""

from __future__ import annotations

import hashlib
import json
from datetime import UTC, datetime, timedelta
from uuid import UUID, uuid5

from fastapi import Request

from app.api.openai.shapes import ChatRequest
from app.deps import Services
from app.errors import InvalidInput, NotFound

LASTS = timedelta(hours=24)
THREAD = "x-summit-thread"
CHATS = ("x-openwebui-chat-id", "x-librechat-conversation-id", "x-conversation-id")
RETRIES = "x-stainless-retry-count"
LONGEST_NAME = 200


async def thread_of(request: Request, services: Services, user_id: UUID, asked: ChatRequest) -> UUID:
    """The thread that is named, by Summit's id or by the front end's, else the one that began like this."""
    named = request.headers.get(THREAD) or (asked.metadata or {}).get("thread_id")
    if named is not None:
        return await _existing(services, user_id, named)
    chat = _chat(request, asked)
    if chat is not None:
        thread_id = uuid5(user_id, f"openai chat {str(chat)[:LONGEST_NAME]}")
        return (await services.threads.create(user_id, "", thread_id)).id
    return await _begun_like(services, user_id, beginning(asked))


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


def body_hash(asked: ChatRequest, thread_id: UUID) -> bytes:
    """Equal for the same conversation sent again, streamed or not."""
    said = [[message.role, message.content] for message in asked.messages]
    return hashlib.sha256(json.dumps([str(thread_id), said], sort_keys=True).encode()).digest()


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


async def _begun_like(services: Services, user_id: UUID, hashed: str) -> UUID:
    """Today's thread of a beginning, or yesterday's while it is younger than a day; else a new one."""
    now = datetime.now(UTC)
    today, yesterday = (uuid5(user_id, f"openai {hashed} {(now - ago).date()}") for ago in (timedelta(), LASTS))
    if await services.threads.get(user_id, today) is None:
        earlier = await services.threads.get(user_id, yesterday)
        if earlier and now - earlier.created_at < LASTS:
            return yesterday
    return (await services.threads.create(user_id, "", today)).id
