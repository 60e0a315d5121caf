"""One user, and one key, cannot ask without end: 429 with Retry-After, and websockets that are read no faster."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from uuid import uuid4

import httpx
import pytest

from app.http.auth import Caller
from app.http.rates import MOST_REMEMBERED, Rates
from app.settings import Settings
from tests.support.servers.api import problem
from tests.support.servers.live import open_socket, receive, send
from tests.support.servers.live_server import ADMIN_KEY, live_server, settings_for
from tests.support.servers.plain import plain_client
from tests.support.waiting import HANG_SECONDS


@dataclass
class Clock:
    """A clock that stands until a test moves it."""

    now: float = 0.0

    def __call__(self) -> float:
        return self.now


def rates(clock: Clock, user: int, key: int) -> Rates:
    settings = Settings(_env_file=None, requests_per_minute_per_user=user, requests_per_minute_per_key=key)
    return Rates(settings, clock)


def test_a_minutes_worth_comes_at_once_and_then_one_after_the_other() -> None:
    clock = Clock()
    limited, caller = rates(clock, 60, 1000), Caller(uuid4(), frozenset(), "key 1")
    assert [limited.seconds_to_wait(caller) for _ in range(60)] == [0.0] * 60
    assert limited.seconds_to_wait(caller) == pytest.approx(1.0)
    clock.now += 1.0
    assert limited.seconds_to_wait(caller) == 0.0
    assert limited.seconds_to_wait(caller) > 0
    clock.now += 60
    assert [limited.seconds_to_wait(caller) for _ in range(60)] == [0.0] * 60


def test_a_key_has_less_than_its_user_and_nobody_pays_for_another() -> None:
    limited, user = rates(Clock(), 30, 20), uuid4()
    phone, tablet = Caller(user, frozenset(), "key 1"), Caller(user, frozenset(), "key 2")
    other = Caller(uuid4(), frozenset(), "key 3")
    assert [limited.seconds_to_wait(phone) > 0 for _ in range(21)] == [False] * 20 + [True]
    assert [limited.seconds_to_wait(tablet) > 0 for _ in range(11)] == [False] * 10 + [True]
    assert limited.seconds_to_wait(other) == 0.0


def test_what_is_remembered_is_bounded() -> None:
    clock = Clock()
    limited = rates(clock, 1000, 1000)
    for _ in range(MOST_REMEMBERED):
        clock.now += 1.0
        limited.seconds_to_wait(Caller(uuid4(), frozenset(), f"key {clock.now}"))
    assert len(limited._until) <= MOST_REMEMBERED + 2


def key_at(url: str) -> str:
    made = httpx.post(
        f"{url}/v1/users", json={"name": "Ann"}, headers={"Authorization": f"Bearer {ADMIN_KEY}"}, timeout=HANG_SECONDS
    )
    return str(made.json()["api_key"])


def test_who_asks_too_fast_is_told_when_to_ask_again(database_url: str, tmp_path: Path) -> None:
    with live_server(settings_for(database_url, tmp_path, requests_per_minute_per_key=3)) as url:
        with plain_client(url, {"Authorization": f"Bearer {key_at(url)}"}) as client:
            answers = [client.get("/v1/todos") for _ in range(12)]
            assert [answer.status_code for answer in answers[:3]] == [200] * 3
            refused = [answer for answer in answers if answer.status_code == 429]
            assert refused
            assert "minute" in problem(refused[-1], 429)["detail"]
            assert 1 <= int(refused[-1].headers["Retry-After"]) <= 20
        other = {"Authorization": f"Bearer {key_at(url)}"}
        assert httpx.get(f"{url}/v1/todos", headers=other, timeout=HANG_SECONDS).status_code == 200


A_MINUTES_WORTH, MORE = 300, 5


def test_a_flood_of_frames_is_read_slower_and_loses_nothing(database_url: str, tmp_path: Path) -> None:
    settings = settings_for(database_url, tmp_path, requests_per_minute_per_key=A_MINUTES_WORTH + 1)
    told: list[str] = []
    clock = Clock()
    with live_server(settings, clock=clock) as url, open_socket(url, key_at(url)) as socket:  # opening it counts, too
        for _ in range(A_MINUTES_WORTH + MORE):
            send(socket, type="ping")
        while not told or told[-1] == "pong":
            told.append(receive(socket)["type"])
        assert told == ["pong"] * A_MINUTES_WORTH + ["error"]
        clock.now += 60
        assert [receive(socket)["type"] for _ in range(MORE)] == ["pong"] * MORE
