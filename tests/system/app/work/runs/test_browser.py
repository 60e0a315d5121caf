"""Pages in a real Chromium: scripts work, and nothing leaves but what our own rules fetch."""

from __future__ import annotations

import json
import socket
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from uuid import UUID

import pytest

from app.boundary.confinement.programs import SandboxedPrograms
from app.boundary.model import Fetched, TargetFailed, TargetRefused
from app.work.runs.browser import ChromiumBrowser
from app.work.runs.tools.tool import ToolContext
from app.work.runs.tools.web import BrowseForm, WebTools
from tests.support.ledgers import NOW
from tests.support.waiting import HANG_SECONDS
from tests.system.web.conftest import CHROMIUM

CONTEXT = ToolContext(UUID(int=1), UUID(int=1), UUID(int=1), NOW, "UTC")
PAGE = """
<title>Tiles</title><p>Tiles cost <b id="price"></b>.</p><ul id="found"></ul>
<script>
const say = (text) => document.all.found.append(Object.assign(document.createElement("li"), { textContent: text }));
const attempt = (name, work) => work().then((text) => say(`${name}: ${text}`), () => say(`${name}: no`));
fetch("/price.json").then((answer) => answer.json()).then((found) => { document.all.price.textContent = found.price; });
attempt("post", () => fetch("/send", { method: "POST", body: "secrets" }).then(() => "sent"));
attempt("inside", () => fetch("http://127.0.0.1:PORT/").then(() => "reached"));
attempt("file", () => fetch("file:///etc/passwd").then((answer) => answer.text()));
const socket = new WebSocket("ws://127.0.0.1:PORT/");
socket.onopen = () => say("socket: reached");
</script>
"""


class Site:
    """A web of a few addresses; what was asked is kept, and everything else is refused."""

    def __init__(self, pages: Mapping[str, Fetched]) -> None:
        self.pages, self.asked = pages, list[str]()

    async def check(self, url: str) -> None:
        raise AssertionError

    async def fetch(self, url: str, *, headers: object = None, max_bytes: int | None = None) -> Fetched:
        self.asked.append(url)
        if url not in self.pages:
            raise TargetRefused("It is in a private network.")
        return self.pages[url]

    async def post(self, url: str, body: bytes, *, headers: object = None) -> Fetched:
        raise AssertionError


@pytest.fixture
async def chromium() -> Path:
    if CHROMIUM is None:
        pytest.skip("no Chromium here: install the package chromium, or name one in SUMMIT_TEST_CHROMIUM")
    if objection := await SandboxedPrograms(
        seconds=HANG_SECONDS, memory_bytes=1 << 29, output_chars=99, hidden=[]
    ).objection():
        pytest.skip(objection)
    return Path(CHROMIUM)


def html(url: str, body: str) -> Fetched:
    return Fetched(200, url, {"content-type": "text/html; charset=utf-8"}, body.encode())


async def test_a_page_is_read_as_a_person_reads_it_and_reaches_nothing(chromium: Path) -> None:
    price = Fetched(200, "", {"content-type": "application/json"}, json.dumps({"price": "12 euros"}).encode())
    with socket.create_server(("127.0.0.1", 0)) as inside:
        inside.settimeout(0.2)
        page = PAGE.replace("PORT", str(inside.getsockname()[1]))
        # The address leads on to another one: what the page asks for is relative to that.
        moved = html("https://www.tiles.example/now", page)
        site = Site({"https://tiles.example/": moved, "https://www.tiles.example/price.json": price})
        seen = await ChromiumBrowser(chromium, site, 200).read("https://tiles.example/")
        with pytest.raises(TimeoutError):
            inside.accept()
    assert seen.url == "https://www.tiles.example/now"
    assert "Tiles cost 12 euros." in seen.text
    assert "post: no" in seen.text
    assert "inside: no" in seen.text
    assert "file: no" in seen.text
    assert "reached" not in seen.text
    assert "https://www.tiles.example/send" not in site.asked


