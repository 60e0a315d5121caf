"""Keeps calendars of elsewhere up to date: fetched safely, read in a child, replaced as a whole or not at all."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from http import HTTPStatus
from uuid import UUID

from app.boundary.model import Fetched, Outbound, TargetFailed, TargetRefused
from app.calendars.model.calendars import CalendarContents, CalendarRefused, Calendars, CalendarSource
from app.calendars.reader import Reader, digest_of
from app.http.accounts.store.users import Users
from app.settings import Settings

ACCEPT = "text/calendar, text/plain;q=0.5, */*;q=0.1"
READ_AGAIN = timedelta(days=1)
READ_AHEAD_SLACK = timedelta(days=30)
CLAIM_SECONDS = 300.0
WEBCAL = ("webcal://", "webcals://")


@dataclass(frozen=True)
class Pace:
    """How often an address is fetched: as it asks to be within these bounds, ``usual`` when it does not say."""

    usual: timedelta
    least: timedelta
    most: timedelta

    def after(self, stated: int | None, failures: int = 0) -> timedelta:
        """The pause; while fetching fails it begins with the shortest and doubles."""
        if failures:
            return min(self.least * (1 << min(failures - 1, 10)), self.most)
        return min(max(timedelta(seconds=stated) if stated else self.usual, self.least), self.most)


@dataclass(frozen=True)
class CalendarKeeper:
    """Reads files and addresses."""

    calendars: Calendars
    outbound: Outbound
    reader: Reader
    pace: Pace
    zone_of: Callable[[UUID], Awaitable[str]]

    async def check(self, url: str) -> None:
        """Raises CalendarRefused for an address that must never be fetched."""
        try:
            await self.outbound.check(_addresses(url)[0])
        except TargetRefused as refused:
            raise CalendarRefused(str(refused)) from refused
        except TargetFailed:
            return  # it may be there later

    async def read(self, body: bytes, timezone: str) -> CalendarContents:
        """What a file says; raises CalendarRefused."""
        return await self.reader.read(body, timezone)

    def next_reading(self) -> datetime:
        """When a file is to be read again, so that its series reach far enough."""
        return datetime.now(UTC) + READ_AGAIN

    async def refresh(self, user_id: UUID, calendar_id: UUID) -> None:
        """Refresh a calendar if that is due, and store the outcome with it."""
        source = await self.calendars.claim(user_id, calendar_id, CLAIM_SECONDS)
        if source is None:
            return
        try:
            contents = await self._contents(source, await self.zone_of(user_id))
        except (CalendarRefused, TargetRefused, TargetFailed) as problem:
            again = self._next(source, source.refresh_seconds, source.failures + 1)
            await self.calendars.mark_failed(user_id, calendar_id, str(problem), again)
            return
        if contents is None:
            await self.calendars.mark_unchanged(user_id, calendar_id, self._next(source, source.refresh_seconds))
        else:
            again = self._next(source, contents.refresh_seconds)
            await self.calendars.keep(user_id, calendar_id, contents, again)

    async def due(self, how_many: int) -> Sequence[tuple[UUID, UUID]]:
        """(user, calendar) of refreshes that are due, of any user."""
        return await self.calendars.due(how_many)

    async def _contents(self, source: CalendarSource, timezone: str) -> CalendarContents | None:
        """What the calendar says now; None when that is what was read before and reaches far enough."""
        fetched = await self._fetch(source) if source.url else None
        body = fetched.body if fetched and fetched.status == HTTPStatus.OK else source.content
        if body is None:
            raise CalendarRefused("There is nothing to read.")
        if digest_of(body, timezone) == source.digest and self._reaches_far(source):
            return None
        contents = await self.reader.read(body, timezone)
        headers = fetched.headers if fetched and fetched.status == HTTPStatus.OK else None
        if headers is None:
            return replace(contents, etag=source.etag, last_modified=source.last_modified)
        return replace(contents, etag=headers.get("etag"), last_modified=headers.get("last-modified"))

    async def _fetch(self, source: CalendarSource) -> Fetched:
        """The answer, which is the calendar or says that it has not changed; raises for anything else."""
        answer = await self._answer(source)
        known = answer.status == HTTPStatus.NOT_MODIFIED and source.content is not None
        if answer.status != HTTPStatus.OK and not known:
            raise TargetFailed(f"The server answered {_spell_status(answer.status)}.")
        return answer

    async def _answer(self, source: CalendarSource) -> Fetched:
        *first, last = _addresses(source.url or "")
        for address in first:
            try:
                return await self._ask(source, address)
            except TargetFailed:
                continue  # webcal does not say whether the server speaks https
        return await self._ask(source, last)

    async def _ask(self, source: CalendarSource, address: str) -> Fetched:
        conditions = {"If-None-Match": source.etag, "If-Modified-Since": source.last_modified}
        stated = {name: value for name, value in conditions.items() if value and source.content is not None}
        return await self.outbound.fetch(address, headers={"Accept": ACCEPT, **stated}, max_bytes=self.reader.max_bytes)

    def _reaches_far(self, source: CalendarSource) -> bool:
        return source.read_until is not None and source.read_until > self.reader.until() - READ_AHEAD_SLACK

    def _next(self, source: CalendarSource, stated: int | None, failures: int = 0) -> datetime:
        pause = self.pace.after(stated, failures) if source.url else READ_AGAIN
        return datetime.now(UTC) + pause


def keeper_for(settings: Settings, calendars: Calendars, users: Users, outbound: Outbound) -> CalendarKeeper:
    """A keeper with the limits that the settings state."""

    async def zone_of(user_id: UUID) -> str:
        user = await users.get(user_id)
        stated: str | None = user.settings.get("timezone") if user else None
        return stated or settings.default_timezone

    reader = Reader(
        max_bytes=settings.max_calendar_bytes,
        max_events=settings.max_calendar_events,
        max_occurrences=settings.max_calendar_occurrences,
        seconds=settings.calendar_seconds,
        days_ahead=settings.occurrence_days_ahead,
    )
    pace = Pace(
        usual=timedelta(minutes=settings.calendar_refresh_minutes),
        least=timedelta(minutes=settings.calendar_refresh_min_minutes),
        most=timedelta(minutes=settings.calendar_refresh_max_minutes),
    )
    return CalendarKeeper(calendars, outbound, reader, pace, zone_of)


def _addresses(url: str) -> list[str]:
    """The addresses behind a URL: webcal is https, or http where that fails."""
    scheme, separator, rest = url.partition("://")
    if f"{scheme.lower()}{separator}" in WEBCAL:
        return [f"https://{rest}", f"http://{rest}"] if scheme.lower() == "webcal" else [f"https://{rest}"]
    return [url]


def _spell_status(status: int) -> str:
    try:
        return f"{status} {HTTPStatus(status).phrase}"
    except ValueError:
        return str(status)
