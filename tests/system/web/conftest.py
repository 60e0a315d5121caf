"""A real server, a real Chromium and a user of its own for each test; skipped where there is no Chromium."""

from __future__ import annotations

import os
import shutil
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from typing import Any
from uuid import UUID

import httpx
import pytest

from tests.support.databases import temporary_database
from tests.support.servers.plain import plain_client
from tests.support.servers.running import RunningServer, running
from tests.system.web.sound import write_speech

sync_api = pytest.importorskip("playwright.sync_api", reason="the browser tests need `playwright` (make test-web)")

CHROMIUM = os.environ.get("SUMMIT_TEST_CHROMIUM") or next(
    filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None
)
FLAGS = (
    "--no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking "
    "--disable-component-update --disable-sync --use-fake-device-for-media-stream --use-fake-ui-for-media-stream"
).split()
ADMIN = "the administrator's key of the browser tests"
ZONE = "Europe/Lisbon"
WAIT_MS = 20_000
"""Much more than any page needs: other tests run beside these."""
sync_api.expect.set_options(timeout=WAIT_MS)
DESK, PHONE = {"width": 1280, "height": 800}, {"width": 320, "height": 640}


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
        page.faults = []
        page.on("pageerror", lambda error: page.faults.append(str(error)))
        page.on(
            "console", lambda said: page.faults.append(said.text) if "Content Security Policy" in said.text else None
        )
        page.goto(f"{self.url}/#{view}")
        page.wait_for_selector("main > *")
        return page

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
def web_database(postgres_url: str, migrated_template: str) -> Iterator[str]:
    yield from temporary_database(postgres_url, migrated_template)


@pytest.fixture(scope="session")
def web_server(web_database: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningServer]:
    if CHROMIUM is None:
        pytest.skip("no Chromium here: install the package chromium, or name one in SUMMIT_TEST_CHROMIUM")
    folder = tmp_path_factory.mktemp("web") / "data"
    with running(folder, DATABASE_URL=web_database, SUMMIT_ADMIN_KEY=ADMIN, TZ=ZONE) as server:
        yield server


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    if CHROMIUM is None:
        pytest.skip("no Chromium here: install the package chromium, or name one in SUMMIT_TEST_CHROMIUM")
    sound = tmp_path_factory.mktemp("sound") / "said.wav"
    write_speech(sound)
    flags = [*FLAGS, f"--use-file-for-fake-audio-capture={sound}"]
    # Leaving the library ends its event loop: tests with loops of their own follow in other modules.
    with sync_api.sync_playwright() as library:
        launched = library.chromium.launch(executable_path=CHROMIUM, args=flags)
        yield launched
        launched.close()


@pytest.fixture
def new_context(browser: Any) -> Iterator[Callable[..., Any]]:
    with ExitStack() as stack:

        def make(**options: Any) -> Any:
            chosen = {"viewport": DESK, "timezone_id": ZONE, "locale": "en-GB", "reduced_motion": "reduce", **options}
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
            made = httpx.post(f"{server.url}/v1/users", json={"name": "Ada"}, headers=bearer, timeout=30).json()
            api = plain_client(server.url, {"Authorization": f"Bearer {made['api_key']}"})
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


def eventually(holds: Callable[[], bool], seconds: float = WAIT_MS / 1000) -> bool:
    end = time.monotonic() + seconds
    while not holds():
        assert time.monotonic() < end
        time.sleep(0.05)
    return True


def becomes(read: Callable[[], Any], wanted: Any, seconds: float = WAIT_MS / 1000) -> None:
    """What the API says in the end: what was just clicked may still be on its way to it."""
    end = time.monotonic() + seconds
    while (found := read()) != wanted:
        assert time.monotonic() < end, f"{found!r} did not become {wanted!r}"
        time.sleep(0.05)
