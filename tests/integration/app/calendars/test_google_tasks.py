"""Google Tasks kept in step: the real engine and database, and a server that follows Google's own description."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from app.calendars.google.task_files import add_mark, split_mark
from app.calendars.google.tasks import GoogleTasks
from app.calendars.model.synced import Collects, Direction, Keep, Login
from app.database.database import Database
from tests.support.calendars.both import Both as Somebody
from tests.support.calendars.both import composed, read_here
from tests.support.fakes.google.server import Fault, Google, google_account
from tests.support.fakes.google.tasks import GoogleTaskList

REDIRECT = "http://127.0.0.1:8000/back-from-google"
LIST = "MTIzNDU2Nzg5"
TASKS = "https://www.googleapis.com/auth/tasks"
LISTED = f"GET /tasks/v1/lists/{LIST}/tasks"


@dataclass(kw_only=True)
class Both(Somebody):
    """Somebody here, and with Google."""

    other: Google

    @property
    def list(self) -> GoogleTaskList:
        return self.other.lists[LIST]

    async def connect(self, direction: Direction = "both", collects: Collects = "new") -> None:
        asked = self.sync.google.begin(self.user, REDIRECT)
        login = await self.sync.google.finish(self.user, self.other.allow(asked.url, REDIRECT))
        await self.connect_to(login, f"{self.other.url}/tasks/v1/lists/{LIST}", direction, collects)

    async def in_step(self, *titles: str) -> dict[str, str]:
        """Tasks of Google's on both sides: their ids there."""
        made = {title: str(self.list.add(title)["id"]) for title in titles}
        await self.connect()
        await self.look()
        return made

    def tokens(self) -> GoogleTasks:
        tasks = self.sync._ways["google-tasks"].provider
        assert isinstance(tasks, GoogleTasks)
        return tasks


@pytest.fixture
def there() -> Iterator[Google]:
    with google_account() as google:
        google.lists[LIST] = GoogleTaskList(LIST, "My Tasks")
        yield google


@pytest.fixture
async def both(database: Database, there: Google, tmp_path: Path) -> AsyncIterator[Both]:
    async with composed(database, tmp_path, **there.settings()) as parts:
        read_here(parts["sync"])
        yield Both(other=there, **parts)


async def test_what_is_there_comes_here_and_what_begins_here_goes_there(both: Both) -> None:
    both.other.page_size = 1
    both.list.add("buy milk", notes="two litres", due="2026-12-01T00:00:00.000Z")
    await both.in_step("call Bob")
    found = (await both.tasks())["buy milk"]
    assert (found["notes"], found["deadline"], found["status"]) == ("two litres", "2026-12-01", "not started")
    await both.add("dentist", notes="High Street", deadline="2026-12-03T15:00:00+00:00")
    await both.look()
    said = both.list.named("dentist")
    assert (said["notes"], said["due"]) == ("High Street", "2026-12-03T00:00:00.000Z")
    calendar = await both.look()
    assert (calendar.error, calendar.events, calendar.conflicts, calendar.problems) == (None, 3, 0, [])
    assert sorted(await both.tasks()) == ["buy milk", "call Bob", "dentist"]
    assert [(row.agent, row.op) for row in await both.changes()] == [
        ("calendar", "create"),
        ("calendar", "create"),
        ("rest", "create"),
    ]


async def test_changes_go_both_ways_and_a_time_of_the_day_stays(both: Both) -> None:
    await both.in_step("buy milk")
    await both.edit("buy milk", task="buy oats", notes="whole", deadline="2026-12-03T15:00:00+00:00")
    await both.look()
    said = both.list.named("buy oats")
    assert (said["notes"], said["due"]) == ("whole", "2026-12-03T00:00:00.000Z")
    both.list.change(said["id"], due="2026-12-05T00:00:00.000Z", title="buy more oats")
    await both.look()
    found = (await both.tasks())["buy more oats"]
    assert (found["deadline"], found["notes"]) == ("2026-12-05T15:00:00Z", "whole")
    both.list.change(said["id"], due=None, notes=None)
    await both.look()
    found = (await both.tasks())["buy more oats"]
    assert (found["deadline"], found["notes"]) == (None, "")
    assert (await both.calendar()).problems == []


