"""Somebody with one of everything that has an id, made through the doors and, where these are too slow, in SQL."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from uuid import uuid4

import httpx
import psycopg

from tests.integration.app.http.access.rows import JFK
from tests.support.calendars.ics import ics, meeting
from tests.support.waiting import wait_until

MEMO_FAILED = "update summit.memos set state = 'failed', retryable = true where id = %s"
NOTIFICATION = """
insert into summit.notifications
       (user_id, id, kind, record_kind, record_id, title, text, due_at, fired_at, late_seconds, event_seq)
values (%s, %s, 'reminder', 'todo', %s, %s, 'Reminder', now(), now(), 0, 0)
"""
DELIVERY = """
insert into summit.webhook_deliveries (user_id, id, webhook_id, notification_id, state) values (%s, %s, %s, %s, 'dead')
"""
APPROVAL = """
insert into summit.approvals (user_id, id, run_id, kind, call, reason, expires_at)
values (%s, %s, %s, 'approval', '{"name": "x", "arguments": {}}', %s, now() + interval '1 hour')
"""
TOPIC = """
with document as (
    insert into summit.memory_documents (user_id, source, id, title, captured_at, digest)
    values (%(user)s, 'memo', 'tea', '', now(), 'x') returning id),
unit as (
    insert into summit.memory_units
           (user_id, source, document, place, text, speaker, start_char, end_char, occurred_at, words)
    select %(user)s, 'memo', id, 0, %(secret)s, '', 0, 5, now(), to_tsvector('english', %(secret)s) from document
    returning id)
insert into summit.memory_topic_units (user_id, unit, topic, words, near)
select %(user)s, id, %(topic)s, array[%(secret)s], 1 from unit
"""


LESSON = """
insert into summit.run_lessons (user_id, id, kind, text, taught, score, is_foreign)
values (%s, %s, 'knowledge', %s, %s, 1, false)
"""


ACCOUNT = """
with account as (
    insert into summit.calendar_accounts (user_id, id, name, url, username, password)
    values (%(user)s, %(account)s, %(secret)s, 'https://1.1.1.1/dav', %(secret)s, 'sealed')),
calendar as (
    insert into summit.synced_calendars (user_id, id, account_id, url, name, writable)
    values (%(user)s, %(calendar)s, %(account)s, 'https://1.1.1.1/dav/a', %(secret)s, true)),
item as (
    insert into summit.synced_items (user_id, calendar_id, name, uid, there)
    values (%(user)s, %(calendar)s, 'a', 'a', true))
insert into summit.synced_events (user_id, calendar_id, name, instance, record_id, conflict_id, conflict_at)
values (%(user)s, %(calendar)s, 'a', '', %(event)s, %(conflict)s, now())
"""

MAIL = """
with account as (
    insert into summit.mail_accounts (user_id, id, name, address, username, password)
    values (%(user)s, %(mail_account)s, %(secret)s, %(secret)s, %(secret)s, 'sealed'))
insert into summit.outgoing_mail
       (user_id, id, account_id, account, sender, recipients, subject, text, workflow, run_id)
select %(user)s, %(mail)s, %(mail_account)s, '', %(secret)s, array[%(secret)s], %(secret)s, %(secret)s, '', %(mail)s
"""


@dataclass
class House:
    """One user: ``ids`` by what they name; ``secret`` is in everything that somebody else must not see."""

    client: httpx.Client
    user: str
    secret: str
    behind: psycopg.Connection[Any]
    ids: dict[str, str] = field(default_factory=dict)

    def made(self, path: str, body: dict[str, Any]) -> dict[str, Any]:
        answer = self.client.post(path, json=body)
        assert answer.status_code < 300, f"{path}: {answer.text}"
        return dict(answer.json())

    def sql(self, statement: str, *values: Any) -> None:
        assert self.behind.execute(statement, values).rowcount == 1, statement


def furnish(house: House, folder: Path) -> None:
    """Make one of everything; ``folder`` may be a project."""
    house.ids |= {"user": house.user, "capability": "chat", "model": "summit", "agent": "codex", "assistant": "summit"}
    house.ids |= {"client": str(uuid4()), "external": str(uuid4()), "run_name": str(uuid4()), "folder": str(folder)}
    for make in (_records, _conversations, _calendars, _memos, _notices, _work, _access):
        house.ids |= make(house)
    topic = str(uuid4())
    house.behind.execute(TOPIC, {"user": house.user, "secret": house.secret, "topic": topic})
    synced = {one: str(uuid4()) for one in ("account", "calendar", "conflict")}
    house.behind.execute(ACCOUNT, {"user": house.user, "secret": house.secret, "event": house.ids["event"], **synced})
    house.ids |= {"synced_calendar": synced.pop("calendar"), **synced}
    written = {one: str(uuid4()) for one in ("mail_account", "mail")}
    house.behind.execute(MAIL, {"user": house.user, "secret": house.secret, **written})
    house.ids |= written
    house.ids |= {"topic": topic, "lesson": str(uuid4())}
    house.sql(LESSON, house.user, house.ids["lesson"], house.secret, house.secret)
    item = {"namespace": ["tea"], "key": "tea", "value": {"is": house.secret}}
    assert house.client.put("/lg/store/items", json=item).status_code == 204
    # What was said last comes into memory with the first look at it, which is not to be taken for another's doing.
    assert house.client.get("/v1/memory/about", params={"subject": house.secret}).status_code == 200


def _records(house: House) -> dict[str, str]:
    secret = house.secret
    bodies: dict[str, tuple[str, dict[str, Any]]] = {
        "todo": ("/v1/todos", {"task": secret}),
        "event": ("/v1/events", {"title": secret, "start": "2026-11-20T15:00:00+00:00"}),
        "note": ("/v1/notes", {"content": secret}),
        "instruction": ("/v1/instructions", {"text": secret}),
    }
    for path, body in bodies.values():  # a second of each, so that there is a next page
        house.made(path, body)
    assert house.client.patch("/v1/profile", json={"job": secret}).status_code == 200
    return {kind: house.made(path, body)["id"] for kind, (path, body) in bodies.items()}


def _conversations(house: House) -> dict[str, str]:
    turn = house.made("/v1/turns", {"text": f"add task wash the jar of {house.secret}"})
    house.made("/v1/turns", {"text": "always ask me before adding notes"})
    thread = house.made("/v1/threads", {"title": house.secret})["id"]
    asked = house.made("/v1/turns", {"text": f"idea: {house.secret} for everyone", "thread_id": thread})
    assert asked["status"] == "waiting", asked
    found = {"turn": turn["id"], "change": turn["changes"][0]["id"], "held": asked["changes"][0]["id"]}
    found |= {"thread": thread, "asked": asked["id"], "asked_thread": thread}
    house.ids["lg_thread"] = turn["thread_id"]
    return found | {"lg_run": turn["id"], "checkpoint": head_of(house)}


def head_of(house: House) -> str:
    """The checkpoint at the end of the thread as LangGraph's clients see it, once what runs there is over."""
    wait_until(lambda: house.client.get(f"/lg/threads/{house.ids['lg_thread']}").json()["status"] != "busy")
    state = house.client.get(f"/lg/threads/{house.ids['lg_thread']}/state").json()
    return str(state["checkpoint"]["checkpoint_id"])


