"""Tools for the web: fetch a page under the rules for foreign addresses, and search through a configured service."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Literal
from urllib.parse import urlencode, urlsplit

from pydantic import Field

from app.boundary.model import Fetched, Outbound, TargetFailed, TargetRefused
from app.work.runs.model.browser import Browser, Deed
from app.work.runs.tools.pages import page_text
from app.work.runs.tools.policy import is_named
from app.work.runs.tools.tool import Form, Tool, ToolContext, ToolOutcome, failed_outcome

SUCCESS_STATUSES = range(200, 300)
BROWSING_SECONDS = 330.0
"""More than a browser is ever given."""
NOT_LISTED = "The administrator has not listed that host."


class FetchForm(Form):
    """An address."""

    url: str = Field(min_length=8, max_length=2000, pattern=r"^https?://")


class DeedForm(Form):
    """One thing to do on a page."""

    do: Literal["click", "type", "enter"]
    on: str = Field(min_length=1, max_length=200, description="Name of the button, link or field, as it is written.")
    text: str = Field("", max_length=2000, description="What to type.")


class BrowseForm(FetchForm):
    """An address, and what to do there."""

    steps: list[DeedForm] = Field(default_factory=list, max_length=10, description="What to do there, in order.")


class QueryForm(Form):
    """What to search for."""

    query: str = Field(min_length=1, max_length=500)


class WebTools:
    """``search_url`` is a SearXNG-compatible service, if any, asked over ``searching``, which may be private.

    ``hosts`` are the only ones whose pages are read, with those below them; none means all.
    """

    def __init__(
        self,
        outbound: Outbound,
        searching: Outbound,
        search_url: str,
        hosts: Sequence[str] = (),
        browser: Browser | None = None,
    ) -> None:
        self._browser = browser
        self._hosts = [host.lower().strip(".") for host in hosts]
        self._outbound = outbound
        self._searching = searching
        self._search_url = search_url.rstrip("/")

    def tools(self) -> list[Tool]:
        """Fetch; browse and search where that is configured."""
        fetch = Tool(
            "fetch_page",
            "Read a page of the web as text; its links are [label](address).",
            FetchForm,
            "read",
            self.fetch,
            idempotent=True,
            taints=True,
            target=lambda form: str(form.url),
        )
        search = Tool("search_web", "Search the web.", QueryForm, "read", self.search, idempotent=True, taints=True)
        browse = Tool(
            "browse_page",
            "Read a page of the web that needs JavaScript, in a browser; slower than fetch_page. Its links are "
            "[label](address). Buttons and links can be clicked and fields filled in there; forms that do more than "
            "search are not sent.",
            BrowseForm,
            "read",
            self._browse,
            idempotent=True,
            seconds=BROWSING_SECONDS,
            taints=True,
            target=lambda form: str(form.url),
        )
        return [fetch, *([browse] if self._browser else []), *([search] if self._search_url else [])]

    async def fetch(self, _context: ToolContext, form: FetchForm) -> ToolOutcome:
        """The text of a page."""
        if not self._is_listed(form.url):
            return failed_outcome("refused", NOT_LISTED)
        got = await _got(self._outbound, form.url)
        if isinstance(got, ToolOutcome):
            return got
        return ToolOutcome(_text(got)) if self._is_listed(got.url) else failed_outcome("refused", NOT_LISTED)

    def _is_listed(self, url: str) -> bool:
        host = (urlsplit(url).hostname or "").lower()
        return not self._hosts or any(host == one or host.endswith(f".{one}") for one in self._hosts)

    async def _browse(self, context: ToolContext, form: BrowseForm) -> ToolOutcome:
        if self._browser is None:
            return failed_outcome("broken", "There is no browser here.")
        if not self._is_listed(form.url):
            return failed_outcome("refused", NOT_LISTED)
        try:
            deeds = [Deed(one.do, one.on, one.text) for one in form.steps]
            seen = await self._browser.read(
                form.url, deeds, lambda url: is_named(url, context.said) and self._is_listed(url)
            )
        except TargetRefused as refusal:
            return failed_outcome("refused", str(refusal))
        except TargetFailed as failure:
            return failed_outcome("unreachable", str(failure))
        return ToolOutcome(seen.text) if self._is_listed(seen.url) else failed_outcome("refused", NOT_LISTED)

    async def search(self, _context: ToolContext, form: QueryForm) -> ToolOutcome:
        """Titles, addresses and excerpts."""
        got = await _got(self._searching, f"{self._search_url}/search?{urlencode({'q': form.query, 'format': 'json'})}")
        if isinstance(got, ToolOutcome):
            return got
        try:
            found = json.loads(got.body)["results"]
            lines = [{name: str(one.get(name, "")) for name in ("title", "url", "content")} for one in found[:10]]
        except (ValueError, KeyError, TypeError, AttributeError):
            return failed_outcome("broken", "The search service answers in another form than JSON results.")
        return ToolOutcome("\n".join(map(json.dumps, lines)) or "There is nothing.")


async def _got(outbound: Outbound, url: str) -> Fetched | ToolOutcome:
    try:
        found = await outbound.fetch(url)
    except TargetRefused as refusal:
        return failed_outcome("refused", str(refusal))
    except TargetFailed as failure:
        return failed_outcome("unreachable", str(failure))
    return (
        found
        if found.status in SUCCESS_STATUSES
        else failed_outcome("unreachable", f"The address answers with status {found.status}.")
    )


def _text(page: Fetched) -> str:
    text = page.body.decode("utf-8", "replace")
    return page_text(text, page.url) if "html" in page.headers.get("content-type", "") else text