async def test_a_reminder_is_due_when_it_rings(both: Both) -> None:
    await both.in_step("buy milk")
    await both.add("call Bob", kind="reminder", remind_at="2026-12-03T15:00:00+00:00")
    await both.look()
    said = both.list.named("call Bob")
    assert said["due"] == "2026-12-03T00:00:00.000Z"
    both.list.change(said["id"], due="2026-12-04T00:00:00.000Z")
    await both.look()
    found = (await both.tasks())["call Bob"]
    assert (found["remind_at"], found["deadline"]) == ("2026-12-04T15:00:00Z", None)


async def test_what_is_done_on_a_side_is_done_on_the_other_and_can_be_opened_again(both: Both) -> None:
    ids = await both.in_step("one", "two")
    await both.finish("one")
    both.list.change(ids["two"], status="completed")
    await both.look()
    assert both.list.get(ids["one"])["status"] == "completed"
    assert (await both.tasks())["two"]["status"] == "done"
    row = (await both.changes())[-1]
    assert (row.agent, row.op, row.title) == ("calendar", "complete", "two")
    await both.undo(row)
    both.list.change(ids["one"], status="needsAction")
    both.list.clear()
    found = await both.look()
    assert both.list.get(ids["two"])["status"] == "needsAction"
    assert ((await both.tasks())["one"]["status"], found.conflicts) == ("not started", 0)


async def test_a_task_that_repeats_goes_on_with_its_next_day_on_both_sides(both: Both) -> None:
    await both.in_step("buy milk")
    await both.add("water the plants", deadline="2027-12-01", recurrence="FREQ=DAILY")
    await both.look()
    id_ = both.list.named("water the plants")["id"]
    both.list.change(id_, status="completed")
    await both.look()
    assert (await both.tasks())["water the plants"]["deadline"] == "2027-12-02"
    said = both.list.get(id_)
    assert (said["status"], said["due"]) == ("needsAction", "2027-12-02T00:00:00.000Z")
    rows = await both.changes()
    await both.look()
    assert await both.changes() == rows


async def test_what_was_done_before_it_was_known_stays_there(both: Both) -> None:
    both.list.add("old", status="completed")
    both.list.add("")
    ids = await both.in_step("new")
    assert list(await both.tasks()) == ["new"]
    both.list.change(ids["new"], status="completed")
    both.list.clear()
    await both.look()
    assert (await both.tasks())["new"]["status"] == "done"
    await both.add("done at once", status="done")
    await both.look()
    assert len(both.list.there()) == 3


async def test_the_mark_of_a_new_task_is_taken_out_once_it_is_known(both: Both) -> None:
    await both.in_step("buy milk")
    await both.add("dentist", notes="High Street")
    await both.add("lunch")
    await both.look()
    assert [both.list.named(title).get("notes") for title in ("dentist", "lunch")] == ["High Street", None]
    writes, rows = both.list.writes, await both.changes()
    await both.look()
    assert (both.list.writes, await both.changes()) == (writes, rows)


async def test_only_what_changed_is_read_and_a_whole_list_once_a_day_tells_what_vanished(both: Both) -> None:
    ids = await both.in_step("one", "two", "three")
    both.other.asked.clear()
    both.list.forget(ids["two"])  # it was moved to another list
    await both.look()
    assert (both.other.asked, sorted(await both.tasks())) == ([LISTED], ["one", "three", "two"])
    both.tokens()._clock = lambda: 4e9
    await both.look()
    assert sorted(await both.tasks()) == ["one", "three"]


async def test_a_list_that_does_not_tell_what_changed_is_read_whole(both: Both) -> None:
    ids = await both.in_step("one", "two")
    both.list.tells_since = False
    both.list.change(ids["one"], title="first")
    found = await both.look()
    assert (found.error, sorted(await both.tasks())) == (None, ["first", "two"])


async def test_deletions_go_both_ways_and_come_back_by_undo(both: Both) -> None:
    ids = await both.in_step("one", "two", "three")
    both.list.remove(ids["one"])
    deleted = await both._apply("delete", (await both.tasks())["two"]["id"], "todo")
    await both.look()
    assert (list(await both.tasks()), list(both.list.there())) == (["three"], [ids["three"]])
    row = (await both.changes())[-1]
    assert (row.agent, row.op, row.title) == ("calendar", "delete", "one")
    await both.undo(deleted)
    await both.undo(row)
    found = await both.look()
    assert (found.error, found.conflicts, found.problems) == (None, 0, [])
    assert both.list.there().keys() == set(ids.values())
    assert sorted(await both.tasks()) == ["one", "three", "two"]


