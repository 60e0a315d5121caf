"""Google Calendar kept in step: the real engine and database, and a server that holds each request against Google's
own description of its API.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from agents.recurrence.expand import OccurrenceSpan
from app.calendars.google.sign_in import RUN_OUT
from app.calendars.model.synced import Collects, Direction, Keep, RemoteFailed, RemoteRefused
from app.database.database import Database
from app.http.accounts.store.users import Users
from app.records.store.busy_time import BusyReader
from tests.support.calendars.both import Both as Somebody
from tests.support.calendars.both import composed, read_here
from tests.support.fakes.google.calendars import GoogleCalendarState
from tests.support.fakes.google.server import OWNER, Fault, Google, google_account

REDIRECT = "http://127.0.0.1:8000/back-from-google"
WORK = "work@group.calendar.google.com"
BERLIN = "Europe/Berlin"


@dataclass(kw_only=True)
class Both(Somebody):
    """Somebody here, and with Google."""

    other: Google

    @property
    def work(self) -> GoogleCalendarState:
        return self.other.calendars[WORK]

    async def connect(self, direction: Direction = "both", collects: Collects = "new") -> None:
        asked = self.sync.google.begin(self.user, REDIRECT)
        login = await self.sync.google.finish(self.user, self.other.allow(asked.url, REDIRECT))
        assert (login.provider, login.username) == ("google", OWNER)
        url = f"{login.url}/calendars/work%40group.calendar.google.com"
        await self.connect_to(login, url, direction, collects)

    async def in_step(self, **events: str) -> dict[str, dict[str, Any]]:
        """Events of Google's, by name and start, on both sides."""
        made = {name: self.work.add(name, start) for name, start in events.items()}
        await self.connect()
        await self.look()
        return made


@pytest.fixture
def there() -> Iterator[Google]:
    with google_account() as google:
        yield google


@pytest.fixture
async def both(database: Database, there: Google, tmp_path: Path) -> AsyncIterator[Both]:
    async with composed(database, tmp_path, **there.settings()) as parts:
        read_here(parts["sync"])
        yield Both(other=there, **parts)


START = "2026-12-01T10:00:00+00:00"


async def test_what_is_there_comes_here_and_what_begins_here_goes_there(both: Both) -> None:
    both.other.page_size = 1
    both.work.add("meeting")
    await both.in_step(standup=START)
    assert (await both.events())["standup"]["start"] == "2026-12-01T11:00:00+01:00"
    made = await both.make("dentist", location="High Street")
    await both.look()
    said = both.work.named("dentist")
    assert (said["id"], said["location"]) == (made["id"].replace("-", ""), "High Street")
    assert said["start"] == {"dateTime": "2026-12-01T11:00:00+01:00", "timeZone": "Europe/Lisbon"}
    found = await both.look()
    assert (found.error, found.events, found.conflicts, found.problems) == (None, 3, 0, [])
    assert sorted(await both.events()) == ["dentist", "meeting", "standup"]
    assert len(both.work.there()) == 3


async def test_changes_go_both_ways_and_keep_what_only_google_knows(both: Both) -> None:
    guests = [{"email": "bob@example.com", "responseStatus": "accepted"}]
    standup = both.work.add("standup", attendees=guests, colorId="5")
    await both.connect()
    await both.look()
    await both.change("standup", title="daily", notes="bring the list", busy=False)
    await both.look()
    said = both.work.named("daily")
    assert (said["description"], said["transparency"]) == ("bring the list", "transparent")
    assert (said["attendees"], said["colorId"]) == (guests, "5")
    assert {name: said[name] for name in ("start", "end")} == {name: standup[name] for name in ("start", "end")}
    both.work.change(said["id"], summary="weekly", location="Room 2")
    await both.look()
    found = (await both.events())["weekly"]
    assert (found["location"], found["notes"], found["busy"]) == ("Room 2", "bring the list", False)
    assert [(row.agent, row.op) for row in await both.changes()] == [
        ("calendar", "create"),
        ("rest", "update"),
        ("calendar", "update"),
    ]


