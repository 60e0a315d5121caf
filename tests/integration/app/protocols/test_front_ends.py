"""A front end that serves several people with the key that is configured for it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import httpx
import openai
import pytest
from openai import OpenAI
from websockets.exceptions import InvalidStatus
from websockets.sync.client import connect

from app.http.front_ends import OPENAI_PATHS
from tests.support.servers.live_server import ADMIN_KEY, live_server, settings_for
from tests.support.servers.plain import plain_client
from tests.support.waiting import HANG_SECONDS

KEY = "the key of the front end"
ADA = {"X-OpenWebUI-User-Id": "7", "X-OpenWebUI-User-Name": "Ada%20L%C3%B6w", "X-OpenWebUI-Chat-Id": "one"}
BOB = {"X-Summit-User": "8", "X-Summit-User-Name": "Bob", "X-OpenWebUI-Chat-Id": "one"}
ADMIN = {"Authorization": f"Bearer {ADMIN_KEY}"}


@pytest.fixture
def url(database_url: str, tmp_path: Path) -> Iterator[str]:
    with live_server(settings_for(database_url, tmp_path, front_end_key=KEY)) as found:
        yield found


def front_end(url: str, person: dict[str, str], key: str = KEY) -> OpenAI:
    return OpenAI(base_url=f"{url}/v1", api_key=key, default_headers=person, max_retries=0)


def say(client: OpenAI, words: str) -> str:
    answer = client.chat.completions.create(model="summit", messages=[{"role": "user", "content": words}])
    return str(answer.choices[0].message.content)


def test_each_person_is_a_user_of_their_own(url: str) -> None:
    with front_end(url, ADA) as ada, front_end(url, BOB) as bob:
        assert [model.id for model in ada.models.list()] == ["summit", "summit-plain"]
        assert "milk" in say(ada, "buy milk")
        assert "bread" in say(bob, "buy bread")
        told = say(ada, "what is on my to-do list?")
    assert "milk" in told
    assert "bread" not in told
    names = {user["name"] for user in httpx.get(f"{url}/v1/users", headers=ADMIN, timeout=HANG_SECONDS).json()["items"]}
    assert {"Ada Löw", "Bob"} <= names


def test_who_is_named_to_another_key_is_not_looked_at(url: str) -> None:
    made = httpx.post(f"{url}/v1/users", json={"name": "Carla"}, headers=ADMIN, timeout=HANG_SECONDS).json()
    with front_end(url, ADA, made["api_key"]) as carla, front_end(url, ADA) as ada:
        say(carla, "buy milk")
        assert "milk" not in say(ada, "what is on my to-do list?")
    with plain_client(url, {"Authorization": f"Bearer {made['api_key']}"}) as rest:
        assert [one["task"] for one in rest.get("/v1/todos").json()["items"]] == ["buy milk"]


def test_a_front_end_that_names_nobody_is_told_how(url: str) -> None:
    with front_end(url, {}) as nobody, pytest.raises(openai.AuthenticationError, match="whom it speaks for"):
        say(nobody, "buy milk")


def test_its_key_opens_nothing_but_openais_protocol(url: str) -> None:
    with plain_client(url, {"Authorization": f"Bearer {KEY}", **ADA}) as client:
        description = client.get("/openapi.json").json()
        routes = [
            (method, re.sub(r"\{\w+\}", "00000000-0000-4000-8000-000000000001", path))
            for path, methods in description["paths"].items()
            if path.startswith(("/v1/", "/lg/", "/mcp", "/agui"))
            and path not in {*OPENAI_PATHS, "/v1/version", "/lg/ok"}
            for method in methods
            if not (method == "get" and path in ("/v1/models", "/v1/models/{name}"))
        ]
        opened = [(method, path) for method, path in routes if client.request(method, path).status_code != 403]
    assert len(routes) > 100
    # A feed is opened by the secret in its address, a page's session by the key in its body.
    assert {path for _, path in opened} <= {
        "/v1/calendar/00000000-0000-4000-8000-000000000001.ics",
        "/v1/session",
    }
    with pytest.raises(InvalidStatus) as refused:
        connect(
            f"{url.replace('http', 'ws')}/v1/ws",
            additional_headers={"Authorization": f"Bearer {KEY}", **ADA},
            open_timeout=HANG_SECONDS,
        )
    assert refused.value.response.status_code == 403


def test_without_the_setting_the_same_words_open_nothing(database_url: str, tmp_path: Path) -> None:
    with live_server(settings_for(database_url, tmp_path)) as url:
        httpx.post(f"{url}/v1/users", json={"name": "Carla"}, headers=ADMIN, timeout=HANG_SECONDS)
        with front_end(url, ADA) as client, pytest.raises(openai.AuthenticationError):
            say(client, "buy milk")
