"""Google on this machine: signing in, and the APIs of Calendar and Tasks, held to Google's own descriptions."""

from __future__ import annotations

import json
import threading
from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Literal
from urllib.parse import parse_qs, parse_qsl, urlsplit

from tests.support.fakes.google.calendars import GoogleCalendarState, Refused
from tests.support.fakes.google.discovery import Method, discovery
from tests.support.fakes.google.sign_in import CLIENT_ID, CLIENT_SECRET, SignInPage
from tests.support.fakes.google.tasks import GoogleTaskList
from tests.support.servers.plain import plain_client

OWNER = "ada@example.com"
CALENDAR, TASKS = discovery("calendar.v3"), discovery("tasks.v1")
AUTHORIZE, TOKEN, REVOKE, API, TASKS_API = "/o/oauth2/v2/auth", "/token", "/revoke", "/calendar/v3", "/tasks/v1"
Answer = tuple[int, Any]
Fault = Literal["lost", "unavailable", "slow down"]
"""``lost``: it is done, and its answer never comes."""
REFUSALS = {"unavailable": Refused(503, "backendError"), "slow down": Refused(403, "rateLimitExceeded")}


class Server(ThreadingHTTPServer):
    """May be stopped and started again at its port."""

    daemon_threads = True
    allow_reuse_address = True

    def handle_error(self, *_: Any) -> None:
        """A connection that breaks off is part of the play."""


@dataclass
class Google:
    """One person's account; ``faults`` befall the writes to come, one after the other."""

    page: SignInPage = field(default_factory=SignInPage)
    calendars: dict[str, GoogleCalendarState] = field(default_factory=dict)
    lists: dict[str, GoogleTaskList] = field(default_factory=dict)
    faults: deque[Fault] = field(default_factory=deque)
    page_size: int = 250
    wrong: list[str] = field(default_factory=list)
    asked: list[str] = field(default_factory=list)
    host: str = "127.0.0.1"
    port: int = 0
    _server: Server | None = None
    _thread: threading.Thread | None = None

    @property
    def url(self) -> str:
        return f"http://{self.host}:{self.port}"

    def settings(self) -> dict[str, str]:
        """The settings of a Summit that takes this for Google."""
        return {
            "google_client_id": CLIENT_ID,
            "google_client_secret": CLIENT_SECRET,
            "google_authorize_url": f"{self.url}{AUTHORIZE}",
            "google_token_url": f"{self.url}{TOKEN}",
            "google_revoke_url": f"{self.url}{REVOKE}",
            "google_calendar_url": f"{self.url}{API}",
            "google_tasks_url": f"{self.url}{TASKS_API}",
        }

    def allow(self, url: str, redirect: str) -> str:
        """A person opens the address, and allows (or denies) what is asked: where the browser ends."""
        self.page.redirects.add(redirect)
        with plain_client("") as browser:
            answer = browser.get(url)
        assert answer.status_code == 302, answer.text
        return str(answer.headers["location"])

    def start(self) -> None:
        self._server = Server((self.host, self.port), _handler(self))
        self.port = self._server.server_port
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.02,), daemon=True)
        self._thread.start()

    def stop(self) -> None:
        """It is away; what it knows stays."""
        if self._server and self._thread:
            self._server.shutdown()
            self._server.server_close()
            self._thread.join()
            self._server = None

    def answer(self, verb: str, target: str, headers: Mapping[str, str], body: bytes) -> Answer | None:
        """What is answered to a request; None breaks the connection off."""
        parts = urlsplit(target)
        query = parse_qsl(parts.query, keep_blank_values=True)
        self.asked.append(f"{verb} {parts.path}")
        if parts.path == AUTHORIZE:
            onward = self.page.ask(dict(query))
            return (302, onward) if onward else (400, {"error": "invalid_request"})
        if parts.path in (TOKEN, REVOKE):
            form = {name: values[0] for name, values in parse_qs(body.decode()).items()}
            return self.page.token(form) if parts.path == TOKEN else self.page.revoke(form)
        api = TASKS if parts.path.startswith(TASKS_API) else CALENDAR
        method = api.method(verb, parts.path)
        if method is None:
            return self._wrong(f"there is no {verb} {parts.path}", 404)
        sent = json.loads(body) if body else None
        if faults := api.faults(method, query, sent):
            return self._wrong(f"{method.id}: {'; '.join(faults)}", 400)
        return self._called(method, query, headers, sent)

    def _called(
        self, method: Method, query: Sequence[tuple[str, str]], headers: Mapping[str, str], body: Any
    ) -> Answer | None:
        fault = self.faults.popleft() if self.faults and method.about["httpMethod"] != "GET" else None
        try:
            self._check_access(method, headers.get("authorization", "").removeprefix("Bearer "))
            if fault in REFUSALS:
                raise REFUSALS[fault]
            if method.id.startswith("tasks."):
                found = self._task_done(method, dict(query), body)
            else:
                found = self._done(method, query, headers.get("if-match"), body)
        except Refused as refused:
            return refused.status, _problem(refused.status, refused.reason)
        return None if fault == "lost" else found

    def _check_access(self, method: Method, token: str) -> None:
        scopes = self.page.access.get(token)
        if scopes is None:
            raise Refused(401, "authError")
        if not scopes & set(method.about["scopes"]):
            raise Refused(403, "insufficientPermissions")

    def _wrong(self, what: str, status: int) -> Answer:
        self.wrong.append(what)
        return status, _problem(status, "badRequest")

    def _done(self, method: Method, query: Sequence[tuple[str, str]], match: str | None, body: Any) -> Answer:
        single = dict(query)
        if method.id == "calendar.calendarList.list":
            listed = [one.listed() for one in self.calendars.values()]
            return 200, {"kind": "calendar#calendarList", "items": listed}
        calendar = self.calendars.get(method.named["calendarId"])
        if calendar is None:
            raise Refused(404, "notFound")
        with calendar.lock:
            if method.id == "calendar.events.list":
                kinds = [value for name, value in query if name == "eventTypes"]
                return 200, calendar.page(single, kinds, self.page_size)
            if method.id == "calendar.events.insert":
                _check_writer(calendar)
                return 200, calendar.insert(body)
            event = method.named["eventId"]
            if method.id == "calendar.events.get":
                return 200, calendar.get(event)
            _check_writer(calendar)
            if method.id == "calendar.events.patch":
                return 200, calendar.patch(event, body, match)
            calendar.delete(event, match)
            return 204, None

    def _task_done(self, method: Method, query: Mapping[str, str], body: Any) -> Answer:
        if method.id == "tasks.tasklists.list":
            return 200, {"kind": "tasks#taskLists", "items": [one.listed() for one in self.lists.values()]}
        tasks = self.lists.get(method.named["tasklist"])
        if tasks is None:
            raise Refused(404, "notFound")
        with tasks.lock:
            if method.id == "tasks.tasks.list":
                return 200, tasks.page(query, self.page_size)
            if method.id == "tasks.tasks.insert":
                return 200, tasks.insert(body)
            task = method.named["task"]
            if method.id == "tasks.tasks.get":
                return 200, tasks.get(task)
            if method.id == "tasks.tasks.patch":
                return 200, tasks.patch(task, body)
            tasks.delete(task)
            return 204, None


