"""The summary of a thread as its card shows it: the digest that the thread's newest checkpoint holds."""

from __future__ import annotations

from uuid import UUID

from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.base import BaseCheckpointSaver

from agents.rendering.thread_summary import ThreadSummary
from app.database.database import Database

KEEP = "update threads set summary = %s where user_id = %s and id = %s and summary <> %s"


async def renew_summary(database: Database, saver: BaseCheckpointSaver[str], thread: str) -> None:
    """Write a thread's (``<user>:<thread>``) digest onto its card; called now and then, never within a turn."""
    config: RunnableConfig = {"configurable": {"thread_id": thread, "checkpoint_ns": ""}}
    newest = await saver.aget_tuple(config)
    digest = newest.checkpoint["channel_values"].get("digest") if newest else None
    if isinstance(digest, ThreadSummary):
        user_id, _, thread_id = thread.partition(":")
        text = digest.text()
        async with database.tenant(UUID(user_id)) as conn:
            await conn.execute(KEEP, (text, user_id, thread_id, text))