@pytest.mark.parametrize("zone", ["Europe/Berlin", "America/New_York", "Pacific/Kiritimati"])
async def test_whole_days_are_days_where_the_user_is_also_when_they_had_a_clock_before(both: Both, zone: str) -> None:
    """The zone of the server counts no more than it does for what the user says."""
    await Users(both.database).update_settings(both.user, {"timezone": zone})
    days: dict[str, Any] = {"start": {"date": "2026-12-08"}, "end": {"date": "2026-12-10"}}
    both.work.add("fair", **days)
    timed = both.work.add("visit")
    await both.connect()
    await both.look()
    both.work.change(timed["id"], **{name: {**day, "dateTime": None} for name, day in days.items()})
    await both.look()
    found = await both.events()
    assert {found[title]["zone"] for title in ("fair", "visit")} == {zone}
    midnights = [datetime(2026, 12, day, tzinfo=ZoneInfo(zone)) for day in (8, 10)]
    around = OccurrenceSpan(midnights[0] - timedelta(days=2), midnights[1] + timedelta(days=2))
    took = await BusyReader(both.database).occurring(both.user, around, 9)
    assert [(one.title, one.start, one.end) for one in took] == [(title, *midnights) for title in ("fair", "visit")]


@pytest.mark.parametrize("refusal", [400, 403, 404, 410, 418])
async def test_only_what_changed_is_asked_for_and_a_forgotten_token_means_all(both: Both, refusal: int) -> None:
    both.work.refusal = refusal
    await both.in_step(standup=START, dentist=START)
    both.work.add("lunch")
    both.other.asked.clear()
    await both.look()
    assert both.other.asked == [f"GET /calendar/v3/calendars/{WORK.replace('@', '%40')}/events"]
    both.work.forget_tokens()
    both.work.change(both.work.named("lunch")["id"], summary="dinner")
    both.work.remove(both.work.named("dentist")["id"])
    found = await both.look()
    assert (found.error, sorted(await both.events())) == (None, ["dinner", "standup"])


async def test_nothing_goes_round_in_circles(both: Both) -> None:
    await both.in_step(standup=START)
    await both.make("dentist")
    await both.change("standup", title="daily")
    await both.look()
    writes, rows = both.work.writes, await both.changes()
    for _ in range(3):
        await both.look()
    both.work.forget_tokens()
    await both.look()
    assert (both.work.writes, await both.changes()) == (writes, rows)


async def test_deletions_go_both_ways_and_come_back_by_undo(both: Both) -> None:
    made = await both.in_step(one=START, two=START, three=START)
    both.work.change(made["two"]["id"], colorId="7")
    await both.look()
    both.work.remove(made["one"]["id"])
    deleted = await both.delete("two")
    await both.look()
    assert (sorted(await both.events()), list(both.work.there())) == (["three"], [made["three"]["id"]])
    row = (await both.changes())[-1]
    assert (row.agent, row.op, row.title) == ("calendar", "delete", "one")
    await both.undo(deleted)
    await both.undo(row)
    found = await both.look()
    assert (found.error, found.conflicts, found.problems) == (None, 0, [])
    assert both.work.there().keys() == {one["id"] for one in made.values()}
    assert both.work.named("two")["colorId"] == "7"
    assert sorted(await both.events()) == ["one", "three", "two"]


async def test_what_google_has_forgotten_is_made_again_with_its_guests(both: Both) -> None:
    guests = [{"email": "bob@example.com"}]
    made = both.work.add("party", attendees=guests)
    both.work.add("standup")
    await both.connect()
    await both.look()
    deleted = await both.delete("party")
    await both.look()
    del both.work.events[made["id"]], both.work.changed[made["id"]]
    await both.undo(deleted)
    await both.look()
    assert both.work.named("party")["attendees"] == guests


async def test_different_fields_changed_on_both_sides_come_together(both: Both) -> None:
    made = await both.in_step(standup=START)
    both.work.change(made["standup"]["id"], location="Room 2")
    await both.change("standup", title="daily")
    await both.look()
    assert (await both.events())["daily"]["location"] == "Room 2"
    assert both.work.named("daily")["location"] == "Room 2"
    assert await both.conflicts() == []


