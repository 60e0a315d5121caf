"""What clashes is said by the ledger itself, by every adapter alike: from the same rows, in the same transaction."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any

import pytest

from agents.contract import Change, Proposal
from agents.rendering.changes import claim_sentence
from tests.support.ledgers import NOW, Adapter, Desk, open_desk


@pytest.fixture(params=["store", "postgres"])
def adapter(request: pytest.FixtureRequest) -> tuple[Adapter, str]:
    """The adapter's name, and the database it needs."""
    return request.param, request.getfixturevalue("database_url") if request.param == "postgres" else ""


@pytest.fixture
async def desk(adapter: tuple[Adapter, str]) -> AsyncIterator[Desk]:
    async with open_desk(*adapter) as opened:
        yield opened


async def book(desk: Desk, title: str, start: str, end: str | None = None, **fields: Any) -> Change:
    return await desk.add("event", title=title, start=start, **({"end": end} if end else {}), **fields)


def titles(change: Change) -> list[str]:
    assert change.status == "applied", change.error
    return [conflict.title for conflict in change.conflicts]


def room(change: Change) -> list[str]:
    return [f"{free.start[5:16]}/{free.end[11:16]}" for free in change.alternatives]


async def test_an_event_over_another_is_booked_and_says_so(desk: Desk) -> None:
    lab = await book(desk, "lab", "2026-11-20T14:00:00Z", "2026-11-20T16:00:00Z")
    call = await book(desk, "call", "2026-11-20T15:00:00Z")
    assert titles(lab) == []
    (clash,) = call.conflicts
    assert (clash.record_id, clash.title, clash.start, clash.end) == (
        lab.record_id,
        "lab",
        "2026-11-20T14:00:00+00:00",
        "2026-11-20T16:00:00+00:00",
    )
    assert await desk.record(call) == call.after
    assert room(call) == ["11-20T16:00/17:00", "11-20T13:00/14:00", "11-20T17:00/18:00"]
    assert claim_sentence(call, NOW) == (
        "Booked “call” for Friday 20 November, 15:00-16:00. That overlaps “lab” (14:00-16:00); "
        "16:00, 13:00 or 17:00 would be free."
    )


@pytest.mark.parametrize("zone", ["Europe/Lisbon", "Asia/Tokyo", "America/Los_Angeles"])
async def test_a_clash_with_whole_days_names_the_days(desk: Desk, zone: str) -> None:
    """Their midnights are those of their own zone, and nobody set a clock time."""
    days = {"start": "2026-11-20", "end": "2026-11-21"}
    trip = await book(desk, "trip", **days, zone=zone)
    call = await book(desk, "call", "2026-11-21T03:00:00Z")
    (clash,) = call.conflicts
    assert (clash.record_id, clash.start, clash.end) == (trip.record_id, "2026-11-20", "2026-11-21")
    assert "That overlaps “trip” (Friday 20 November to Saturday 21 November, all day)" in claim_sentence(call, NOW)
    day = await book(desk, "fair", "2026-11-25", zone=zone)
    visit = await book(desk, "visit", "2026-11-25T09:30:00Z")
    assert (visit.conflicts[0].record_id, visit.conflicts[0].start) == (day.record_id, "2026-11-25")
    assert "“fair” (all day)" in claim_sentence(visit, NOW)


async def test_back_to_back_is_no_conflict(desk: Desk) -> None:
    await book(desk, "lab", "2026-11-20T14:00:00Z", "2026-11-20T16:00:00Z")
    before = await book(desk, "before", "2026-11-20T13:00:00Z", "2026-11-20T14:00:00Z")
    after = await book(desk, "after", "2026-11-20T16:00:00Z", "2026-11-20T17:00:00Z")
    assert titles(before) == titles(after) == []
    assert after.alternatives == []


async def test_another_zone_is_the_same_time(desk: Desk) -> None:
    await book(desk, "lab", "2026-11-20T14:00:00Z", zone="Europe/Lisbon")
    tokyo = await book(desk, "tokyo", "2026-11-20T23:30:00+09:00", zone="Asia/Tokyo")
    assert titles(tokyo) == ["lab"]


async def test_recurring_events_clash_on_any_of_their_days(desk: Desk) -> None:
    await book(desk, "standup", "2026-11-02T09:00:00Z", "2026-11-02T09:15:00Z", recurrence="FREQ=WEEKLY;BYDAY=MO,WE")
    assert titles(await book(desk, "monday", "2027-03-29T09:00:00+01:00")) == ["standup"]
    assert titles(await book(desk, "tuesday", "2027-03-30T09:00:00+01:00")) == []
    gym = await book(desk, "gym", "2026-11-18T08:30:00Z", recurrence="FREQ=DAILY")
    assert titles(gym) == ["standup", "monday", "tuesday"]
    assert gym.conflicts[0].start == "2026-11-18T09:00:00+00:00"


