"""Whoever calls addresses that people give, with a name that changes sides at every look-up (DNS rebinding).

One port on two addresses: outside, which may be called, and inside, which must never hear anything. The name service
answers one and the other in turns, as an attacker's does with a lifetime of zero.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from ipaddress import ip_network
from typing import Any
from uuid import uuid4

import pytest

from app.boundary.model import Outbound, TargetRefused
from app.boundary.outbound.http import SafeHttp
from app.calendars.keeper import CalendarKeeper, Pace
from app.calendars.model.calendars import CalendarSource
from app.calendars.reader import Reader
from app.http.accounts.issuer import Issuer
from app.http.accounts.model.tokens import IssuerAway
from app.records.jobs.webhooks import WebhookPoster
from app.records.model.notices import Notification, Parcel
from app.work.runs.tools.tool import ToolContext
from app.work.runs.tools.web import FetchForm, WebTools
from tests.support.calendars.ics import ics, meeting
from tests.support.peers.identity_provider import Provider
from tests.support.peers.site import Site, answer, site

OUTSIDE, INSIDE = "127.0.0.77", "127.0.0.78"
"""Two addresses of this machine on which nothing else listens: one port is free on both."""
ROUNDS = 6
NOW = datetime.now(UTC)


@dataclass
class Turning:
    """A name service that answers ``first``, then the other side, then the first again."""

    sides: list[str]
    asked: int = 0

    async def __call__(self, host: str, port: int) -> Sequence[str]:
        self.asked += 1
        return [self.sides[(self.asked - 1) % len(self.sides)]]


@dataclass
class Noted:
    """Ports whose every method notes what it was told, and answers what it is given."""

    answers: dict[str, Any] = field(default_factory=dict)
    told: list[tuple[str, Any]] = field(default_factory=list)

    def __getattr__(self, name: str) -> Callable[..., Awaitable[Any]]:
        async def noted(*values: Any, **_: Any) -> Any:
            self.told.append((name, values))
            return self.answers.get(name)

        return noted


async def _webhook(outbound: Outbound, url: str) -> str:
    parcel = Parcel(uuid4(), 0, uuid4(), uuid4(), url, "json", "secret")
    notice = Notification(uuid4(), "reminder", "todo", "1", "tea", "tea", NOW, NOW, 0, 1, None, None, None)
    ports: Any = Noted({"parcel": parcel, "get": notice})
    await WebhookPoster(ports, ports, outbound, 3, 1.0).deliver(uuid4(), parcel.id)
    return str(ports.told)


async def _calendar(outbound: Outbound, url: str) -> str:
    source = CalendarSource(uuid4(), url, None, None, None, None, None, None, 0)
    shelf: Any = Noted({"claim": source})
    reader = Reader(max_bytes=10_000, max_events=100, max_occurrences=1000, seconds=60, days_ahead=400)
    hour = timedelta(hours=1)

    async def zone_of(_user: Any) -> str:
        return "UTC"

    await CalendarKeeper(shelf, outbound, reader, Pace(hour, hour, hour), zone_of).refresh(uuid4(), source.id)
    return str(shelf.told)


async def _page(outbound: Outbound, url: str) -> str:
    context = ToolContext(uuid4(), uuid4(), uuid4(), NOW, "UTC")
    return str(await WebTools(outbound, outbound, "").fetch(context, FetchForm(url=url)))


async def _issuer(outbound: Outbound, url: str) -> str:
    issuer = url.removesuffix("/secret")
    try:
        await Issuer(issuer, "summit", outbound).verify(Provider(issuer).token())
    except IssuerAway as error:
        return str(error)
    raise AssertionError("it has no keys to publish")


CALLERS = {"webhook": _webhook, "calendar": _calendar, "page": _page, "issuer": _issuer}


@pytest.fixture
async def outside() -> AsyncIterator[Site]:
    async with site(OUTSIDE) as running:
        for path in ("/secret", "/.well-known/openid-configuration"):
            running.script(path, answer(body=ics(meeting("1", "standup", "20991118T100000Z"))))
        yield running


@pytest.fixture
async def inside(outside: Site) -> AsyncIterator[Site]:
    async with site(INSIDE, port=outside.port) as running:
        running.script("/secret", answer(body=b"the keys of the kingdom"))
        yield running


@pytest.mark.parametrize("sides", [[OUTSIDE, INSIDE], [INSIDE, OUTSIDE], [OUTSIDE, OUTSIDE, INSIDE]], ids=str)
@pytest.mark.parametrize("caller", CALLERS)
async def test_a_name_that_changes_sides_leads_nobody_inside(
    outside: Site, inside: Site, caller: str, sides: list[str]
) -> None:
    turning = Turning(sides)
    outbound = SafeHttp([ip_network(f"{OUTSIDE}/32")], resolving=turning, seconds=60.0)
    told = [await CALLERS[caller](outbound, f"http://turning.example:{outside.port}/secret") for _ in range(ROUNDS)]
    assert turning.asked >= ROUNDS
    assert outside.heard, "where the name leads outside, it is called"
    assert inside.heard == []
    assert "kingdom" not in str(told)
    assert "private network" in str(told)


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
async def test_a_redirect_to_a_name_that_then_turns_leads_nobody_inside(
    outside: Site, inside: Site, status: int
) -> None:
    outside.script("/away", answer(status, Location=f"http://turning.example:{outside.port}/secret"))
    for sides in ([OUTSIDE, INSIDE], [OUTSIDE, OUTSIDE, INSIDE]):
        outbound = SafeHttp([ip_network(f"{OUTSIDE}/32")], resolving=Turning(sides), seconds=60.0)
        for _ in range(ROUNDS):
            try:
                found = await outbound.fetch(f"http://turning.example:{outside.port}/away")
            except TargetRefused:
                continue
            assert b"kingdom" not in found.body
    assert inside.heard == []
    assert outside.heard
