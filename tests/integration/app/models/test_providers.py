"""Providers over HTTP: keys of users, addresses of administrators, choices that count at the next turn."""

from __future__ import annotations

from collections.abc import Iterator

import httpx
import pytest

from tests.support.fakes import Call, RecordedRequest, Reply, ScriptedModelServer, chat
from tests.support.minds import message_of
from tests.support.servers.api import problem

KEY = "sk-secret-of-alice-0001"
TEXT = "get the gate sorted one of these days maybe"
"""Words that the built-in understanding is not sure of."""


def adding(request: RecordedRequest) -> Reply:
    return chat(Call("create_task", {"title": message_of(request)}))(request)


@pytest.fixture
def models() -> Iterator[ScriptedModelServer]:
    with ScriptedModelServer() as server:
        server.script("/chat/completions", adding)
        server.script("/models", Reply({"data": [{"id": "small"}, {"id": "large"}]}))
        yield server


@pytest.fixture
def lab(admin: httpx.Client, models: ScriptedModelServer) -> Iterator[str]:
    """A provider that the administrator added."""
    made = admin.post("/v1/providers", json={"slug": "lab", "name": "Lab", "base_url": models.base_url})
    assert made.status_code == 201, made.text
    yield "lab"
    assert admin.delete("/v1/providers/lab").status_code == 204


def test_everybody_sees_the_seeds(alice: httpx.Client) -> None:
    shown = alice.get("/v1/providers").json()
    assert {"openai", "anthropic", "openrouter", "vercel", "voyage", "ollama"} <= {
        one["slug"] for one in shown["items"]
    }
    assert shown["models"] == []


def test_a_key_is_kept_and_never_shown(alice: httpx.Client, bob: httpx.Client) -> None:
    made = alice.post("/v1/providers", json={"slug": "openai", "api_key": KEY})
    assert made.status_code == 201
    assert (made.json()["hint"], made.json()["own_key"]) == ("0001", True)
    assert KEY not in alice.get("/v1/providers").text
    assert "0001" not in bob.get("/v1/providers").text
    assert alice.delete("/v1/providers/openai").status_code == 204
    problem(alice.delete("/v1/providers/openai"), 404)


@pytest.mark.parametrize("field", [{"base_url": "https://evil.example/v1"}, {"name": "x"}, {"capabilities": ["chat"]}])
def test_a_user_sets_nothing_but_a_key(alice: httpx.Client, field: dict[str, object]) -> None:
    problem(alice.post("/v1/providers", json={"slug": "openai", **field}), 403)
    assert alice.get("/v1/providers").json()["items"][0]["base_url"] == "https://api.openai.com/v1"


@pytest.mark.parametrize(
    "url", ["ftp://x/v1", "https://user:pw@x/v1", "https://x/v1?key=1", "x", "http://[", "http://"]
)
def test_an_address_that_is_none_is_refused(admin: httpx.Client, url: str) -> None:
    problem(admin.post("/v1/providers", json={"slug": "lab", "base_url": url}), 422)


def test_an_unknown_provider_needs_an_address(alice: httpx.Client) -> None:
    problem(alice.post("/v1/providers", json={"slug": "nowhere", "api_key": KEY}), 422)
    problem(alice.post("/v1/providers/nowhere/test", json={}), 404)
    problem(alice.put("/v1/models/chat", json={"provider": "nowhere", "model": "x"}), 422)
    problem(alice.put("/v1/models/chat", json={"provider": "voyage", "model": "x"}), 422)