async def test_the_tool_reads_listed_hosts_alone(chromium: Path) -> None:
    site = Site({"https://tiles.example/": html("https://evil.example/", "<p>words</p>")})
    browser = ChromiumBrowser(chromium, site, 200)
    tools = WebTools(site, site, "", ["tiles.example"], browser).tools()
    assert [tool.name for tool in tools] == ["fetch_page", "browse_page"]
    browse = tools[1]
    refused = await browse.act(CONTEXT, BrowseForm(url="https://evil.example/"))
    assert (refused.ok, site.asked) == (False, [])
    led_astray = await browse.act(CONTEXT, BrowseForm(url="https://tiles.example/"))
    assert (led_astray.ok, "words" in led_astray.text) == (False, False)
    private = await browse.act(CONTEXT, BrowseForm(url="https://sub.tiles.example/"))
    assert (private.failure, private.text) == ("refused", "It is in a private network.")


async def test_a_browser_that_does_not_come_is_told(tmp_path: Path) -> None:
    site = Site({"https://tiles.example/": html("https://tiles.example/", "x")})
    nothing = ChromiumBrowser(tmp_path / "none", site, 20)
    assert "which is not there" in nothing.objection()
    (tmp_path / "none").write_text("#!/bin/sh\nexit 1\n")
    (tmp_path / "none").chmod(0o700)
    with pytest.raises(TargetFailed):
        await nothing.read("https://tiles.example/")


SEARCH = """
<form action="/found"><label>Tiles <input name="q"></label></form><button onclick="more.hidden = false">More</button>
<p id="more" hidden>Opened until six.</p><a href="https://evil.example/?q=1">Partner</a>
<a href="/prices" target="_blank">Prices</a><form method="post" action="/order"><button>Order</button></form>
"""


async def test_what_is_clicked_and_typed_leads_on_within_the_host_and_sends_nothing(chromium: Path) -> None:
    at = "https://tiles.example"
    found = html(f"{at}/found?q=red+clay", "<p>Red clay: 12 euros</p>")
    pages = {f"{at}/": html(f"{at}/", SEARCH), found.url: found, f"{at}/prices": html(f"{at}/prices", "<p>From 9</p>")}
    site = Site({**pages, "https://evil.example/?q=1": html("https://evil.example/?q=1", "<p>gotcha</p>")})
    browser = ChromiumBrowser(chromium, site, 200)
    tool = WebTools(site, site, "", browser=browser).tools()[1]

    async def browse(*steps: dict[str, str], said: str = "") -> str:
        form = tool.read({"url": f"{at}/", "steps": steps})
        return (await tool.act(replace(CONTEXT, said=[said]), form)).text

    more = {"do": "click", "on": "More"}
    assert "Opened until six." in await browse(more)
    typed = await browse(more, {"do": "type", "on": "Tiles", "text": "red clay"}, {"do": "enter", "on": "Tiles"})
    assert "Red clay: 12 euros" in typed
    assert "From 9" in await browse({"do": "click", "on": "Prices"})
    assert "on another host" in await browse({"do": "click", "on": "Partner"})
    assert "https://evil.example/?q=1" not in site.asked
    assert "gotcha" in await browse({"do": "click", "on": "Partner"}, said="ask evil.example too")
    assert "is not done here" in await browse({"do": "click", "on": "Order"})
    assert f"{at}/order" not in site.asked
    assert "The page has: Tiles; More; Partner; Prices; Order" in await browse({"do": "click", "on": "Cart"})


LINKS = """
<style>a { text-transform: uppercase }</style><p>Read <a href="../tiles?a=1">all about <b>tiles</b></a>.</p>
<a href="/shop"><img alt="The shop" src="i.png"></a> <a href="#top">Up</a> <a href="/secret" hidden>Unseen</a>
<a href="javascript:void 0">Nothing</a><div id="late"></div>
<script>late.innerHTML = '<a href="https://other.example/">made by a script</a>';</script>
"""


async def test_links_are_read_with_their_addresses(chromium: Path) -> None:
    at = "https://tiles.example/a/b"
    seen = await ChromiumBrowser(chromium, Site({at: html(at, LINKS)}), 200).read(at)
    assert "Read [ALL ABOUT TILES](https://tiles.example/tiles?a=1)." in seen.text
    assert "[The shop](https://tiles.example/shop)" in seen.text
    assert "[MADE BY A SCRIPT](https://other.example/)" in seen.text
    assert "UP" in seen.text
    assert "NOTHING" in seen.text.upper()
    assert not any(word in seen.text for word in ("#top", "secret", "javascript"))
