"""All routes of turns and conversations."""

from __future__ import annotations

from app.turns.routes import spoken, stream, threads, turns, understand, uploads, ws

ROUTERS = (
    turns.router,
    spoken.router,
    understand.router,
    stream.router,
    ws.router,
    threads.router,
    uploads.router,
)