def test_the_connection_is_tested_with_the_key_in_use(
    alice: httpx.Client, lab: str, models: ScriptedModelServer
) -> None:
    alice.post("/v1/providers", json={"slug": lab, "api_key": KEY})
    tested = alice.post(f"/v1/providers/{lab}/test", json={}).json()
    assert tested == {
        "ok": True,
        "detail": "It answers and has 2 models.",
        "models": ["small", "large"],
        "model": None,
        "features": {},
    }
    assert models.to("/models")[0].headers["authorization"] == f"Bearer {KEY}"
    models.script("/models", Reply({"error": f"bad key {KEY}"}, status=401))
    refused = alice.post(f"/v1/providers/{lab}/test", json={}).json()
    assert (refused["ok"], refused["detail"]) == (False, "It refuses the key (401).")
    models.script("/models", Reply("<html>", content_type="text/html"))
    assert alice.post(f"/v1/providers/{lab}/test", json={}).json()["ok"] is False


def test_the_model_in_use_or_the_one_named_is_tried(alice: httpx.Client, lab: str, models: ScriptedModelServer) -> None:
    alice.put("/v1/models/chat", json={"provider": lab, "model": "small"})
    models.script("/chat/completions", chat(Call("report", {"word": "hello"}), text="hello"))
    tested = alice.post(f"/v1/providers/{lab}/test").json()
    assert (tested["ok"], tested["model"]) == (True, "small")
    works = {"tools": True, "tool_choice": True, "json_schema": False, "streaming": True, "usage": True}
    assert tested["features"] == works
    named = alice.post(f"/v1/providers/{lab}/test", json={"model": "large"}).json()
    assert named["model"] == "large"
    missing = alice.post(f"/v1/providers/{lab}/test", json={"model": "huge"}).json()
    assert (missing["ok"], missing["detail"]) == (False, "It has no model huge.")
    problem(alice.post(f"/v1/providers/{lab}/test", json={"model": 7}), 422)


def test_a_model_that_is_chosen_is_asked_at_the_next_turn(
    alice: httpx.Client, bob: httpx.Client, lab: str, models: ScriptedModelServer
) -> None:
    assert alice.post("/v1/turns", json={"text": TEXT}).json()["understanding"] == "built-in"
    alice.post("/v1/providers", json={"slug": lab, "api_key": KEY})
    chosen = alice.put("/v1/models/chat", json={"provider": lab, "model": "small"}).json()
    assert [(one["tier"], one["model"], one["own"]) for one in chosen] == [
        ("fast", "small", True),
        ("reason", "small", True),
    ]
    alice.put("/v1/models/chat", json={"provider": lab, "model": "large", "tier": "reason"})
    turn = alice.post("/v1/turns", json={"text": TEXT}).json()
    assert turn["understanding"] == "model"
    asked = models.to("/chat/completions")
    assert [request.json["model"] for request in asked] == ["small"]
    assert {request.headers["authorization"] for request in asked} == {f"Bearer {KEY}"}
    assert bob.post("/v1/turns", json={"text": TEXT}).json()["understanding"] == "built-in"


def test_a_choice_that_is_forgotten_sends_nothing_to_the_model_any_more(
    alice: httpx.Client, lab: str, models: ScriptedModelServer
) -> None:
    alice.put("/v1/models/chat", json={"provider": lab, "model": "small"})
    assert alice.delete("/v1/models/chat").status_code == 204
    asked = len(models.requests)
    assert alice.post("/v1/turns", json={"text": TEXT}).json()["understanding"] == "built-in"
    assert len(models.requests) == asked
    problem(alice.delete("/v1/models/chat"), 404)


def test_everybodys_model_is_not_a_users_to_forget(admin: httpx.Client, alice: httpx.Client, lab: str) -> None:
    alice.delete("/v1/models/chat")
    admin.put("/v1/models/chat", json={"provider": lab, "model": "small"})
    problem(alice.delete("/v1/models/chat"), 404)
    alice.put("/v1/models/chat", json={"provider": lab, "model": "large", "tier": "fast"})
    assert alice.delete("/v1/models/chat").status_code == 204
    found = alice.get("/v1/providers").json()["models"]
    assert {(one["tier"], one["model"], one["own"]) for one in found if one["capability"] == "chat"} == {
        ("fast", "small", False),
        ("reason", "small", False),
    }
    assert admin.delete("/v1/models/chat").status_code == 204


