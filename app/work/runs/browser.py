"""Pages that need JavaScript: a Chromium without a network, to which each thing it asks for is fetched by our rules.

What a run clicks and types happens there too: it leads to further pages of the host, and no request but GET goes out.
"""

from __future__ import annotations

import asyncio
import importlib.util
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from app.boundary.confinement.browser import write_caged_program
from app.boundary.model import Fetched, Outbound, TargetFailed, TargetRefused
from app.work.runs.model.browser import Deed, MayLead, Seen, anywhere

if TYPE_CHECKING:
    from playwright.async_api import BrowserContext, Locator, Page, Request, Route

NOWHERE = "--proxy-server=127.0.0.1:9"
FLAGS = (NOWHERE, "--disable-gpu", "--disable-dev-shm-usage")
SETTLE_MS = 500
"""For what a page fetches after it has loaded."""
DEED_MS = 5000
"""Within which what is clicked has to be there."""
MOST_NAMED = 40
ONE_WINDOW = """
addEventListener("click", ({ target }) => target.closest?.("[target]")?.removeAttribute("target"), true);
addEventListener("submit", ({ target }) => target.removeAttribute("target"), true);
window.open = (url) => { location.assign(url); return null; };
"""
CAN_BE_USED = """
(most) => [...document.querySelectorAll("a[href], button, input:not([type=hidden]), select, textarea")]
    .map((one) => (one.labels?.[0]?.innerText || one.getAttribute("aria-label") || one.innerText || one.placeholder
                   || one.title || one.value || "").trim().slice(0, 60))
    .filter((name, place, all) => name && all.indexOf(name) === place).slice(0, most)
"""
WITH_ADDRESSES = """
() => {
    const here = location.href.split("#")[0];
    for (const link of document.querySelectorAll("a[href]")) {
        const web = /^https?:$/.test(link.protocol ?? "");
        const place = link.href.split?.("#")[0] === here && /^#[^/!]/.test(link.hash);
        if (!web || place) continue;
        const name = link.innerText.trim() || link.getAttribute("aria-label") || link.querySelector("img[alt]")?.alt
                     || link.title || link.href;
        link.textContent = `[${name.replace(/\\s+/g, " ").replaceAll("[", "(").replaceAll("]", ")")}](${link.href})`;
        link.style.setProperty("text-transform", "none", "important");
    }
}
"""
"""Writes each link as [label](address), as app.work.runs.tools.pages does; the page is not used any more after that."""
DROPPED_HEADERS = frozenset({"content-encoding", "content-length", "transfer-encoding", "connection", "set-cookie"})


class ChromiumBrowser:
    """See app.work.runs.model.browser.Browser; each page has a Chromium of its own, in a cage, that ends with it."""

    def __init__(self, chromium: Path, outbound: Outbound, seconds: float) -> None:
        self._chromium = chromium
        self._outbound = outbound
        self._seconds = seconds

    def objection(self) -> str:
        """Why no page can be read; empty where one may."""
        if importlib.util.find_spec("playwright") is None:
            return "the extra `browser` is not installed"
        return "" if self._chromium.is_file() else f"SUMMIT_BROWSER names {self._chromium}, which is not there"

    async def read(self, url: str, deeds: Sequence[Deed] = (), may_lead: MayLead = anywhere) -> Seen:
        """The text of a page once it has loaded and what was to be done on it is done."""
        first = await self._outbound.fetch(url)
        try:
            async with asyncio.timeout(self._seconds):
                return await self._read(first, deeds, may_lead)
        except TimeoutError as error:
            raise TargetFailed(f"The page was not there within {self._seconds:g} seconds.") from error

    async def _read(self, first: Fetched, deeds: Sequence[Deed], may_lead: MayLead) -> Seen:
        from playwright.async_api import Error

        serving = _Serving(self._outbound, first)
        try:
            async with self._open_context() as context:
                await context.route("**/*", serving.serve)
                await context.route_web_socket("**/*", lambda socket: socket.close())
                await context.add_init_script(ONE_WINDOW)
                page = await context.new_page()
                await page.goto(first.url, wait_until="load")
                await page.wait_for_timeout(SETTLE_MS)
                serving.guard(may_lead)
                for deed in deeds:
                    await _do(page, deed)
                    serving.complain()
                    with suppress(Error):  # a page that goes on loading is read as it is
                        await page.wait_for_load_state("load", timeout=DEED_MS)
                await page.evaluate(WITH_ADDRESSES)
                return Seen(page.url if deeds else first.url, await page.inner_text("body"))
        except Error as error:
            raise TargetFailed(f"The browser says: {str(error).splitlines()[0]}") from error

    @asynccontextmanager
    async def _open_context(self) -> AsyncIterator[BrowserContext]:
        from playwright.async_api import async_playwright

        with TemporaryDirectory(prefix="summit-browser-") as folder:
            program = await asyncio.to_thread(write_caged_program, self._chromium, Path(folder), self._seconds)
            async with async_playwright() as library:
                # The cage is the sandbox: Chromium's own needs namespaces, which there are none of inside one.
                launched = await library.chromium.launch(
                    executable_path=program, args=[*FLAGS], chromium_sandbox=False, timeout=self._seconds * 1000
                )
                context = await launched.new_context(service_workers="block", accept_downloads=False)
                context.set_default_timeout(self._seconds * 1000)
                yield context
                await launched.close()


