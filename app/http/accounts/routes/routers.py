"""All routes of accounts."""

from __future__ import annotations

from app.http.accounts.routes import audit, portability, sessions, settings, users

ROUTERS = (
    portability.router,
    settings.router,
    users.keys_router,
    users.users_router,
    audit.router,
    sessions.router,
)
