from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from uuid import UUID, uuid4
from zoneinfo import ZoneInfo

import httpx
import pytest

from agents.context import LOCAL_USER
from app.records.reminding import ReminderLoop, utc_now
from tests.support.databases import temporary_database
from tests.support.servers.api import NewClient, problem
from tests.support.servers.live import ask, key_of, open_socket, receive, receive_until, whole_stream
from tests.support.servers.live_server import ADMIN_KEY, live_server, settings_for
from tests.support.servers.plain import plain_client
from tests.support.waiting import wait_until

LOCAL = UUID(LOCAL_USER)


@contextmanager
def telling(server: str, template: str, folder: Path, now: Callable[[], datetime]) -> Iterator[str]:
    """A server that tells its reminders itself."""
    for url in temporary_database(server, template):
        settings = settings_for(url, folder, workers_in_process=True, reminder_look_seconds=0.1)
        with live_server(settings, now) as found:
            yield found


@pytest.fixture(scope="module")
def base_url(postgres_url: str, migrated_template: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with telling(postgres_url, migrated_template, tmp_path_factory.mktemp("telling"), utc_now) as found:
        yield found


@dataclass
class Clock:
    """A clock that stands until a test moves it on; never back, or whoever sleeps by it would sleep too long."""

    stands_at: datetime

    def __call__(self) -> datetime:
        return self.stands_at


@pytest.fixture(scope="module")
def clock() -> Clock:
    return Clock(datetime.now(UTC))


@pytest.fixture(scope="module")
def standing(
    postgres_url: str, migrated_template: str, clock: Clock, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[str]:
    """A server where reminders come due by that clock."""
    with telling(postgres_url, migrated_template, tmp_path_factory.mktemp("standing"), clock) as found:
        yield found


@pytest.fixture
def dora(standing: str) -> Iterator[httpx.Client]:
    """A user of the server whose clock stands."""
    with plain_client(standing, {"Authorization": f"Bearer {ADMIN_KEY}"}) as admin:
        key = admin.post("/v1/users", json={"name": "Dora"}).json()["api_key"]
    with plain_client(standing, {"Authorization": f"Bearer {key}"}) as client:
        yield client


@pytest.fixture
def admin(client: NewClient) -> httpx.Client:
    return client(ADMIN_KEY)


@pytest.fixture
def carol(new_user: Callable[[str], httpx.Client]) -> httpx.Client:
    return new_user("Carol")


def remind(user: httpx.Client, at: datetime | None = None, **fields: Any) -> dict[str, Any]:
    at = at or datetime.now(UTC)
    made = user.post("/v1/todos", json={"task": "call mom", "remind_at": at.isoformat(), **fields})
    assert made.status_code == 201, made.text
    return dict(made.json())


def remind_late(user: httpx.Client, seconds: float) -> None:
    """A reminder that was asked for on a phone without a network, a minute before it was due."""
    said = datetime.now(UTC) - timedelta(seconds=seconds + 60)
    words = {"text": "remind me to call mom in 1 minute", "captured_at": said.isoformat()}
    turn = user.post("/v1/turns", json=words).json()
    assert [change["status"] for change in turn["changes"]] == ["applied"], turn["reply"]


def notified(user: httpx.Client, count: int = 1, **query: Any) -> list[dict[str, Any]]:
    def enough() -> list[dict[str, Any]]:
        items: list[dict[str, Any]] = user.get("/v1/notifications", params=query).json()["items"]
        return items if len(items) >= count else []

    return wait_until(enough, f"for {count} notifications")


@dataclass
class Coming:
    """An outbox from which each reminder is taken once."""

    due_at: list[datetime]

    async def due(self, until: datetime, _most: int) -> list[tuple[UUID, datetime]]:
        return [(LOCAL, at) for at in self.due_at if at <= until]

    async def claim(self, _user_id: UUID, now: datetime, _most: int) -> list[SimpleNamespace]:
        found = [SimpleNamespace(stated=True, late_seconds=0) for at in self.due_at if at <= now]
        self.due_at = [at for at in self.due_at if at > now]
        return found

    async def deliver(
        self, _user_id: UUID, claimed: list[SimpleNamespace], _now: datetime, _day: str
    ) -> list[SimpleNamespace]:
        return claimed


async def test_between_two_looks_it_sleeps_until_the_very_moment() -> None:
    start = datetime(2026, 11, 18, 9, 30, tzinfo=UTC)
    soon, clock = timedelta(milliseconds=345), Clock(start)
    outbox: Any = Coming([start + soon])
    reminding = ReminderLoop(outbox, no_briefing, look_seconds=1.0, clock=clock)
    assert await reminding.look() == soon
    clock.stands_at = start + soon
    assert (await reminding.look(), outbox.due_at) == (timedelta(), [])
    assert await reminding.look() == timedelta(seconds=1)


async def test_a_clock_that_is_set_back_makes_no_pause_longer() -> None:
    start = datetime(2026, 11, 18, 9, 30, tzinfo=UTC)
    moments = iter([start + timedelta(hours=1), start])
    outbox: Any = Coming([])
    reminding = ReminderLoop(outbox, no_briefing, look_seconds=1.0, clock=lambda: next(moments))
    assert await reminding.look() == timedelta(seconds=1)


async def no_briefing(_user_id: UUID, _now: datetime) -> str:
    raise AssertionError("nobody asked for a briefing")


def test_a_reminder_comes_when_it_is_due_over_the_socket_and_into_the_list(
    dora: httpx.Client, standing: str, clock: Clock
) -> None:
    with open_socket(standing, key_of(dora), "?last_seq=0") as socket:
        todo = remind(dora, clock() + timedelta(hours=1))
        remind(dora, clock(), task="at once")
        assert receive_until(socket, "reminder.fired")[-1]["data"]["title"] == "at once"
        clock.stands_at = datetime.fromisoformat(todo["remind_at"])
        fired = receive_until(socket, "reminder.fired")[-1]
    one, _ = notified(dora, 2)
    assert datetime.fromisoformat(one["due_at"]) == datetime.fromisoformat(one["fired_at"]) == clock.stands_at
    assert (one["text"], one["record_id"], one["outcome"]) == ("Reminder: “call mom”.", todo["id"], None)
    assert {name: fired["data"][name] for name in ("id", "text", "record_id")} == {
        name: one[name] for name in ("id", "text", "record_id")
    }


def test_a_late_one_says_how_late(carol: httpx.Client) -> None:
    remind_late(carol, 14 * 60 + 5)
    (one,) = notified(carol)
    assert one["text"].startswith("Reminder: “call mom”, 14 minutes late. It was due ")


def test_unacknowledged_ones_are_sent_again_at_each_connect_until_acknowledged(
    carol: httpx.Client, base_url: str
) -> None:
    remind(carol)
    (one,) = notified(carol)
    for _ in range(2):
        with open_socket(base_url, key_of(carol)) as socket:
            again = receive(socket)
            assert (again["type"], again["data"]["id"], again["data"]["again"]) == ("reminder.fired", one["id"], True)
    acknowledged = carol.post(f"/v1/notifications/{one['id']}/ack").json()
    assert acknowledged["notification"]["outcome"] == "acknowledged"
    assert acknowledged["changes"] == []
    with open_socket(base_url, key_of(carol)) as socket:
        remind(carol, task="next")
        assert receive_until(socket, "reminder.fired")[-1]["data"]["title"] == "next"
    assert carol.get("/v1/notifications", params={"unacknowledged": True}).json()["items"][0]["title"] == "next"


def test_a_stream_is_sent_the_unacknowledged_ones_again_too(carol: httpx.Client) -> None:
    remind(carol)
    (one,) = notified(carol)
    for _ in range(2):
        with whole_stream(carol) as events:
            again = next(events)
            assert (again["type"], again["data"]["id"], again["data"]["again"]) == ("reminder.fired", one["id"], True)
    with whole_stream(carol, after=0) as events:  # told from the beginning, it is told once
        told = [next(events)]
        while told[-1]["type"] != "reminder.fired":
            told.append(next(events))
        assert "again" not in told[-1]["data"]
    with whole_stream(carol, after=told[-1]["seq"]) as events:
        assert next(events)["data"]["again"] is True
    carol.post(f"/v1/notifications/{one['id']}/ack")
    with whole_stream(carol) as events:
        remind(carol, task="next")
        assert next(event for event in events if event["type"] == "reminder.fired")["data"]["title"] == "next"


def test_a_timer_that_rang_is_no_open_task_and_its_notification_can_be_snoozed(carol: httpx.Client) -> None:
    made = remind(carol, kind="reminder", tags=["timer"])
    (one,) = notified(carol)
    assert carol.get("/v1/todos", params={"status": "not started"}).json()["items"] == []
    snoozed = carol.post(f"/v1/notifications/{one['id']}/snooze", json={"minutes": 5})
    assert snoozed.status_code == 200, snoozed.text
    assert carol.get(f"/v1/todos/{made['id']}").json()["status"] == "not started"


def test_an_instruction_in_words_reminds_before_a_meeting(dora: httpx.Client, clock: Clock) -> None:
    said = dora.post("/v1/turns", json={"text": "always remind me 30 minutes before meetings"}).json()
    assert said["changes"][0]["status"] == "applied", said["reply"]
    start = clock() + timedelta(hours=1)
    made = dora.post("/v1/events", json={"title": "meeting with Bob", "start": start.isoformat()})
    assert made.status_code == 201, made.text
    clock.stands_at = start - timedelta(minutes=30)
    (one,) = notified(dora)
    assert one["text"].startswith("Reminder: “meeting with Bob” begins in 30 minutes, ")
    booked = dora.post("/v1/turns", json={"text": "book a meeting with Eve tomorrow at 15:00"}).json()
    assert [change["status"] for change in booked["changes"]] == ["applied"], booked["reply"]
    problem(dora.post(f"/v1/notifications/{one['id']}/done"), 409)
    assert dora.post(f"/v1/notifications/{one['id']}/ack").status_code == 200


def test_metrics_count_what_was_told_and_how_late(carol: httpx.Client) -> None:
    def told(late: str) -> float:
        name = f'summit_reminders_told_total{{late="{late}"}} '
        lines = [line for line in carol.get("/metrics").text.splitlines() if line.startswith(name)]
        return float(lines[0].removeprefix(name)) if lines else 0

    before = told("no"), told("yes")
    remind(carol)
    remind_late(carol, 120)
    notified(carol, 2)
    wait_until(lambda: told("no") + told("yes") > sum(before) + 1)
    assert (told("no"), told("yes")) == (before[0] + 1, before[1] + 1)


def test_a_socket_acknowledges_what_it_was_sent(carol: httpx.Client, base_url: str) -> None:
    remind(carol)
    (one,) = notified(carol)
    with open_socket(base_url, key_of(carol)) as socket:
        assert receive(socket)["data"]["id"] == one["id"]
        assert ask(socket, type="ack", notification_id=one["id"]) == []
        [error] = ask(socket, type="ack", notification_id=str(uuid4()))
        assert (error["type"], error["data"]["status"]) == ("error", 404)
    assert carol.get("/v1/notifications").json()["items"][0]["outcome"] == "acknowledged"


def test_a_stream_resumed_before_a_reminder_is_sent_it_once(carol: httpx.Client, base_url: str) -> None:
    remind(carol)
    notified(carol)
    with open_socket(base_url, key_of(carol), "?last_seq=0") as socket:
        first = receive_until(socket, "reminder.fired")[-1]
        remind(carol, task="next")
        assert receive_until(socket, "reminder.fired")[-1]["data"]["title"] == "next"
    assert "again" not in first["data"]


def test_snooze_moves_the_item_and_reminds_again(dora: httpx.Client, clock: Clock) -> None:
    remind(dora, clock())
    (one,) = notified(dora)
    moment = clock() + timedelta(hours=1)
    until = moment.isoformat()
    key = {"Idempotency-Key": str(uuid4())}
    settled = dora.post(f"/v1/notifications/{one['id']}/snooze", json={"until": until}, headers=key).json()
    assert settled["notification"]["outcome"] == "snoozed"
    (change,) = settled["changes"]
    assert (change["op"], change["record_id"], list(change["fields"])) == ("update", one["record_id"], ["snooze_until"])
    assert dora.post(f"/v1/notifications/{one['id']}/snooze", json={"until": until}, headers=key).json() == settled
    clock.stands_at = moment
    again, first = notified(dora, 2)
    assert (first["id"], again["record_id"]) == (one["id"], one["record_id"])
    assert again["text"] == "Reminder: “call mom”."


def test_a_snooze_that_says_nothing_lasts_ten_minutes(carol: httpx.Client) -> None:
    remind(carol)
    (one,) = notified(carol)
    before = datetime.now(UTC)
    settled = carol.post(f"/v1/notifications/{one['id']}/snooze").json()["notification"]
    asked_at = datetime.fromisoformat(settled["snoozed_until"]) - timedelta(minutes=10)
    assert before - timedelta(seconds=1) <= asked_at <= datetime.now(UTC)


def test_done_completes_the_item_and_can_be_undone(carol: httpx.Client) -> None:
    todo = remind(carol)
    (one,) = notified(carol)
    settled = carol.post(f"/v1/notifications/{one['id']}/done").json()
    assert (settled["notification"]["outcome"], settled["changes"][0]["op"]) == ("done", "complete")
    assert carol.get(f"/v1/todos/{todo['id']}").json()["status"] == "done"
    assert carol.post(f"/v1/notifications/{one['id']}/done").json()["changes"] == []
    assert carol.post(settled["changes"][0]["undo"]).status_code == 200
    assert carol.get(f"/v1/todos/{todo['id']}").json()["status"] == "not started"


def test_a_daily_one_is_done_for_today_only(carol: httpx.Client) -> None:
    todo = remind(carol, task="take pills", recurrence="FREQ=DAILY")
    (one,) = notified(carol)
    assert len(carol.post(f"/v1/notifications/{one['id']}/done").json()["changes"]) == 1
    assert carol.post(f"/v1/notifications/{one['id']}/done").json()["changes"] == []
    now = carol.get(f"/v1/todos/{todo['id']}").json()
    assert now["status"] == "not started"
    assert datetime.fromisoformat(now["remind_at"]) > datetime.now(UTC) + timedelta(hours=22)


def test_done_many_times_at_once_moves_a_daily_one_on_once(carol: httpx.Client) -> None:
    todo = remind(carol, task="take pills", recurrence="FREQ=DAILY")
    (one,) = notified(carol)
    with ThreadPoolExecutor(8) as people:
        answers = list(people.map(lambda _: carol.post(f"/v1/notifications/{one['id']}/done"), range(8)))
    assert {answer.status_code for answer in answers} == {200}
    assert len({change["id"] for answer in answers for change in answer.json()["changes"]}) == 1
    now = datetime.fromisoformat(carol.get(f"/v1/todos/{todo['id']}").json()["remind_at"])
    assert timedelta(hours=22) < now - datetime.now(UTC) < timedelta(hours=25)


def test_what_was_done_after_an_undo_and_a_snooze_is_done_again(carol: httpx.Client) -> None:
    todo = remind(carol)
    (one,) = notified(carol)
    (change,) = carol.post(f"/v1/notifications/{one['id']}/done").json()["changes"]
    problem(carol.post(f"/v1/notifications/{one['id']}/snooze"), 409)
    assert carol.post(change["undo"]).status_code == 200
    assert carol.post(f"/v1/notifications/{one['id']}/snooze").status_code == 200
    assert carol.post(f"/v1/notifications/{one['id']}/done").status_code == 200
    assert carol.get(f"/v1/todos/{todo['id']}").json()["status"] == "done"


def test_a_briefing_tells_the_day_as_it_is_when_it_is_told(carol: httpx.Client) -> None:
    zone = ZoneInfo("Europe/Lisbon")
    today = datetime.now(zone).date()
    yesterday, tomorrow = today - timedelta(days=1), today + timedelta(days=1)
    standup = datetime.combine(yesterday, dt.time(9, 30), zone).isoformat()
    for event in (
        {"title": "standup", "start": standup, "zone": zone.key, "recurrence": "FREQ=DAILY"},
        {"title": "holiday", "start": today.isoformat(), "zone": zone.key},
        {"title": "far away", "start": tomorrow.isoformat(), "zone": zone.key},
    ):
        assert carol.post("/v1/events", json=event).status_code == 201
    for task, deadline in (("report", today), ("taxes", yesterday), ("later", tomorrow)):
        assert carol.post("/v1/todos", json={"task": task, "deadline": deadline.isoformat()}).status_code == 201
    remind(carol, task="daily briefing", kind="reminder", tags=["briefing"], recurrence="FREQ=DAILY")
    (one,) = notified(carol)
    assert one["kind"] == "briefing"
    assert one["text"] == (
        f"Your day, {today:%A} {today.day} {today:%B}: 2 events: “holiday” all day and “standup” at 09:30. "
        "Overdue: “taxes” (since yesterday). Due today: “report”."
    )


def test_the_list_is_paged_the_latest_first(carol: httpx.Client) -> None:
    for number in range(5):
        remind(carol, task=f"task {number}", at=datetime.now(UTC) + timedelta(seconds=number - 10))
    notified(carol, 5)
    seen, cursor = [], None
    while True:
        page = carol.get("/v1/notifications", params={"limit": 2} | ({"cursor": cursor} if cursor else {})).json()
        seen += [item["id"] for item in page["items"]]
        cursor = page["next"]
        if cursor is None:
            break
    assert len(seen) == len(set(seen)) == 5


@pytest.mark.parametrize("verb", ["ack", "snooze", "done"])
def test_nobody_settles_what_is_not_theirs(
    carol: httpx.Client, new_user: Callable[[str], httpx.Client], verb: str
) -> None:
    remind(carol)
    (one,) = notified(carol)
    problem(new_user("Dan").post(f"/v1/notifications/{one['id']}/{verb}"), 404)
    problem(carol.post(f"/v1/notifications/{uuid4()}/{verb}"), 404)


@pytest.mark.parametrize(
    "body",
    [{"minutes": 0}, {"minutes": 5, "until": "2099-01-01T00:00:00Z"}, {"until": "2020-01-01T00:00:00Z"}, {"x": 1}],
)
def test_a_snooze_that_makes_no_sense_is_refused(carol: httpx.Client, body: dict[str, Any]) -> None:
    remind(carol)
    (one,) = notified(carol)
    problem(carol.post(f"/v1/notifications/{one['id']}/snooze", json=body), 422)


def test_what_is_gone_can_only_be_acknowledged(carol: httpx.Client) -> None:
    todo = remind(carol)
    (one,) = notified(carol)
    carol.delete(f"/v1/todos/{todo['id']}")
    problem(carol.post(f"/v1/notifications/{one['id']}/done"), 409)
    problem(carol.post(f"/v1/notifications/{one['id']}/snooze"), 409)
    assert carol.post(f"/v1/notifications/{one['id']}/ack").status_code == 200


def test_a_due_note_is_told_of_snoozed_and_done(dora: httpx.Client, clock: Clock) -> None:
    due = clock() + timedelta(hours=1)
    made = dora.post("/v1/notes", json={"category": "idea", "content": "paint the shed", "deadline": due.isoformat()})
    assert made.status_code == 201, made.text
    clock.stands_at = due
    (one,) = notified(dora)
    assert (one["text"], one["record_kind"]) == ("Reminder: “paint the shed”.", "note")
    until = due + timedelta(hours=1)
    assert dora.post(f"/v1/notifications/{one['id']}/snooze", json={"until": until.isoformat()}).status_code == 200
    clock.stands_at = until
    again, _ = notified(dora, 2)
    (change,) = dora.post(f"/v1/notifications/{again['id']}/done").json()["changes"]
    assert (change["op"], change["kind"]) == ("complete", "note")
    assert dora.get(f"/v1/notes/{made.json()['id']}").json()["status"] == "completed"
    problem(dora.post(f"/v1/notifications/{again['id']}/snooze"), 409)