async def test_series_clash_years_ahead_and_years_ago(desk: Desk) -> None:
    await book(desk, "standup", "2020-01-06T09:00:00Z", recurrence="FREQ=WEEKLY")
    assert titles(await book(desk, "far", "2031-01-06T09:30:00Z")) == ["standup"]
    assert titles(await book(desk, "long ago", "2021-01-04T09:30:00Z")) == ["standup"]


async def test_days_left_out_are_free_and_leaving_one_out_claims_nothing(desk: Desk) -> None:
    standup = await book(desk, "standup", "2026-11-02T09:00:00Z", recurrence="FREQ=WEEKLY")
    await book(desk, "visit", "2026-11-23T09:30:00Z")
    cancelled = await desk.do("update", "event", standup.record_id, exdates=["2026-11-30"])
    assert titles(cancelled) == []
    assert claim_sentence(cancelled, NOW) == "“standup” is cancelled on Monday 30 November; the series goes on."
    assert titles(await book(desk, "dentist", "2026-11-30T09:00:00Z")) == []
    again = await desk.do("update", "event", standup.record_id, exdates=[])
    assert titles(again) == ["dentist"]
    assert claim_sentence(again, NOW).startswith(
        "“standup” takes place again on Monday 30 November. That overlaps “dentist”"
    )


async def test_moving_looks_only_at_the_new_time_and_never_at_itself(desk: Desk) -> None:
    lab = await book(desk, "lab", "2026-11-20T14:00:00Z")
    call = await book(desk, "call", "2026-11-20T10:00:00Z", "2026-11-20T12:00:00Z")
    assert titles(await desk.do("update", "event", call.record_id, start="2026-11-20T11:00:00Z")) == []
    moved = await desk.do("update", "event", call.record_id, start="2026-11-20T13:30:00Z")
    assert titles(moved) == ["lab"]
    assert titles(await desk.do("update", "event", call.record_id, location="Main Street")) == []
    assert titles(await desk.do("update", "event", lab.record_id, title="laboratory")) == []
    assert titles(await desk.do("update", "event", call.record_id, start="2026-11-20T15:00:00Z")) == []


async def test_free_time_clashes_with_nothing_until_it_is_busy(desk: Desk) -> None:
    await book(desk, "birthday", "2026-11-20", busy=False)
    lab = await book(desk, "lab", "2026-11-20T14:00:00Z")
    assert titles(lab) == []
    maybe = await book(desk, "maybe", "2026-11-20T14:30:00Z", busy=False)
    assert titles(maybe) == []
    assert titles(await desk.do("update", "event", maybe.record_id, busy=True)) == ["lab"]


async def test_whole_days_clash_and_get_whole_days_instead(desk: Desk) -> None:
    await book(desk, "fair", "2026-11-19", "2026-11-20")
    assert titles(await book(desk, "call", "2026-11-20T15:00:00Z")) == ["fair"]
    trip = await book(desk, "trip", "2026-11-20", "2026-11-22")
    assert titles(trip) == ["fair", "call"]
    assert [(free.start, free.end) for free in trip.alternatives] == [
        ("2026-11-23", "2026-11-25"),
        ("2026-11-24", "2026-11-26"),
        ("2026-11-25", "2026-11-27"),
    ]
    assert titles(await book(desk, "visit", "2026-11-21T10:00:00Z")) == ["trip"]


async def test_deleting_and_undoing_free_the_time(desk: Desk) -> None:
    lab = await book(desk, "lab", "2026-11-20T14:00:00Z")
    deleted = await desk.do("delete", "event", lab.record_id)
    call = await book(desk, "call", "2026-11-20T14:00:00Z")
    assert titles(call) == []
    (back,) = await desk.undo(deleted)
    assert titles(back) == ["call"]
    assert claim_sentence(back, NOW).startswith("Undone: “lab” is back as it was. That overlaps “call”")
    await desk.undo(call)
    assert titles(await book(desk, "visit", "2026-11-20T14:30:00Z")) == ["lab"]


async def test_within_a_batch_the_later_one_reports_the_earlier(desk: Desk) -> None:
    fields = {"title": "one", "start": "2026-11-20T14:00:00Z"}
    one = Proposal(op="create", kind="event", record_id="11111111-0000-4000-8000-000000000000", fields=fields)
    two = Proposal(op="create", kind="event", fields={"title": "two", "start": "2026-11-20T14:30:00Z"})
    gone = Proposal(op="delete", kind="event", record_id=one.record_id)
    three = Proposal(op="create", kind="event", fields={"title": "three", "start": "2026-11-20T14:30:00Z"})
    changes = await desk.apply(one, two, gone, three)
    assert [titles(change) for change in changes] == [[], ["one"], [], ["two"]]


async def test_what_was_said_stays_with_the_row(desk: Desk) -> None:
    await book(desk, "lab", "2026-11-20T14:00:00Z")
    call = await book(desk, "call", "2026-11-20T14:30:00Z")
    again = await desk.again(call)
    assert (again.conflicts, again.alternatives) == (call.conflicts, call.alternatives)
    assert again.conflicts