async def test_what_google_has_forgotten_is_made_again_under_another_name(both: Both) -> None:
    ids = await both.in_step("one", "two")
    deleted = await both._apply("delete", (await both.tasks())["one"]["id"], "todo")
    await both.look()
    both.list.forget(ids["one"])
    await both.undo(deleted)
    both.other.faults.append("lost")
    await both.look()
    await both.look()
    found = await both.look()
    assert (found.error, found.events, found.conflicts) == (None, 2, 0)
    assert sorted(one["title"] for one in both.list.there().values()) == ["one", "two"]
    assert both.list.named("one")["id"] != ids["one"]
    assert both.list.named("one").get("notes") is None


@pytest.mark.parametrize(("keep", "title"), [("here", "ours"), ("there", "theirs")])
async def test_a_conflict_is_shown_and_decided(both: Both, keep: Keep, title: str) -> None:
    ids = await both.in_step("buy milk")
    await both.edit("buy milk", task="ours", notes="ours too")
    both.list.change(ids["buy milk"], title="theirs", due="2026-12-01T00:00:00.000Z")
    await both.look()
    [conflict] = await both.conflicts()
    assert (conflict.fields, conflict.holds) == (("title", "notes", "due"), "tasks")
    assert [side and side["title"] for side in (conflict.here, conflict.there, conflict.before)] == [
        "ours",
        "theirs",
        "buy milk",
    ]
    await both.resolve(keep)
    await both.look()
    assert list(await both.tasks()) == [title] == [one["title"] for one in both.list.there().values()]
    assert await both.conflicts() == []


async def test_what_is_changed_there_before_a_write_is_not_overwritten(both: Both) -> None:
    ids = await both.in_step("buy milk")
    await both.edit("buy milk", task="ours")
    tasks, quicker = both.tokens(), list[str]()
    plain = tasks._get

    async def overtaken(login: Login, url: str, name: str) -> dict[str, Any] | None:
        if not quicker:
            quicker.append(both.list.change(ids["buy milk"], title="theirs")["id"])
        return await plain(login, url, name)

    tasks._get = overtaken  # type: ignore[method-assign] # the person is quicker
    found = await both.look()
    assert (found.error, found.conflicts, both.list.get(ids["buy milk"])["title"]) == (None, 1, "theirs")
    assert list(await both.tasks()) == ["ours"]


@pytest.mark.parametrize("fault", ["lost", "unavailable", "slow down"])
@pytest.mark.parametrize("edited", [False, True])
async def test_a_write_whose_answer_is_lost_or_refused_for_now_is_done_once(
    both: Both,
    fault: Fault,
    edited: bool,  # noqa: FBT001 - a parameter of a test
) -> None:
    """Also where somebody changes, or finishes, the new task before it is known by its name."""
    await both.in_step("buy milk")
    await both.add("dentist")
    await both.edit("buy milk", task="buy oats")
    both.other.faults.extend([fault, fault, fault])
    await both.look()
    for one in list(both.list.there().values()):
        if edited and one["title"] == "dentist":
            both.list.change(one["id"], due="2026-12-01T00:00:00.000Z", status="completed")
    for _ in range(4):
        await both.look()
        if await both.conflicts():
            await both.resolve("there")
    found = await both.look()
    assert (found.error, found.conflicts, found.problems) == (None, 0, [])
    assert sorted(one["title"] for one in both.list.there().values()) == ["buy oats", "dentist"]
    assert sorted(await both.tasks()) == ["buy oats", "dentist"]
    assert all(split_mark(one.get("notes", ""))[1] is None for one in both.list.there().values())


async def test_what_is_deleted_there_before_its_first_write_was_answered_asks(both: Both) -> None:
    await both.in_step("buy milk")
    await both.add("dentist")
    both.other.faults.append("lost")
    assert (await both.look()).error
    both.list.remove(both.list.named("dentist")["id"])
    await both.look()
    [conflict] = await both.conflicts()
    assert (conflict.fields, conflict.there) == (("existence",), None)
    await both.resolve("there")
    await both.look()
    assert (list(await both.tasks()), [one["title"] for one in both.list.there().values()]) == (
        ["buy milk"],
        ["buy milk"],
    )


