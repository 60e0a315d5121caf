"""A real server, a real Chromium and a user of its own for each test; skipped where there is no Chromium."""

from __future__ import annotations

import asyncio
import os
import shutil
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from uuid import UUID

import httpx
import pytest
from playwright import sync_api

from tests.support.databases import temporary_database
from tests.support.servers.live_server import live_server, settings_for
from tests.support.servers.plain import plain_client
from tests.support.servers.running import RunningServer, running
from tests.support.waiting import HANG_SECONDS, wait_until
from tests.system.web.sound import write_speech

CHROMIUM = os.environ.get("SUMMIT_TEST_CHROMIUM") or next(
    filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None
)
FLAGS = (
    "--no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking "
    "--disable-component-update --disable-sync --use-fake-device-for-media-stream --use-fake-ui-for-media-stream"
).split()
ADMIN = "the administrator's key of the browser tests"
ZONE = "Europe/Lisbon"
WAIT_MS = HANG_SECONDS * 1000
"""When a page has failed for certain, however busy the machine is."""
sync_api.expect.set_options(timeout=WAIT_MS)
DESK, PHONE = {"width": 1280, "height": 800}, {"width": 320, "height": 640}
# Whether the page is connected, once it has done what it was about to do.
CONNECTED = """
async () => {
  for (let turn = 0; turn < 2; turn += 1) await new Promise((done) => setTimeout(done));
  return (await import("/page/live.js")).online;
}
"""
# How many answers the page keeps for when there is no connection.
SEEN = """
new Promise((done) => {
  indexedDB.open("summit-kept").onsuccess = ({ target }) => {
    const found = target.result.transaction("answers").objectStore("answers").count();
    found.onsuccess = () => done(found.result);
  };
})
"""
# Over once all is done that the next frame was asked for.
DRAWN = "() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))"


@dataclass
class Visitor:
    """Somebody with a key, a browser context that is signed in, and a client that looks behind the page."""

    id: UUID
    key: str
    context: Any
    api: httpx.Client
    url: str

    def open(self, view: str = "talk") -> Any:
        """A page that shows a view and is connected."""
        page = self.context.new_page()
        page.faults, page.asked = [], set()
        page.on("request", lambda request: page.asked.add(request))  # noqa: PLW0108 - the library notes it there
        for over in ("requestfinished", "requestfailed"):
            page.on(over, lambda request: page.asked.discard(request))  # noqa: PLW0108
        page.on("pageerror", lambda error: page.faults.append(str(error)))
        page.on(
            "console", lambda said: page.faults.append(said.text) if "Content Security Policy" in said.text else None
        )
        page.goto(f"{self.url}/#{view}")
        page.wait_for_selector("main > *")
        return page

    def go(self, page: Any, view: str) -> None:
        """Go to another view of an opened page, and wait until it shows all that it has."""
        page.goto(f"{self.url}/#{view}")
        at_rest(page)

    def turns(self) -> list[str]:
        """What was said in the main thread, oldest first."""
        [main] = [one for one in self.api.get("/v1/threads").json()["items"] if one["is_main"]]
        messages = self.api.get(f"/v1/threads/{main['id']}/messages", params={"limit": 200}).json()["items"]
        return [one["content"] for one in messages if one["role"] == "user"]

    def todos(self) -> list[str]:
        """The open tasks."""
        return [one["task"] for one in self.api.get("/v1/todos", params={"status": "not started"}).json()["items"]]

    def memos(self) -> list[dict[str, Any]]:
        """What is kept of recordings."""
        items: list[dict[str, Any]] = self.api.get("/v1/memos").json()["items"]
        return items

    def read(self, path: str, *names: str) -> Callable[[], Any]:
        """What the API says now of some fields of a record, or of its only one."""

        def now() -> Any:
            record = self.api.get(path).json()
            return record[names[0]] if len(names) == 1 else tuple(record[name] for name in names)

        return now


@pytest.fixture(scope="session")
def chromium() -> str:
    """The program; without it no server is started either."""
    if CHROMIUM is None:
        pytest.skip("no Chromium here: install the package chromium, or name one in SUMMIT_TEST_CHROMIUM")
    return CHROMIUM


