"""All routes of records and of what comes due."""

from __future__ import annotations

from app.records.routes import changes, freebusy, notifications, occurrences, profile, records, webhooks

ROUTERS = (
    *records.routers,
    profile.router,
    freebusy.router,
    occurrences.router,
    changes.router,
    notifications.router,
    webhooks.router,
)
