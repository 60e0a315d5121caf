"""Texts with backslashes go to a calendar and come back as they were."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from icalendar import Calendar

from app.calendars.forgiving import parse_calendars
from app.calendars.texts import Text

FILE = "BEGIN:VCALENDAR\r\nBEGIN:VTODO\r\nDESCRIPTION:{}\r\nUID:1\r\nX-KEPT:{}\r\nEND:VTODO\r\nEND:VCALENDAR\r\n"


def returned(text: str) -> str:
    found, told = parse_calendars(FILE.format(Text(text).to_ical().decode(), "").encode())
    assert told == []
    return str(found[0].subcomponents[0]["DESCRIPTION"])


@pytest.mark.parametrize("text", [r"C:\New", r"a\\N", r"\N\N", "\\\nN", r"a\nb", r"a\;b\,c", "two\nlines", "\\"])
def test_a_text_is_read_as_it_was_written(text: str) -> None:
    assert returned(text) == text


@given(st.text(st.sampled_from("\\Nn;, a\n"), max_size=12).filter(lambda text: text.strip() == text))
def test_any_order_of_signs_is_read_as_it_was_written(text: str) -> None:
    assert returned(text) == text


def test_what_others_wrote_is_written_back_unchanged() -> None:
    body = FILE.format(r"C:\\New\, \\N", r"\\Network").encode()
    [found], told = parse_calendars(body)
    assert isinstance(found, Calendar)
    assert (found.to_ical(), told) == (body, [])
