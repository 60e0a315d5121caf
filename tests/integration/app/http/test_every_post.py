"""Every POST of the description, sent twice with one Idempotency-Key, is done once; nothing else may use that key."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any
from uuid import uuid4

import httpx
import psycopg
import pytest

from tests.support.calendars.ics import ics, meeting
from tests.support.fakes.google.server import Google
from tests.support.peers.mailbox import Mailbox, mailbox
from tests.support.peers.radicale import PASSWORD, USER, OtherProgram, Radicale, radicale
from tests.support.servers.api import BESIDE, PROJECTS, NewClient, problem

SOON = (datetime.now(UTC) + timedelta(days=1)).isoformat()
NOBODY = "http://127.0.0.1:9/v1"
PUBLIC = "https://1.1.1.1/hook"
SHOWN_ONCE = frozenset({"api_key", "hint", "secret", "url", "webcal_url"})
MOMENTS = frozenset(
    {"created_at", "updated_at", "last_refreshed", "next_refresh", "scanned_at", "made_at", "expires_at", "next_sync"}
)
NOTIFICATION = """
insert into summit.notifications
       (user_id, id, kind, record_kind, record_id, title, text, due_at, fired_at, late_seconds, event_seq)
select user_id, %s, 'reminder', 'todo', %s, 'call mom', 'Reminder', now(), now(), 0, 0
from summit.api_keys where hint = %s
"""
DEAD = """
insert into summit.webhook_deliveries (user_id, id, webhook_id, notification_id, state)
select user_id, %s, id, %s, 'dead' from summit.webhooks where id = %s
"""
# A lost answer differs there, for a reason; nothing is done twice.
UNLIKE_THE_LOST = {
    "/v1/notifications/{notification_id}/done": "it is done by then, and no change is left to list",
    "/v1/webhooks/{webhook_id}/deliveries/{delivery_id}/again": "it is pending by then, and 409 says so",
    "/v1/runs/{run_id}/approvals": "it is decided by then, and 409 says so",
    "/v1/erase": "nothing is left by then, and its receipt counts nothing",
    "/v1/memos/{memo_id}/retry": "it is received by then, and 409 says so",
    "/v1/calendar-accounts/{account_id}/calendars/{calendar_id}/gone": "none is gone by then, and 409 says so",
    "/v1/calendar-conflicts/{conflict_id}/resolve": "it is decided by then, and 404 says so",
    "/v1/google-accounts": "Google's answer counts once, and 422 says so",
    "/v1/outgoing-mail/{mail_id}/approve": "it is decided by then, and 409 says so",
    "/v1/outgoing-mail/{mail_id}/reject": "it is decided by then, and 409 says so",
}


@dataclass
class Request:
    """A POST; ``other`` is what the same key is refused for, by default the same to another door."""

    path: str
    body: dict[str, Any] = field(default_factory=dict)
    other: dict[str, Any] | None = None
    by: httpx.Client | None = None


@dataclass
class House:
    """A tenant, the administrator and the database behind them."""

    user: httpx.Client
    admin: httpx.Client
    behind: psycopg.Connection
    calendars: Radicale
    letters: Mailbox
    google: Google

    def made(self, path: str, body: dict[str, Any]) -> dict[str, Any]:
        answer = self.user.post(path, json=body)
        assert answer.status_code < 300, answer.text
        return dict(answer.json())

    def said(self, text: str) -> dict[str, Any]:
        return self.made("/v1/turns", {"text": text})

    def told(self) -> str:
        """The id of a notification of a task."""
        todo, new = self.made("/v1/todos", {"task": "call mom"}), uuid4()
        hint = self.user.get("/v1/keys").json()["items"][0]["hint"]
        assert self.behind.execute(NOTIFICATION, (new, todo["id"], hint)).rowcount == 1
        return str(new)


def plain(path: str, body: dict[str, Any], other: dict[str, Any]) -> Callable[[House], Request]:
    return lambda _: Request(path, {"json": body}, {"json": other})


def settling(what: str, *bodies: dict[str, Any]) -> Callable[[House], Request]:
    def ask(house: House) -> Request:
        body, other = ({"json": one} for one in bodies) if bodies else ({}, {})
        return Request(f"/v1/notifications/{house.told()}/{what}", body, other or None)

    return ask


def by_admin(path: str, body: dict[str, Any], other: dict[str, Any]) -> Callable[[House], Request]:
    return lambda house: Request(path, {"json": body}, {"json": other}, by=house.admin)


def _undo_change(house: House) -> Request:
    return Request(f"/v1/changes/{house.said('buy milk')['changes'][0]['id']}/undo")


def _undo_turn(house: House) -> Request:
    return Request(f"/v1/turns/{house.said('buy milk')['id']}/undo")


def _cancel(house: House) -> Request:
    return Request(f"/v1/turns/{house.said('buy milk')['id']}/cancel")


def _confirm(house: House) -> Request:
    house.said("always ask me before adding tasks")
    turn = house.said("add buy stamps")
    assert turn["status"] == "waiting"
    return Request(f"/v1/turns/{turn['id']}/confirm", {"json": {"accept": True}}, {"json": {"accept": False}})


def _again(house: House) -> Request:
    hook, delivery = house.made("/v1/webhooks", {"url": PUBLIC})["id"], uuid4()
    assert house.behind.execute(DEAD, (delivery, house.told(), hook)).rowcount == 1
    return Request(f"/v1/webhooks/{hook}/deliveries/{delivery}/again")


def _credits(house: House) -> Request:
    made = house.admin.post("/v1/users", json={"name": "Rich"}).json()["id"]
    body, other = ({"json": {"user_id": made, "credits": more}} for more in (5, 6))
    return Request("/v1/credits", body, other, by=house.admin)


def _probe(house: House) -> Request:
    house.admin.post("/v1/providers", json={"slug": "nobody", "name": "Nobody", "base_url": NOBODY})
    return Request("/v1/providers/nobody/test")


def _calendar(_: House) -> Request:
    file, other = (
        {"files": {"file": ("a.ics", ics(meeting(uid, "standup", "20991118T100000Z")), "text/calendar")}}
        for uid in ("1", "2")
    )
    return Request("/v1/calendars", file, other)


APPROVAL = """
insert into summit.approvals (user_id, id, run_id, kind, call, reason, expires_at)
select user_id, %s, id, 'approval', '{"name": "x", "arguments": {}}', 'it sends', now() + interval '1 hour'
from summit.runs where id = %s
"""


def _with_a_model(house: House) -> House:
    house.admin.post("/v1/providers", json={"slug": "nobody", "name": "Nobody", "base_url": NOBODY})
    assert house.user.put("/v1/models/chat", json={"provider": "nobody", "model": "none"}).status_code < 300
    return house


def _run(house: House) -> Request:
    _with_a_model(house)
    return Request("/v1/runs", {"json": {"goal": "tidy up"}}, {"json": {"goal": "clean up"}})


def _of_run(what: str, *bodies: dict[str, Any]) -> Callable[[House], Request]:
    def ask(house: House) -> Request:
        run = _with_a_model(house).made("/v1/runs", {"goal": "tidy up"})["id"]
        body, other = ({"json": one} for one in bodies) if bodies else ({}, {})
        return Request(f"/v1/runs/{run}/{what}", body, other or None)

    return ask


def _approval(house: House) -> Request:
    run, asked = _with_a_model(house).made("/v1/runs", {"goal": "tidy up"})["id"], str(uuid4())
    assert house.behind.execute(APPROVAL, (asked, run)).rowcount == 1
    yes, no = ({"json": {"approval_id": asked, "action": action}} for action in ("approve", "reject"))
    return Request(f"/v1/runs/{run}/approvals", yes, no)


JFK = (Path(__file__).parents[3] / "data" / "jfk.flac").read_bytes()


def _memo(_house: House) -> Request:
    one, other = ({"files": {"audio": ("clip.flac", clip, "audio/flac")}} for clip in (JFK, JFK[:-1] + b"x"))
    return Request("/v1/memos", one, other)


def _retry_memo(house: House) -> Request:
    memo = house.user.post("/v1/memos", files={"audio": ("clip.flac", JFK, "audio/flac")}).json()["id"]
    house.behind.execute("update summit.memos set state = 'failed' where id = %s", (memo,))
    return Request(f"/v1/memos/{memo}/retry")


def _finish_upload(house: House) -> Request:
    upload = f"/v1/memos/uploads/{house.made('/v1/memos/uploads', {'client_id': 'whole'})['id']}"
    assert house.user.patch(upload, content=JFK, headers={"Upload-Offset": "0"}).status_code == 204
    return Request(f"{upload}/finish")


def _scan(house: House) -> Request:
    made = house.made("/v1/projects", {"name": "scanned", "root": f"{PROJECTS}/turns"})["id"]
    return Request(f"/v1/projects/{made}/scan")


FLOW = {
    "slug": "flow",
    "name": "Flow",
    "inputs": ["a"],
    "steps": [{"id": "s", "kind": "notify", "text": "{{inputs.a}}"}],
}


def _workflow(house: House) -> Request:
    assert house.user.put("/v1/workflows/flow", json=FLOW).status_code == 200
    one, other = ({"json": {"inputs": {"a": value}}} for value in ("one", "two"))
    return Request("/v1/workflows/flow/runs", one, other)


def _workflow_run(house: House) -> Request:
    made = house.made(_workflow(house).path, {"inputs": {"a": "one"}})["id"]
    return Request(f"/v1/workflows/flow/runs/{made}/cancel")


CONFLICT = """
with item as (
    insert into summit.synced_items (user_id, calendar_id, name, uid, there)
    select user_id, id, 'a.ics', 'a', false from summit.synced_calendars where id = %(calendar)s returning *)
