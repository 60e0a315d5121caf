"""CalDAV (RFC 4791) with collection synchronisation (RFC 6578), under the outbound rules that every address has."""

from __future__ import annotations

import base64
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from http import HTTPStatus
from typing import Literal
from urllib.parse import quote, unquote, urljoin, urlsplit
from xml.etree.ElementTree import Element, ParseError  # what defusedxml returns and raises
from xml.sax.saxutils import escape

from defusedxml import DefusedXmlException
from defusedxml.ElementTree import fromstring

from app.boundary.model import Fetched, OutboundCall, OutboundCalls
from app.calendars.answers import answer_of
from app.calendars.model.synced import (
    Holds,
    Login,
    RemoteCalendar,
    RemoteChanges,
    RemoteFailed,
    RemoteItem,
    RemoteMoved,
    RemoteRefused,
    Stored,
)

DAV, CAL, APPLE = "{DAV:}", "{urn:ietf:params:xml:ns:caldav}", "{http://apple.com/ns/ical/}"
XMLNS = 'xmlns="DAV:" xmlns:c="urn:ietf:params:xml:ns:caldav" xmlns:a="http://apple.com/ns/ical/"'
XML = {"Content-Type": "application/xml; charset=utf-8"}
WELL_KNOWN = "/.well-known/caldav"
COMPONENT = re.compile(r"component=\W?(\w+)", re.IGNORECASE)
COMPONENTS: Mapping[Holds, str] = {"events": "VEVENT", "tasks": "VTODO"}
AT_ONCE = 50
MOST_PIECES = 1000
"""Of an answer that a server gives in pieces."""
LONGEST_NAME = 500
ASK_LATER = frozenset({408, 423, 425, 429, 502, 503, 504})
"""With these a server refuses nothing for good. Of a token that it does not know, or a report that it does not make, it
may say whatever else it likes."""
WRONG_LOGIN = "The server does not take this user name and password."
NOT_FOUND_THERE = "There is no calendar account at this address."
NO_CALENDAR = "The calendar is not at its address any more."
PRINCIPAL = f"<propfind {XMLNS}><prop><current-user-principal/><c:calendar-home-set/><resourcetype/></prop></propfind>"
HOME = f"<propfind {XMLNS}><prop><c:calendar-home-set/></prop></propfind>"
CALENDARS = f"""<propfind {XMLNS}><prop><resourcetype/><displayname/><a:calendar-color/><current-user-privilege-set/>
<c:supported-calendar-component-set/></prop></propfind>"""
LISTING = f"<propfind {XMLNS}><prop><getetag/><getcontenttype/><resourcetype/></prop></propfind>"
SYNC = f"""<sync-collection {XMLNS}><sync-token>%s</sync-token><sync-level>1</sync-level>
<prop><getetag/><getcontenttype/></prop></sync-collection>"""
MULTIGET = f"<c:calendar-multiget {XMLNS}><prop><getetag/><c:calendar-data/></prop>%s</c:calendar-multiget>"


@dataclass(frozen=True)
class DavResource:
    """One resource of a multistatus: its address, its own status, and the properties that it has."""

    href: str
    status: int
    props: Mapping[str, Element]

    def text(self, name: str) -> str | None:
        """The text of a property; None where it is missing or empty."""
        found = self.props.get(name)
        return (found.text or "").strip() or None if found is not None else None

    def href_in(self, name: str) -> str | None:
        """The address in a property."""
        found = self.props.get(name)
        return found.findtext(f"{DAV}href") if found is not None else None

    def has(self, name: str, child: str) -> bool:
        """Whether a property holds such an element."""
        found = self.props.get(name)
        return found is not None and found.find(f".//{child}") is not None


