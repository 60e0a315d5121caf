from __future__ import annotations

import logging
from pathlib import Path

import httpx
import pytest

from app.http.routes.health import without_paths
from app.settings import Settings
from tests.support.servers.api import NewClient, problem
from tests.support.servers.live_server import live_server, settings_for
from tests.support.servers.plain import plain_client

SECRET = "a very private thought about Rosebud"


@pytest.mark.parametrize("path", ["/livez", "/readyz", "/metrics", "/v1/version", "/openapi.json", "/docs"])
def test_needs_no_key(alice: httpx.Client, client: NewClient, path: str) -> None:
    assert client().get(path).status_code == 200


def test_ready_names_what_it_looked_at(client: NewClient) -> None:
    body = client().get("/readyz").json()
    assert body["status"] == "ready"
    assert {"database", "speech"} <= {check["name"] for check in body["checks"]}
    assert all(set(check) == {"name", "ok", "detail"} for check in body["checks"])


def test_ready_tells_strangers_no_place_on_this_machine(database_url: str, tmp_path: Path) -> None:
    places = {
        "weights_dir": tmp_path / "my weights",
        "speech_model": str(tmp_path / "a model"),
        "voice": "/opt/voices/x",
    }
    settings = settings_for(database_url, tmp_path / "my data", transcriber="auto", **places)
    with live_server(settings) as found, plain_client(found) as stranger:
        told = stranger.get("/readyz").text
    assert str(tmp_path) not in told
    assert "my " not in told
    assert "GB free for DATA_DIR" in told
    with live_server(settings.model_copy(update={"min_free_bytes": 2**62})) as found, plain_client(found) as stranger:
        refused = problem(stranger.get("/readyz"), 503)
    assert str(tmp_path) not in str(refused)
    assert "space" in refused["detail"]


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ("1.0 GB free for /srv/data", "1.0 GB free for DATA_DIR"),
        (
            "no checkpoint at /home/ana/models/x.pt (SUMMIT_WHISPER_MODEL)",
            "no checkpoint at ... (SUMMIT_WHISPER_MODEL)",
        ),
        ("asks http://127.0.0.1:8080/v1/models, 3/4 done", "asks http://127.0.0.1:8080/v1/models, 3/4 done"),
        ("fetched to ~/models; ready", "fetched to ...; ready"),
    ],
)
def test_places_are_called_as_their_settings_are(words: str, told: str) -> None:
    assert without_paths(words, Settings(_env_file=None, data_dir="/srv/data")) == told


def test_metrics_count_by_route_and_hold_nothing_a_user_wrote(alice: httpx.Client, client: NewClient) -> None:
    todo = alice.post("/v1/todos", json={"task": SECRET}).json()
    alice.get(f"/v1/todos/{todo['id']}", params={"q": SECRET})
    alice.get(f"/v1/{SECRET}")
    alice.request("ROSEBUD", "/v1/todos")
    alice.post("/v1/turns", json={"text": SECRET})
    text = client().get("/metrics").text
    assert 'route="/v1/todos/{record_id}"' in text
    assert "summit_turn_answers_total{state=" in text
    assert "Rosebud" not in text
    assert "ROSEBUD" not in text
    assert todo["id"] not in text


def test_metrics_tell_what_waits_in_the_whole_house_apart_from_what_this_process_did(client: NewClient) -> None:
    text = client().get("/metrics").text
    for gauge in ('turns{state="queued"}', "oldest_turn_seconds", "due_reminders", 'webhook_deliveries{state="dead"}'):
        assert f"summit_all_{gauge} " in text
    assert "summit_database_up 1.0" in text
    helps = [line for line in text.splitlines() if line.startswith("# HELP ")]
    assert all(("summit_all_" in line) == ("all servers" in line) != ("this process" in line) for line in helps)


def test_logs_hold_routes_and_nothing_a_user_wrote(alice: httpx.Client, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.DEBUG):
        todo = alice.post("/v1/todos", json={"task": SECRET}, headers={"Idempotency-Key": "Rosebud"})
        alice.get(todo.headers["location"], params={"q": SECRET})
        alice.get("/v1/todos", params={"q": SECRET})
        alice.post("/v1/turns", json={"text": SECRET})
    lines = [record.getMessage() for record in caplog.records if record.name == "summit.access"]
    assert any("method=POST route=/v1/todos status=201" in line for line in lines)
    # httpx speaks for the test; uvicorn's own access log is switched off, which pytest overrides.
    ours = [r for r in caplog.records if not r.name.startswith(("httpx", "httpcore", "uvicorn.access"))]
    everything = "\n".join(logging.Formatter().format(record) for record in ours)
    assert "Rosebud" not in everything
    assert alice.headers["authorization"].split()[1] not in everything


def test_the_reference_loads_nothing_from_elsewhere(client: NewClient) -> None:
    page = client().get("/docs")
    assert "https://" not in page.text
    assert "http://" not in page.text
    assert page.headers["content-security-policy"].startswith("default-src 'none'")


def test_every_answer_carries_its_request_id_and_is_not_kept(alice: httpx.Client) -> None:
    answers = [alice.get("/v1/todos"), alice.get("/nothing"), alice.post("/v1/todos", content=b"{")]
    assert len({answer.headers["x-request-id"] for answer in answers}) == 3
    for answer in answers:
        assert answer.headers["cache-control"] == "no-store"
        assert answer.headers["x-content-type-options"] == "nosniff"


def test_one_connection_serves_good_and_bad_requests(alice: httpx.Client) -> None:
    for _ in range(3):
        assert alice.get("/v1/todos").status_code == 200
        problem(alice.post("/v1/todos", content=b"{", headers={"Content-Type": "application/json"}), 400)
        problem(alice.post("/v1/turns", json={"text": "x" * 30_000}), 413)
