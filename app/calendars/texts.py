"""Texts as RFC 5545 writes them: what is said here is read as it is there."""

from __future__ import annotations

from icalendar import vText
from icalendar.prop.factory import TypesFactory

CAPITAL = "\\N"


class Text(vText):
    """A text whose backslashes stay; the library takes one before a capital N for the end of a line."""

    def to_ical(self) -> bytes:
        """Return it as a line of a file holds it, in UTF-8."""
        pieces = [vText(piece).to_ical() for piece in self.split(CAPITAL)]
        return (b"\\" + CAPITAL.encode()).join(pieces)


TEXTS = TypesFactory()
"""What the lines of a file are made to: as the library does, but for texts."""
TEXTS["text"] = Text
