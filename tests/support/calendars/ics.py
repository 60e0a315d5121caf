"""Calendar files in few words."""

from __future__ import annotations

CUSTOM_ZONE = """\
BEGIN:VTIMEZONE
TZID:Customized Time Zone
BEGIN:STANDARD
DTSTART:16011028T030000
RRULE:FREQ=YEARLY;BYDAY=-1SU;BYMONTH=10
TZOFFSETFROM:+0200
TZOFFSETTO:+0100
END:STANDARD
BEGIN:DAYLIGHT
DTSTART:16010325T020000
RRULE:FREQ=YEARLY;BYDAY=-1SU;BYMONTH=3
TZOFFSETFROM:+0100
TZOFFSETTO:+0200
END:DAYLIGHT
END:VTIMEZONE
"""


def ics(*events: str, head: str = "") -> bytes:
    """A calendar with these events, each given as its lines."""
    inner = "".join(f"BEGIN:VEVENT\n{event.strip()}\nEND:VEVENT\n" for event in events)
    return f"BEGIN:VCALENDAR\nVERSION:2.0\nPRODID:-//x//y//EN\n{head}{inner}END:VCALENDAR\n".replace(
        "\n", "\r\n"
    ).encode()


def meeting(uid: str = "1", title: str = "standup", start: str = "20261120T100000Z", *more: str) -> str:
    """An hour's meeting."""
    return "\n".join([f"UID:{uid}", f"SUMMARY:{title}", f"DTSTART:{start}", "DURATION:PT1H", *more])
