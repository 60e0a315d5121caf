"""Clashes as clients see them: the same over every door, with free times in the user's own working hours."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import httpx

MONDAY = {"start": "2026-11-23T15:00:00Z", "end": "2026-11-23T16:00:00Z"}


FAR_MONDAY = {"start": "2054-11-23T15:00:00Z", "end": "2054-11-23T16:00:00Z"}
"""For what is compared with the present moment, which moves on."""


def last_change(client: httpx.Client) -> dict[str, Any]:
    found: dict[str, Any] = client.get("/v1/changes", params={"limit": 100}).json()["items"][-1]
    return found


def hours(start: datetime, length: float) -> dict[str, str]:
    return {"start": start.isoformat(), "end": (start + timedelta(hours=length)).isoformat()}


def openings(change: dict[str, Any]) -> list[str]:
    return [f"{free['start'][5:16]}/{free['end'][11:16]}" for free in change["alternatives"]]


def late_worker(client: httpx.Client) -> None:
    hours = {"working_start": "19:00", "working_end": "22:00", "working_days": ["monday", "sunday"]}
    answer = client.patch("/v1/settings", json={"timezone": "Europe/Lisbon", "conventions": hours})
    assert answer.status_code == 200, answer.text


def test_an_event_made_by_hand_tells_its_clash(alice: httpx.Client) -> None:
    late_worker(alice)
    lab = alice.post("/v1/events", json={"title": "lab", **FAR_MONDAY}).json()
    made = alice.post("/v1/events", json={"title": "call", **FAR_MONDAY})
    assert made.status_code == 201
    change = last_change(alice)
    (clash,) = change["conflicts"]
    assert (clash["record_id"], clash["title"]) == (lab["id"], "lab")
    assert openings(change) == ["11-23T19:00/20:00", "11-23T20:00/21:00", "11-23T21:00/22:00"]


def test_an_event_made_by_words_tells_the_same(alice: httpx.Client) -> None:
    late_worker(alice)
    alice.post("/v1/events", json={"title": "lab", **MONDAY})
    said = {"text": "book a call with Ana on monday at 3pm", "captured_at": "2026-11-21T10:00:00Z"}
    turn = alice.post("/v1/turns", json={**said, "timezone": "Europe/Lisbon"}).json()
    (change,) = turn["changes"]
    assert [clash["title"] for clash in change["conflicts"]] == ["lab"]
    assert openings(change) == ["11-23T19:00/20:00", "11-23T20:00/21:00", "11-23T21:00/22:00"]
    assert "That overlaps “lab”" in turn["reply"]
    assert "19:00, 20:00 or 21:00 would be free." in turn["reply"]


def test_a_moved_series_tells_what_it_runs_into(alice: httpx.Client) -> None:
    first = datetime.now(UTC).replace(minute=0, second=0, microsecond=0) - timedelta(weeks=3)
    alice.post("/v1/events", json={"title": "lab", **hours(first + timedelta(weeks=5, hours=6), 1)})
    weekly = {**hours(first, 0.5), "recurrence": "FREQ=WEEKLY"}
    standup = alice.post("/v1/events", json={"title": "standup", **weekly}).json()
    moved = hours(first + timedelta(hours=6.5), 0.5)
    assert alice.patch(f"/v1/events/{standup['id']}", json=moved).status_code == 200
    assert [clash["title"] for clash in last_change(alice)["conflicts"]] == ["lab"]


def test_an_undo_and_a_yes_look_for_free_times_by_the_same_hours(alice: httpx.Client) -> None:
    late_worker(alice)
    lab = alice.post("/v1/events", json={"title": "lab", **FAR_MONDAY}).json()
    alice.delete(f"/v1/events/{lab['id']}")
    deletion = last_change(alice)
    alice.post("/v1/events", json={"title": "call", **FAR_MONDAY})
    undone = alice.post(f"/v1/changes/{deletion['id']}/undo").json()
    assert [clash["title"] for clash in undone["conflicts"]] == ["call"]
    assert openings(undone) == ["11-23T19:00/20:00", "11-23T20:00/21:00", "11-23T21:00/22:00"]
    alice.post("/v1/instructions", json={"text": "always ask before adding events"})
    said = {"text": "book a review with Ana on 23 november 2054 at 3pm", "timezone": "Europe/Lisbon"}
    turn = alice.post("/v1/turns", json=said).json()
    assert turn["changes"][0]["status"] == "needs_confirmation", turn
    answer = alice.post(f"/v1/turns/{turn['id']}/confirm", json={"accept": True}).json()
    (booked,) = [change for change in answer["changes"] if change["status"] == "applied"]
    assert openings(booked) == ["11-23T19:00/20:00", "11-23T20:00/21:00", "11-23T21:00/22:00"]
