"""All doors together."""

from __future__ import annotations

from fastapi import APIRouter

from app.api import changes, health, memos, profile, records, settings, threads, turns, users

V1 = (
    turns.router,
    *records.routers,
    profile.router,
    changes.router,
    threads.router,
    memos.router,
    settings.router,
    users.keys_router,
    users.users_router,
    health.version_router,
)


def all_routes() -> APIRouter:
    """Every route, under its prefix."""
    root = APIRouter()
    root.include_router(health.router)
    for router in V1:
        root.include_router(router, prefix="/v1")
    return root
