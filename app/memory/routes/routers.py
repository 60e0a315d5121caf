"""All routes of memory."""

from __future__ import annotations

from app.memory.routes import memory, topics

ROUTERS = (
    memory.router,
    topics.router,
)