async def _do(page: Page, deed: Deed) -> None:
    """Do one thing on a page; raises TargetFailed, with what there is, where it cannot be done."""
    from playwright.async_api import Error

    try:
        if deed.do == "type":
            await _field(page, deed.on).fill(deed.text, timeout=DEED_MS)
        elif deed.do == "enter":
            await _field(page, deed.on).press("Enter", timeout=DEED_MS)
        else:
            await _locate(page, deed.on).click(timeout=DEED_MS)
    except Error:
        names = await page.evaluate(CAN_BE_USED, MOST_NAMED)
        there = "; ".join(names) or "nothing that can be used"
        raise TargetFailed(f"“{deed.on}” is not there to {deed.do}. The page has: {there}.") from None
    await page.wait_for_timeout(SETTLE_MS)


def _field(page: Page, name: str) -> Locator:
    return page.get_by_label(name).or_(page.get_by_placeholder(name)).or_(page.get_by_role("textbox", name=name)).first


def _locate(page: Page, name: str) -> Locator:
    """What a person would click by that name: a button or link before other words."""
    usable = page.get_by_role("button", name=name).or_(page.get_by_role("link", name=name)).or_(page.get_by_label(name))
    return usable.or_(page.get_by_text(name)).first


def _is_inside(request: Request) -> bool:
    """Whether it is for a frame of a page; one for a window that opens has no frame yet."""
    from playwright.async_api import Error

    try:
        return request.frame.parent_frame is not None
    except Error:
        return False


class _Serving:
    """What a page asks for: GET alone, under the rules for foreign addresses; the page itself is here already."""

    def __init__(self, outbound: Outbound, first: Fetched) -> None:
        self._outbound = outbound
        self._first: Fetched | None = first
        self._host = urlsplit(first.url).hostname
        self._may_lead: MayLead | None = None
        self._stopped = ""

    def guard(self, may_lead: MayLead) -> None:
        """From now on what is done on the page leads to its own host, or where it may."""
        self._may_lead = may_lead

    def complain(self) -> None:
        """Raises TargetRefused where a deed led elsewhere, or sent something."""
        if self._stopped:
            raise TargetRefused(self._stopped)

    def _leads_away(self, request: Request) -> bool:
        if self._may_lead is None or not request.is_navigation_request() or _is_inside(request):
            return False
        if request.method != "GET":
            self._stopped = "The page sends what was filled in, which is not done here."
        elif urlsplit(request.url).hostname != self._host and not self._may_lead(request.url):
            self._stopped = f"That leads to {request.url}, on another host. Open it by its own call if it is needed."
        return bool(self._stopped)

    async def serve(self, route: Route) -> None:
        request = route.request
        if self._leads_away(request) or request.method != "GET":
            await route.abort()
            return
        first, self._first = self._first, None
        try:
            found = first or await self._outbound.fetch(request.url)
        except (TargetRefused, TargetFailed):
            await route.abort()
            return
        headers = {name: value for name, value in found.headers.items() if name not in DROPPED_HEADERS}
        await route.fulfill(status=found.status, headers=headers, body=found.body)
