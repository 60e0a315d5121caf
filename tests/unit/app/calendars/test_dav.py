"""What calendar servers answer that a real one beside us does not: pieces, refusals, other hosts, hostile XML."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

import pytest

from app.boundary.model import Fetched, OutboundCall
from app.calendars.dav import CalDav
from app.calendars.model.synced import Login, RemoteFailed, RemoteItem, RemoteMoved, RemoteRefused, Stored

URL = "https://dav.example.com/ana/work/"
LOGIN = Login("https://dav.example.com/", "ana", "secret")
ENTRY = (
    '<d:response><d:href>{}</d:href><d:propstat><d:prop><d:getetag>"{}"</d:getetag></d:prop>'
    "<d:status>HTTP/1.1 200 OK</d:status></d:propstat></d:response>"
)
GONE = "<d:response><d:href>{}</d:href><d:status>HTTP/1.1 404 Not Found</d:status></d:response>"
MORE = "<d:response><d:href>/ana/work/</d:href><d:status>HTTP/1.1 507 Insufficient Storage</d:status></d:response>"


class Scripted:
    """Gives its answers one after the other."""

    def __init__(self, *answers: Fetched) -> None:
        self.answers = list(answers)
        self.calls: list[OutboundCall] = []

    async def request(self, wanted: OutboundCall) -> Fetched:
        self.calls.append(wanted)
        return self.answers.pop(0)


def multistatus(*responses: str, token: str = "") -> Fetched:
    tail = f"<d:sync-token>{token}</d:sync-token>" if token else ""
    body = f'<?xml version="1.0"?><d:multistatus xmlns:d="DAV:">{"".join(responses)}{tail}</d:multistatus>'
    return Fetched(207, URL, {}, body.encode())


def client(*answers: Fetched) -> tuple[CalDav, Scripted]:
    server = Scripted(*answers)
    return CalDav(server, max_bytes=1_000_000), server


async def test_a_list_in_pieces_is_put_together() -> None:
    dav, server = client(
        multistatus(ENTRY.format("/ana/work/a.ics", 1), ENTRY.format("/ana/work/b.ics", 1), MORE, token="one"),
        multistatus(ENTRY.format("/ana/work/c.ics", 1), GONE.format("/ana/work/a.ics"), token="two"),
    )
    found = await dav.changes(LOGIN, URL, "zero")
    assert (dict(found.changed), found.gone, found.token, found.whole) == (
        {"b.ics": '"1"', "c.ics": '"1"'},
        ["a.ics"],
        "two",
        False,
    )
    assert b"<sync-token>one</sync-token>" in (server.calls[1].body or b"")


LATER = {401, 408, 423, 425, 429, 502, 503, 504}
REFUSALS = [status for status in range(300, 600) if status not in LATER]


async def test_a_token_that_is_refused_in_whatever_way_means_all_is_read() -> None:
    for status in REFUSALS:
        dav, _ = client(Fetched(status, URL), multistatus(ENTRY.format("/ana/work/a.ics", 1), token="new"))
        found = await dav.changes(LOGIN, URL, "old")
        assert (dict(found.changed), found.token, found.whole) == ({"a.ics": '"1"'}, "new", True), status


@pytest.mark.parametrize("status", [418, 500])
async def test_such_reports_that_are_refused_in_whatever_way_mean_a_plain_list(status: int) -> None:
    refusal = Fetched(status, URL)
    dav, server = client(refusal, refusal, multistatus(ENTRY.format("/ana/work/a.ics", 1)))
    found = await dav.changes(LOGIN, URL, "old")
    assert (dict(found.changed), found.token, found.whole) == ({"a.ics": '"1"'}, None, True)
    assert [call.method for call in server.calls] == ["REPORT", "REPORT", "PROPFIND"]


async def test_a_token_in_the_middle_of_a_list_may_be_refused_too() -> None:
    first = multistatus(ENTRY.format("/ana/work/a.ics", 1), MORE, token="one")
    whole = multistatus(ENTRY.format("/ana/work/b.ics", 1), token="two")
    dav, _ = client(first, Fetched(418, URL), whole)
    found = await dav.changes(LOGIN, URL, "zero")
    assert (dict(found.changed), found.token, found.whole) == ({"b.ics": '"1"'}, "two", True)


@pytest.mark.parametrize("status", sorted(LATER))
async def test_a_server_that_wants_to_be_asked_later_or_by_somebody_else_is_not_asked_for_all(status: int) -> None:
    dav, server = client(Fetched(status, URL))
    with pytest.raises(RemoteFailed):
        await dav.changes(LOGIN, URL, "old")
    assert len(server.calls) == 1


async def test_a_calendar_that_is_gone_is_said_to_be() -> None:
    dav, _ = client(*[Fetched(404, URL)] * 3)
    with pytest.raises(RemoteRefused, match="not at its address"):
        await dav.changes(LOGIN, URL, "old")


async def test_a_server_without_such_lists_is_listed_whole() -> None:
    dav, server = client(Fetched(501, URL), multistatus(ENTRY.format("/ana/work/a%20b.ics", 1)))
    found = await dav.changes(LOGIN, URL, None)
    assert (dict(found.changed), found.token, found.whole) == ({"a b.ics": '"1"'}, None, True)
    assert [call.method for call in server.calls] == ["REPORT", "PROPFIND"]


@pytest.mark.parametrize(
    "href",
    ["/ana/work/", "/ana/other/a.ics", "/ana/work/deeper/a.ics", "https://evil.example/x.ics", "../../etc/x.ics"],
)
async def test_what_lies_elsewhere_is_no_file_of_the_calendar(href: str) -> None:
    dav, _ = client(multistatus(ENTRY.format(href, 1), token="new"))
    assert dict((await dav.changes(LOGIN, URL, None)).changed) == {}


BOMB = b'<?xml version="1.0"?><!DOCTYPE a [<!ENTITY b "ha"><!ENTITY c "&b;&b;">]><d:multistatus xmlns:d="DAV:"/>'


@pytest.mark.parametrize("body", [BOMB, b"<html></html>", b"<d:multistatus", b"\xff\xfe"])
async def test_what_is_no_webdav_is_refused(body: bytes) -> None:
    dav, _ = client(Fetched(207, URL, {}, body))
    with pytest.raises(RemoteFailed, match="no WebDAV"):
        await dav.changes(LOGIN, URL, None)


@pytest.mark.parametrize(
    ("status", "kind"),
    [(412, RemoteMoved), (401, RemoteFailed), (503, RemoteFailed), (429, RemoteFailed), (403, RemoteRefused)],
)
async def test_how_a_write_may_end(status: int, kind: type[Exception]) -> None:
    dav, server = client(Fetched(status, URL))
    with pytest.raises(kind):
        await dav.put(LOGIN, URL, "a b.ics", RemoteItem('"1"', "text"))
    [call] = server.calls
    assert (call.method, call.url, call.headers["If-Match"]) == ("PUT", f"{URL}a%20b.ics", '"1"')
    assert (call.protected, call.follow) == (True, False)


async def test_a_new_file_is_written_over_no_other_and_a_weak_tag_is_none() -> None:
    dav, server = client(Fetched(201, URL, {"etag": 'W/"1"'}))
    assert await dav.put(LOGIN, URL, "a.ics", RemoteItem(None, "text")) == Stored(None)
    assert server.calls[0].headers["If-None-Match"] == "*"


async def test_what_is_gone_already_is_deleted() -> None:
    dav, _ = client(Fetched(404, URL))
    await dav.delete(LOGIN, URL, "a.ics", '"1"')


def home_at(address: str) -> Sequence[Fetched]:
    inner = (
        f'<c:calendar-home-set xmlns:c="urn:ietf:params:xml:ns:caldav"><d:href>{address}</d:href></c:calendar-home-set>'
    )
    prop = f"<d:propstat><d:prop>{inner}</d:prop><d:status>HTTP/1.1 200 OK</d:status></d:propstat>"
    return [multistatus(f"<d:response><d:href>/</d:href>{prop}</d:response>")]


@pytest.mark.parametrize("address", ["https://evil.example/ana/", "http://dav.example.com/ana/"])
async def test_a_password_goes_to_no_other_server(address: str) -> None:
    dav, server = client(*home_at(address))
    with pytest.raises(RemoteRefused, match="another server"):
        await dav.find(LOGIN)
    assert len(server.calls) == 1


async def test_a_server_beside_the_named_one_may_have_the_calendars() -> None:
    calendar = (
        "<d:response><d:href>/7/work/</d:href><d:propstat><d:prop><d:resourcetype><d:collection/>"
        '<c:calendar xmlns:c="urn:ietf:params:xml:ns:caldav"/></d:resourcetype></d:prop>'
        "<d:status>HTTP/1.1 200 OK</d:status></d:propstat></d:response>"
    )
    answer = multistatus(calendar)
    there = Fetched(207, "https://p34.example.com/7/", {}, answer.body)
    dav, _ = client(*home_at("https://p34.example.com/7/"), there)
    found = await dav.find(LOGIN)
    assert {(one.url, one.name, one.writable) for one in found} == {("https://p34.example.com/7/work/", "work", True)}
    assert [one.holds for one in found] == ["events", "tasks"]


@pytest.mark.parametrize(("component", "names"), [("VEVENT", ["a.ics", "c.ics"]), ("VTODO", ["b.ics", "c.ics"])])
@pytest.mark.parametrize("token", [None, "zero"])
async def test_files_that_are_told_to_be_of_another_kind_are_not_listed(
    component: Literal["VEVENT", "VTODO"], names: list[str], token: str | None
) -> None:
    kinds = {
        "a.ics": "text/calendar; charset=utf-8; component=vevent",
        "b.ics": "text/calendar;component=VTODO",
        "c.ics": "",
    }
    kind = "<d:getcontenttype>{}</d:getcontenttype></d:prop>"
    entries = [
        ENTRY.format(f"/ana/work/{name}", 1).replace("</d:prop>", kind.format(told)) for name, told in kinds.items()
    ]
    server = Scripted(multistatus(*entries, token="new"))
    dav = CalDav(server, max_bytes=1_000_000, component=component)
    assert sorted((await dav.changes(LOGIN, URL, token)).changed) == names
    assert b"getcontenttype" in (server.calls[0].body or b"")
