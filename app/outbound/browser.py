"""Pages that need JavaScript: a Chromium without a network, to which each thing it asks for is fetched by our rules."""

from __future__ import annotations

import asyncio
import importlib.util
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from app.confinement.browser import caged
from app.ports.browser import Seen
from app.ports.outbound import Fetched, Outbound, TargetFailed, TargetRefused

if TYPE_CHECKING:
    from playwright.async_api import BrowserContext, Route

NOWHERE = "--proxy-server=127.0.0.1:9"
FLAGS = (NOWHERE, "--disable-gpu", "--disable-dev-shm-usage")
SETTLE_MS = 500
"""For what a page fetches after it has loaded."""
UNSAID = frozenset({"content-encoding", "content-length", "transfer-encoding", "connection", "set-cookie"})


class ChromiumBrowser:
    """See app.ports.browser.Browser; each page has a Chromium of its own, in a cage, that ends with it."""

    def __init__(self, chromium: Path, outbound: Outbound, seconds: float) -> None:
        self._chromium = chromium
        self._outbound = outbound
        self._seconds = seconds

    def objection(self) -> str:
        """Why no page can be read; empty where one may."""
        if importlib.util.find_spec("playwright") is None:
            return "the extra `browser` is not installed"
        return "" if self._chromium.is_file() else f"SUMMIT_BROWSER names {self._chromium}, which is not there"

    async def read(self, url: str) -> Seen:
        """The text of a page once it has loaded."""
        first = await self._outbound.fetch(url)
        try:
            async with asyncio.timeout(self._seconds):
                return await self._read(first)
        except TimeoutError as error:
            raise TargetFailed(f"The page was not there within {self._seconds:g} seconds.") from error

    async def _read(self, first: Fetched) -> Seen:
        from playwright.async_api import Error

        try:
            async with self._opened() as context:
                await context.route("**/*", _Serving(self._outbound, first).serve)
                await context.route_web_socket("**/*", lambda socket: socket.close())
                page = await context.new_page()
                await page.goto(first.url, wait_until="load")
                await page.wait_for_timeout(SETTLE_MS)
                return Seen(first.url, await page.inner_text("body"))
        except Error as error:
            raise TargetFailed(f"The browser says: {str(error).splitlines()[0]}") from error

    @asynccontextmanager
    async def _opened(self) -> AsyncIterator[BrowserContext]:
        from playwright.async_api import async_playwright

        with TemporaryDirectory(prefix="summit-browser-") as folder:
            program = await asyncio.to_thread(caged, self._chromium, Path(folder), self._seconds)
            async with async_playwright() as library:
                # The cage is the sandbox: Chromium's own needs namespaces, which there are none of inside one.
                launched = await library.chromium.launch(
                    executable_path=program, args=[*FLAGS], chromium_sandbox=False, timeout=self._seconds * 1000
                )
                context = await launched.new_context(service_workers="block", accept_downloads=False)
                context.set_default_timeout(self._seconds * 1000)
                yield context
                await launched.close()


class _Serving:
    """What a page asks for: GET alone, under the rules for foreign addresses; the page itself is here already."""

    def __init__(self, outbound: Outbound, first: Fetched) -> None:
        self._outbound = outbound
        self._first: Fetched | None = first

    async def serve(self, route: Route) -> None:
        request = route.request
        if request.method != "GET":
            await route.abort()
            return
        first, self._first = self._first, None
        try:
            found = first or await self._outbound.fetch(request.url)
        except (TargetRefused, TargetFailed):
            await route.abort()
            return
        headers = {name: value for name, value in found.headers.items() if name not in UNSAID}
        await route.fulfill(status=found.status, headers=headers, body=found.body)
