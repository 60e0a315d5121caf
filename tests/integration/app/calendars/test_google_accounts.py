"""Google accounts through the doors: asked for, connected, kept in step by the jobs, given back."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from types import SimpleNamespace
from typing import Any
from urllib.parse import parse_qs, urlsplit

import httpx
import psycopg
import pytest

from app.cli import main
from tests.support.databases import temporary_database
from tests.support.fakes.google.calendars import GoogleCalendarState
from tests.support.fakes.google.server import OWNER, Google, google_account
from tests.support.fakes.google.tasks import GoogleTaskList
from tests.support.servers.api import problem
from tests.support.servers.hurried import hurried
from tests.support.servers.live_server import ADMIN_KEY, live_server, settings_for
from tests.support.servers.plain import plain_client
from tests.support.waiting import wait_until

ACCOUNTS, GOOGLE = "/v1/calendar-accounts", "/v1/google-accounts"


@dataclass
class Both:
    """Ada here, and with Google."""

    user: httpx.Client
    google: Google
    database: str

    @property
    def work(self) -> GoogleCalendarState:
        return self.google.calendars["work@group.calendar.google.com"]

    def asked(self) -> str:
        """Where Google sends the browser once she has allowed it."""
        begun = self.user.post(f"{GOOGLE}/begin").json()
        return self.google.allow(begun["url"], begun["redirect"])

    def until(self, wanted: Callable[[], list[dict[str, Any]]]) -> list[dict[str, Any]]:
        """What is there as soon as something is."""
        return wait_until(wanted)

    def connect(self) -> dict[str, Any]:
        made = self.user.post(GOOGLE, json={"answer": self.asked()})
        assert made.status_code == 201, made.text
        return dict(made.json())


@pytest.fixture(scope="module")
def working(
    postgres_url: str, migrated_template: str, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[tuple[str, str, Google]]:
    """A server that does its jobs, its database, and what it takes for Google."""
    with google_account() as google:
        for database in temporary_database(postgres_url, migrated_template):
            jobs = {"workers_in_process": True, "allowed_networks": ["127.0.0.0/8"]}
            settings = settings_for(database, tmp_path_factory.mktemp("google"), **jobs, **google.settings())
            with live_server(settings) as url, hurried(database):
                yield url, database, google


@pytest.fixture
def both(working: tuple[str, str, Google]) -> Iterator[Both]:
    url, database, google = working
    with plain_client(url) as client:
        made = client.post("/v1/users", json={"name": "Ada"}, headers={"Authorization": f"Bearer {ADMIN_KEY}"}).json()
        client.headers["Authorization"] = f"Bearer {made['api_key']}"
        yield Both(client, google, database)


def test_an_account_is_connected_and_kept_in_step_by_the_command_line(
    both: Both, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    both.work.add("standup")
    server = ["--url", str(both.user.base_url), "--key", both.user.headers["Authorization"].removeprefix("Bearer ")]

    def pasted() -> str:
        """She reads the address, allows what is asked, and pastes where the browser ended."""
        url = next(word for word in capsys.readouterr().out.split() if word.startswith(both.google.url))
        return f"{both.google.allow(url, parse_qs(urlsplit(url).query)['redirect_uri'][0])}\n"

    monkeypatch.setattr("sys.stdin", SimpleNamespace(readline=pasted))
    assert main(["calendars", "google", *server]) == 0
    assert f"{OWNER} is connected." in capsys.readouterr().out
    assert main(["calendars", "choose", "Work", "both", "--collects", "new", *server]) == 0
    found = both.until(lambda: both.user.get("/v1/events").json()["items"])
    assert [one["title"] for one in found] == ["standup"]
    assert main(["calendars", "disconnect", OWNER, *server]) == 0
    assert both.user.get(ACCOUNTS).json()["items"] == []
    both.work.remove(both.work.named("standup")["id"])


def test_a_task_list_is_chosen_and_its_conflict_decided_by_the_command_line(
    both: Both, capsys: pytest.CaptureFixture[str]
) -> None:
    tasks = both.google.lists["a"] = GoogleTaskList("a", "My Tasks")
    milk = tasks.add("buy milk", due="2026-12-01T00:00:00.000Z")
    account = both.connect()
    server = ["--url", str(both.user.base_url), "--key", both.user.headers["Authorization"].removeprefix("Bearer ")]
    assert main(["calendars", "choose", "My Tasks", "both", "--collects", "new", *server]) == 0
    assert "0 tasks" in capsys.readouterr().out
    found = both.until(lambda: both.user.get("/v1/todos").json()["items"])
    assert [(one["task"], one["deadline"]) for one in found] == [("buy milk", "2026-12-01")]
    both.google.stop()
    both.user.patch(f"/v1/todos/{found[0]['id']}", json={"task": "ours"})
    tasks.change(milk["id"], title="theirs")
    both.google.start()
    [listed] = [
        one for one in both.user.get(f"{ACCOUNTS}/{account['id']}/calendars").json()["items"] if one["holds"] == "tasks"
    ]
    both.user.post(f"{ACCOUNTS}/{account['id']}/calendars/{listed['id']}/sync")
    [conflict] = both.until(lambda: both.user.get("/v1/calendar-conflicts").json()["items"])
    assert (conflict["task_id"], conflict["event_id"], conflict["holds"]) == (found[0]["id"], None, "tasks")
    assert main(["calendars", "conflicts", *server]) == 0
    assert "title: ours here, theirs there" in capsys.readouterr().out
    assert main(["calendars", "resolve", conflict["id"], "there", *server]) == 0
    assert [one["task"] for one in both.user.get("/v1/todos").json()["items"]] == ["theirs"]
    both.user.delete(f"{ACCOUNTS}/{account['id']}")
    both.google.lists.clear()


def test_the_refresh_token_is_sealed_and_given_back(both: Both) -> None:
    account = both.connect()
    assert (account["name"], account["username"], account["provider"]) == (OWNER, OWNER, "google")
    [token] = both.google.page.refresh
    with psycopg.connect(both.database) as conn:
        rows = conn.execute("select t::text from summit.calendar_accounts t").fetchall()
    assert token not in str(rows)
    assert token not in both.user.get(f"{ACCOUNTS}/{account['id']}").text
    assert both.user.delete(f"{ACCOUNTS}/{account['id']}").status_code == 204
    assert both.google.page.refresh == {}


def test_an_account_that_cannot_be_given_back_goes_all_the_same(both: Both) -> None:
    account = both.connect()
    both.google.stop()
    try:
        assert both.user.delete(f"{ACCOUNTS}/{account['id']}").status_code == 204
    finally:
        both.google.start()
        both.google.page.refresh.clear()
    assert both.user.get(ACCOUNTS).json()["items"] == []


def test_who_connects_again_keeps_what_was_chosen(both: Both) -> None:
    account = both.connect()
    path = f"{ACCOUNTS}/{account['id']}/calendars"
    calendar = both.user.get(path).json()["items"][0]["id"]
    both.user.patch(f"{path}/{calendar}", json={"direction": "in"})
    problem(both.user.patch(f"{ACCOUNTS}/{account['id']}", json={"password": "secret"}), 409)
    assert both.connect()["id"] == account["id"]
    assert both.user.get(f"{path}/{calendar}").json()["direction"] == "in"
    both.user.delete(f"{ACCOUNTS}/{account['id']}")


def test_an_answer_of_somebody_elses_is_refused(both: Both) -> None:
    """Else a link that a stranger sends would put one's own calendar into the stranger's account."""
    made = both.user.post("/v1/users", json={"name": "Eve"}, headers={"Authorization": f"Bearer {ADMIN_KEY}"}).json()
    eve = {"Authorization": f"Bearer {made['api_key']}"}
    told = problem(both.user.post(GOOGLE, json={"answer": both.asked()}, headers=eve), 422)
    assert told["detail"].startswith("This answer of Google belongs to another request than yours")
    assert both.user.get(ACCOUNTS, headers=eve).json()["items"] == []


def test_the_page_to_come_back_to_shows_the_address_and_does_nothing(both: Both) -> None:
    page = httpx.URL(both.asked())
    with plain_client(str(both.user.base_url)) as nobody:
        answer = nobody.get(page.raw_path.decode() + "&more=<script>")
    assert answer.status_code == 200
    assert page.params["code"] in answer.text
    assert "<script>" not in answer.text
    assert answer.headers["referrer-policy"] == "no-referrer"
    assert both.user.get(ACCOUNTS).json()["items"] == []