async def test_what_is_changed_there_before_its_first_write_was_answered_is_shown_as_it_is(both: Both) -> None:
    """Taking the mark out tells nothing about the rest of the task."""
    await both.in_step("buy milk")
    await both.add("dentist")
    both.other.faults.append("lost")
    await both.look()
    both.list.change(both.list.named("dentist")["id"], title="theirs")
    for _ in range(3):
        await both.look()
    [conflict] = await both.conflicts()
    assert [side and side["title"] for side in (conflict.here, conflict.there)] == ["dentist", "theirs"]
    assert both.list.named("theirs").get("notes") is None
    await both.resolve("there")
    await both.look()
    assert sorted(await both.tasks()) == ["buy milk", "theirs"]


async def test_a_list_that_is_empty_at_once_asks_in_the_words_of_a_list(both: Both) -> None:
    ids = await both.in_step("one", "two", "three")
    for id_ in ids.values():
        both.list.remove(id_)
    found = await both.look()
    assert found.error == ("The list is empty there. Nothing was deleted here: say what is to become of its 3 tasks.")
    assert len(await both.tasks()) == 3
    assert await both.accounts.settle_gone(both.user, both.id, delete=True)
    assert (await both.look()).error is None
    assert await both.tasks() == {}


async def test_an_account_that_is_connected_again_finds_its_tasks_by_their_words(both: Both) -> None:
    await both.in_step("buy milk")
    await both.add("dentist", deadline="2026-12-01")
    await both.add("elsewhere")
    await both.look()
    both.list.change(both.list.named("elsewhere")["id"], title="changed")
    assert await both.accounts.disconnect(both.user, both.account)
    await both.connect(collects="all")
    await both.look()
    assert sorted(await both.tasks()) == ["buy milk", "changed", "dentist", "elsewhere"]
    assert len(both.list.there()) == 4
    assert await both.conflicts() == []


async def test_events_and_tasks_are_collected_by_one_each(both: Both) -> None:
    await both.in_step("buy milk")
    listed = await both.accounts.calendars(both.user, both.account)
    assert [(one.name, one.holds) for one in listed] == [("Ada", "events"), ("My Tasks", "tasks"), ("Work", "events")]
    await both.accounts.choose(both.user, listed[2].id, "both", "new")
    assert [one.collects for one in await both.accounts.calendars(both.user, both.account)] == ["none", "new", "new"]
    await both.make("meeting")
    await both.add("dentist")
    await both.look()
    await both.sync.sync(both.user, listed[2].id)
    work = both.other.calendars["work@group.calendar.google.com"]
    assert ([one["summary"] for one in work.there().values()], len(both.list.there())) == (["meeting"], 2)


async def test_without_its_scope_an_account_has_no_lists_and_its_calendars_all_the_same(both: Both) -> None:
    both.other.page.leaves_out = frozenset({TASKS})
    asked = both.sync.google.begin(both.user, REDIRECT)
    login = await both.sync.google.finish(both.user, both.other.allow(asked.url, REDIRECT))
    assert [one.name for one in await both.sync.find(login)] == ["Ada", "Work"]


async def test_what_cannot_be_kept_is_named_and_left_alone(both: Both) -> None:
    both.list.add("x" * 600)
    await both.in_step("buy milk")
    await both.add("long", notes="x" * 8192)
    found = await both.look()
    assert len(found.problems) == 2
    assert any("8,192 characters" in one for one in found.problems)
    assert list(both.list.there()) == [both.list.named("x" * 600)["id"], both.list.named("buy milk")["id"]]
    assert sorted(await both.tasks()) == ["buy milk", "long"]


def test_a_mark_is_the_last_line_and_nothing_else() -> None:
    assert split_mark(add_mark("two\nlines", "a-1")) == ("two\nlines", "a-1")
    assert split_mark(add_mark("", "a-1")) == ("", "a-1")
    assert split_mark("see summit:a-1") == ("see summit:a-1", None)
    assert split_mark("summit:a-1\nmore") == ("summit:a-1\nmore", None)
