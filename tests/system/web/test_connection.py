"""What survives a cut, a killed server and a second tab; and what Summit tells by itself."""

from __future__ import annotations

import os
import socket
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from datetime import UTC, datetime, timedelta
from pathlib import Path

import psycopg
import pytest
from playwright.sync_api import Page, expect

from tests.support.servers.running import RunningServer, running
from tests.system.web.conftest import ADMIN, SEEN, ZONE, Visitor, at_rest, becomes, say

KEPT = """
new Promise((done) => {
  indexedDB.open("summit-outbox").onsuccess = (opened) => {
    const kept = opened.target.result.transaction("waiting").objectStore("waiting").count();
    kept.onsuccess = () => done(kept.result);
  };
})
"""
MINUTE_MS = 60_000
WHOLE_MINUTE = bool(os.environ.get("SUMMIT_TEST_WHOLE_MINUTE"))  # else the page's clock is turned
LOCK = "lock table summit.store in exclusive mode"  # a turn is accepted, and then cannot change anything


def test_a_reminder_arrives_and_is_done_by_tapping(visitor: Visitor) -> None:
    soon = (datetime.now(UTC) + timedelta(seconds=1)).isoformat()
    visitor.api.post("/v1/todos", json={"task": "water the plants", "kind": "reminder", "remind_at": soon})
    page = visitor.open("day")
    notice = page.locator(".notice", has_text="water the plants")
    expect(notice).to_be_visible()
    notice.get_by_role("button", name="Done").click()
    expect(notice).to_have_count(0)
    becomes(visitor.todos, [])


def test_messages_said_in_a_minute_offline_are_delivered_once_each(visitor: Visitor) -> None:
    if not WHOLE_MINUTE:
        visitor.context.clock.install()
    page = visitor.open()
    at_rest(page)
    visitor.context.set_offline(True)
    say(page, "add buy stamps")
    say(page, "add buy ink")
    expect(page.locator(".turn", has_text="Waiting for a connection")).to_have_count(2)
    expect(page.locator(".link")).to_have_text("No connection · 2 to send")
    if WHOLE_MINUTE:
        page.wait_for_timeout(MINUTE_MS)
    else:
        page.clock.fast_forward(MINUTE_MS)
    expect(page.locator(".link")).to_have_text("No connection · 2 to send")
    assert visitor.turns() == []
    visitor.context.set_offline(False)
    expect(page.locator(".turn[data-status=done]")).to_have_count(2)
    becomes(visitor.turns, ["add buy stamps", "add buy ink"])
    becomes(lambda: sorted(visitor.todos()), ["buy ink", "buy stamps"])
    page.reload()
    expect(page.locator(".turn")).to_have_count(2)
    assert visitor.turns() == ["add buy stamps", "add buy ink"]


def test_what_waits_survives_a_closed_tab(visitor: Visitor) -> None:
    page = visitor.open()
    at_rest(page)
    page.route("**/v1/turns", lambda route: route.abort())
    say(page, "add buy stamps")
    expect(page.locator(".turn", has_text="Waiting for a connection")).to_have_count(1)
    page.close()
    again = visitor.open()
    expect(again.locator(".turn .card")).to_contain_text("buy stamps")
    becomes(visitor.turns, ["add buy stamps"])


def test_what_was_seen_last_is_shown_without_a_connection_and_says_so(new_visitor: Callable[..., Visitor]) -> None:
    visitor = new_visitor(service_workers="allow")
    visitor.api.post("/v1/todos", json={"task": "prune the vine"})
    visitor.api.post("/v1/notes", json={"content": "the pump is in the shed"})
    tomorrow = (datetime.now(UTC) + timedelta(days=1)).isoformat()
    visitor.api.post("/v1/events", json={"title": "chess with Ola", "start": tomorrow})
    page = visitor.open("day")
    page.evaluate("navigator.serviceWorker.ready")
    for view in ("memory", "day"):
        visitor.go(page, view)
    visitor.context.set_offline(True)
    page.reload()
    expect(page.get_by_text("prune the vine")).to_be_visible()
    expect(page.locator(".agenda").get_by_text("chess with Ola")).to_be_visible()
    expect(page.locator(".link")).to_contain_text("as it was Today")
    page.goto(f"{visitor.url}/#memory")
    expect(page.get_by_text("the pump is in the shed")).to_be_visible()
    visitor.api.post("/v1/notes", json={"content": "the hose is lent"})
    visitor.context.set_offline(False)
    page.evaluate("dispatchEvent(new Event('online'))")
    expect(page.get_by_text("the hose is lent")).to_be_visible()
    expect(page.locator(".link")).to_have_text("")


