"""Mail of strangers as people read it: who wrote, about what, and the words; run in a confined child."""

from __future__ import annotations

import re
from email import message_from_bytes, policy
from email.message import EmailMessage
from html.parser import HTMLParser

CONTROLS = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]")
BLANK_LINES = re.compile(r"\n\s*\n\s*\n+")
UNSEEN = frozenset({"script", "style", "head", "title"})
BREAKS = frozenset({"br", "p", "div", "tr", "li", "h1", "h2", "h3", "blockquote"})
LONGEST_LINE = 500
NOT_READ = "(This mail could not be read.)"


class _Words(HTMLParser):
    """The words of a page."""

    def __init__(self) -> None:
        super().__init__()
        self.parts: list[str] = []
        self._unseen = 0

    def handle_starttag(self, tag: str, _attrs: list[tuple[str, str | None]]) -> None:
        self._unseen += tag in UNSEEN
        if tag in BREAKS:
            self.parts.append("\n")

    def handle_endtag(self, tag: str) -> None:
        self._unseen = max(0, self._unseen - (tag in UNSEEN))

    def handle_data(self, data: str) -> None:
        if not self._unseen:
            self.parts.append(" ".join(data.split()) + " " if data.strip() else "")


def read_mail(raw: bytes, most_chars: int) -> dict[str, str]:
    """``sender``, ``subject``, ``date`` and ``text`` of a mail, or of the beginning of one."""
    document = message_from_bytes(raw, policy=policy.default)
    said = {name: _header(document, header) for name, header in (("sender", "From"), ("subject", "Subject"))}
    return {**said, "date": _header(document, "Date"), "text": _text(document)[:most_chars].strip()}


def _header(document: EmailMessage, name: str) -> str:
    try:
        found = str(document.get(name, ""))
    except (ValueError, LookupError, AttributeError, TypeError, IndexError):  # the library breaks on some headers
        return ""
    return _clean(" ".join(found.split()))[:LONGEST_LINE]


def _text(document: EmailMessage) -> str:
    try:
        body = document.get_body(("plain", "html"))
        found = "" if body is None else str(body.get_content())
        html = body is not None and body.get_content_subtype() == "html"
    except (ValueError, LookupError, AttributeError, TypeError, IndexError):
        return NOT_READ
    return BLANK_LINES.sub("\n\n", _clean(_without_tags(found) if html else found.replace("\r\n", "\n")))


def _without_tags(html: str) -> str:
    words = _Words()
    words.feed(html)
    words.close()
    return "".join(words.parts)


def _clean(text: str) -> str:
    return CONTROLS.sub("", text.encode("utf-8", "replace").decode())
