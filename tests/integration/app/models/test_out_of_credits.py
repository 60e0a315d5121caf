"""Refusing whoever is out of credits, at every door, before any work; and a model's rest in /readyz."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.support.fakes import Call, RecordedRequest, Reply, ScriptedModelServer, Spent, chat
from tests.support.minds import message_of
from tests.support.servers.api import problem
from tests.support.servers.live import open_socket, receive_until, send
from tests.support.servers.live_server import ADMIN_KEY, live_server, settings_for
from tests.support.servers.plain import plain_client

KEYED = {"Idempotency-Key": "milk"}
Doors = Callable[[str], httpx.Client]


def adding(request: RecordedRequest) -> Reply:
    """Adds a task for 8 of 12 credits, which leaves less than a question may cost."""
    return chat(Call("create_task", {"title": message_of(request)}), spent=Spent(4000, 800))(request)


@pytest.fixture
def models() -> Iterator[ScriptedModelServer]:
    with ScriptedModelServer() as server:
        server.script("/chat/completions", adding)
        yield server


@pytest.fixture
def doors(database_url: str, tmp_path: Path, models: ScriptedModelServer) -> Iterator[Doors]:
    asked: dict[str, Any] = {
        "llm_base_url": models.base_url,
        "llm_model": "scripted",
        "llm_prices": {"scripted": (1.0, 5.0)},
        "llm_answer_tokens": 1000,
        "llm_retries": 0,
        "llm_failures": 2,
        "credits_starter": 12,
        "credits_empty": "refuse",
    }
    with live_server(settings_for(database_url, tmp_path, **asked)) as url:
        yield lambda key: plain_client(url, {"Authorization": f"Bearer {key}"})


def test_who_is_out_of_credits_is_refused_at_every_door_before_any_work(
    doors: Doors, models: ScriptedModelServer
) -> None:
    with doors(ADMIN_KEY) as admin:
        made = admin.post("/v1/users", json={"name": "Ada"}).json()
    with doors(made["api_key"]) as ada, doors(ADMIN_KEY) as admin:
        first = ada.post("/v1/turns", json={"text": "buy milk"}, headers=KEYED).json()
        assert (first["understanding"], first["usage"]["credits"]) == ("model", 8)
        asked = len(models.requests)
        bread = {"text": "buy bread"}
        told = problem(ada.post("/v1/turns", json=bread), 402)
        assert "GET /v1/credits" in told["hint"]
        problem(ada.post("/v1/turns", json=bread, headers={"Accept": "text/event-stream"}), 402)
        problem(ada.post("/v1/turns", json=bread, headers={"Prefer": "respond-async"}), 402)
        clip = {"audio": ("a.wav", b"RIFF....WAVEfmt ", "audio/wav")}
        problem(ada.post("/v1/turns", files=clip), 402)
        assert refused_over_websocket(ada, made["api_key"]) == 402
        assert len(models.requests) == asked
        assert [todo["task"] for todo in ada.get("/v1/todos").json()["items"]] == ["buy milk"]
        assert len(ada.get(f"/v1/threads/{first['thread_id']}/messages").json()["items"]) == 2
        assert ada.post("/v1/turns", json={"text": "buy milk"}, headers=KEYED).json()["id"] == first["id"]
        admin.post("/v1/credits", json={"user_id": made["id"], "credits": 100})
        assert ada.post("/v1/turns", json=bread).json()["understanding"] == "model"


def refused_over_websocket(client: httpx.Client, key: str) -> int:
    """The status of the problem that a message is answered with."""
    with open_socket(str(client.base_url).rstrip("/"), key) as socket:
        send(socket, type="turn", text="buy bread")
        return int(receive_until(socket, "error")[-1]["data"]["status"])


def test_a_model_that_is_left_alone_is_told_by_readyz(doors: Doors, models: ScriptedModelServer) -> None:
    models.script("/chat/completions", Reply({}, status=500))
    with doors(ADMIN_KEY) as admin:
        made = admin.post("/v1/users", json={"name": "Ada"}).json()
        assert lines(admin)["language model"] == "asked where one is chosen and needed"
        with doors(made["api_key"]) as ada:
            replies = [ada.post("/v1/turns", json={"text": f"buy brand {number}"}).json() for number in range(3)]
        assert {turn["understanding"] for turn in replies} == {"fallback"}
        assert len(models.requests) == 2
        assert "left alone: 127.0.0.1:" in lines(admin)["language model"]


def lines(client: httpx.Client) -> dict[str, str]:
    """What /readyz tells, by name."""
    return {check["name"]: check["detail"] for check in client.get("/readyz").json()["checks"]}