def _check_writer(calendar: GoogleCalendarState) -> None:
    if calendar.role not in ("owner", "writer"):
        raise Refused(403, "requiredAccessLevel")


def _problem(status: int, reason: str) -> dict[str, Any]:
    return {"error": {"code": status, "message": reason, "errors": [{"domain": "global", "reason": reason}]}}


def _handler(google: Google) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
            headers = {name.lower(): value for name, value in self.headers.items()}
            answer = google.answer(self.command, self.path, headers, body)
            if answer is None:
                self.close_connection = True
                return
            status, told = answer
            self.send_response(status)
            sent = b"" if told is None or status == 302 else json.dumps(told).encode()
            if status == 302:
                self.send_header("Location", told)
            self.send_header("Content-Type", "application/json; charset=UTF-8")
            self.send_header("Content-Length", str(len(sent)))
            self.end_headers()
            self.wfile.write(sent)

        do_POST = do_PATCH = do_DELETE = do_GET  # noqa: N815 - the library's names

        def log_message(self, *_: object) -> None:
            """Say nothing."""

    return Handler


@contextmanager
def google_account(host: str = "127.0.0.1") -> Iterator[Google]:
    """Google with one account that has two calendars; whatever was asked of it has to follow its description."""
    google = Google(host=host)
    work = GoogleCalendarState("work@group.calendar.google.com", "Work")
    google.calendars = {OWNER: GoogleCalendarState(OWNER, "Ada", primary=True), work.id: work}
    google.start()
    try:
        yield google
    finally:
        google.stop()
    assert google.wrong == []