class CalDav:
    """See app.calendars.model.synced.RemoteCalendars. A file is named by the last step of its address, decoded.

    It finds calendars and lists of tasks, and lists the files of one ``component``: of others a server tells the kind.
    """

    def __init__(
        self, outbound: OutboundCalls, *, max_bytes: int, component: Literal["VEVENT", "VTODO"] = "VEVENT"
    ) -> None:
        self._outbound = outbound
        self._max_bytes = max_bytes
        self._component = component

    async def find(self, login: Login) -> Sequence[RemoteCalendar]:
        """The calendars of an account, found from its address or the server's well-known one."""
        home, single = await self._home(login)
        answer = await self._ask(login, "PROPFIND", home, CALENDARS, depth="0" if single else "1")
        found = [one for resource in _multistatus(answer)[0] for one in _calendars(resource, answer.url)]
        if not found:
            raise RemoteRefused(NOT_FOUND_THERE)
        return [one for one in found if _is_related_server(one.url, login.url)]

    async def changes(self, login: Login, url: str, token: str | None) -> RemoteChanges:
        """What changed since the token, or all that is there where the server does not tell."""
        for known in [token, None] if token else [None]:
            if (found := await self._since(login, url, known)) is not None:
                return found
        answer = await self._ask(login, "PROPFIND", url, LISTING, depth="1")
        changed, _ = _changed_and_gone(_multistatus(answer)[0], url, self._component)
        return RemoteChanges(changed, [], None, whole=True)

    async def fetch(self, login: Login, url: str, names: Sequence[str]) -> Mapping[str, RemoteItem]:
        """The files with these names that are there."""
        found: dict[str, RemoteItem] = {}
        for start in range(0, len(names), AT_ONCE):
            some = names[start : start + AT_ONCE]
            hrefs = "".join(f"<href>{escape(urlsplit(_address(url, name)).path)}</href>" for name in some)
            answer = await self._ask(login, "REPORT", url, MULTIGET % hrefs, depth="1")
            for one in _multistatus(answer)[0]:
                name, text = _name(one.href, url), one.text(f"{CAL}calendar-data")
                if name in some and text:
                    found[name] = RemoteItem(one.text(f"{DAV}getetag"), f"{text}\r\n")
        return found

    async def put(self, login: Login, url: str, name: str, item: RemoteItem) -> Stored:
        """Write over the file with that ETag alone, or where no file is."""
        condition = {"If-Match": item.etag} if item.etag else {"If-None-Match": "*"}
        headers = {**condition, "Content-Type": "text/calendar; charset=utf-8"}
        answer = await self._call(login, "PUT", _address(url, name), item.text, headers)
        if answer.status == HTTPStatus.PRECONDITION_FAILED:
            raise RemoteMoved
        _check(answer, f"The server does not take it ({_spell_status(answer.status)}).")
        etag = answer.headers.get("etag")
        return Stored(None if etag is None or etag.startswith("W/") else etag)

    async def delete(self, login: Login, url: str, name: str, etag: str | None) -> None:
        """Delete the file with that ETag alone."""
        answer = await self._call(login, "DELETE", _address(url, name), None, {"If-Match": etag} if etag else {})
        if answer.status == HTTPStatus.PRECONDITION_FAILED:
            raise RemoteMoved
        if answer.status not in (HTTPStatus.NOT_FOUND, HTTPStatus.GONE):
            _check(answer, f"The server does not delete it ({_spell_status(answer.status)}).")

    async def _home(self, login: Login) -> tuple[str, bool]:
        """Where the account's calendars are; or the address itself, where that is one calendar."""
        for start in (login.url, urljoin(login.url, WELL_KNOWN)):
            answer = await self._ask(
                login, "PROPFIND", start, PRINCIPAL, depth="0", allowed=frozenset({403, 404, 405, 501})
            )
            found = _multistatus(answer)[0] if answer.status == HTTPStatus.MULTI_STATUS else []
            if not found:
                continue
            if home := await self._home_of(login, found[0], answer.url):
                return home, False
            if found[0].has(f"{DAV}resourcetype", f"{CAL}calendar"):
                return answer.url, True
        raise RemoteRefused(NOT_FOUND_THERE)

    async def _home_of(self, login: Login, found: DavResource, base: str) -> str | None:
        home, principal = found.href_in(f"{CAL}calendar-home-set"), found.href_in(f"{DAV}current-user-principal")
        if home is None and principal:
            at = _onward(base, principal, login.url)
            answer = await self._ask(login, "PROPFIND", at, HOME, depth="0")
            [first, *_] = _multistatus(answer)[0] or [DavResource("", 0, {})]
            home, base = first.href_in(f"{CAL}calendar-home-set"), answer.url
        return _onward(base, home, login.url) if home else None

    async def _since(self, login: Login, url: str, token: str | None) -> RemoteChanges | None:
        """What changed, put together from pieces: each but the last says that there is more, and from where.

        None where a token is refused.
        """
        changed: dict[str, str | None] = {}
        gone: set[str] = set()
        whole, token = token is None, token or ""
        for _ in range(MOST_PIECES):
            answer = await self._report(login, url, token)
            if answer is None:
                return None
            found, token = _multistatus(answer)
            more, less = _changed_and_gone(found, url, self._component)
            changed = {name: etag for name, etag in changed.items() if name not in less} | more
            gone = (gone - more.keys()) | less
            if not any(one.status == HTTPStatus.INSUFFICIENT_STORAGE for one in found) or not token:
                return RemoteChanges(changed, sorted(gone), token, whole)
        raise RemoteFailed("The server's list of changes has no end.")

    async def _report(self, login: Login, url: str, token: str) -> Fetched | None:
        """A piece of the list of changes; None where it is refused."""
        headers = {"Depth": "0", **XML}
        answer = await self._call(login, "REPORT", url, SYNC % escape(token), headers, follow=True)
        if answer.status == HTTPStatus.UNAUTHORIZED or answer.status in ASK_LATER:
            _check(answer, f"The server answered {_spell_status(answer.status)}.")
        return answer if answer.status == HTTPStatus.MULTI_STATUS else None

    async def _ask(
        self,
        login: Login,
        method: str,
        url: str,
        body: str,
        *,
        depth: str,
        allowed: frozenset[int] = frozenset(),
    ) -> Fetched:
        headers = {"Depth": depth, **XML}
        answer = await self._call(login, method, url, body, headers, follow=True)
        if answer.status not in allowed:
            _check(answer, f"The server answered {_spell_status(answer.status)}.")
        return answer

    async def _call(
        self,
        login: Login,
        method: str,
        url: str,
        body: str | None,
        headers: Mapping[str, str],
        *,
        follow: bool = False,
    ) -> Fetched:
        words = base64.b64encode(f"{login.username}:{login.password}".encode()).decode()
        call = OutboundCall(
            method,
            url,
            {**headers, "Authorization": f"Basic {words}"},
            body.encode() if body is not None else None,
            self._max_bytes,
            follow=follow,
            protected=True,
        )
        return await answer_of(self._outbound, call)


