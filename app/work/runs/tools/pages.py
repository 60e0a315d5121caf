"""A page of HTML as text, a line for each piece, with its links as [label](address)."""

from __future__ import annotations

from collections.abc import Sequence
from html.parser import HTMLParser
from urllib.parse import urldefrag, urljoin, urlsplit

SILENT = frozenset({"script", "style", "noscript", "template", "svg"})
NAMED_BY = ("aria-label", "title")
"""Attributes that name a link without words."""
Attributes = Sequence[tuple[str, str | None]]


def page_text(html: str, url: str) -> str:
    """The words of a page at an address; each link has its whole address."""
    reader = _Page(url)
    reader.feed(html)
    reader.close()
    return "\n".join(reader.lines())


class _Page(HTMLParser):
    """Collects words, without what is no text; those inside a link until it ends."""

    def __init__(self, url: str) -> None:
        super().__init__()
        self._url = self._base = url
        self._lines: list[str] = []
        self._silent = 0
        self._address = ""
        self._label: list[str] = []
        self._name = ""

    def handle_starttag(self, tag: str, attrs: Attributes) -> None:
        self._silent += tag in SILENT
        values = {name: value or "" for name, value in attrs}
        if tag == "base" and self._base == self._url:
            self._base = _join(self._url, values.get("href", "")) or self._url
        elif tag == "a":
            self._end_link()
            self._address = self._leads_to(values.get("href"))
            self._name = next(filter(None, map(values.get, NAMED_BY)), "")
        elif tag == "img" and self._address:
            self._name = self._name or values.get("alt", "")

    def handle_endtag(self, tag: str) -> None:
        self._silent -= tag in SILENT and self._silent > 0
        if tag == "a":
            self._end_link()

    def handle_data(self, data: str) -> None:
        if words := "" if self._silent else " ".join(data.split()):
            (self._label if self._address else self._lines).append(words)

    def close(self) -> None:
        super().close()
        self._end_link()

    def lines(self) -> list[str]:
        """One line a piece of text, or a link."""
        return self._lines

    def _end_link(self) -> None:
        if self._address:
            label = " ".join(self._label) or " ".join(self._name.split()) or self._address
            self._lines.append(f"[{label.translate(PLAIN)}]({self._address})")
        self._address, self._label, self._name = "", [], ""

    def _leads_to(self, href: str | None) -> str:
        """The whole address of a link; empty where it leads to no other page."""
        address = _join(self._base, href) if href else ""
        place = urlsplit(address).fragment
        same = urldefrag(address).url == urldefrag(self._url).url and bool(place) and place[0] not in "/!"
        return "" if same else address


PLAIN = str.maketrans("[]", "()")
"""A label cannot end itself and name another address."""


def _join(base: str, href: str) -> str:
    """An address of the web, or nothing."""
    try:
        address = urljoin(base, href.strip())
        return address if urlsplit(address).scheme in ("http", "https") and urlsplit(address).netloc else ""
    except ValueError:  # such as a host in brackets that is no address
        return ""