@pytest.mark.parametrize(("keep", "title"), [("here", "ours"), ("there", "theirs")])
async def test_a_conflict_is_shown_and_decided(both: Both, keep: Keep, title: str) -> None:
    made = await both.in_step(standup=START)
    await both.change("standup", title="ours")
    both.work.change(made["standup"]["id"], summary="theirs")
    await both.look()
    [conflict] = await both.conflicts()
    titles = [side and side["title"] for side in (conflict.here, conflict.there, conflict.before)]
    assert (conflict.fields, titles) == (("title",), ["ours", "theirs", "standup"])
    await both.look()
    assert (list(await both.events()), both.work.named("theirs")["id"]) == (["ours"], made["standup"]["id"])
    await both.resolve(keep)
    await both.look()
    assert list(await both.events()) == [title]
    assert both.work.named(title)["id"] == made["standup"]["id"]
    assert await both.conflicts() == []


async def test_what_is_changed_there_in_the_middle_of_a_write_is_not_overwritten(both: Both) -> None:
    """Google answers 412, because the version that was read is not there any more."""
    made = await both.in_step(standup=START)
    await both.change("standup", title="ours")
    plain, patch = both.work.patch, list[str]()

    def overtaken(id_: str, body: dict[str, Any], match: str | None) -> dict[str, Any]:
        if match is not None and not patch:
            patch.append(match)
            plain(id_, {"summary": "theirs"}, None)
        return plain(id_, body, match)

    both.work.patch = overtaken  # type: ignore[method-assign] # the person is quicker
    found = await both.look()
    assert (len(patch), found.error, found.conflicts) == (1, None, 1)
    assert both.work.named("theirs")["id"] == made["standup"]["id"]
    assert list(await both.events()) == ["ours"]


@pytest.mark.parametrize("fault", ["lost", "unavailable", "slow down"])
async def test_a_write_whose_answer_is_lost_or_refused_for_now_is_done_once(both: Both, fault: Fault) -> None:
    await both.in_step(standup=START)
    await both.make("dentist")
    await both.change("standup", title="daily")
    both.other.faults.extend([fault, fault])
    for _ in range(3):
        await both.look()
    found = await both.look()
    assert (found.error, found.conflicts) == (None, 0)
    assert sorted(one["summary"] for one in both.work.there().values()) == ["daily", "dentist"]
    assert sorted(await both.events()) == ["daily", "dentist"]


@pytest.mark.parametrize("first", [False, True])
async def test_what_is_deleted_there_before_its_first_write_was_answered_asks(
    both: Both,
    first: bool,  # noqa: FBT001 - a parameter of a test
) -> None:
    """Written again it would come back to whoever deleted it; deleted here it might be an undo's that is lost.

    Also when it was the first look of all that was cut.
    """
    if first:
        both.work.add("standup", START)
        await both.connect()
    else:
        await both.in_step(standup=START)
    await both.make("dentist")
    both.other.faults.append("lost")
    assert (await both.look()).error
    both.work.remove(both.work.named("dentist")["id"])
    found = await both.look()
    [conflict] = await both.conflicts()
    assert (found.error, conflict.fields, conflict.there) == (None, ("existence",), None)
    assert [one["summary"] for one in both.work.there().values()] == ["standup"]
    await both.resolve("there")
    await both.look()
    assert (list(await both.events()), await both.conflicts()) == (["standup"], [])


async def test_what_is_deleted_here_and_changed_there_before_its_first_write_was_answered_asks(both: Both) -> None:
    """To who looks later it must not be new there: it was deleted here."""
    await both.in_step(standup=START)
    await both.make("dentist")
    both.other.faults.append("lost")
    assert (await both.look()).error
    both.work.change(both.work.named("dentist")["id"], location="High Street")
    await both.delete("dentist")
    found = await both.look()
    [conflict] = await both.conflicts()
    assert (found.error, conflict.here, list(await both.events())) == (None, None, ["standup"])
    await both.resolve("here")
    await both.look()
    assert (list(await both.events()), await both.conflicts()) == (["standup"], [])
    assert [one["summary"] for one in both.work.there().values()] == ["standup"]