insert into summit.synced_events (user_id, calendar_id, name, instance, record_id, base_local, conflict_id, conflict_at)
select user_id, calendar_id, name, '', %(conflict)s::text, '{"title": "standup"}', %(conflict)s::uuid, now() from item
"""


def _account(house: House) -> Request:
    body = {"url": house.calendars.url, "username": USER, "password": PASSWORD}
    return Request("/v1/calendar-accounts", {"json": body}, {"json": {**body, "name": "Other"}})


def _google(house: House) -> Request:
    asked = house.made("/v1/google-accounts/begin", {})
    body = {"answer": house.google.allow(asked["url"], asked["redirect"])}
    return Request("/v1/google-accounts", {"json": body}, {"json": {**body, "name": "Other"}})


def _synced_calendar(house: House) -> str:
    account = f"/v1/calendar-accounts/{house.made('/v1/calendar-accounts', _account(house).body['json'])['id']}"
    calendar = f"{account}/calendars/{house.user.get(f'{account}/calendars').json()['items'][0]['id']}"
    assert house.user.patch(calendar, json={"direction": "both"}).status_code == 200
    return calendar


def _look(house: House) -> Request:
    return Request(f"{_synced_calendar(house)}/sync")


def _gone(house: House) -> Request:
    calendar = _synced_calendar(house)
    wanted = (calendar.rpartition("/")[2],)
    house.behind.execute("""update summit.synced_calendars set gone = '["a.ics"]' where id = %s""", wanted)
    return Request(f"{calendar}/gone", {"json": {"delete": True}}, {"json": {"delete": False}})


def _conflict(house: House) -> Request:
    values = {"calendar": _synced_calendar(house).rpartition("/")[2], "conflict": str(uuid4())}
    assert house.behind.execute(CONFLICT, values).rowcount == 1
    here, there = ({"json": {"keep": keep}} for keep in ("here", "there"))
    return Request(f"/v1/calendar-conflicts/{values['conflict']}/resolve", here, there)


def _mail_account(house: House) -> Request:
    server = {"host": BESIDE, "port": house.letters.port, "security": "none"}
    body = {"name": "work", "address": "ana@example.org", "password": PASSWORD, "smtp": server}
    return Request("/v1/mail-accounts", {"json": body}, {"json": {**body, "address": "eve@example.org"}})


MAIL = """
insert into summit.outgoing_mail
       (user_id, id, account_id, account, sender, recipients, subject, text, workflow, run_id)
