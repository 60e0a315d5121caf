"""The child that reads calendars: it answers, or is stopped, and can reach nothing."""

from __future__ import annotations

import asyncio
import resource
import time
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from app.calendars.model.calendars import CalendarRefused
from app.calendars.reader import Reader
from tests.support.calendars.ics import CUSTOM_ZONE, ics, meeting

LISBON = "Europe/Lisbon"
SOON = f"{datetime.now(UTC) + timedelta(days=3):%Y%m%dT100000}"


def reader(**limits: Any) -> Reader:
    usual = {"max_bytes": 10_000_000, "max_events": 20_000, "max_occurrences": 50_000, "seconds": 60, "days_ahead": 400}
    return Reader(**{**usual, **limits})


async def test_a_file_is_read_with_all_that_a_refresh_needs() -> None:
    body = ics(meeting("7", "standup", f"{SOON}Z"), head="X-WR-CALNAME:Work\nX-PUBLISHED-TTL:PT2H\n")
    found = await reader().read(body, LISBON)
    assert (found.name, found.events, found.refresh_seconds, found.warnings) == ("Work", 1, 7200, [])
    (one,) = found.busy
    assert (one.item, one.title, one.end - one.start) == ("7", "standup", timedelta(hours=1))
    assert (found.content, len(found.digest)) == (body, 32)
    assert found.read_until > datetime.now(UTC) + timedelta(days=399)
    assert found.digest != (await reader().read(body, "UTC")).digest


@pytest.mark.parametrize(
    "zone", ["Europe/Berlin", "W. Europe Standard Time", "Customized Time Zone", "Middle/Earth", "/x/Asia/Tokyo"]
)
async def test_zones_are_known_where_no_file_can_be_opened(zone: str) -> None:
    body = ics(f"UID:1\nDTSTART;TZID={zone}:{SOON}\nDURATION:PT1H", head=CUSTOM_ZONE)
    assert len((await reader().read(body, LISBON)).busy) == 1


async def test_the_loop_goes_on_while_a_large_file_is_read() -> None:
    body = ics(*[meeting(str(n), "x", f"{SOON}Z") for n in range(5000)])
    reading = asyncio.create_task(reader().read(body, LISBON))
    longest, before_all = 0.0, children_seconds()
    while not reading.done():
        before = time.thread_time()
        await asyncio.sleep(0.01)
        longest = max(longest, time.thread_time() - before)
    assert len((await reading).busy) == 5000
    assert longest < (children_seconds() - before_all) / 2


def children_seconds() -> float:
    """Return the CPU time of all children that have ended."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


async def test_files_that_come_together_are_read_one_after_the_other() -> None:
    one = reader()
    found = await asyncio.gather(*[one.read(ics(meeting("1", "x", f"{SOON}Z")), LISBON) for _ in range(5)])
    assert [len(contents.busy) for contents in found] == [1] * 5


async def test_a_file_that_takes_too_long_is_stopped() -> None:
    bombs = [meeting(str(n), "x", "20200101T100000Z", "RRULE:FREQ=DAILY;BYMONTH=2;BYMONTHDAY=30") for n in range(20)]
    with pytest.raises(CalendarRefused, match="took longer"):
        await reader(seconds=1).read(ics(*bombs), LISBON)


async def test_a_described_zone_that_never_stops_changing() -> None:
    bomb = CUSTOM_ZONE.replace("FREQ=YEARLY;BYDAY=-1SU;BYMONTH=3", "FREQ=SECONDLY")
    body = ics(
        f"UID:1\nDTSTART;TZID=Customized Time Zone:{SOON}\nDURATION:PT1H", meeting("2", "x", f"{SOON}Z"), head=bomb
    )
    try:
        found = await reader(seconds=1).read(body, LISBON)
        assert "x" in [one.title for one in found.busy]
    except CalendarRefused:
        pass  # either is an answer


@pytest.mark.parametrize(
    ("body", "why"),
    [(b"x" * 2000, "larger than 1000 bytes"), (b"hello", "begins with BEGIN"), (ics(meeting())[:-9], "cut short")],
)
async def test_refusals_say_why(body: bytes, why: str) -> None:
    with pytest.raises(CalendarRefused, match=why):
        await reader(max_bytes=1000).read(body, LISBON)