async def test_a_calendar_that_vanished_deletes_nothing_here(both: Both) -> None:
    await both.in_step(standup=START)
    del both.other.calendars[WORK]
    found = await both.look()
    assert found.error == "This is not there with Google any more."
    assert list(await both.events()) == ["standup"]


@pytest.mark.parametrize("delete", [True, False])
async def test_a_calendar_that_is_empty_at_once_asks(both: Both, delete: bool) -> None:  # noqa: FBT001 - a choice of the API
    await both.in_step(one=START, two=START, three=START)
    both.work.empty()
    found = await both.look()
    assert found.gone == 3
    assert "Nothing was deleted here" in (found.error or "")
    assert len(await both.events()) == 3
    assert await both.accounts.settle_gone(both.user, both.id, delete=delete)
    found = await both.look()
    assert (found.gone, found.error) == (0, None)
    assert len(await both.events()) == len(both.work.there()) == (0 if delete else 3)


async def test_many_deletions_at_once_ask_also_where_google_names_them(both: Both) -> None:
    made = await both.in_step(one=START, two=START)
    for one in made.values():
        both.work.remove(one["id"])
    assert (await both.look()).gone == 2
    assert sorted(await both.events()) == ["one", "two"]


WEEKLY = {"recurrence": ["RRULE:FREQ=WEEKLY", "EXDATE;TZID=Europe/Berlin:20261215T100000"]}
TENTH = "2026-12-01T10:00:00+01:00"


async def test_a_series_with_a_changed_and_a_missing_occurrence(both: Both) -> None:
    series = both.work.add("weekly", TENTH, **WEEKLY)
    moved = {"start": {"dateTime": "2026-12-09T15:00:00+01:00"}, "end": {"dateTime": "2026-12-09T16:00:00+01:00"}}
    both.work.change_one(series["id"], "2026-12-08T10:00:00+01:00", summary="moved", **moved)
    both.work.change_one(series["id"], "2026-12-22T10:00:00+01:00", status="cancelled")
    await both.connect()
    await both.look()
    found = await both.events()
    assert (found["weekly"]["recurrence"], found["weekly"]["zone"]) == ("FREQ=WEEKLY", BERLIN)
    days = [f"2026-12-{day}T10:00:00+01:00" for day in ("08", 15, 22)]
    assert found["weekly"]["exdates"] == days
    assert (found["moved"]["start"], found["moved"]["recurrence"]) == ("2026-12-09T15:00:00+01:00", None)
    await both.change("moved", title="moved again")
    await both.change("weekly", exdates=[*days, "2026-12-29"])
    await both.look()
    assert both.work.named("moved again")["recurringEventId"] == series["id"]
    assert both.work.named("weekly")["recurrence"] == [
        "RRULE:FREQ=WEEKLY",
        "EXDATE;TZID=Europe/Berlin:20261215T100000,20261229T100000",
    ]
    await both.delete("moved again")
    state = await both.look()
    assert (state.error, state.conflicts, state.problems) == (None, 0, [])
    assert [one["summary"] for one in both.work.there().values()] == ["weekly"]
    assert list(await both.events()) == ["weekly"]


async def test_an_occurrence_that_was_left_out_there_comes_back_by_undo(both: Both) -> None:
    series = both.work.add("weekly", TENTH, recurrence=["RRULE:FREQ=WEEKLY"])
    await both.connect()
    await both.look()
    both.work.change_one(series["id"], "2026-12-08T10:00:00+01:00", status="cancelled")
    await both.look()
    row = (await both.changes())[-1]
    assert (row.agent, row.fields["exdates"]) == ("calendar", ["2026-12-08T10:00:00+01:00"])
    await both.undo(row)
    await both.look()
    [again] = [one for one in both.work.there().values() if "recurringEventId" in one]
    assert (again["status"], again["start"]["dateTime"]) == ("confirmed", "2026-12-08T10:00:00+01:00")