@pytest.fixture(scope="session")
def web_database(postgres_url: str, migrated_template: str) -> Iterator[str]:
    yield from temporary_database(postgres_url, migrated_template)


@pytest.fixture(scope="session")
def web_server(chromium: str, web_database: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningServer]:
    folder = tmp_path_factory.mktemp("web") / "data"
    with running(folder, DATABASE_URL=web_database, SUMMIT_ADMIN_KEY=ADMIN, TZ=ZONE) as server:
        yield server


@pytest.fixture
def keyless(chromium: str, database_url: str, tmp_path: Path) -> Iterator[str]:
    """Where a server is that nobody made a key for."""
    with live_server(settings_for(database_url, tmp_path / "data", admin_key=None)) as url:
        yield url


@pytest.fixture(scope="session")
def launched(chromium: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    """One browser for all tests of this process."""
    sound = tmp_path_factory.mktemp("sound") / "said.wav"
    write_speech(sound)
    flags = [*FLAGS, f"--use-file-for-fake-audio-capture={sound}"]
    with sync_api.sync_playwright() as library:
        found = library.chromium.launch(executable_path=chromium, args=flags)
        loop = asyncio.get_running_loop()
        asyncio._set_running_loop(None)
        try:
            yield found, loop
        finally:
            asyncio._set_running_loop(loop)
        found.close()


@pytest.fixture(scope="module")
def browser(launched: Any) -> Iterator[Any]:
    """That browser. Its library takes a loop of this thread to run, which tests of other modules could not bear."""
    found, loop = launched
    asyncio._set_running_loop(loop)
    yield found
    asyncio._set_running_loop(None)


@pytest.fixture
def new_context(browser: Any) -> Iterator[Callable[..., Any]]:
    with ExitStack() as stack:

        def make(**options: Any) -> Any:
            chosen = {"viewport": DESK, "timezone_id": ZONE, "locale": "en-GB", "reduced_motion": "reduce"}
            # What keeps the page for later reads all of it a second time: only tests of that need it.
            chosen = {**chosen, "service_workers": "block", **options}
            context = browser.new_context(**chosen)
            stack.callback(context.close)
            context.set_default_timeout(WAIT_MS)
            return context

        yield make


@pytest.fixture
def new_visitor(web_server: RunningServer, new_context: Callable[..., Any]) -> Iterator[Callable[..., Visitor]]:
    with ExitStack() as stack:

        def make(server: RunningServer = web_server, **options: Any) -> Visitor:
            bearer = {"Authorization": f"Bearer {ADMIN}"}
            made = httpx.post(
                f"{server.url}/v1/users", json={"name": "Ada"}, headers=bearer, timeout=HANG_SECONDS
            ).json()
            api = plain_client(server.url, {"Authorization": f"Bearer {made['api_key']}"}, HANG_SECONDS)
            stack.enter_context(api)
            context = new_context(**options)
            signed = context.request.post(f"{server.url}/session", data={"api_key": made["api_key"]})
            assert signed.status == 201, signed.text()
            return Visitor(UUID(made["id"]), made["api_key"], context, api, server.url)

        yield make


@pytest.fixture
def visitor(new_visitor: Callable[..., Visitor]) -> Visitor:
    return new_visitor()


def say(page: Any, text: str) -> None:
    """Type a message and send it."""
    page.fill("#message", text)
    page.press("#message", "Enter")


def at_rest(page: Any) -> None:
    """Wait until a page is connected and has no answer to wait for."""

    def rests() -> bool:
        return bool(page.evaluate(CONNECTED)) and not page.asked

    wait_until(lambda: rests() and rests(), page.url)
    page.evaluate(DRAWN)


def eventually(holds: Callable[[], bool]) -> None:
    wait_until(holds)


def becomes(read: Callable[[], Any], wanted: Any) -> None:
    """What the API says in the end: what was just clicked may still be on its way to it."""
    found: list[Any] = []

    def fits() -> bool:
        found[:] = [read()]
        return bool(found[0] == wanted)

    wait_until(fits, found)