def _calendars(house: House) -> dict[str, str]:
    file = {"file": ("a.ics", ics(meeting(str(uuid4()), house.secret, "20991118T100000Z")), "text/calendar")}
    calendar = house.client.post("/v1/calendars", files=file, data={"name": house.secret}).json()["id"]
    feed = house.made("/v1/calendar", {"todos": "event"})["url"]
    return {"calendar": calendar, "token": feed.rsplit("/", 1)[-1].removesuffix(".ics")}


def _memos(house: House) -> dict[str, str]:
    def recording() -> str:
        clip = {"audio": ("clip.flac", JFK, "audio/flac")}
        return str(house.client.post("/v1/memos", files=clip).json()["id"])

    memos = [house.made("/v1/memos", {"transcript": house.secret, "title": house.secret})["id"] for _ in range(2)]
    failed, kept = recording(), recording()
    house.sql(MEMO_FAILED, failed)
    upload = house.made("/v1/memos/uploads", {"client_id": f"first {uuid4()}".replace(" ", "-")})["id"]
    begun = house.client.patch(f"/v1/memos/uploads/{upload}", content=JFK[:-4], headers={"Upload-Offset": "0"})
    assert begun.status_code == 204, begun.text
    return {"memo": memos[0], "failed_memo": failed, "recording": kept, "upload": upload}


def _notices(house: House) -> dict[str, str]:
    notification, delivery = str(uuid4()), str(uuid4())
    house.sql(NOTIFICATION, house.user, notification, house.ids["todo"], house.secret)
    webhook = house.made("/v1/webhooks", {"url": f"https://1.1.1.1/{house.secret}"})["id"]
    house.sql(DELIVERY, house.user, delivery, webhook, notification)
    return {"notification": notification, "webhook": webhook, "delivery": delivery}


def _work(house: House) -> dict[str, str]:
    secret = house.secret
    key = house.client.post("/v1/providers", json={"slug": "nobody", "api_key": f"{secret}-{uuid4()}"})
    chosen = house.client.put("/v1/models/chat", json={"provider": "nobody", "model": "none"})
    assert (key.status_code, chosen.status_code) == (201, 200), f"{key.text} {chosen.text}"
    runs, approval = [house.made("/v1/runs", {"goal": secret})["id"] for _ in range(2)], str(uuid4())
    house.sql(APPROVAL, house.user, approval, runs[0], secret)
    step = {"id": "s", "kind": "notify", "text": secret}
    slug = f"flow-{secret}"
    flow = house.client.put(f"/v1/workflows/{slug}", json={"slug": slug, "name": slug, "steps": [step]})
    assert flow.status_code == 200, flow.text
    flow_run = house.made(f"/v1/workflows/{slug}/runs", {})["id"]
    project = house.made("/v1/projects", {"name": secret, "root": house.ids["folder"]})["id"]
    return {"provider": "nobody", "run": runs[0], "approval": approval, "workflow": slug, "workflow_run": flow_run} | {
        "project": project
    }


def _access(house: House) -> dict[str, str]:
    key = house.made("/v1/keys", {"name": house.secret})["id"]
    return {"key": key, "export": house.made("/v1/export", {})["id"]}