def test_nothing_that_was_seen_is_left_after_signing_out(visitor: Visitor) -> None:
    visitor.api.post("/v1/todos", json={"task": "prune the vine"})
    page = visitor.open("day")
    at_rest(page)
    assert page.evaluate(SEEN) > 0
    visitor.go(page, "settings")
    page.get_by_role("button", name="Sign out").click()
    expect(page.get_by_role("heading", name="Welcome back")).to_be_visible()
    assert page.evaluate(SEEN) == 0


def test_what_was_typed_survives_a_reload(visitor: Visitor) -> None:
    page = visitor.open()
    page.locator("#message").press_sequentially("half a thought")
    page.reload()
    expect(page.locator("#message")).to_have_value("half a thought")


def test_a_page_opened_without_a_connection_reads_and_sends_all_once_there_is_one(
    new_visitor: Callable[..., Visitor],
) -> None:
    visitor = new_visitor(service_workers="allow")
    visitor.api.post("/v1/todos", json={"task": "buy ink"})
    page = visitor.open()
    page.evaluate("navigator.serviceWorker.ready.then(() => true)")
    at_rest(page)
    visitor.context.set_offline(True)
    page.reload()
    say(page, "add buy stamps")
    expect(page.locator(".turn", has_text="Waiting for a connection")).to_have_count(1)
    page.goto(f"{visitor.url}/#day")
    expect(page.get_by_role("heading", name="To do")).to_be_visible()
    expect(page.locator(".toast")).to_have_text("The server cannot be reached now.")
    expect(page.get_by_text("Nothing is open.")).to_have_count(0)
    visitor.context.set_offline(False)
    for task in ("buy ink", "buy stamps"):
        expect(page.get_by_role("button", name=f"Edit: {task}")).to_be_visible()
    page.goto(f"{visitor.url}/#talk")
    expect(page.locator(".turn .card")).to_contain_text("Added task")
    page.goto(f"{visitor.url}/#settings")
    expect(page.get_by_role("button", name="Sign out")).to_be_visible()
    becomes(visitor.turns, ["add buy stamps"])


def test_what_waits_is_the_same_in_both_tabs_whichever_sends_it(visitor: Visitor) -> None:
    first, second = visitor.open(), visitor.open()
    for page in (first, second):
        at_rest(page)
        page.route("**/v1/turns", lambda route: route.abort())
    say(first, "add buy stamps")
    say(first, "add a mistake")
    expect(second.locator(".turn", has_text="Waiting for a connection")).to_have_count(2)
    second.locator(".turn", has_text="a mistake").get_by_role("button", name="Discard").click()
    expect(first.locator(".turn")).to_have_count(1)
    second.unroute("**/v1/turns")
    second.evaluate("dispatchEvent(new Event('online'))")
    for page in (first, second):
        expect(page.locator(".turn .card")).to_contain_text("buy stamps")
        expect(page.locator(".turn")).to_have_count(1)
    becomes(visitor.turns, ["add buy stamps"])


def test_the_queue_is_cleared_by_signing_out(visitor: Visitor) -> None:
    page = visitor.open()
    at_rest(page)
    page.route("**/v1/turns", lambda route: route.abort())
    say(page, "add a secret")
    expect(page.locator(".turn", has_text="Waiting for a connection")).to_have_count(1)
    page.goto(f"{visitor.url}/#settings")
    page.get_by_role("button", name="Sign out").click()
    page.get_by_label("Your API key").wait_for()
    assert page.evaluate(KEPT) == 0
    assert page.evaluate("Object.keys(localStorage)") == []


