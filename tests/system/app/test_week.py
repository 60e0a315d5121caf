"""The week of docs/guide/saying.md, told in words: one real server, stopped and started on the way."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from tests.support.servers.running import RunningServer
from tests.support.waiting import wait_until
from tests.survival.crashing_server import LOOKED
from tests.survival.fleet import MortalServer

MONDAY, WEDNESDAY, THURSDAY = "2027-03-01", "2027-03-03", "2027-03-04"


@dataclass
class Week:
    """The person's side of the conversation; ``server`` changes when it is started again."""

    data_dir: Path
    server: RunningServer

    def say(self, day: str, clock: str, text: str) -> dict[str, Any]:
        body = {"text": text, "captured_at": f"{day}T{clock}:00+00:00", "timezone": "Europe/Lisbon"}
        return self.post("/v1/turns", body)

    def post(self, path: str, body: dict[str, Any]) -> dict[str, Any]:
        with self.server.client() as client:
            answer = client.post(path, json=body)
        assert answer.status_code == 200, answer.text
        return dict(answer.json())

    def get(self, path: str) -> list[dict[str, Any]]:
        with self.server.client() as client:
            return list(client.get(path).json()["items"])

    def sleep_through(self, time: timedelta) -> MortalServer:
        """Stop the server, and start one for which so much time has passed."""
        self.server.stop()
        shows = (datetime.now(UTC) + time).isoformat()
        clock = json.dumps({"shows": shows, "tick": 0, "ends": shows})
        self.server = later = MortalServer(self.data_dir, SUMMIT_TEST_CLOCK=clock, SUMMIT_REMINDER_LOOK_SECONDS="0.1")
        return later


@pytest.fixture(scope="module")
def week(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Week]:
    data_dir = tmp_path_factory.mktemp("week") / "data"
    found = Week(data_dir, RunningServer(data_dir))
    try:
        yield found
    finally:
        found.server.stop()


def applied(turn: dict[str, Any]) -> list[tuple[str, str, str]]:
    return [(change["op"], change["kind"], change["title"]) for change in turn["changes"]]


def test_monday_is_planned_and_an_overlap_is_told_with_free_times(week: Week) -> None:
    planned = week.say(MONDAY, "08:30", "dentist on thursday at 3pm, and finish the tax report by friday")
    assert applied(planned) == [("create", "event", "dentist"), ("create", "todo", "finish the tax report")]
    habit = week.say(MONDAY, "08:31", "gym every tuesday and thursday at 7am")
    assert habit["changes"][0]["fields"]["recurrence"] == "FREQ=WEEKLY;BYDAY=TU,TH"
    clash = week.say(MONDAY, "08:32", "call with Ana thursday at 3:30pm for an hour")
    assert [conflict["title"] for conflict in clash["changes"][0]["conflicts"]] == ["dentist"]
    assert "dentist" in clash["reply"]
    assert "16:00" in clash["reply"]
    moved = week.say(MONDAY, "08:33", "move the call with Ana to 5pm")
    assert moved["changes"][0]["fields"]["start"] == f"{THURSDAY}T17:00:00Z"
    assert moved["changes"][0]["conflicts"] == []
    day = week.say(MONDAY, "08:34", "what's on thursday?")["reply"]
    assert [name for name in ("gym", "dentist", "call with Ana") if name not in day] == []


def test_one_of_three_changes_is_undone_two_days_later(week: Week) -> None:
    three = "call mom tomorrow at 5, book the barber for friday 3pm and note that the wifi code is 1234"
    assert len(week.say(MONDAY, "09:00", three)["changes"]) == 3
    undone = week.say(WEDNESDAY, "12:00", "undo the barber from monday")
    assert applied(undone) == [("undo", "event", "barber")]
    assert "barber" not in [event["title"] for event in week.get("/v1/events")]
    assert "call mom" in [todo["task"] for todo in week.get("/v1/todos")]


def test_a_reminder_comes_late_and_says_so_when_the_server_was_down(week: Week) -> None:
    week.post("/v1/turns", {"text": "remind me to take the bread out in 10 minutes"})
    later = week.sleep_through(timedelta(hours=1))
    [told] = wait_until(lambda: week.get("/v1/notifications"))
    assert told["title"] == "take the bread out"
    assert told["late_seconds"] >= 40 * 60
    looked = later.passed().count(LOOKED)
    wait_until(lambda: later.passed().count(LOOKED) > looked + 5)
    assert len(week.get("/v1/notifications")) == 1


def test_an_instruction_is_obeyed_from_then_on(week: Week) -> None:
    week.say(WEDNESDAY, "13:00", "always ask before adding tasks")
    held = week.say(WEDNESDAY, "13:01", "add water the plants to my tasks")
    assert (held["status"], held["disposition"]) == ("waiting", "clarify")
    assert [change["status"] for change in held["changes"]] == ["needs_confirmation"]
    assert "water the plants" not in [todo["task"] for todo in week.get("/v1/todos")]
    agreed = week.say(WEDNESDAY, "13:02", "yes")
    assert [change["status"] for change in agreed["changes"]] == ["applied"]
    assert "water the plants" in [todo["task"] for todo in week.get("/v1/todos")]


def test_a_request_outside_the_limits_is_held_with_the_reason(week: Week) -> None:
    week.say(WEDNESDAY, "14:00", "never schedule anything before 9am")
    held = week.say(WEDNESDAY, "14:01", "book the plumber on friday at 8am")
    assert [change["status"] for change in held["changes"]] == ["needs_confirmation"]
    assert "9" in held["reply"]
    assert "plumber" not in [event["title"] for event in week.get("/v1/events")]
    week.say(WEDNESDAY, "14:02", "no")
    assert "plumber" not in [event["title"] for event in week.get("/v1/events")]
