"""All routes of runs."""

from __future__ import annotations

from app.work.runs.routes import lessons, runs, tool_servers

ROUTERS = (
    runs.router,
    lessons.router,
    tool_servers.router,
)