def _check(answer: Fetched, otherwise: str) -> None:
    """Raise what another status than a good one means."""
    if answer.status < HTTPStatus.MULTIPLE_CHOICES:
        return
    if answer.status == HTTPStatus.UNAUTHORIZED:
        raise RemoteFailed(WRONG_LOGIN)
    if answer.status in (HTTPStatus.NOT_FOUND, HTTPStatus.GONE):
        raise RemoteRefused(NO_CALENDAR)
    later = answer.status >= HTTPStatus.INTERNAL_SERVER_ERROR or answer.status in ASK_LATER
    raise RemoteFailed(otherwise) if later else RemoteRefused(otherwise)


def _multistatus(answer: Fetched) -> tuple[list[DavResource], str | None]:
    """The resources of an answer, and its token. Raises RemoteFailed."""
    try:
        root = fromstring(answer.body.decode("utf-8", "replace"), forbid_dtd=True)
    except (ParseError, ValueError, DefusedXmlException) as error:
        raise RemoteFailed("The server answers what is no WebDAV.") from error
    if root.tag != f"{DAV}multistatus":
        raise RemoteFailed("The server answers what is no WebDAV.")
    return [_parse_response(one) for one in root.iterfind(f"{DAV}response")], root.findtext(f"{DAV}sync-token")


