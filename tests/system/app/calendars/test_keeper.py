"""When calendars are fetched again, what is said when that fails, and what is kept then."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID, uuid4

import pytest

from app.boundary.model import Fetched, TargetFailed, TargetRefused
from app.calendars.keeper import CalendarKeeper, Pace
from app.calendars.model.calendars import CalendarContents, CalendarRefused, CalendarSource, ImportedCalendar
from app.calendars.reader import Reader
from tests.support.calendars.ics import ics, meeting

USER, CALENDAR = uuid4(), uuid4()
URL = "https://example.org/a.ics"
PACE = Pace(usual=timedelta(hours=1), least=timedelta(minutes=15), most=timedelta(days=1))
READER = Reader(max_bytes=10_000, max_events=100, max_occurrences=1000, seconds=60, days_ahead=400)
Answer = Fetched | Exception


@dataclass
class Shelf:
    """One calendar that is always due."""

    source: CalendarSource
    told: list[tuple[str, Any, datetime]] = field(default_factory=list)

    async def claim(self, user_id: UUID, calendar_id: UUID, seconds: float) -> CalendarSource | None:
        return self.source

    async def keep(self, user_id: UUID, calendar_id: UUID, contents: CalendarContents, next_refresh: datetime) -> None:
        self.told.append(("kept", contents, next_refresh))

    async def mark_unchanged(self, user_id: UUID, calendar_id: UUID, next_refresh: datetime) -> None:
        self.told.append(("unchanged", None, next_refresh))

    async def mark_failed(self, user_id: UUID, calendar_id: UUID, error: str, next_refresh: datetime) -> None:
        self.told.append(("failed", error, next_refresh))

    async def list(self, user_id: UUID) -> list[ImportedCalendar]:
        raise AssertionError

    async def get(self, user_id: UUID, calendar_id: UUID) -> ImportedCalendar | None:
        raise AssertionError

    async def subscribe(
        self, user_id: UUID, calendar_id: UUID, url: str, name: str, *, named: bool
    ) -> ImportedCalendar:
        raise AssertionError

    async def add_file(
        self, user_id: UUID, calendar_id: UUID, name: str, contents: CalendarContents, *, next_refresh: datetime
    ) -> ImportedCalendar:
        raise AssertionError

    async def delete(self, user_id: UUID, calendar_id: UUID) -> bool:
        raise AssertionError

    async def due(self, how_many: int) -> Sequence[tuple[UUID, UUID]]:
        return [(USER, CALENDAR)]


@dataclass
class Web:
    """Answers by address."""

    answers: dict[str, Answer]
    asked: list[tuple[str, Mapping[str, str]]] = field(default_factory=list)

    async def check(self, url: str) -> None:
        if isinstance(answer := self.answers[url], Exception):
            raise answer

    async def fetch(
        self, url: str, *, headers: Mapping[str, str] | None = None, max_bytes: int | None = None
    ) -> Fetched:
        self.asked.append((url, headers or {}))
        answer = self.answers[url]
        if isinstance(answer, Exception):
            raise answer
        return answer

    async def post(self, url: str, body: bytes, *, headers: Mapping[str, str] | None = None) -> Fetched:
        raise AssertionError


def source(**values: Any) -> CalendarSource:
    known = dict.fromkeys(("content", "digest", "etag", "last_modified", "refresh_seconds", "read_until"))
    return CalendarSource(**{"id": CALENDAR, "url": URL, "failures": 0, **known, **values})


async def refreshed(given: CalendarSource, answers: dict[str, Answer]) -> tuple[str, Any, float, Web]:
    """What became of it, with what, in how many minutes it is tried again, and what was asked."""
    shelf, web = Shelf(given), Web(answers)

    async def zone_of(user_id: UUID) -> str:
        return "Europe/Lisbon"

    await CalendarKeeper(shelf, web, READER, PACE, zone_of).refresh(USER, CALENDAR)
    ((outcome, detail, again),) = shelf.told
    return outcome, detail, round((again - datetime.now(UTC)) / timedelta(minutes=1)), web


async def known(**values: Any) -> CalendarSource:
    """A calendar that was read before."""
    found = await READER.read(ics(meeting()), "Europe/Lisbon")
    kept = {"content": found.content, "digest": found.digest, "read_until": found.read_until, "etag": '"1"'}
    return source(**{**kept, **values})


async def test_a_new_calendar_is_read_and_its_tags_are_kept() -> None:
    body = ics(meeting(), head="X-PUBLISHED-TTL:PT2H\n")
    answer = Fetched(200, URL, {"etag": '"1"', "last-modified": "yesterday"}, body)
    outcome, contents, minutes, web = await refreshed(source(), {URL: answer})
    assert (outcome, contents.etag, contents.last_modified, minutes) == ("kept", '"1"', "yesterday", 120)
    assert not {"If-None-Match", "If-Modified-Since"} & set(web.asked[0][1])


async def test_an_unchanged_calendar_is_left_alone() -> None:
    given = await known(last_modified="yesterday")
    outcome, _, minutes, web = await refreshed(given, {URL: Fetched(304, URL)})
    assert (outcome, minutes) == ("unchanged", 60)
    assert web.asked[0][1]["If-None-Match"] == '"1"'
    assert web.asked[0][1]["If-Modified-Since"] == "yesterday"
    again = Fetched(200, URL, {}, given.content or b"")
    assert (await refreshed(given, {URL: again}))[0] == "unchanged"


async def test_time_goes_on_and_series_must_reach_further() -> None:
    given = await known(read_until=datetime.now(UTC) + timedelta(days=300))
    outcome, contents, _, _ = await refreshed(given, {URL: Fetched(304, URL)})
    assert (outcome, contents.etag, contents.content) == ("kept", '"1"', given.content)
    file = await known(read_until=datetime.now(UTC) + timedelta(days=300), url=None)
    assert (await refreshed(file, {}))[:1] == ("kept",)


@pytest.mark.parametrize(("stated", "minutes"), [("PT1M", 15), ("PT3H", 180), ("P30D", 1440)])
async def test_the_author_says_how_often_within_bounds(stated: str, minutes: int) -> None:
    body = ics(meeting(), head=f"REFRESH-INTERVAL;VALUE=DURATION:{stated}\n")
    assert (await refreshed(source(), {URL: Fetched(200, URL, {}, body)}))[2] == minutes


@pytest.mark.parametrize(
    ("answer", "why"),
    [
        (Fetched(404, URL), "The server answered 404 Not Found."),
        (Fetched(599, URL), "The server answered 599."),
        (Fetched(304, URL), "The server answered 304 Not Modified."),
        (TargetFailed("It did not answer."), "It did not answer."),
        (TargetRefused("It is private."), "It is private."),
        (Fetched(200, URL, {}, b"<html>"), "This is no calendar: an .ics file begins with BEGIN:VCALENDAR."),
    ],
)
async def test_a_failure_says_why_and_keeps_nothing_new(answer: Answer, why: str) -> None:
    outcome, error, minutes, _ = await refreshed(source(), {URL: answer})
    assert (outcome, error, minutes) == ("failed", why, 15)
    assert (await refreshed(source(failures=2), {URL: answer}))[2] == 60
    assert (await refreshed(source(failures=9), {URL: answer}))[2] == 1440


async def test_webcal_is_https_or_else_http() -> None:
    page = Fetched(200, URL, {}, ics(meeting()))
    both: dict[str, Answer] = {"https://h/a.ics": page, "http://h/a.ics": page}
    assert [url for url, _ in (await refreshed(source(url="webcal://h/a.ics"), both))[3].asked] == ["https://h/a.ics"]
    plain = {**both, "https://h/a.ics": TargetFailed("no TLS")}
    outcome, _, _, web = await refreshed(source(url="WEBCAL://h/a.ics"), plain)
    assert (outcome, len(web.asked)) == ("kept", 2)
    assert (await refreshed(source(url="webcals://h/a.ics"), plain))[0] == "failed"


async def test_only_what_must_never_be_fetched_is_refused_at_once() -> None:
    async def zone_of(user_id: UUID) -> str:
        return "UTC"

    web = Web({"http://a": TargetRefused("private"), "http://b": TargetFailed("unknown")})
    keeper = CalendarKeeper(Shelf(source()), web, READER, PACE, zone_of)
    with pytest.raises(CalendarRefused, match="private"):
        await keeper.check("http://a")
    await keeper.check("http://b")
