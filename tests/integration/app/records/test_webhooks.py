"""Webhooks from the door to the receiver: a real server with its worker, and a real site that hears of reminders."""

from __future__ import annotations

import hashlib
import hmac
import json
import time
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from uuid import uuid4

import httpx
import psycopg
import pytest

from tests.support.databases import temporary_database
from tests.support.peers.mailbox import Mailbox, mailbox
from tests.support.peers.site import Heard, Site, answer, site_beside
from tests.support.servers.api import NewClient, problem
from tests.support.servers.live_server import ADMIN_KEY, live_server, settings_for
from tests.support.servers.plain import plain_client
from tests.support.waiting import HANG_SECONDS, wait_until

HOST = "127.0.0.78"
TELLING: dict[str, Any] = {
    "workers_in_process": True,
    "reminder_look_seconds": 0.1,
    "allowed_networks": [f"{HOST}/32"],
}


@pytest.fixture(scope="module")
def database(postgres_url: str, migrated_template: str) -> Iterator[str]:
    yield from temporary_database(postgres_url, migrated_template)


@pytest.fixture(scope="module")
def post_office() -> Iterator[Mailbox]:
    with mailbox() as running:
        yield running


@pytest.fixture(scope="module")
def base_url(database: str, tmp_path_factory: pytest.TempPathFactory, post_office: Mailbox) -> Iterator[str]:
    folder: Path = tmp_path_factory.mktemp("webhooks")
    settings = settings_for(
        database,
        folder,
        **TELLING,
        webhook_attempts=3,
        webhook_backoff_seconds=0.1,
        max_webhooks=3,
        smtp_host="127.0.0.1",
        smtp_port=post_office.port,
        smtp_security="none",
    )
    with live_server(settings) as found:
        yield found


@pytest.fixture
def admin(client: NewClient) -> httpx.Client:
    return client(ADMIN_KEY)


@pytest.fixture
def carol(new_user: Callable[[str], httpx.Client]) -> httpx.Client:
    return new_user("Carol")


@pytest.fixture
def web() -> Iterator[Site]:
    with site_beside(HOST) as running:
        yield running


def register(user: httpx.Client, web: Site, **fields: Any) -> dict[str, Any]:
    made = user.post("/v1/webhooks", json={"url": f"http://{HOST}:{web.port}/hook", **fields})
    assert made.status_code == 201, made.text
    return dict(made.json())


def remind(user: httpx.Client, task: str = "call mom") -> None:
    made = user.post("/v1/todos", json={"task": task, "remind_at": datetime.now(UTC).isoformat()})
    assert made.status_code == 201, made.text


def heard(web: Site, count: int = 1) -> list[Heard]:
    return wait_until(lambda: web.heard if len(web.heard) >= count else [])


def deliveries(user: httpx.Client, hook: dict[str, Any], state: str) -> list[dict[str, Any]]:
    """The deliveries of a webhook once all are in a state."""

    def all_in_it() -> list[dict[str, Any]]:
        found: list[dict[str, Any]] = user.get(f"/v1/webhooks/{hook['id']}/deliveries").json()["items"]
        return found if {one["state"] for one in found} == {state} else []

    return wait_until(all_in_it, f"for deliveries that are {state}")


def test_a_reminder_is_posted_signed_and_listed_as_delivered(carol: httpx.Client, web: Site) -> None:
    web.script("/hook", answer(204))
    hook, before = register(carol, web), int(time.time())
    remind(carol)
    (request,) = heard(web)
    document = json.loads(request.body)
    (told,) = carol.get("/v1/notifications").json()["items"]
    assert (document["type"], document["data"]["id"], document["data"]["text"]) == (
        "reminder.fired",
        told["id"],
        told["text"],
    )
    signed = request.headers["summit-timestamp"].encode() + b"." + request.body
    expected = hmac.new(hook["secret"].encode(), signed, hashlib.sha256).hexdigest()
    assert request.headers["summit-signature"] == f"sha256={expected}"
    assert before <= int(request.headers["summit-timestamp"]) <= time.time()
    (one,) = deliveries(carol, hook, "delivered")
    assert (one["attempts"], one["status"], one["id"]) == (1, 204, request.headers["summit-delivery"])