def test_two_tabs_stay_in_step(visitor: Visitor) -> None:
    first, second = visitor.open(), visitor.open()
    day = visitor.open("day")
    for page in (first, second, day):
        at_rest(page)
    say(first, "add buy stamps")
    expect(second.locator(".turn .card")).to_contain_text("Added task")
    expect(second.locator(".said")).to_have_text("add buy stamps")
    expect(day.get_by_role("button", name="Edit: buy stamps")).to_be_visible()
    second.get_by_role("button", name="Undo").click()
    expect(first.locator(".turn .card")).to_contain_text("Undone task")
    expect(day.get_by_role("button", name="Edit: buy stamps")).to_have_count(0)
    for page in (first, second):
        expect(page.locator(".turn")).to_have_count(1)


@pytest.fixture
def port() -> int:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return int(free.getsockname()[1])


@pytest.fixture
def mortal(chromium: str, database_url: str, tmp_path: Path, port: int) -> Iterator[Callable[[], RunningServer]]:
    """Starts a server that may be killed, and again one on the same port and database."""
    opened: list[AbstractContextManager[RunningServer]] = []

    def start() -> RunningServer:
        settings = {"DATABASE_URL": database_url, "SUMMIT_PORT": str(port), "SUMMIT_ADMIN_KEY": ADMIN, "TZ": ZONE}
        settings |= {"SUMMIT_TURN_LEASE_SECONDS": "2", "SUMMIT_TRANSCRIBER": "none"}
        opened.append(running(tmp_path / "data", **settings))
        return opened[-1].__enter__()

    yield start
    for one in opened:
        one.__exit__(None, None, None)


def test_a_server_killed_in_the_middle_of_a_reply_is_no_loss(
    mortal: Callable[[], RunningServer], new_visitor: Callable[..., Visitor], database_url: str
) -> None:
    server = mortal()
    visitor = new_visitor(server)
    page = visitor.open()
    at_rest(page)
    with psycopg.connect(database_url) as conn:
        conn.execute(LOCK)
        with page.expect_response(lambda answer: answer.url.endswith("/v1/turns")):
            say(page, "add buy stamps")
        expect(page.locator(".turn[data-status=running]")).to_have_count(1)
        server.kill()
    expect(page.locator(".link.down")).to_be_visible()
    mortal()
    expect(page.locator(".turn .card")).to_contain_text("Added task")
    expect(page.locator(".turn")).to_have_count(1)
    becomes(visitor.turns, ["add buy stamps"])
    becomes(visitor.todos, ["buy stamps"])


def send_what_is_typed(page: Page) -> None:
    """Send, unless the page already noticed by itself (a list it was fetching) that its session has ended."""
    page.evaluate("document.querySelector('#message')?.form.requestSubmit()")


def test_a_session_that_ended_asks_for_the_key_again(visitor: Visitor, new_visitor: Callable[..., Visitor]) -> None:
    new_visitor()  # without any key at all, the page of this machine would ask for none
    page = visitor.open()
    at_rest(page)
    page.fill("#message", "half a thought")
    [key] = visitor.api.get("/v1/keys").json()["items"]
    visitor.api.delete(f"/v1/keys/{key['id']}")
    send_what_is_typed(page)
    expect(page.get_by_label("Your API key")).to_be_visible()


def test_another_user_finds_nothing_of_the_one_before(visitor: Visitor, new_visitor: Callable[..., Visitor]) -> None:
    page, other = visitor.open(), new_visitor()
    say(page, "add buy stamps")
    expect(page.locator(".turn .card")).to_be_visible()
    page.fill("#message", "half a thought")
    visitor.api.delete(f"/v1/keys/{visitor.api.get('/v1/keys').json()['items'][0]['id']}")
    send_what_is_typed(page)
    page.get_by_label("Your API key").fill(other.key)
    page.get_by_role("button", name="Sign in").click()
    expect(page.locator(".hero")).to_be_visible()
    expect(page.locator(".turn")).to_have_count(0)
    assert page.input_value("#message") == ""
    assert other.turns() == []
