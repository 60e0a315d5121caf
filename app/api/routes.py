"""All doors together."""

from __future__ import annotations

from fastapi import APIRouter

from app.api import health, turns

V1 = (turns.router, health.version_router)


def all_routes() -> APIRouter:
    """Every route, under its prefix."""
    root = APIRouter()
    root.include_router(health.router)
    for router in V1:
        root.include_router(router, prefix="/v1")
    return root
