"""What a feed shows of a user's events: those that are not over, the latest of them where they are too many."""

from __future__ import annotations

from datetime import UTC, datetime

from app.calendars.model.calendars import OpenFeed
from app.calendars.store.feeds import Feeds
from app.database.database import Database
from tests.support.ledgers import LISBON, Desk, desk_at

SINCE = datetime(2026, 11, 18, 9, 30, tzinfo=UTC)


async def add(desk: Desk, title: str, start: str, end: str) -> None:
    await desk.add("event", title=title, start=start, end=end, zone=LISBON)


async def shown(database: Database, desk: Desk, most: int = 10) -> list[str]:
    events, _ = await Feeds(database).items(OpenFeed(desk.user, b"", "none", 0, None), SINCE, most)
    return [event.title for event in events]


async def test_an_event_stays_until_it_is_over_and_a_whole_day_until_its_midnight(database: Database) -> None:
    desk = await desk_at(database)
    await add(desk, "over", "2026-11-18T08:00:00+00:00", "2026-11-18T09:29:00+00:00")
    await add(desk, "under way", "2026-11-18T09:00:00+00:00", "2026-11-18T09:31:00+00:00")
    await add(desk, "yesterday", "2026-11-16", "2026-11-17")
    await add(desk, "today", "2026-11-17", "2026-11-18")
    assert sorted(await shown(database, desk)) == ["today", "under way"]


async def test_of_too_many_events_the_latest_are_shown(database: Database) -> None:
    desk = await desk_at(database)
    for day in ("21", "19", "20"):
        await add(desk, day, f"2026-11-{day}T08:00:00+00:00", f"2026-11-{day}T09:00:00+00:00")
    assert await shown(database, desk, most=2) == ["21", "20"]
