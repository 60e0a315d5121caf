"""``summit understand --jsonl`` as scripts meet it: every kind of time, exotic clocks, lines that cannot be read."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.support.servers.forked import summit

HERE = {"now": "2026-11-18T10:30:00", "tz": "Europe/Lisbon"}


def run(*lines: bytes) -> tuple[int, list[dict[str, Any]]]:
    done = summit("understand", "--jsonl", environment={}, said=b"\n".join(lines))
    assert "Traceback" not in done.stderr, done.stderr
    return done.returncode, [json.loads(line) for line in done.stdout.splitlines()]


def line(text: Any, **more: Any) -> bytes:
    return json.dumps({"text": text, **HERE, **more}).encode()


NINE = "FREQ=WEEKLY;BYDAY=MO;BYHOUR=9;BYMINUTE=0"
KINDS = {
    "tomorrow at 5": ("point", "2026-11-19T17:00", None, "minute", None, None),
    "tomorrow": ("point", "2026-11-19T00:00", None, "day", None, None),
    "tomorrow from 2 to 4": ("interval", "2026-11-19T14:00", "2026-11-19T16:00", "minute", None, None),
    "next week": ("interval", "2026-11-23T00:00", "2026-11-30T00:00", "week", None, None),
    "by friday": ("open_before", None, "2026-11-21T00:00", "day", None, None),
    "after 6pm": ("open_after", "2026-11-18T18:00", None, "minute", None, None),
    "every monday at 9": ("set", "2026-11-23T09:00", None, "minute", NINE, None),
    "every month": ("set", "2026-11-18T00:00", None, "day", "FREQ=MONTHLY", None),
    "for an hour and a half": ("duration", None, None, "hour", None, 5400),
    "for 2 weeks": ("duration", None, None, "week", None, 1209600),
}


def lisbon(moment: str | None) -> str | None:
    return f"{moment}:00+00:00" if moment else None


def test_every_kind_of_time_has_its_form() -> None:
    status, results = run(*(line(text, id=text) for text in KINDS))
    assert status == 0
    for result in results:
        (found,) = result["time"]
        kind, start, end, *rest = KINDS[result["id"]]
        assert (found["kind"], found["start"], found["end"]) == (kind, lisbon(start), lisbon(end))
        assert [found["grain"], found["rrule"], found["seconds"]] == rest
        assert {"id", "intent", "intents", "time", "disposition", "proposals"} <= result.keys()


@pytest.mark.parametrize(
    ("now", "tz", "start"),
    [
        ("2026-11-18T10:30:00Z", "Asia/Kathmandu", "2026-11-18T18:15:00+05:45"),
        ("2026-11-18T10:30:00-08:00", "Europe/Lisbon", "2026-11-18T20:30:00+00:00"),
        ("2026-11-18T10:30", "+05:30", "2026-11-18T12:30:00+05:30"),
        ("2026-11-18", "-03", "2026-11-18T02:00:00-03:00"),
        ("2026-11-18T10:30:00.123456", "Pacific/Chatham", "2026-11-18T12:30:00.123456+13:45"),
        ("2026-03-29T00:30:00", "Europe/Lisbon", "2026-03-29T03:30:00+01:00"),
        ("2026-11-18T10:30:00", None, "2026-11-18T12:30:00+00:00"),
        ("2026-11-18T10:30:00", "Z", "2026-11-18T12:30:00+00:00"),
    ],
)
def test_the_clock_is_read_in_many_forms(now: str, tz: str | None, start: str) -> None:
    _, (result,) = run(line("in 2 hours", now=now, tz=tz))
    assert result["time"][0]["start"] == start


BAD = {
    b"not json": "Expecting value",
    b"[1]": "no JSON object",
    b"null": "no JSON object",
    b'{"id": "x", "text": "tomorrow"}': "'now' is missing",
    line("tomorrow", id="x", now="soon"): "Invalid isoformat",
    line("tomorrow", id="x", now=5): "must be str",
    line("tomorrow", id="x", now="9999-12-31T23:59:00"): "between 1901 and 2198",
    line("tomorrow", id="x", now="0001-01-01T00:00:00"): "between 1901 and 2198",
    line("tomorrow", id="x", tz="Mars/Base"): "no time zone",
    line("tomorrow", id="x", tz="../../etc/passwd"): "no time zone",
    line("tomorrow", id="x", tz="Europe"): "no time zone",
    line("tomorrow", id="x", tz="+27:00"): "no time zone",
    line(5, id="x"): "text: Input should be a valid string",
    line("tomorrow", id="x", given={"todos": [{"task": 1}]}): "task: Input should be a valid string",
    line("tomorrow", id="x", conventions={"morning": "late"}): "morning: String should match",
    b"[" * 100_000: "recursion",
}


def test_a_line_that_cannot_be_read_gives_a_line_that_says_why_and_the_others_are_answered() -> None:
    good = line("friday", id="good")
    status, results = run(*(piece for bad in BAD for piece in (bad, good)))
    assert status == 1
    assert [result["id"] for result in results[1::2]] == ["good"] * len(BAD)
    for bad, result in zip(BAD, results[::2], strict=True):
        assert BAD[bad] in result["error"], (bad[:80], result)
        assert result["id"] == ("x" if b'"x"' in bad else None)


def test_bytes_and_letters_that_are_no_text_are_borne() -> None:
    status, results = run(
        b'{"text": "caf\xe9 friday", "now": "2026-11-18T10:30", "tz": "UTC"}', line("\ud83d friday 明天 😀")
    )
    assert status == 0
    assert [result["time"][0]["text"] for result in results] == ["friday", "friday"]
