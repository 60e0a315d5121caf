"""Calendars kept in step in both directions: a real server of Summit, a real CalDAV server, and a program beside it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from io import StringIO
from typing import Any
from uuid import UUID, uuid4

import httpx
import psycopg
import pytest

from app.cli import main
from tests.support.databases import temporary_database
from tests.support.peers.radicale import PASSWORD, USER, OtherProgram, Radicale, event, radicale
from tests.support.servers.api import problem
from tests.support.servers.hurried import hurried
from tests.support.servers.live_server import ADMIN_KEY, live_server, settings_for
from tests.support.servers.plain import plain_client
from tests.support.waiting import wait_until

ACCOUNTS = "/v1/calendar-accounts"
START = "2026-12-01T10:00:00+00:00"


@dataclass
class Both:
    """A user here, a calendar program there, and the account between them."""

    user: httpx.Client
    other: OtherProgram
    database: str
    path: str = ""

    def connect(self, **choice: str) -> None:
        made = self.user.post(ACCOUNTS, json={"url": self.other.server.url, "username": USER, "password": PASSWORD})
        assert made.status_code == 201, made.text
        listed = self.user.get(f"{ACCOUNTS}/{made.json()['id']}/calendars").json()["items"]
        [calendar] = [one for one in listed if one["url"] == self.other.calendar]
        assert calendar["state"] == "off"
        self.path = f"{ACCOUNTS}/{made.json()['id']}/calendars/{calendar['id']}"
        chosen = self.user.patch(self.path, json={"direction": "both", "collects": "new", **choice})
        assert chosen.status_code == 200, chosen.text

    def calendar(self) -> dict[str, Any]:
        return dict(self.user.get(self.path).json())

    def look(self) -> dict[str, Any]:
        """Look at both sides now, and wait until that is over."""
        self.user.post(f"{self.path}/sync")
        found: dict[str, Any] = self.until(lambda: quiet(self.database, self.path.rpartition("/")[2]), self.calendar)
        return found

    def look_away(self) -> None:
        """Nobody looks while both sides change."""
        self._set("direction = 'in', next_sync = now() + interval '1 hour'")

    def look_again(self) -> None:
        self._set("direction = 'both'")
        self.look()

    def _set(self, what: str) -> None:
        with psycopg.connect(self.database) as conn:
            conn.execute(f"update summit.synced_calendars set {what} where id = %s", (self.path.rpartition("/")[2],))  # noqa: S608

    def until(self, wanted: Callable[[], bool], shown: Callable[[], Any]) -> Any:
        wait_until(wanted)
        return shown()

    def events(self) -> dict[str, dict[str, Any]]:
        found = self.user.get("/v1/events", params={"limit": 200}).json()["items"]
        return {one["title"]: one for one in found}

    def make(self, title: str, **fields: Any) -> dict[str, Any]:
        made = self.user.post("/v1/events", json={"title": title, "start": START, **fields})
        assert made.status_code == 201, made.text
        return dict(made.json())

    def change(self, known: str, **fields: Any) -> None:
        answer = self.user.patch(f"/v1/events/{self.events()[known]['id']}", json=fields)
        assert answer.status_code == 200, answer.text


def quiet(database: str, calendar_id: str) -> bool:
    """Whether a calendar is not to be looked at, nor being looked at."""
    with psycopg.connect(database) as conn:
        waiting = conn.execute(
            "select exists (select from summit.procrastinate_jobs where args->>'calendar_id' = %(id)s) "
            "or exists (select from summit.synced_calendars where id = %(id)s::uuid and next_sync <= now())",
            {"id": calendar_id},
        ).fetchone()
    return waiting == (False,)


@pytest.fixture(scope="module")
def there(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Radicale]:
    with radicale(tmp_path_factory.mktemp("radicale")) as found:
        yield found


@pytest.fixture(scope="module")
def working(
    postgres_url: str, migrated_template: str, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[tuple[str, str]]:
    """The address and the database of a server that also does the jobs, and may call this machine."""
    for database in temporary_database(postgres_url, migrated_template):
        folder = tmp_path_factory.mktemp("working")
        settings = settings_for(database, folder, workers_in_process=True, allowed_networks=["127.0.0.0/8"])
        with live_server(settings) as url, hurried(database):
            yield url, database


@pytest.fixture
def both(working: tuple[str, str], there: Radicale) -> Iterator[Both]:
    url, database = working
    name = f"calendar-{uuid4()}"
    other = OtherProgram(there, name)
    other.make()
    with plain_client(url) as client:
        made = client.post("/v1/users", json={"name": name}, headers={"Authorization": f"Bearer {ADMIN_KEY}"}).json()
        client.headers["Authorization"] = f"Bearer {made['api_key']}"
        yield Both(client, other, database)
    other.remove()


def test_a_conflict_is_shown_and_decided(both: Both) -> None:
    both.other.write("a.ics", event("a", "standup"))
    both.connect()
    both.look()
    both.look_away()
    both.change("standup", title="ours")
    both.other.write("a.ics", event("a", "theirs"))
    both.look_again()
    [conflict] = both.user.get("/v1/calendar-conflicts").json()["items"]
    assert (conflict["title"], conflict["fields"], conflict["calendar"]) == ("ours", ["title"], "Work")
    assert [conflict[side]["title"] for side in ("here", "there", "before")] == ["ours", "theirs", "standup"]
    assert conflict["event_id"] == both.events()["ours"]["id"]
    assert both.calendar()["state"] == "asks"
    path = f"/v1/calendar-conflicts/{conflict['id']}/resolve"
    problem(both.user.post(path, json={"keep": "both"}), 422)
    [row] = both.user.post(path, json={"keep": "there"}).json()["changes"]
    assert (row["agent"], row["status"], row["title"]) == ("calendar", "applied", "theirs")
    problem(both.user.post(path, json={"keep": "there"}), 404)
    assert both.look()["state"] == "current"
    assert both.user.post(row["undo"]).status_code == 200
    both.look()
    assert "SUMMARY:ours" in both.other.text("a.ics")


def test_a_calendar_that_is_empty_at_once_asks(both: Both) -> None:
    for number in range(2):
        both.other.write(f"{number}.ics", event(str(number), f"meeting {number}"))
    both.connect()
    both.look()
    problem(both.user.post(f"{both.path}/gone", json={"delete": True}), 409)
    both.other.remove()
    both.other.make()
    found = both.look()
    assert (found["state"], found["gone"]) == ("asks", 2)
    assert len(both.events()) == 2
    assert both.user.post(f"{both.path}/gone", json={"delete": True}).json()["gone"] == 0
    assert both.events() == {}


def test_what_is_there_comes_here_and_what_begins_here_goes_there(both: Both) -> None:
    both.other.write("a.ics", event("a", "standup"))
    both.connect()
    both.look()
    assert both.events()["standup"]["start"] == "2026-12-01T10:00:00Z"
    made = both.make("dentist", location="High Street")
    both.until(lambda: f"{made['id']}.ics" in both.other.names(), both.calendar)
    said = both.other.text(f"{made['id']}.ics")
    assert "SUMMARY:dentist" in said
    assert "LOCATION:High Street" in said
    found = both.look()
    assert (found["state"], found["events"], found["conflicts"], found["problems"]) == ("current", 2, 0, [])
    assert sorted(both.events()) == ["dentist", "standup"]
    assert both.other.names() == sorted(["a.ics", f"{made['id']}.ics"])


def test_a_wrong_password_is_told_and_a_new_one_tried(both: Both) -> None:
    wrong = {"url": both.other.server.url, "username": USER, "password": "wrong"}
    told = problem(both.user.post(ACCOUNTS, json=wrong), 422)
    assert told["detail"] == "The server does not take this user name and password."
    both.connect()
    account = "/".join(both.path.split("/")[:4])
    problem(both.user.patch(account, json={"password": "wrong"}), 422)
    assert both.user.patch(account, json={"password": PASSWORD}).status_code == 200
    assert both.look()["state"] == "current"
    with psycopg.connect(both.database) as conn:
        id_ = account.rpartition("/")[2]
        [(account_row,)] = conn.execute(
            "select a::text from summit.calendar_accounts a where id = %s", (id_,)
        ).fetchall()
    assert PASSWORD not in account_row
    assert PASSWORD not in both.user.get(account).text


def test_an_account_of_another_user_is_not_there(both: Both) -> None:
    both.connect()
    made = both.user.post("/v1/users", json={"name": "Bob"}, headers={"Authorization": f"Bearer {ADMIN_KEY}"}).json()
    bob = {"Authorization": f"Bearer {made['api_key']}"}
    assert both.user.get(ACCOUNTS, headers=bob).json()["items"] == []
    for path in (both.path, "/".join(both.path.split("/")[:4])):
        problem(both.user.get(path, headers=bob), 404)
    nobody = UUID(int=0)
    problem(both.user.post(f"/v1/calendar-conflicts/{nobody}/resolve", json={"keep": "here"}), 404)


def test_the_command_line_connects_chooses_and_decides(
    both: Both, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    server = ["--url", str(both.user.base_url), "--key", both.user.headers["Authorization"].removeprefix("Bearer ")]
    monkeypatch.setattr("sys.stdin", StringIO(f"{PASSWORD}\n"))
    assert main(["calendars", "connect", both.other.server.url, USER, *server]) == 0
    [account] = both.user.get(ACCOUNTS).json()["items"]
    listed = both.user.get(f"{ACCOUNTS}/{account['id']}/calendars").json()["items"]
    [calendar] = [one["id"] for one in listed if one["url"] == both.other.calendar]
    both.path = f"{ACCOUNTS}/{account['id']}/calendars/{calendar}"
    assert main(["calendars", "choose", calendar, "both", "--collects", "new", *server]) == 0
    both.other.write("a.ics", event("a", "standup"))
    both.look()
    both.look_away()
    both.change("standup", title="ours")
    both.other.write("a.ics", event("a", "theirs"))
    both.look_again()
    capsys.readouterr()
    assert main(["calendars", "conflicts", *server]) == 0
    told = capsys.readouterr().out
    assert "title: ours here, theirs there" in told
    assert main(["calendars", "resolve", told.split()[0], "there", *server]) == 0
    assert main(["calendars", "list", *server]) == 0
    assert f"Work  both  current  1 events  {calendar}" in capsys.readouterr().out
    assert main(["calendars", "choose", "nothing", "both", *server]) == 1
    assert main(["calendars", "disconnect", account["id"], *server]) == 0
    assert both.user.get(ACCOUNTS).json()["items"] == []
