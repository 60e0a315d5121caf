"""What models cost, over HTTP: a turn through a scripted model, its usage, the account, and being out of credits."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import httpx
import pytest

from tests.support.fakes import Call, RecordedRequest, Reply, ScriptedModelServer, Spent, chat
from tests.support.minds import message_of
from tests.support.servers.api import problem
from tests.support.servers.live_server import ADMIN_KEY, live_server, settings_for
from tests.support.servers.plain import plain_client

SPENT = Spent(prompt=2000, completion=300)
"""Of a call: 3500 micros, 4 credits."""


def adding(request: RecordedRequest) -> Reply:
    return chat(Call("create_task", {"title": message_of(request)}), spent=SPENT)(request)


@pytest.fixture
def models() -> Iterator[ScriptedModelServer]:
    with ScriptedModelServer() as server:
        server.script("/chat/completions", adding)
        yield server


@pytest.fixture
def doors(database_url: str, tmp_path: Path, models: ScriptedModelServer) -> Iterator[Callable[[str], httpx.Client]]:
    settings = settings_for(
        database_url,
        tmp_path,
        llm_base_url=models.base_url,
        llm_model="scripted",
        llm_prices={"scripted": (1.0, 5.0)},
        llm_answer_tokens=1000,
        credits_starter=20,
    )
    with live_server(settings) as url:
        yield lambda key: plain_client(url, {"Authorization": f"Bearer {key}"})


def test_a_turn_is_paid_until_the_credits_are_used_up(
    doors: Callable[[str], httpx.Client], models: ScriptedModelServer
) -> None:
    with doors(ADMIN_KEY) as admin:
        made = admin.post("/v1/users", json={"name": "Ada"}).json()
    with doors(made["api_key"]) as ada, doors(ADMIN_KEY) as admin:
        assert ada.get("/v1/credits").json() == {
            "available": 20, "held": 0, "spent": 0, "granted": 20, "enforced": True
        }  # fmt: skip
        turn = ada.post("/v1/turns", json={"text": "buy milk"}).json()
        assert turn["understanding"] == "model"
        assert (turn["usage"]["tokens"], turn["usage"]["credits"]) == (2300, 4)
        turns = [
            ada.post("/v1/turns", json={"text": text}).json() for text in ("call Ana", "pay the rent", "mend the gate")
        ]
        assert turns[-1]["understanding"] == "fallback"
        assert [change["status"] for change in turns[-1]["changes"]] == ["applied"]
        asked = len(models.requests)
        ada.post("/v1/turns", json={"text": "buy bread"})
        assert len(models.requests) == asked
        account = ada.get("/v1/credits").json()
        assert account["available"] + account["spent"] == 20
        assert account["held"] == 0
        usage = ada.get("/v1/usage").json()
        assert usage["credits"] == account["spent"]
        assert [day["model"] for day in usage["days"]] == ["scripted"]
        grant = {"user_id": made["id"], "credits": 100}
        for _ in range(2):
            assert admin.post("/v1/credits", json=grant, headers={"Idempotency-Key": "g"}).status_code == 201
        problem(admin.post("/v1/credits", json={**grant, "credits": 7}, headers={"Idempotency-Key": "g"}), 422)
        assert ada.get("/v1/credits").json()["granted"] == 120
        assert ada.post("/v1/turns", json={"text": "buy soap"}).json()["understanding"] == "model"


def test_only_the_administrator_adds_credits(alice: httpx.Client, admin: httpx.Client) -> None:
    unknown = {"user_id": "00000000-0000-4000-8000-0000000000ff", "credits": 5}
    problem(alice.post("/v1/credits", json=unknown), 403)
    problem(admin.post("/v1/credits", json=unknown), 404)
    problem(admin.post("/v1/credits", json={**unknown, "credits": -5}), 422)


@pytest.mark.parametrize("period", ["from=2026-02-01&to=2026-01-01", "from=2000-01-01&to=2026-01-01", "from=soon"])
def test_a_period_that_cannot_be_is_refused(alice: httpx.Client, period: str) -> None:
    problem(alice.get(f"/v1/usage?{period}"), 422)


def test_the_first_days_there_are_can_be_asked_for(alice: httpx.Client) -> None:
    assert alice.get("/v1/usage?to=0001-01-15").json()["days"] == []


def test_usage_of_nothing_is_nothing(alice: httpx.Client) -> None:
    assert alice.get("/v1/usage").json() == {"days": [], "tokens": 0, "credits": 0}