def _parse_response(response: Element) -> DavResource:
    props = {
        prop.tag: prop
        for stat in response.iterfind(f"{DAV}propstat")
        if _code(stat.findtext(f"{DAV}status")) == HTTPStatus.OK
        for prop in stat.iterfind(f"{DAV}prop/*")
    }
    return DavResource(response.findtext(f"{DAV}href") or "", _code(response.findtext(f"{DAV}status")), props)


def _code(line: str | None) -> int:
    """The number in a status line; 0 without one."""
    words = (line or "").split()
    return int(words[1]) if len(words) > 1 and words[1].isdigit() else 0


def _changed_and_gone(found: Sequence[DavResource], url: str, component: str) -> tuple[dict[str, str | None], set[str]]:
    """Names with their ETags, and names that are gone; what is told to be of another kind is left out."""
    changed, gone = dict[str, str | None](), set[str]()
    for one in found:
        name = _name(one.href, url)
        if not name or one.has(f"{DAV}resourcetype", f"{DAV}collection"):
            continue
        kind = COMPONENT.search(one.text(f"{DAV}getcontenttype") or "")
        if one.status == HTTPStatus.NOT_FOUND:
            gone.add(name)
        elif f"{DAV}getetag" in one.props and (kind is None or kind[1].upper() == component):
            changed[name] = one.text(f"{DAV}getetag")
    return changed, gone


def _name(href: str, url: str) -> str:
    """The last step of an address within a collection; empty for the collection itself and what lies elsewhere."""
    path, within = unquote(urlsplit(href).path), unquote(urlsplit(url).path).rstrip("/") + "/"
    rest = path.removeprefix(within)
    return rest if path.startswith(within) and "/" not in rest and len(rest) <= LONGEST_NAME else ""


def _address(url: str, name: str) -> str:
    return f"{url.rstrip('/')}/{quote(name, safe='')}"


def _calendars(found: DavResource, base: str) -> list[RemoteCalendar]:
    """What a collection is here: a calendar, or a list of tasks, or both, or neither."""
    url = urljoin(base, found.href)
    name = found.text(f"{DAV}displayname") or unquote(url.rstrip("/").rpartition("/")[2])
    privileges = f"{DAV}current-user-privilege-set"
    writes = any(found.has(privileges, f"{DAV}{right}") for right in ("all", "write", "write-content"))
    color = (found.text(f"{APPLE}calendar-color") or "")[:7].lower() or None
    writable = writes or privileges not in found.props
    return [RemoteCalendar(url, name[:200], color, writable, holds) for holds in _held_kinds(found)]


def _held_kinds(found: DavResource) -> list[Holds]:
    """What is kept there: everything, where a calendar does not say (RFC 4791, 5.2.3)."""
    if not found.has(f"{DAV}resourcetype", f"{CAL}calendar"):
        return []
    kinds = found.props.get(f"{CAL}supported-calendar-component-set")
    named = [one.get("name", "").upper() for one in kinds] if kinds is not None else []
    return [holds for holds, component in COMPONENTS.items() if not named or component in named]


def _onward(base: str, href: str, start: str) -> str:
    url = urljoin(base, href)
    if not _is_related_server(url, start):
        raise RemoteRefused("The account's calendars are on another server; give the address of that one.")
    return url


def _is_related_server(url: str, start: str) -> bool:
    """Whether an address may get the password that was given for another: the same server, or one beside it."""
    new, old = urlsplit(url), urlsplit(start)
    if (new.scheme, new.netloc) == (old.scheme, old.netloc):
        return True
    beside = (old.hostname or "").partition(".")[2]
    return new.scheme == "https" and "." in beside and (new.hostname or "").endswith(f".{beside}")


def _spell_status(status: int) -> str:
    known: Iterator[str] = (f"{status} {one.phrase}" for one in HTTPStatus if one == status)
    return next(known, str(status))