def test_a_failure_is_tried_again_with_growing_pauses(carol: httpx.Client, web: Site) -> None:
    web.script("/hook", answer(503), answer(500), answer(200))
    hook = register(carol, web)
    remind(carol)
    (one,) = deliveries(carol, hook, "delivered")
    assert (one["attempts"], one["error"], len(web.heard)) == (3, None, 3)
    assert len({request.headers["summit-delivery"] for request in web.heard}) == 1


def test_what_never_arrives_is_given_up_seen_and_can_be_tried_again(carol: httpx.Client, web: Site) -> None:
    web.script("/hook", answer(500))
    hook = register(carol, web)
    remind(carol)
    (one,) = deliveries(carol, hook, "dead")
    assert (one["attempts"], one["status"], one["error"]) == (3, 500, "It answered with status 500.")
    web.script("/hook", answer(200))
    again = carol.post(f"/v1/webhooks/{hook['id']}/deliveries/{one['id']}/again")
    assert again.json()["state"] == "pending"
    deliveries(carol, hook, "delivered")
    problem(carol.post(f"/v1/webhooks/{hook['id']}/deliveries/{one['id']}/again"), 409)


def test_who_says_gone_is_not_asked_again(carol: httpx.Client, web: Site) -> None:
    web.script("/hook", answer(410))
    hook = register(carol, web)
    remind(carol)
    (one,) = deliveries(carol, hook, "dead")
    assert one["attempts"] == 1


def test_a_redirect_is_a_failure_and_is_not_followed(carol: httpx.Client, web: Site) -> None:
    web.script("/hook", answer(307, Location="/elsewhere"))
    hook = register(carol, web)
    remind(carol)
    (one,) = deliveries(carol, hook, "dead")
    assert "Redirects are not followed" in one["error"]
    assert {request.path for request in web.heard} == {"/hook"}


def test_one_that_hangs_does_not_hold_up_another(carol: httpx.Client, web: Site) -> None:
    web.script("/slow", HANG_SECONDS)
    web.script("/hook", answer(200))
    slow = register(carol, web, url=f"http://{HOST}:{web.port}/slow")
    quick = register(carol, web)
    remind(carol)
    deliveries(carol, quick, "delivered")
    (one,) = deliveries(carol, slow, "pending")
    assert one["error"] is None


def test_one_that_hangs_is_given_up(database_url: str, tmp_path: Path, web: Site) -> None:
    web.script("/hook", HANG_SECONDS)
    impatient = settings_for(database_url, tmp_path, **TELLING, outbound_seconds=0.2, webhook_attempts=1)
    with live_server(impatient) as url, plain_client(url, {"Authorization": f"Bearer {ADMIN_KEY}"}) as client:
        key = client.post("/v1/users", json={"name": "Carol"}).json()["api_key"]
        client.headers["Authorization"] = f"Bearer {key}"
        hook = register(client, web)
        remind(client)
        (one,) = deliveries(client, hook, "dead")
    assert one["error"] == "It did not answer within 0.2 seconds."


def test_ntfy_gets_the_words_and_a_title(carol: httpx.Client, web: Site) -> None:
    web.script("/hook", answer(200))
    register(carol, web, format="text")
    remind(carol, "café")
    (request,) = heard(web)
    assert request.body.decode() == "Reminder: “café”."
    assert request.headers["content-type"] == "text/plain; charset=utf-8"
    assert request.headers["title"] == "=?UTF-8?B?Y2Fmw6k=?="


def test_the_secret_is_shown_once_and_sealed_in_the_database(carol: httpx.Client, web: Site, database: str) -> None:
    key = {"Idempotency-Key": str(uuid4())}
    body = {"url": f"http://{HOST}:{web.port}/hook", "secret": "a secret of my own".replace(" ", "-")}
    made = carol.post("/v1/webhooks", json=body, headers=key).json()
    again = carol.post("/v1/webhooks", json=body, headers=key).json()
    assert (made["secret"], again["secret"], again["id"]) == (body["secret"], None, made["id"])
    (listed,) = carol.get("/v1/webhooks").json()["items"]
    assert "secret" not in listed
    with psycopg.connect(database) as conn:
        rows = conn.execute(
            "select w::text from summit.webhooks w union select r::text from summit.replays r"
        ).fetchall()
    assert body["secret"] not in repr(rows)
    assert body["secret"].encode().hex() not in repr(rows)


