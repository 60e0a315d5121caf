"""All doors together."""

from __future__ import annotations

from fastapi import FastAPI

from app.api import (
    calendars,
    changes,
    feed,
    freebusy,
    health,
    memory,
    memos,
    notifications,
    profile,
    providers,
    records,
    reference,
    settings,
    spending,
    stream,
    threads,
    turns,
    users,
    webhooks,
    ws,
)

ROUTERS = (
    turns.router,
    stream.router,
    ws.router,
    *records.routers,
    profile.router,
    calendars.router,
    feed.router,
    feed.open_router,
    freebusy.router,
    changes.router,
    threads.router,
    memos.router,
    memory.router,
    notifications.router,
    webhooks.router,
    settings.router,
    spending.router,
    providers.router,
    users.keys_router,
    users.users_router,
    health.router,
    reference.router,
)


def add_routes(app: FastAPI) -> None:
    """Open every door. Each router names its whole path: logs and metrics show routes as they stand in the code."""
    for router in ROUTERS:
        app.include_router(router)
