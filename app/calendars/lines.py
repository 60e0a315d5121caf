"""What can be refused before a file is parsed: its form, its size in events, and how deep it is nested."""

from __future__ import annotations

import re

NESTING = re.compile(rb"^(BEGIN|END):([^\r\n]*)", re.IGNORECASE | re.MULTILINE)
EVENT = re.compile(rb"^BEGIN:VEVENT", re.IGNORECASE | re.MULTILINE)
BYTE_ORDER_MARK = b"\xef\xbb\xbf"
CUT_SHORT = "This calendar is cut short or damaged: what begins in it does not end."
MAX_NESTING = 5  # a calendar, its event, the event's alarm; RFC 9073 adds one or two


class Unreadable(Exception):  # noqa: N818 - an outcome of reading
    """This is no calendar that Summit reads; the message says why, for people, and quotes nothing of it."""


def prepare_body(body: bytes, most_events: int) -> bytes:
    """The body as a parser may get it; raises Unreadable."""
    body = body.removeprefix(BYTE_ORDER_MARK).lstrip()
    if not body[:15].upper().startswith(b"BEGIN:VCALENDAR"):
        raise Unreadable("This is no calendar: an .ics file begins with BEGIN:VCALENDAR.")
    if b"\x00" in body:
        raise Unreadable("This calendar holds NUL characters; an .ics file is text in UTF-8.")
    events = sum(1 for _ in EVENT.finditer(body))
    if events > most_events:
        raise Unreadable(f"This calendar has {events} events; the limit is {most_events}.")
    _check_nesting(body)
    return body


def _check_nesting(body: bytes) -> None:
    """Every part must end: half a file would otherwise pass for a calendar with half its events."""
    opened: list[bytes] = []
    for found in NESTING.finditer(body):
        step, part = found[1].upper(), found[2].strip().upper()
        if step == b"BEGIN":
            opened.append(part)
        elif not opened or opened.pop() != part:
            raise Unreadable(CUT_SHORT)
        if len(opened) > MAX_NESTING:
            raise Unreadable(f"This calendar is nested deeper than {MAX_NESTING} levels.")
    if opened:
        raise Unreadable(CUT_SHORT)