@pytest.mark.parametrize(
    "url",
    ["http://127.0.0.1:9/", "http://localhost/", "http://[::1]/", "http://169.254.169.254/", "ftp://a.example/x", "x"],
)
def test_an_address_of_ones_own_network_is_refused_at_the_door(carol: httpx.Client, url: str) -> None:
    problem(carol.post("/v1/webhooks", json={"url": url}), 422)
    assert carol.get("/v1/webhooks").json()["items"] == []


@pytest.mark.parametrize("fields", [{"secret": "short"}, {"format": "xml"}, {"x": 1}])
def test_what_makes_no_sense_is_refused(carol: httpx.Client, web: Site, fields: dict[str, Any]) -> None:
    problem(carol.post("/v1/webhooks", json={"url": f"http://{HOST}:{web.port}/", **fields}), 422)


def test_who_may_not_read_may_not_have_it_posted_elsewhere(carol: httpx.Client, web: Site) -> None:
    key = carol.post("/v1/keys", json={"name": "writer", "scopes": ["write"]}).json()["api_key"]
    writer = {"Authorization": f"Bearer {key}"}
    problem(carol.post("/v1/webhooks", json={"url": f"http://{HOST}:{web.port}/"}, headers=writer), 403)
    assert carol.get("/v1/webhooks").json()["items"] == []


def test_a_deleted_webhook_hears_no_more(carol: httpx.Client, web: Site) -> None:
    web.script("/hook", answer(200))
    hook = register(carol, web)
    assert carol.delete(f"/v1/webhooks/{hook['id']}").status_code == 204
    problem(carol.delete(f"/v1/webhooks/{hook['id']}"), 404)
    problem(carol.get(f"/v1/webhooks/{hook['id']}/deliveries"), 404)
    other = register(carol, web, url=f"http://{HOST}:{web.port}/hook?other")
    web.script("/hook?other", answer(200))
    remind(carol)
    deliveries(carol, other, "delivered")
    assert [request.path for request in web.heard] == ["/hook?other"]


def test_there_are_only_so_many(carol: httpx.Client, web: Site) -> None:
    for _ in range(3):
        register(carol, web)
    problem(carol.post("/v1/webhooks", json={"url": f"http://{HOST}:{web.port}/"}), 409)


def test_nobody_touches_what_is_not_theirs(
    carol: httpx.Client, new_user: Callable[[str], httpx.Client], web: Site
) -> None:
    hook, dan = register(carol, web), new_user("Dan")
    problem(dan.get(f"/v1/webhooks/{hook['id']}/deliveries"), 404)
    problem(dan.delete(f"/v1/webhooks/{hook['id']}"), 404)
    problem(dan.post(f"/v1/webhooks/{hook['id']}/deliveries/{hook['id']}/again"), 404)
    problem(carol.post(f"/v1/webhooks/{hook['id']}/deliveries/{hook['id']}/again"), 409)
    assert dan.get("/v1/webhooks").json()["items"] == []


def test_a_reminder_is_mailed_once_to_who_gave_an_address(
    carol: httpx.Client, new_user: Callable[[str], httpx.Client], post_office: Mailbox
) -> None:
    assert carol.patch("/v1/settings", json={"email": "carol@example.org"}).json()["email"] == "carol@example.org"
    problem(carol.patch("/v1/settings", json={"email": "no address"}), 422)
    remind(carol, "café\r\nBcc: everybody@example.org")
    remind(dan := new_user("Dan"))
    wait_until(lambda: post_office.messages and dan.get("/v1/notifications").json()["items"])
    remind(carol, "the last one")
    wait_until(lambda: len(post_office.messages) > 1)
    message, last = post_office.messages
    assert (last.recipients, last.document["Subject"]) == (["carol@example.org"], "the last one")
    assert message.recipients == ["carol@example.org"]
    assert message.document["To"] == "carol@example.org"
    assert "café" in str(message.document["Subject"])
    assert message.document["Bcc"] is None
    assert "café" in message.document.get_content()