async def test_a_series_that_begins_here_ends_at_an_instant_there(both: Both) -> None:
    await both.connect()
    fields = {"zone": BERLIN, "recurrence": "FREQ=WEEKLY;UNTIL=20270105T230000Z"}
    await both.make("weekly", exdates=["2026-12-08"], **fields)
    await both.look()
    said = both.work.named("weekly")
    assert said["start"] == {"dateTime": "2026-12-01T11:00:00+01:00", "timeZone": BERLIN}
    assert said["recurrence"] == [
        "RRULE:FREQ=WEEKLY;UNTIL=20270105T230000Z",
        "EXDATE;TZID=Europe/Berlin:20261208T110000",
    ]
    rows = await both.changes()
    await both.look()
    assert (await both.changes(), (await both.calendar()).problems) == (rows, [])


async def test_a_series_that_is_deleted_here_takes_its_occurrences_there_with_it(both: Both) -> None:
    series = both.work.add("weekly", TENTH, **WEEKLY)
    both.work.add("standup")
    both.work.change_one(series["id"], "2026-12-08T10:00:00+01:00", summary="moved")
    await both.connect()
    await both.look()
    await both.delete("weekly")
    found = await both.look()
    assert [one["summary"] for one in both.work.there().values()] == ["standup"]
    assert sorted(await both.events()) == ["moved", "standup"]
    assert found.error is None


async def test_whole_days_are_whole_days_on_both_sides(both: Both) -> None:
    days = {"start": {"date": "2026-12-01"}, "end": {"date": "2026-12-04"}}
    both.work.insert({"summary": "trip", **days})
    await both.connect()
    await both.look()
    trip = (await both.events())["trip"]
    assert (trip["start"], trip["end"], trip["all_day"]) == ("2026-12-01", "2026-12-03", True)
    await both.change("trip", end="2026-12-05")
    await both.look()
    assert both.work.named("trip")["end"] == {"date": "2026-12-06"}
    await both.change("trip", start=START, end="2026-12-01T11:00:00+00:00", all_day=False)
    found = await both.look()
    assert (found.error, found.problems) == (None, [])
    assert set(both.work.named("trip")["start"]) == {"dateTime", "timeZone"}


async def test_what_cannot_be_kept_is_named_and_left_alone(both: Both) -> None:
    both.work.add("odd", recurrence=["RDATE:20261205T100000Z"])
    both.work.add("home", eventType="workingLocation")
    await both.in_step(standup=START)
    found = await both.calendar()
    [problem] = found.problems
    assert problem.endswith("This event repeats on dates of its own, which Summit does not keep.")
    assert list(await both.events()) == ["standup"]


async def test_a_calendar_that_is_too_large_is_refused_before_all_of_it_is_read(both: Both) -> None:
    both.other.page_size = 1
    both.work.add("standup")
    both.work.add("lunch")
    both.work.add("dinner")
    both.sync._ways["google"].provider._most = 1  # type: ignore[attr-defined] # the adapter behind the port
    await both.connect()
    lists = both.other.asked.count("GET /calendar/v3/calendars/work%40group.calendar.google.com/events")
    found = await both.look()
    assert found.error == "The calendar has more than 1 events and changed occurrences."
    again = both.other.asked.count("GET /calendar/v3/calendars/work%40group.calendar.google.com/events")
    assert (lists, again) == (0, 2)
    assert await both.events() == {}


async def test_an_account_that_is_connected_again_finds_its_events(both: Both) -> None:
    await both.in_step(standup=START)
    await both.make("dentist")
    await both.look()
    assert await both.accounts.disconnect(both.user, both.account)
    await both.connect(collects="all")
    await both.look()
    assert sorted(await both.events()) == ["dentist", "standup"]
    assert len(both.work.there()) == 2
    assert await both.conflicts() == []


async def test_a_copy_that_google_makes_of_our_event_is_another_event(both: Both) -> None:
    await both.connect()
    await both.make("dentist")
    await both.look()
    ours = both.work.named("dentist")
    kept = {name: ours[name] for name in ("summary", "start", "end", "extendedProperties")}
    both.work.insert({**kept, "summary": "dentist again"})
    found = await both.look()
    assert (found.events, sorted(await both.events())) == (2, ["dentist", "dentist again"])


