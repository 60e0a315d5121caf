from __future__ import annotations

import pytest

from tests.support.phrases import only, wall


@pytest.mark.parametrize(
    ("text", "day"),
    [
        ("the friday after next", "2026-12-04"),
        ("a week on tuesday", "2026-12-01"),
        ("tuesday fortnight", "2026-12-08"),
        ("two weeks tomorrow", "2026-12-03"),
        ("in six weeks' time", "2026-12-30"),
        ("in a year and a half", "2028-05-18"),
        ("3 days earlier", "2026-11-15"),
        ("2 days before new year's eve", "2026-12-29"),
        ("the tuesday after christmas", "2026-12-29"),
        ("the second friday after 1 december", "2026-12-11"),
        ("the second to last day of the year", "2026-12-30"),
        ("the 3rd last day of january", "2027-01-29"),
        ("last working day of the month", "2026-11-30"),
        ("first business day of february", "2027-02-01"),
        ("the first monday of the month", "2026-12-07"),
        ("the twenty-fourth day of december", "2026-12-24"),
        ("10th of next month", "2026-12-10"),
        ("the 26", "2026-11-26"),
        ("wed", "2026-11-25"),
        ("20-nov-2026", "2026-11-20"),
        ("Dec/24", "2026-12-24"),
        ("5 jan 2027", "2027-01-05"),
        ("january first nineteen ninety nine", "1999-01-01"),
        ("march tenth two thousand and thirty", "2030-03-10"),
        ("fri. 27 nov.", "2026-11-27"),
        ("on 24.12", "2026-12-24"),
        ("friday of the first week of december", "2026-12-04"),
        ("end of q1", "2027-03-31"),
        ("at the beginning of 2028", "2028-01-01"),
        ("mid 2027", "2027-07-02"),
        ("last week's friday", "2026-11-13"),
        ("close of business on the 30th", "2026-11-30"),
        ("two mondays ago", "2026-11-09"),
        ("2026/12/24", "2026-12-24"),
        ("18 november", "2026-11-18"),
        ("the 18th", "2026-11-18"),
        ("17 november", "2027-11-17"),
        ("11/25", "2026-11-25"),
        ("25/11/2027", "2027-11-25"),
        ("2/13/2027", "2027-02-13"),
    ],
)
def test_days(text: str, day: str) -> None:
    found = only(text)
    assert found.start is not None
    assert (found.start.date().isoformat(), found.timed) == (day, False)


@pytest.mark.parametrize(
    ("text", "start", "end"),
    [
        ("the third week of january", "2027-01-18", "2027-01-25"),
        ("last weekend of the month", "2026-11-28", "2026-11-30"),
        ("the first 3 days of december", "2026-12-01", "2026-12-04"),
        ("last two weeks of the year", "2026-12-21", "2027-01-04"),
        ("second quarter of next year", "2027-04-01", "2027-07-01"),
        ("q4 2027", "2027-10-01", "2028-01-01"),
        ("in week 50", "2026-12-07", "2026-12-14"),
        ("the week of december 9", "2026-12-07", "2026-12-14"),
        ("the week after easter", "2027-03-29", "2027-04-05"),
        ("the month before july", "2027-06-01", "2027-07-01"),
        ("the week after next", "2026-11-30", "2026-12-07"),
        ("this summer", "2027-06-21", "2027-09-23"),
        ("the rest of the month", "2026-11-18", "2026-12-01"),
        ("early december", "2026-12-01", "2026-12-11"),
        ("12/2026", "2026-12-01", "2027-01-01"),
        ("in the next 4 business days", "2026-11-19", "2026-11-25"),
        ("2 upcoming weeks", "2026-11-23", "2026-12-07"),
        ("april to june 2027", "2027-04-01", "2027-07-01"),
        ("from the 28th to the 2nd", "2026-11-28", "2026-12-03"),
        ("june 27th through the third", "2027-06-27", "2027-07-04"),
        ("3rd to 5th march 2028", "2028-03-03", "2028-03-06"),
        ("20 dec - 4 jan 2028", "2027-12-20", "2028-01-05"),
        ("between 2027 and the end of 2028", "2027-01-01", "2029-01-01"),
        ("for two weeks starting december 7", "2026-12-07", "2026-12-21"),
        ("mon-wed", "2026-11-23", "2026-11-26"),
    ],
)
def test_stretches_of_days(text: str, start: str, end: str) -> None:
    found = only(text)
    assert found.start is not None
    assert found.end is not None
    assert (found.start.date().isoformat(), found.end.date().isoformat()) == (start, end)


@pytest.mark.parametrize(
    ("text", "start"),
    [
        ("after june", "2027-07-01T00:00"),
        ("after 2027", "2028-01-01T00:00"),
        ("after the weekend", "2026-11-23T00:00"),
        ("since 2019", "2019-01-01T00:00"),
        ("not before thursday", "2026-11-19T00:00"),
        ("3pm or later", "2026-11-18T15:00"),
        ("from monday on", "2026-11-23T00:00"),
    ],
)
def test_open_beginnings(text: str, start: str) -> None:
    found = only(text)
    assert (found.kind, wall(found.start)) == ("open_after", start)


@pytest.mark.parametrize(
    ("text", "day"),
    [
        ("next easter", "2027-03-28"),
        ("pentecost monday", "2027-05-17"),
        ("orthodox easter 2027", "2027-05-02"),
        ("ash wednesday", "2027-02-10"),
        ("black friday", "2026-11-27"),
        ("on mother's day", "2027-05-09"),
        ("christmas of next year", "2027-12-25"),
        ("halloween in two years", "2029-10-31"),
        ("last thanksgiving", "2025-11-27"),
        ("st. patrick's day 2028", "2028-03-17"),
        ("victoria day", "2027-05-24"),
        ("rosh hashanah 2027", "2027-10-01"),
        ("diwali 2027", "2027-10-29"),
        ("eid al-adha 2027", "2027-05-16"),
        ("lunar new year", "2027-02-06"),
        ("tax day 2028", "2028-04-18"),
        ("lent 2027", "2027-02-10"),
    ],
)
def test_feasts(text: str, day: str) -> None:
    found = only(text)
    assert found.start is not None
    assert found.start.date().isoformat() == day


@pytest.mark.parametrize(
    ("text", "start"),
    [
        ("on the 4th friday", "2026-11-27T00:00"),
        ("on the second tuesday at 7pm", "2026-12-08T19:00"),
        ("on the 1st monday", "2026-12-07T00:00"),
        ("on the third wednesday", "2026-11-18T00:00"),
    ],
)
def test_a_weekday_that_is_counted_is_of_this_month_or_the_next(text: str, start: str) -> None:
    assert wall(only(text).start) == start