select user_id, %s, id, name, address, '{a@b.org}', 'Hi', 'Hi', 'w', gen_random_uuid() from summit.mail_accounts
where id = %s
"""


def _mail(what: str) -> Callable[[House], Request]:
    def ask(house: House) -> Request:
        account = house.made("/v1/mail-accounts", _mail_account(house).body["json"])["id"]
        written = str(uuid4())
        assert house.behind.execute(MAIL, (written, account)).rowcount == 1
        return Request(f"/v1/outgoing-mail/{written}/{what}")

    return ask


POSTS: dict[str, Callable[[House], Request]] = {
    "/v1/turns": plain("/v1/turns", {"text": "buy milk"}, {"text": "buy bread"}),
    "/v1/turns/{turn_id}/cancel": _cancel,
    "/v1/turns/{turn_id}/undo": _undo_turn,
    "/v1/turns/{turn_id}/confirm": _confirm,
    "/v1/todos": plain("/v1/todos", {"task": "buy milk"}, {"task": "buy bread"}),
    "/v1/events": plain("/v1/events", {"title": "standup", "start": SOON}, {"title": "lunch", "start": SOON}),
    "/v1/notes": plain("/v1/notes", {"category": "note", "content": "blue"}, {"category": "note", "content": "red"}),
    "/v1/instructions": plain("/v1/instructions", {"text": "be brief"}, {"text": "be long"}),
    "/v1/changes/{change_id}/undo": _undo_change,
    "/v1/threads": plain("/v1/threads", {"title": "Kitchen"}, {"title": "Garden"}),
    "/v1/memos": _memo,
    "/v1/memos/{memo_id}/retry": _retry_memo,
    "/v1/memos/uploads": plain("/v1/memos/uploads", {"client_id": "one"}, {"client_id": "two"}),
    "/v1/memos/uploads/{memo_id}/finish": _finish_upload,
    "/v1/notifications/{notification_id}/ack": settling("ack"),
    "/v1/notifications/{notification_id}/snooze": settling("snooze", {"minutes": 15}, {"minutes": 20}),
    "/v1/notifications/{notification_id}/done": settling("done"),
    "/v1/webhooks": plain("/v1/webhooks", {"url": PUBLIC}, {"url": f"{PUBLIC}/2"}),
    "/v1/webhooks/{webhook_id}/deliveries/{delivery_id}/again": _again,
    "/v1/calendar": plain("/v1/calendar", {"todos": "event"}, {"todos": "task"}),
    "/v1/calendars": _calendar,
    "/v1/calendar-accounts": _account,
    "/v1/calendar-accounts/{account_id}/calendars/{calendar_id}/sync": _look,
    "/v1/calendar-accounts/{account_id}/calendars/{calendar_id}/gone": _gone,
    "/v1/calendar-conflicts/{conflict_id}/resolve": _conflict,
    "/v1/google-accounts": _google,
    "/v1/google-accounts/begin": lambda _: Request("/v1/google-accounts/begin"),
    "/v1/mail-accounts": _mail_account,
    "/v1/outgoing-mail/{mail_id}/approve": _mail("approve"),
    "/v1/outgoing-mail/{mail_id}/reject": _mail("reject"),
    "/v1/credits": _credits,
    "/v1/providers": by_admin(
        "/v1/providers",
        {"slug": "nobody", "name": "Nobody", "base_url": NOBODY},
        {"slug": "nobody", "name": "Somebody", "base_url": NOBODY},
    ),
    "/v1/providers/{slug}/test": _probe,
    "/v1/providers/discover": lambda house: Request(
        "/v1/providers/discover", other={"json": {"another": "wish"}}, by=house.admin
    ),
    "/v1/providers/measure": by_admin(
        "/v1/providers/measure", {"base_url": NOBODY, "model": "one"}, {"base_url": NOBODY, "model": "two"}
    ),
    "/v1/memory/search": plain("/v1/memory/search", {"query": "tea"}, {"query": "coffee"}),
    "/v1/memory/ask": plain("/v1/memory/ask", {"question": "which tea?"}, {"question": "which coffee?"}),
    "/v1/projects": plain(
        "/v1/projects", {"name": "one", "root": f"{PROJECTS}/cli"}, {"name": "two", "root": f"{PROJECTS}/http"}
    ),
    "/v1/projects/{project_id}/scan": _scan,
    "/v1/export": lambda _: Request("/v1/export"),
    "/v1/erase": lambda _: Request("/v1/erase", {"json": {"confirm": "erase everything"}}),
    "/v1/agents/{name}/test": lambda _: Request("/v1/agents/codex/test"),
    "/v1/keys": plain("/v1/keys", {"name": "phone"}, {"name": "tablet"}),
    "/v1/understand": plain("/v1/understand", {"text": "buy milk"}, {"text": "buy bread"}),
    "/v1/runs": _run,
    "/v1/runs/{run_id}/cancel": _of_run("cancel"),
    "/v1/runs/{run_id}/message": _of_run("message", {"text": "be quick"}, {"text": "be slow"}),
    "/v1/runs/{run_id}/approvals": _approval,
    "/v1/workflows/{slug}/runs": _workflow,
    "/v1/workflows/{slug}/runs/{run_id}/cancel": _workflow_run,
    "/v1/users": by_admin("/v1/users", {"name": "Ada"}, {"name": "Eve"}),
}


@pytest.fixture(scope="module")
def calendars(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Radicale]:
    with radicale(tmp_path_factory.mktemp("radicale"), BESIDE) as server:
        OtherProgram(server).make()
        yield server


@pytest.fixture(scope="module")
def letters() -> Iterator[Mailbox]:
    with mailbox(password=PASSWORD, host=BESIDE) as box:
        yield box


@pytest.fixture
def house(
    alice: httpx.Client, admin: httpx.Client, doors_database: str, calendars: Radicale, letters: Mailbox, google: Google
) -> Iterator[House]:
    with psycopg.connect(doors_database, autocommit=True) as conn:
        yield House(alice, admin, conn, calendars, letters, google)
    admin.delete("/v1/providers/nobody")


def shown(answer: httpx.Response) -> dict[str, Any]:
    """An answer without what is shown once, and without when that was."""
    return {name: value for name, value in answer.json().items() if name not in SHOWN_ONCE | MOMENTS}


def test_every_post_is_tried_here(client: NewClient) -> None:
    paths = client().get("/openapi.json").json()["paths"]
    assert {path for path, methods in paths.items() if "post" in methods} == set(POSTS)


@pytest.mark.parametrize("path", sorted(POSTS))
def test_a_key_does_one_thing_once(house: House, path: str) -> None:
    request, key = POSTS[path](house), {"Idempotency-Key": str(uuid4())}
    by = request.by or house.user
    first = by.post(request.path, headers=key, **request.body)
    assert first.status_code < 300, first.text
    again = by.post(request.path, headers=key, **request.body)
    assert (again.status_code, shown(again)) == (first.status_code, shown(first))
    assert again.headers["idempotent-replayed"] == "true"
    if request.other is None:
        problem(by.post("/v1/threads", json={"title": "another wish"}, headers=key), 422)
    else:
        problem(by.post(request.path, headers=key, **request.other), 422)


@pytest.mark.parametrize("path", sorted(set(POSTS) - set(UNLIKE_THE_LOST)))
def test_an_answer_that_was_lost_on_the_way_is_given_after_all(house: House, path: str) -> None:
    request, key = POSTS[path](house), str(uuid4())
    by = request.by or house.user
    first = by.post(request.path, headers={"Idempotency-Key": key}, **request.body)
    house.behind.execute("delete from summit.replays where key like %s", (f"%{key}",))
    again = by.post(request.path, headers={"Idempotency-Key": key}, **request.body)
    assert (again.status_code, shown(again)) == (first.status_code, shown(first))
