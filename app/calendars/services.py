"""What routes need of calendars."""

from __future__ import annotations

from typing import Annotated

from fastapi import Depends

from app.calendars.feed import FeedWriter
from app.calendars.keeper import CalendarKeeper
from app.calendars.store.calendars import PostgresCalendars
from app.calendars.store.feeds import Feeds
from app.calendars.store.synced_calendars import CalendarAccounts
from app.calendars.sync import CalendarSync
from app.http.deps import provide

ProvidedCalendars = Annotated[PostgresCalendars, Depends(provide(PostgresCalendars))]
ProvidedKeeper = Annotated[CalendarKeeper, Depends(provide(CalendarKeeper))]
ProvidedAccounts = Annotated[CalendarAccounts, Depends(provide(CalendarAccounts))]
ProvidedSync = Annotated[CalendarSync, Depends(provide(CalendarSync))]
ProvidedFeeds = Annotated[Feeds, Depends(provide(Feeds))]
ProvidedFeedWriter = Annotated[FeedWriter, Depends(provide(FeedWriter))]
