"""Tasks of a calendar server kept in step: the real engine and database, and a real CalDAV server beside them."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest

from app.calendars.model.synced import Collects, Direction, Keep, Login
from app.database.database import Database
from app.http.accounts.store.users import Users
from tests.support.calendars.both import Both as Somebody
from tests.support.calendars.both import composed
from tests.support.peers.radicale import PASSWORD, USER, OtherProgram, Radicale, event, radicale, task

DAY, TIME = "DUE;VALUE=DATE:20270305", "DUE;TZID=Europe/Berlin:20270305T170000"


@dataclass(kw_only=True)
class Both(Somebody):
    """Somebody here, and a program with tasks there."""

    other: OtherProgram

    async def connect(self, direction: Direction = "both", collects: Collects = "new") -> None:
        login = Login(self.other.server.url, USER, PASSWORD)
        await self.connect_to(login, self.other.calendar, direction, collects, "tasks")

    async def in_step(self, *titles: str, **files: str) -> None:
        """Tasks on both sides, each in a file of its title; ``files`` are lines by title."""
        for title in (*titles, *files):
            self.other.write(f"{title}.ics", task(title, title, *files.get(title, "").splitlines()))
        await self.connect()
        await self.look()

    def rewrite(self, name: str, old: str, new: str) -> None:
        """Another program changes some words of a file."""
        text = self.other.text(name)
        assert old in text
        self.other.write(name, text.replace(old, new).replace("\n", "\r\n"))


@pytest.fixture(scope="module")
def there(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Radicale]:
    with radicale(tmp_path_factory.mktemp("radicale")) as found:
        yield found


@pytest.fixture
async def both(database: Database, there: Radicale, tmp_path: Path) -> AsyncIterator[Both]:
    other = OtherProgram(there, f"list-{uuid4()}")
    other.make("Garden", "VTODO")
    async with composed(database, tmp_path) as parts:
        yield Both(other=other, **parts)
    other.call("DELETE")


async def test_what_is_there_comes_here_and_what_begins_here_goes_there(both: Both) -> None:
    await both.in_step("mow", rake=DAY, weed=f"{TIME}\nDESCRIPTION:by the wall")
    found = await both.tasks()
    assert {title: one["deadline"] for title, one in found.items()} == {
        "mow": None,
        "rake": "2027-03-05",
        "weed": "2027-03-05T16:00:00Z",
    }
    assert found["weed"]["notes"] == "by the wall"
    made = await both.add("prune", deadline="2027-03-09T08:00:00+00:00", notes="the pear")
    day = await both.add("water", deadline="2027-03-10")
    calendar = await both.look()
    said = both.other.text(f"{made['id']}.ics")
    assert [
        line for line in ("SUMMARY:prune", "DUE:20270309T080000Z", "DESCRIPTION:the pear") if line not in said
    ] == []
    assert "DUE;VALUE=DATE:20270310" in both.other.text(f"{day['id']}.ics")
    assert (calendar.error, calendar.events, calendar.conflicts, calendar.problems) == (None, 5, 0, [])
    rows = await both.changes()
    for _ in range(2):
        await both.look()
    assert await both.changes() == rows


async def test_changes_go_both_ways_and_keep_what_only_the_other_side_knows(both: Both) -> None:
    await both.in_step(mow=f"{TIME}\nPRIORITY:1\nX-FIELD:green")
    await both.edit("mow", task="mow the lawn", deadline="2027-03-06T09:30:00+00:00")
    await both.look()
    said = both.other.text("mow.ics")
    for line in ("SUMMARY:mow the lawn", "DUE;TZID=Europe/Berlin:20270306T103000", "PRIORITY:1", "X-FIELD:green"):
        assert line in said
    both.rewrite("mow.ics", "SUMMARY:mow the lawn", "SUMMARY:mow the field")
    both.rewrite("mow.ics", "DUE;TZID=Europe/Berlin:20270306T103000", "DUE;VALUE=DATE:20270307")
    await both.look()
    assert (await both.tasks())["mow the field"]["deadline"] == "2027-03-07"
    row = (await both.changes())[-1]
    assert (row.agent, row.op, row.reason) == ("calendar", "update", "changed in the task list Garden")
    await both.undo(row)
    await both.look()
    said = both.other.text("mow.ics")
    assert "SUMMARY:mow the lawn" in said
    assert "DUE:20270306T093000Z" in said


async def test_what_is_done_on_a_side_is_done_on_the_other_and_can_be_opened_again(both: Both) -> None:
    await both.in_step("mow", "rake")
    await both.finish("mow")
    both.rewrite("rake.ics", "SUMMARY", "STATUS:COMPLETED\nSUMMARY")
    await both.look()
    said = both.other.text("mow.ics")
    assert "STATUS:COMPLETED" in said
    assert "\nCOMPLETED:" in said
    row = (await both.changes())[-1]
    assert (row.agent, row.op, row.title) == ("calendar", "complete", "rake")
    await both.undo(row)
    both.rewrite("mow.ics", "STATUS:COMPLETED", "STATUS:NEEDS-ACTION")
    found = await both.look()
    assert "STATUS:NEEDS-ACTION" in both.other.text("rake.ics")
    assert {one["status"] for one in (await both.tasks()).values()} == {"not started"}
    assert (found.error, found.conflicts) == (None, 0)


async def test_what_was_done_before_it_was_known_stays_there_and_comes_once_it_is_opened(both: Both) -> None:
    await both.in_step("mow", old="STATUS:COMPLETED")
    assert list(await both.tasks()) == ["mow"]
    await both.look()
    both.rewrite("old.ics", "STATUS:COMPLETED", "STATUS:NEEDS-ACTION")
    await both.look()
    assert sorted(await both.tasks()) == ["mow", "old"]
    await both.add("done at once", status="done")
    await both.look()
    assert both.other.names() == ["mow.ics", "old.ics"]


@pytest.mark.parametrize("side", ["here", "there"])
async def test_a_task_that_repeats_goes_on_with_its_next_time_on_both_sides(both: Both, side: str) -> None:
    lines = "DTSTART;TZID=Europe/Berlin:20990705T170000\nDUE;TZID=Europe/Berlin:20990705T180000\nRRULE:FREQ=WEEKLY"
    await both.in_step(mow=lines)
    known = (await both.tasks())["mow"]
    assert (known["deadline"], known["zone"], known["recurrence"]) == (
        "2099-07-05T16:00:00Z",
        "Europe/Berlin",
        "FREQ=WEEKLY",
    )
    if side == "here":
        await both.finish("mow")
    else:
        both.rewrite("mow.ics", "SUMMARY", "STATUS:COMPLETED\nSUMMARY")
    await both.look()
    assert (await both.tasks())["mow"]["deadline"] == "2099-07-12T18:00:00+02:00"
    said = both.other.text("mow.ics")
    for line in (
        "DUE;TZID=Europe/Berlin:20990712T180000",
        "DTSTART;TZID=Europe/Berlin:20990712T170000",
        "RRULE:FREQ=WEEKLY",
    ):
        assert line in said
    assert "STATUS:COMPLETED" not in said
    rows = await both.changes()
    await both.look()
    assert await both.changes() == rows


async def test_deletions_go_both_ways_and_come_back_by_undo(both: Both) -> None:
    await both.in_step("mow", "rake", "weed")
    both.other.delete("mow.ics")
    deleted = await both._apply("delete", (await both.tasks())["rake"]["id"], "todo")
    await both.look()
    assert (list(await both.tasks()), both.other.names()) == (["weed"], ["weed.ics"])
    row = (await both.changes())[-1]
    assert (row.agent, row.op, row.title) == ("calendar", "delete", "mow")
    await both.undo(deleted)
    await both.undo(row)
    found = await both.look()
    assert (found.error, found.conflicts, found.problems) == (None, 0, [])
    assert both.other.names() == ["mow.ics", "rake.ics", "weed.ics"]
    assert sorted(await both.tasks()) == ["mow", "rake", "weed"]


@pytest.mark.parametrize(("keep", "title"), [("here", "ours"), ("there", "theirs")])
async def test_a_conflict_is_shown_and_decided(both: Both, keep: Keep, title: str) -> None:
    await both.in_step("mow")
    await both.edit("mow", task="ours")
    both.rewrite("mow.ics", "SUMMARY:mow", f"SUMMARY:theirs\n{TIME}")
    await both.look()
    [conflict] = await both.conflicts()
    assert (conflict.fields, conflict.holds, conflict.calendar) == (("title", "due"), "tasks", "Garden")
    assert conflict.there is not None
    assert conflict.there["due"] == "2027-03-05T16:00:00+00:00"
    await both.resolve(keep)
    await both.look()
    assert list(await both.tasks()) == [title]
    assert f"SUMMARY:{title}" in both.other.text("mow.ics")
    assert await both.conflicts() == []


async def test_a_list_that_is_empty_at_once_asks_in_the_words_of_a_list(both: Both) -> None:
    await both.in_step("mow", "rake", old="STATUS:COMPLETED")
    for name in both.other.names():
        both.other.delete(name)
    found = await both.look()
    assert found.error == "The list is empty there. Nothing was deleted here: say what is to become of its 2 tasks."
    assert await both.accounts.settle_gone(both.user, both.id, delete=False)
    assert (await both.look()).error is None
    assert both.other.names() == ["mow.ics", "rake.ics"]


async def test_one_collection_may_hold_events_and_tasks_and_neither_is_taken_for_the_other(both: Both) -> None:
    both.other.remove()
    both.other.make("Home", "VEVENT", "VTODO")
    both.other.write("e.ics", event("e", "party"))
    await both.in_step("mow")
    listed = await both.accounts.calendars(both.user, both.account)
    mine = {one.holds: one.id for one in listed if one.url == both.other.calendar}
    assert sorted(mine) == ["events", "tasks"]
    await both.accounts.choose(both.user, mine["events"], "both", "new")
    await both.sync.sync(both.user, mine["events"])
    assert (list(await both.events()), list(await both.tasks())) == (["party"], ["mow"])
    meeting, rake = await both.make("meeting"), await both.add("rake")
    for calendar in mine.values():
        await both.sync.sync(both.user, calendar)
    assert "BEGIN:VEVENT" in both.other.text(f"{meeting['id']}.ics")
    assert "BEGIN:VTODO" in both.other.text(f"{rake['id']}.ics")
    assert len(both.other.names()) == 4
    both.other.delete("mow.ics")
    for calendar in mine.values():
        await both.sync.sync(both.user, calendar)
    assert (sorted(await both.events()), list(await both.tasks())) == (["meeting", "party"], ["rake"])


async def test_an_account_that_is_connected_again_finds_its_tasks(both: Both) -> None:
    await both.in_step("mow")
    await both.add("rake", deadline="2027-03-05")
    await both.look()
    assert await both.accounts.disconnect(both.user, both.account)
    await both.connect(collects="all")
    await both.look()
    assert sorted(await both.tasks()) == ["mow", "rake"]
    assert len(both.other.names()) == 2
    assert await both.conflicts() == []


async def test_what_cannot_be_kept_is_named_and_left_alone(both: Both) -> None:
    await both.in_step("mow", odd=f"{TIME}\nRRULE:FREQ=DAILY\nEXDATE;TZID=Europe/Berlin:20270306T170000")
    found = await both.calendar()
    assert found.problems == ["“odd.ics”: This task repeats on dates of its own, which Summit does not keep."]
    assert list(await both.tasks()) == ["mow"]
    assert "EXDATE" in both.other.text("odd.ics")


async def test_a_day_is_a_day_and_a_clock_without_a_zone_is_the_users(both: Both) -> None:
    await Users(both.database).update_settings(both.user, {"timezone": "Asia/Tokyo"})
    await both.in_step(mow=DAY, rake="DUE:20270305T090000")
    found: dict[str, Any] = await both.tasks()
    assert (found["mow"]["deadline"], found["mow"]["zone"]) == ("2027-03-05", "Asia/Tokyo")
    assert found["rake"]["deadline"] == "2027-03-05T00:00:00Z"


async def test_a_reminder_is_due_when_it_rings(both: Both) -> None:
    await both.in_step("mow")
    made = await both.add("call Bob", kind="reminder", remind_at="2027-03-05T15:00:00+00:00")
    await both.look()
    name = f"{made['id']}.ics"
    assert "DUE:20270305T150000Z" in both.other.text(name)
    both.rewrite(name, "DUE:20270305T150000Z", "DUE:20270306T160000Z")
    await both.look()
    found = (await both.tasks())["call Bob"]
    assert (found["remind_at"], found["deadline"]) == ("2027-03-06T16:00:00Z", None)