async def test_google_that_is_away_is_shown_and_caught_up_with(both: Both) -> None:
    await both.in_step()
    both.other.stop()
    await both.make("dentist")
    assert "lets nobody connect" in ((await both.look()).error or "")
    both.other.start()
    await both.look()
    assert len(both.work.there()) == 1
    assert (await both.calendar()).error is None


async def test_a_calendar_that_may_only_be_read_is_never_written(both: Both) -> None:
    both.work.role = "reader"
    both.work.add("standup")
    await both.connect(direction="in", collects="none")
    assert not (await both.calendar()).writable
    await both.look()
    await both.change("standup", title="ours")
    found = await both.look()
    assert (found.error, both.work.named("standup")["summary"]) == (None, "standup")


async def test_access_that_ran_out_is_told_with_what_to_do_and_comes_back(both: Both) -> None:
    await both.in_step(standup=START)
    both.other.page.access.clear()
    both.work.add("lunch")
    assert (await both.look()).error is None  # a new access token was asked for
    both.other.page.access.clear()
    both.other.page.refresh.clear()
    found = await both.look()
    assert (found.error, sorted(await both.events())) == (RUN_OUT, ["lunch", "standup"])
    asked = both.sync.google.begin(both.user, REDIRECT)
    login = await both.sync.google.finish(both.user, both.other.allow(asked.url, REDIRECT))
    await both.accounts.enter(both.user, both.account, login, await both.sync.find(login))
    assert (await both.look()).error is None


async def test_an_answer_counts_for_who_asked_and_once(both: Both) -> None:
    asked = both.sync.google.begin(both.user, REDIRECT)
    answer = both.other.allow(asked.url, REDIRECT)
    for wrong in (answer.replace("state=", "state=AA"), "https://example.com/", "nothing"):
        with pytest.raises(RemoteRefused):
            await both.sync.google.finish(both.user, wrong)
    with pytest.raises(RemoteRefused, match="another request than yours"):
        await both.sync.google.finish(both.account, answer)
    login = await both.sync.google.finish(both.user, answer)
    with pytest.raises(RemoteRefused, match="counts once"):
        await both.sync.google.finish(both.user, answer)
    await both.sync.google.revoke(login)
    assert both.other.page.refresh == {}
    await both.sync.google.revoke(login)


async def test_what_the_person_says_no_to_is_told(both: Both) -> None:
    asked = both.sync.google.begin(both.user, REDIRECT)
    both.other.page.denies = True
    with pytest.raises(RemoteRefused, match="access_denied"):
        await both.sync.google.finish(both.user, both.other.allow(asked.url, REDIRECT))
    both.other.page.denies = False
    both.other.page.leaves_out = frozenset({"https://www.googleapis.com/auth/calendar.events"})
    with pytest.raises(RemoteRefused, match="tick every box"):
        await both.sync.google.finish(both.user, both.other.allow(asked.url, REDIRECT))


async def test_tokens_are_given_to_nobody_who_lacks_the_verifier(both: Both) -> None:
    """Somebody who sees the address with the code, and begins a request of their own, gets nothing for it."""
    first, second = (both.sync.google.begin(both.user, REDIRECT) for _ in range(2))
    code = both.other.allow(first.url, REDIRECT).partition("code=")[2]
    state = both.other.allow(second.url, REDIRECT).partition("&code=")[0]
    with pytest.raises(RemoteRefused, match="does not take this answer"):
        await both.sync.google.finish(both.user, f"{state}&code={code}")


async def test_google_that_is_away_when_one_signs_in_is_another_try(both: Both) -> None:
    asked = both.sync.google.begin(both.user, REDIRECT)
    answer = both.other.allow(asked.url, REDIRECT)
    both.other.stop()
    with pytest.raises(RemoteFailed):
        await both.sync.google.finish(both.user, answer)
    both.other.start()
    assert (await both.sync.google.finish(both.user, answer)).username == OWNER


async def test_a_server_that_is_not_set_up_says_how(database: Database, tmp_path: Path) -> None:
    async with composed(database, tmp_path) as parts:
        with pytest.raises(RemoteRefused, match="SUMMIT_GOOGLE_CLIENT_ID"):
            parts["sync"].google.begin(parts["user"], REDIRECT)
