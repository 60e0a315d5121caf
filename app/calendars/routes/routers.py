"""All routes of calendars."""

from __future__ import annotations

from app.calendars.routes import calendar_accounts, calendars, feed, google_accounts

ROUTERS = (
    calendars.router,
    calendar_accounts.router,
    calendar_accounts.conflicts_router,
    google_accounts.router,
    google_accounts.back_router,
    feed.router,
    feed.open_router,
)