def test_the_administrator_chooses_for_everybody(
    admin: httpx.Client, bob: httpx.Client, lab: str, models: ScriptedModelServer
) -> None:
    admin.post("/v1/providers", json={"slug": lab, "capabilities": ["embeddings"]})
    admin.put("/v1/models/embeddings", json={"provider": lab, "model": "small"})
    found = bob.get("/v1/providers").json()["models"]
    assert ("embeddings", "small", False) in [(one["capability"], one["model"], one["own"]) for one in found]


@pytest.mark.parametrize("capability", ["chat", "embeddings", "transcription"])
def test_a_provider_elsewhere_without_a_key_is_not_chosen(alice: httpx.Client, capability: str) -> None:
    before = alice.get("/v1/providers").json()["models"]
    refused = problem(alice.put(f"/v1/models/{capability}", json={"provider": "openai", "model": "m"}), 422)
    assert refused["detail"] == "OpenAI has no key, so nothing is sent to it."
    assert refused["hint"] == (
        'Set one with POST /v1/providers {"slug": "openai", "api_key": "..."} and choose the model again. '
        "A server of your own that asks for no key takes any word as one."
    )
    assert alice.get("/v1/providers").json()["models"] == before


def test_a_key_of_everybodys_is_a_key(admin: httpx.Client, alice: httpx.Client) -> None:
    admin.post("/v1/providers", json={"slug": "openai", "base_url": "https://models.invalid/v1", "api_key": KEY})
    try:
        assert alice.put("/v1/models/chat", json={"provider": "openai", "model": "m"}).status_code == 200
    finally:
        admin.delete("/v1/providers/openai")
    found = [one for one in alice.get("/v1/providers").json()["models"] if one["own"]]
    assert [one["key_missing"] for one in found] == [True, True]
    assert alice.post("/v1/turns", json={"text": TEXT}).json()["understanding"] == "built-in"
    assert alice.delete("/v1/models/chat").status_code == 204


def test_a_server_on_this_machine_needs_no_key(alice: httpx.Client, lab: str, models: ScriptedModelServer) -> None:
    chosen = alice.put("/v1/models/chat", json={"provider": lab, "model": "small"}).json()
    assert not any(one["key_missing"] for one in chosen)
    assert alice.post("/v1/turns", json={"text": TEXT}).json()["understanding"] == "model"
    assert alice.delete("/v1/models/chat").status_code == 204


def test_a_model_that_the_provider_does_not_list_is_not_chosen(
    alice: httpx.Client, lab: str, models: ScriptedModelServer
) -> None:
    alice.post("/v1/providers", json={"slug": lab, "api_key": KEY})
    refused = problem(alice.put("/v1/models/chat", json={"provider": lab, "model": "larg"}), 422)
    assert refused["detail"] == "Lab has no model larg."
    assert refused["hint"] == "It has large, small. POST /v1/providers/lab/test lists all that it has."
    assert [one for one in alice.get("/v1/providers").json()["models"] if one["own"]] == []
    assert models.to("/models")[-1].headers["authorization"] == f"Bearer {KEY}"


@pytest.mark.parametrize(
    ("listed", "model"),
    [
        (Reply({"data": [{"id": "small:latest"}]}), "small"),
        (Reply({"data": []}), "small"),
        (Reply({}, status=404), "small"),
        (Reply({}, status=500), "small"),
        (Reply(drop=True), "small"),
    ],
    ids=["its usual version", "an empty list", "no list", "an error", "no answer"],
)
def test_a_model_is_believed_where_no_list_denies_it(
    alice: httpx.Client, lab: str, models: ScriptedModelServer, listed: Reply, model: str
) -> None:
    models.script("/models", listed)
    assert alice.put("/v1/models/chat", json={"provider": lab, "model": model}).status_code == 200
    assert alice.delete("/v1/models/chat").status_code == 204
