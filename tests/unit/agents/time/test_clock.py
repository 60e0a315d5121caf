from __future__ import annotations

import pytest

from tests.support.phrases import only, wall


@pytest.mark.parametrize(
    ("text", "start"),
    [
        ("half past 5 tomorrow evening", "2026-11-19T17:30"),
        ("quarter to nine on monday morning", "2026-11-23T08:45"),
        ("ten to noon", "2026-11-18T11:50"),
        ("a quarter past midnight tomorrow", "2026-11-19T00:15"),
        ("twenty-five to seven pm", "2026-11-18T18:35"),
        ("at 5 sharp", "2026-11-18T17:00"),
        ("6ish", "2026-11-18T18:00"),
        ("1730 tomorrow", "2026-11-19T17:30"),
        ("8.30pm", "2026-11-18T20:30"),
        ("8:40 p m", "2026-11-18T20:40"),
        ("9.am tomorrow", "2026-11-19T09:00"),
        ("6p", "2026-11-18T18:00"),
        ("11:45a", "2026-11-18T11:45"),
        ("saturday 9h", "2026-11-21T09:00"),
        ("saturday at 9.15", "2026-11-21T09:15"),
        ("at 4 20", "2026-11-18T16:20"),
        ("tomorrow at 7a.m.", "2026-11-19T07:00"),
        ("6a.m. may 30", "2027-05-30T06:00"),
        ("half-past six in the evening", "2026-11-18T18:30"),
        ("5.30 in the evening", "2026-11-18T17:30"),
        ("at ten of four", "2026-11-18T15:50"),
        ("18h", "2026-11-18T18:00"),
        ("at 20 hours", "2026-11-18T20:00"),
        ("last evening", "2026-11-17T19:00"),
        ("tomorrow at six forty-three", "2026-11-19T18:43"),
        ("4 20 pm", "2026-11-18T16:20"),
        ("at five to six", "2026-11-18T17:55"),
        ("tomorrow at ten to nine", "2026-11-19T08:50"),
        ("four hours' time", "2026-11-18T14:30"),
        ("in roughly an hour", "2026-11-18T11:30"),
        ("tomorrow at 9 pacific", "2026-11-19T17:00"),
        ("now", "2026-11-18T10:30"),
        ("three-oh-five tomorrow", "2026-11-19T15:05"),
        ("in the evening at 8", "2026-11-18T20:00"),
        ("last night", "2026-11-17T20:00"),
        ("this time next week", "2026-11-25T10:30"),
        ("after 2 hours", "2026-11-18T12:30"),
        ("nov 30 18:20 2027", "2027-11-30T18:20"),
        ("an hour before noon", "2026-11-18T11:00"),
        ("20 minutes after 4pm tomorrow", "2026-11-19T16:20"),
        ("friday 15:00 utc", "2026-11-20T15:00"),
        ("tomorrow at 9 pst", "2026-11-19T17:00"),
        ("3pm eastern time on december 4", "2026-12-04T20:00"),
        ("2026-12-01T08:00:00Z", "2026-12-01T08:00"),
    ],
)
def test_clock_times(text: str, start: str) -> None:
    found = only(text)
    assert (wall(found.start), found.timed) == (start, True)


@pytest.mark.parametrize(
    ("text", "minutes"),
    [
        ("two and three quarter hours", 165),
        ("one and a quarter hours", 75),
        ("three-quarters of an hour", 45),
        ("\u00bd hour", 30),
        ("3 hours twenty", 200),
        ("1 hour, 5 minutes", 65),
        ("two extra hours", 120),
        ("4 nights", 4 * 1440),
        ("1 hour 20", 80),
        ("twenty-four hours", 24 * 60),
        ("it takes 15 hours", 15 * 60),
        ("for 18 hrs", 18 * 60),
        ("for 3/4 hour", 45),
        ("up to three hours", 180),
        ("two consecutive days", 2 * 1440),
    ],
)
def test_lengths(text: str, minutes: int) -> None:
    assert only(text).seconds == minutes * 60


@pytest.mark.parametrize(
    ("text", "start", "end"),
    [
        ("5 to 6 this evening", "2026-11-18T17:00", "2026-11-18T18:00"),
        ("monday morning from 10 to 12", "2026-11-23T10:00", "2026-11-23T12:00"),
        ("6-8 next tuesday", "2026-11-24T18:00", "2026-11-24T20:00"),
        ("9:15 - 10h on friday", "2026-11-20T09:15", "2026-11-20T10:00"),
        ("14:00 - 15:30 gmt", "2026-11-18T14:00", "2026-11-18T15:30"),
        ("the next two hours", "2026-11-18T10:30", "2026-11-18T12:30"),
        ("today 2-ish to 4-ish", "2026-11-18T14:00", "2026-11-18T16:00"),
        ("6 to 8 next monday", "2026-11-23T18:00", "2026-11-23T20:00"),
        ("8a.m. - 11", "2026-11-19T08:00", "2026-11-19T11:00"),
        ("the next hour and a half", "2026-11-18T10:30", "2026-11-18T12:00"),
        ("the past hour", "2026-11-18T09:30", "2026-11-18T10:30"),
        ("for 45 minutes starting at 4pm", "2026-11-18T16:00", "2026-11-18T16:45"),
        ("from now until 6pm", "2026-11-18T10:30", "2026-11-18T18:00"),
    ],
)
def test_hours_with_two_ends(text: str, start: str, end: str) -> None:
    found = only(text)
    assert (found.kind, wall(found.start), wall(found.end)) == ("interval", start, end)
