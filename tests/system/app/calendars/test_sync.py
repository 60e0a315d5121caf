"""Both sides of a calendar kept in step: the real engine and database, and a real CalDAV server beside them."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from uuid import uuid4

import pytest

from app.calendars.model.synced import (
    Collects,
    Direction,
    Keep,
    Login,
    RemoteCalendar,
    RemoteChanges,
    RemoteFailed,
    RemoteItem,
    Stored,
)
from app.database.database import Database
from app.errors import Conflict
from tests.support.calendars.both import Both as Somebody
from tests.support.calendars.both import composed
from tests.support.peers.radicale import PASSWORD, USER, OtherProgram, Radicale, event, radicale


@dataclass(kw_only=True)
class Both(Somebody):
    """Somebody here, and a calendar program there."""

    other: OtherProgram

    async def connect(self, direction: Direction = "both", collects: Collects = "new") -> None:
        login = Login(self.other.server.url, USER, PASSWORD)
        await self.connect_to(login, self.other.calendar, direction, collects)


@pytest.fixture(scope="module")
def there(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Radicale]:
    with radicale(tmp_path_factory.mktemp("radicale")) as found:
        yield found


@pytest.fixture
async def both(database: Database, there: Radicale, tmp_path: Path) -> AsyncIterator[Both]:
    other = OtherProgram(there, f"calendar-{uuid4()}")
    other.make()
    async with composed(database, tmp_path) as parts:
        yield Both(other=other, **parts)
    other.call("DELETE")


async def test_what_is_there_comes_here_and_what_begins_here_goes_there(both: Both) -> None:
    both.other.write("a.ics", event("a", "standup"))
    await both.connect()
    await both.look()
    assert (await both.events())["standup"]["start"] == "2026-12-01T10:00:00Z"
    made = await both.make("dentist", location="High Street")
    await both.look()
    said = both.other.text(f"{made['id']}.ics")
    assert "SUMMARY:dentist" in said
    assert "LOCATION:High Street" in said
    found = await both.look()
    assert (found.error, found.events, found.conflicts, found.problems) == (None, 2, 0, [])
    assert sorted(await both.events()) == ["dentist", "standup"]
    assert both.other.names() == sorted(["a.ics", f"{made['id']}.ics"])


async def test_events_from_before_go_there_only_if_all_are_wanted(both: Both) -> None:
    await both.make("dentist")
    await both.connect()
    await both.look()
    assert both.other.names() == []
    await both.choose(collects="all")
    await both.look()
    assert len(both.other.names()) == 1


async def test_changes_go_both_ways_and_keep_what_only_the_other_side_knows(both: Both) -> None:
    both.other.write("a.ics", event("a", "standup", "20261201T100000Z", "DURATION:PT1H", "X-ROOM-COLOR:green"))
    await both.connect()
    await both.look()
    await both.change("standup", title="daily", notes="bring the list")
    await both.look()
    said = both.other.text("a.ics")
    assert "SUMMARY:daily" in said
    assert "DESCRIPTION:bring the list" in said
    assert "X-ROOM-COLOR:green" in said
    assert "DURATION:PT1H" in said
    both.other.write("a.ics", said.replace("SUMMARY:daily", "SUMMARY:weekly").replace("\n", "\r\n"))
    await both.look()
    assert (await both.events())["weekly"]["notes"] == "bring the list"


async def test_what_comes_from_there_is_in_the_ledger_and_its_undo_goes_back_there(both: Both) -> None:
    both.other.write("a.ics", event("a", "standup"))
    await both.connect()
    await both.look()
    both.other.write("a.ics", event("a", "weekly"))
    await both.look()
    rows = await both.changes()
    assert [(row.agent, row.op, row.title) for row in rows] == [
        ("calendar", "create", "standup"),
        ("calendar", "update", "weekly"),
    ]
    assert rows[-1].reason == "changed in the calendar Work"
    await both.undo(rows[-1])
    await both.look()
    assert "SUMMARY:standup" in both.other.text("a.ics")
    assert list(await both.events()) == ["standup"]


async def test_deletions_go_both_ways_and_come_back_by_undo(both: Both) -> None:
    for name in "ab":
        both.other.write(f"{name}.ics", event(name, f"meeting {name}", "20261201T100000Z", "X-ONLY:there"))
    await both.connect()
    await both.look()
    both.other.delete("a.ics")
    deleted = await both.delete("meeting b")
    await both.look()
    assert both.other.names() == []
    assert (await both.events()) == {}
    row = (await both.changes())[-1]
    assert (row.agent, row.op, row.title) == ("calendar", "delete", "meeting a")
    await both.undo(deleted)
    await both.undo(row)
    await both.look()
    assert both.other.names() == ["a.ics", "b.ics"]
    assert "X-ONLY:there" in both.other.text("a.ics")
    assert sorted(await both.events()) == ["meeting a", "meeting b"]


async def test_nothing_goes_round_in_circles(both: Both) -> None:
    both.other.write("a.ics", event("a", "standup"))
    await both.connect()
    await both.look()
    await both.make("dentist")
    await both.change("standup", title="daily")
    await both.look()
    etags = [both.other.get(name).headers["etag"] for name in both.other.names()]
    rows = await both.changes()
    for _ in range(3):
        await both.look()
    assert [both.other.get(name).headers["etag"] for name in both.other.names()] == etags
    assert await both.changes() == rows


async def test_different_fields_changed_on_both_sides_come_together(both: Both) -> None:
    both.other.write("a.ics", event("a", "standup"))
    await both.connect()
    await both.look()
    both.other.write("a.ics", event("a", "standup", "20261201T100000Z", "DURATION:PT1H", "LOCATION:Room 2"))
    await both.change("standup", title="daily")
    await both.look()
    assert (await both.events())["daily"]["location"] == "Room 2"
    said = both.other.text("a.ics")
    assert "SUMMARY:daily" in said
    assert "LOCATION:Room 2" in said
    assert await both.conflicts() == []


async def changed_on_both_sides(both: Both) -> None:
    both.other.write("a.ics", event("a", "standup"))
    await both.connect(collects="none")
    await both.look()
    await both.change("standup", title="ours", notes="our notes")
    both.other.write("a.ics", event("a", "theirs"))
    await both.look()


async def test_a_conflict_is_shown_and_nothing_is_overwritten(both: Both) -> None:
    await changed_on_both_sides(both)
    [conflict] = await both.conflicts()
    assert (conflict.title, conflict.fields, conflict.calendar) == ("ours", ("title", "notes"), "Work")
    titles = [side and side["title"] for side in (conflict.here, conflict.there, conflict.before)]
    assert titles == ["ours", "theirs", "standup"]
    assert conflict.record_id == (await both.events())["ours"]["id"]
    assert (await both.calendar()).conflicts == 1
    await both.look()
    assert "SUMMARY:theirs" in both.other.text("a.ics")
    assert list(await both.events()) == ["ours"]
    assert [one.id for one in await both.conflicts()] == [conflict.id]


@pytest.mark.parametrize(("keep", "title", "notes"), [("here", "ours", "our notes"), ("there", "theirs", "")])
async def test_a_conflict_is_decided(both: Both, keep: Keep, title: str, notes: str) -> None:
    await changed_on_both_sides(both)
    changes = await both.resolve(keep)
    assert [row.op for row in changes] == ([] if keep == "here" else ["update"])
    await both.look()
    assert (await both.events())[title]["notes"] == notes
    assert f"SUMMARY:{title}" in both.other.text("a.ics")
    assert await both.conflicts() == []
    assert (await both.calendar()).error is None


async def deleted_there_changed_here(both: Both) -> None:
    both.other.write("a.ics", event("a", "standup"))
    await both.connect()
    await both.look()
    await both.change("standup", title="ours")
    both.other.delete("a.ics")
    await both.look()
    [conflict] = await both.conflicts()
    assert (conflict.fields, conflict.there) == (("existence",), None)


@pytest.mark.parametrize("keep", ["here", "there"])
async def test_deleted_there_and_changed_here(both: Both, keep: Keep) -> None:
    await deleted_there_changed_here(both)
    await both.resolve(keep)
    await both.look()
    assert list(await both.events()) == (["ours"] if keep == "here" else [])
    assert both.other.names() == (["a.ics"] if keep == "here" else [])
    assert await both.conflicts() == []


@pytest.mark.parametrize("keep", ["here", "there"])
async def test_deleted_here_and_changed_there(both: Both, keep: Keep) -> None:
    both.other.write("a.ics", event("a", "standup"))
    await both.connect()
    await both.look()
    await both.delete("standup")
    both.other.write("a.ics", event("a", "theirs"))
    await both.look()
    [conflict] = await both.conflicts()
    assert (conflict.here, conflict.record_id) == (None, None)
    await both.resolve(keep)
    await both.look()
    assert list(await both.events()) == ([] if keep == "here" else ["theirs"])
    assert both.other.names() == ([] if keep == "here" else ["a.ics"])
    assert await both.conflicts() == []


async def test_a_calendar_that_vanished_deletes_nothing_here(both: Both) -> None:
    both.other.write("a.ics", event("a", "standup"))
    await both.connect()
    await both.look()
    both.other.remove()
    found = await both.look()
    assert found.error == ("The calendar is not at its address any more.")
    assert list(await both.events()) == ["standup"]
    both.other.make()  # for the fixture


@pytest.mark.parametrize("delete", [True, False])
async def test_a_calendar_that_is_empty_at_once_asks(both: Both, delete: bool) -> None:  # noqa: FBT001 - a choice of the API
    for number in range(3):
        both.other.write(f"{number}.ics", event(str(number), f"meeting {number}"))
    await both.connect()
    await both.look()
    both.other.remove()
    both.other.make()
    found = await both.look()
    assert found.gone == 3
    assert "Nothing was deleted here" in (found.error or "")
    assert len(await both.events()) == 3
    assert (await both.look()).gone == 3
    assert await both.accounts.settle_gone(both.user, both.id, delete=delete)
    found = await both.look()
    assert (found.gone, found.error) == (0, None)
    assert len(await both.events()) == len(both.other.names()) == (0 if delete else 3)


async def test_a_series_with_a_changed_and_a_missing_occurrence(both: Both) -> None:
    zone = ";TZID=Europe/Berlin:"
    series = event(
        "a", "weekly", f"{zone}20261201T100000", "DURATION:PT1H", "RRULE:FREQ=WEEKLY", f"EXDATE{zone}20261215T100000"
    )
    moved = event("a", "moved", f"{zone}20261209T150000", "DURATION:PT1H", f"RECURRENCE-ID{zone}20261208T100000")
    inside = moved[moved.index("BEGIN:VEVENT") : moved.index("END:VCALENDAR")]
    both.other.write("a.ics", series.replace("END:VCALENDAR", f"{inside}END:VCALENDAR"))
    await both.connect()
    await both.look()
    found = await both.events()
    assert found["weekly"]["recurrence"] == "FREQ=WEEKLY"
    assert found["weekly"]["exdates"] == ["2026-12-08T10:00:00+01:00", "2026-12-15T10:00:00+01:00"]
    assert (found["moved"]["start"], found["moved"]["recurrence"]) == ("2026-12-09T15:00:00+01:00", None)
    await both.change("moved", title="moved again")
    await both.change("weekly", exdates=[*found["weekly"]["exdates"], "2026-12-22"])
    await both.look()
    said = both.other.text("a.ics")
    assert "SUMMARY:moved again" in said
    assert "EXDATE;TZID=Europe/Berlin:20261215T100000,20261222T100000" in said
    await both.delete("moved again")
    await both.look()
    said = both.other.text("a.ics")
    assert "RECURRENCE-ID" not in said
    assert "EXDATE;TZID=Europe/Berlin:20261208T100000,20261215T100000,20261222T100000" in said
    assert (await both.calendar()).conflicts == 0


async def test_whole_days_are_whole_days_on_both_sides(both: Both) -> None:
    both.other.write("a.ics", event("a", "trip", ";VALUE=DATE:20261201", "DTEND;VALUE=DATE:20261204"))
    await both.connect()
    await both.look()
    trip = (await both.events())["trip"]
    assert (trip["start"], trip["end"], trip["all_day"]) == ("2026-12-01", "2026-12-03", True)
    await both.change("trip", end="2026-12-05")
    await both.look()
    assert "DTEND;VALUE=DATE:20261206" in both.other.text("a.ics")


async def test_what_cannot_be_kept_is_named_and_left_alone(both: Both) -> None:
    both.other.write("a.ics", event("a", "odd", "20261201T100000Z", "DURATION:PT1H", "RDATE:20261205T100000Z"))
    both.other.write("b.ics", event("b", "standup"))
    await both.connect()
    found = await both.look()
    assert found.problems == ["“a.ics”: This event repeats on dates of its own, which Summit does not keep."]
    assert list(await both.events()) == ["standup"]
    assert "RDATE" in both.other.text("a.ics")


async def test_an_account_that_is_connected_again_finds_its_events(both: Both) -> None:
    both.other.write("a.ics", event("a", "standup"))
    await both.connect()
    await both.look()
    await both.make("dentist")
    await both.look()
    assert await both.accounts.disconnect(both.user, both.account)
    assert sorted(await both.events()) == ["dentist", "standup"]
    await both.connect(collects="all")
    await both.look()
    assert sorted(await both.events()) == ["dentist", "standup"]
    assert len(both.other.names()) == 2
    assert await both.conflicts() == []


async def test_what_came_from_a_calendar_that_is_off_goes_into_no_other(both: Both) -> None:
    both.other.write("a.ics", event("a", "standup"))
    await both.connect()
    await both.look()
    await both.choose(direction="off")
    both.other.delete("a.ics")
    await both.choose(direction="both", collects="all")
    await both.look()
    assert both.other.names() == []
    assert list(await both.events()) == ["standup"]


async def test_a_server_that_is_away_is_shown_and_caught_up_with(both: Both) -> None:
    await both.connect()
    await both.look()
    both.other.server.kill()
    try:
        await both.make("dentist")
        found = await both.look()
        assert "lets nobody connect" in (found.error or "")
    finally:
        both.other.server.start()
    await both.look()
    assert len(both.other.names()) == 1
    assert (await both.calendar()).error is None


async def test_one_calendar_collects_and_a_read_only_one_is_never_written(both: Both) -> None:
    await both.connect(direction="in", collects="none")
    with pytest.raises(Conflict):
        await both.choose(collects="new")
    both.other.write("a.ics", event("a", "standup"))
    await both.look()
    await both.change("standup", title="ours")
    await both.look()
    assert "SUMMARY:standup" in both.other.text("a.ics")
    assert list(await both.events()) == ["ours"]


class Broken:
    """A provider that breaks."""

    async def find(self, login: Login) -> Sequence[RemoteCalendar]:
        raise AssertionError

    async def changes(self, login: Login, url: str, token: str | None) -> RemoteChanges:
        raise ZeroDivisionError

    async def fetch(self, login: Login, url: str, names: Sequence[str]) -> Mapping[str, RemoteItem]:
        raise AssertionError

    async def put(self, login: Login, url: str, name: str, item: RemoteItem) -> Stored:
        raise AssertionError

    async def delete(self, login: Login, url: str, name: str, etag: str | None) -> None:
        raise AssertionError


async def test_what_breaks_is_told_and_tried_again_later(both: Both, caplog: pytest.LogCaptureFixture) -> None:
    await both.connect()
    both.sync._ways = {"caldav": replace(both.sync._ways["caldav"], provider=Broken())}
    found = await both.look()
    assert (found.error or "").startswith("Something broke on my side")
    assert found.next_sync is not None
    assert found.next_sync > datetime.now(UTC)
    assert "ZeroDivisionError" in caplog.text


async def test_what_is_deleted_there_before_its_first_write_was_answered_asks(both: Both) -> None:
    """Written again it would come back to whoever deleted it."""
    both.other.write("a.ics", event("a", "standup"))
    await both.connect()
    await both.look()
    made = await both.make("dentist")
    dav = both.sync._ways["caldav"].provider
    plain = dav.put

    async def lost(login: Login, url: str, name: str, item: RemoteItem) -> Stored:
        await plain(login, url, name, item)
        raise RemoteFailed("the answer never came")

    dav.put = lost  # type: ignore[method-assign] # the line breaks
    assert (await both.look()).error == "the answer never came"
    dav.put = plain  # type: ignore[method-assign]
    both.other.delete(f"{made['id']}.ics", both.other.get(f"{made['id']}.ics").headers["etag"])
    found = await both.look()
    assert (found.error, both.other.names()) == (None, ["a.ics"])
    [conflict] = await both.conflicts()
    assert (conflict.fields, conflict.there, conflict.title) == (("existence",), None, "dentist")
    await both.resolve("here")
    await both.look()
    assert both.other.names() == sorted(["a.ics", f"{made['id']}.ics"])
