"""Pages of the web as text, only from hosts that are listed; and searches over a real service's form."""

from __future__ import annotations

import json
from urllib.parse import parse_qs, urlsplit
from uuid import UUID

import pytest

from app.boundary.model import Fetched
from app.work.runs.tools.tool import ToolContext
from app.work.runs.tools.web import FetchForm, QueryForm, WebTools
from tests.support.ledgers import NOW

CONTEXT = ToolContext(UUID(int=1), UUID(int=1), UUID(int=1), NOW, "UTC")
RESULTS = {
    "results": [{"title": "Roofs", "url": "https://roofs.example/", "content": "All about them.", "engine": "x"}]
}


class Pages:
    """A web with one page; what was called is kept."""

    def __init__(self, body: str, kind: str = "text/html") -> None:
        self.called: list[str] = []
        self._body, self._kind = body, kind

    async def check(self, url: str) -> None:
        self.called.append(url)

    async def fetch(self, url: str, *, headers: object = None, max_bytes: int | None = None) -> Fetched:
        self.called.append(url)
        return Fetched(200, url, {"content-type": self._kind}, self._body.encode())

    async def post(self, url: str, body: bytes, *, headers: object = None) -> Fetched:
        raise AssertionError


async def test_the_words_of_a_page() -> None:
    web = Pages("<title>T</title><script>no()</script><p>One <b>two</b>.</p><style>no {}</style>")
    found = await WebTools(web, web, "").fetch(CONTEXT, FetchForm(url="https://good.example/"))
    assert (found.ok, found.text) == (True, "T\nOne\ntwo\n.")


async def test_links_of_a_page_have_their_whole_address() -> None:
    page = '<p>Read <a href="../tiles?a=1&amp;b=2">all about <b>tiles</b></a> or <a href="#top">go up</a>.</p>'
    web = Pages(page)
    found = await WebTools(web, web, "").fetch(CONTEXT, FetchForm(url="https://roofs.example/shop/now"))
    assert found.text == "Read\n[all about tiles](https://roofs.example/tiles?a=1&b=2)\nor\ngo up\n."


@pytest.mark.parametrize(
    ("host", "listed"),
    [
        ("good.example", True),
        ("sub.good.example", True),
        ("GOOD.example", True),
        ("notgood.example", False),
        ("good.example.evil.example", False),
        ("evil.example", False),
    ],
)
async def test_only_listed_hosts_are_read(host: str, listed: bool) -> None:  # noqa: FBT001
    web = Pages("<p>words</p>")
    found = await WebTools(web, web, "", ["good.example"]).fetch(CONTEXT, FetchForm(url=f"https://{host}/a"))
    assert (found.ok, bool(web.called)) == (listed, listed)


async def test_a_search_asks_the_configured_service_alone() -> None:
    public, private = Pages(""), Pages(json.dumps(RESULTS), "application/json")
    tools = WebTools(public, private, "http://10.0.0.5:8080/", ["good.example"])
    assert [tool.name for tool in tools.tools()] == ["fetch_page", "search_web"]
    found = await tools.search(CONTEXT, QueryForm(query="roofs & tiles"))
    told = {"title": "Roofs", "url": "https://roofs.example/", "content": "All about them."}
    assert json.loads(found.text) == told
    called = urlsplit(private.called[0])
    assert (called.netloc, called.path) == ("10.0.0.5:8080", "/search")
    assert parse_qs(called.query) == {"q": ["roofs & tiles"], "format": ["json"]}
    assert public.called == []
    assert [tool.name for tool in WebTools(public, private, "").tools()] == ["fetch_page"]


async def test_a_service_that_answers_otherwise_is_told() -> None:
    web = Pages("<html>")
    found = await WebTools(web, web, "http://10.0.0.5/").search(CONTEXT, QueryForm(query="roofs"))
    assert (found.ok, found.failure) == (False, "broken")