async def test_alternatives_lie_in_working_hours_and_not_in_the_past(desk: Desk) -> None:
    """It is Wednesday 09:30; Saturday is no working day."""
    await book(desk, "full", "2026-11-18T09:45:00Z", "2026-11-18T17:30:00Z")
    today = await book(desk, "call", "2026-11-18T10:00:00Z", "2026-11-18T10:30:00Z")
    assert room(today) == ["11-18T17:30/18:00", "11-19T10:00/10:30", "11-19T09:30/10:00"]
    await book(desk, "market", "2026-11-21T10:00:00Z")
    saturday = await book(desk, "brunch", "2026-11-21T10:30:00Z")
    assert room(saturday) == ["11-23T10:30/11:30", "11-23T09:30/10:30", "11-23T11:30/12:30"]


async def test_what_fits_into_no_working_day_gets_no_alternative(desk: Desk) -> None:
    await book(desk, "lab", "2026-11-20T14:00:00Z")
    night = await book(desk, "hackathon", "2026-11-20T08:00:00Z", "2026-11-20T20:00:00Z")
    assert (titles(night), night.alternatives) == (["lab"], [])
    assert claim_sentence(night, NOW).endswith("That overlaps “lab” (14:00-15:00).")


@pytest.mark.parametrize(
    ("task", "color"),
    [
        ({"priority": "high", "difficulty": "easy"}, "#d93025"),
        ({"priority": "medium"}, "#f9ab00"),
        ({"priority": "low"}, "#188038"),
        ({"difficulty": "hard"}, "#d93025"),
        ({}, "#1a73e8"),
    ],
)
async def test_an_event_for_a_task_has_its_colour(desk: Desk, task: dict[str, Any], color: str) -> None:
    todo = await desk.add("todo", task="write the report", **task)
    made = await book(desk, "report", "2026-11-20T14:00:00Z", task_id=todo.record_id)
    assert (made.after or {})["color"] == color
    later = await book(desk, "more", "2026-11-21T14:00:00Z")
    linked = await desk.do("update", "event", later.record_id, task_id=todo.record_id)
    assert (linked.after or {})["color"] == color


async def test_a_colour_that_was_said_stays(desk: Desk) -> None:
    todo = await desk.add("todo", task="write the report", priority="high")
    made = await book(desk, "report", "2026-11-20T14:00:00Z", task_id=todo.record_id, color="#000000")
    assert (made.after or {})["color"] == "#000000"


async def test_who_wants_to_be_asked_before_events_overlap_is_asked(desk: Desk) -> None:
    def wanted(title: str, start: str) -> Proposal:
        fields = {"title": title, "start": start}
        return Proposal(op="create", kind="event", fields=fields, hold_on_conflict="you want to be asked")

    lab = await book(desk, "lab", "2026-11-20T14:00:00Z", "2026-11-20T16:00:00Z")
    call, walk, talk = await desk.apply(
        wanted("call", "2026-11-20T15:00:00Z"),
        wanted("walk", "2026-11-20T17:00:00Z"),
        wanted("talk", "2026-11-20T17:30:00Z"),
    )
    assert [change.status for change in (call, walk, talk)] == ["needs_confirmation", "applied", "needs_confirmation"]
    assert [conflict.title for change in (call, talk) for conflict in change.conflicts] == ["lab", "walk"]
    assert (call.reason, len(call.alternatives)) == ("you want to be asked", 3)
    moved = Proposal(
        op="update",
        kind="event",
        record_id=walk.record_id,
        fields={"start": "2026-11-20T14:30:00Z"},
        hold_on_conflict="you want to be asked",
    )
    (held,) = await desk.apply(moved)
    assert (held.status, await desk.record(walk)) == ("needs_confirmation", walk.after)
    (made,) = await desk.answer(call)
    assert (made.status, titles(made)) == ("applied", ["lab"])
    assert set(await desk.records("event")) == {lab.record_id, walk.record_id, call.record_id}


@pytest.mark.parametrize("group", ["g", ""], ids=["as one", "each alone"])
async def test_two_that_swap_their_times_do_not_clash(desk: Desk, group: str) -> None:
    lab = await book(desk, "lab", "2026-11-20T14:00:00Z", "2026-11-20T15:00:00Z")
    gym = await book(desk, "gym", "2026-11-20T18:00:00Z", "2026-11-20T19:00:00Z")
    await book(desk, "tea", "2026-11-20T14:30:00Z", "2026-11-20T14:45:00Z")
    there, here = (
        Proposal(op="update", kind="event", record_id=row.record_id, group=group, fields={"start": start, "end": end})
        for row, start, end in (
            (lab, "2026-11-20T18:00:00Z", "2026-11-20T19:00:00Z"),
            (gym, "2026-11-20T14:00:00Z", "2026-11-20T15:00:00Z"),
        )
    )
    assert [titles(row) for row in await desk.apply(there, here)] == [[], ["tea"]]
