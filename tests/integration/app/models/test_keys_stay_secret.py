"""A provider's key is in no dump of the database, in no log and in no traceback, whatever the provider does with it."""

from __future__ import annotations

import traceback
from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest
from langchain_core.messages import HumanMessage
from psycopg import sql

from app.models.llm.choice import Unbilled
from app.models.llm.client import ModelClient, Question
from app.models.llm.faults import ModelFailed
from app.models.llm.limits import RetryBudget
from app.models.llm.requests import ModelTarget
from app.models.metering import Meter
from tests.support.fakes import Reply, ScriptedModelServer
from tests.support.servers.live_server import ADMIN_KEY, live_server, settings_for
from tests.support.servers.plain import plain_client

KEY = "sk-zanzibar-0123456789abcdef"
QUOTED = {"error": {"message": f"Incorrect API key provided: {KEY}", "code": "invalid_api_key"}}
FAULTS = {
    "refused": Reply(QUOTED, status=401),
    "failed": Reply(QUOTED, status=500),
    "not JSON": Reply(f"<html>{KEY}</html>", content_type="text/html"),
    "cut": Reply(QUOTED, cut=True),
}


@pytest.fixture
def models() -> Iterator[ScriptedModelServer]:
    with ScriptedModelServer() as server:
        yield server


def dump(url: str) -> str:
    """Every row of every table, as the superuser sees them."""
    with psycopg.connect(url) as conn:
        conn.execute("set bytea_output = 'escape'")
        tables = conn.execute("select schemaname, tablename from pg_tables where schemaname in ('summit', 'public')")
        rows = [
            conn.execute(sql.SQL("select t::text from {} t").format(sql.Identifier(*table))).fetchall()
            for table in tables.fetchall()
        ]
    return str(rows)


def test_no_dump_and_no_log_holds_a_key(
    database_url: str, tmp_path: Path, models: ScriptedModelServer, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level("DEBUG")
    settings = settings_for(database_url, tmp_path, llm_retries=0, llm_failures=100, llm_refused_seconds=0.001)
    with live_server(settings) as url, plain_client(url) as client:
        admin = {"Authorization": f"Bearer {ADMIN_KEY}"}
        ada = client.post("/v1/users", json={"name": "Ada"}, headers=admin).json()["api_key"]
        own = {"Authorization": f"Bearer {ada}", "Idempotency-Key": "one"}
        place = {"slug": "scripted", "base_url": models.base_url}
        assert client.post("/v1/providers", json=place, headers=admin).status_code == 201
        assert client.post("/v1/providers", json={"slug": "scripted", "api_key": KEY}, headers=own).status_code == 201
        client.put("/v1/models/chat", json={"provider": "scripted", "model": "m"}, headers=own).raise_for_status()
        replies = ""
        for name, fault in FAULTS.items():
            models.script("/chat/completions", fault)
            models.script("/models", fault)
            keyed = {**own, "Idempotency-Key": name}
            replies += client.post("/v1/turns", json={"text": f"buy milk, {name}"}, headers=keyed).text
            replies += client.post("/v1/providers/scripted/test", json={}, headers=keyed).text
    assert {request.headers["authorization"] for request in models.requests} == {f"Bearer {KEY}"}
    held = dump(database_url)
    assert "buy milk, refused" in held
    for text in (held, replies, caplog.text):
        assert KEY not in text
        assert KEY.encode().hex() not in text


@pytest.mark.parametrize("fault", FAULTS)
async def test_no_traceback_holds_a_key(models: ScriptedModelServer, fault: str) -> None:
    models.script("/chat/completions", FAULTS[fault])
    target, engine = ModelTarget(models.base_url, "m", KEY), ModelClient(1_000_000)
    try:
        for talks in (True, False):
            patience = RetryBudget(Meter(), Unbilled(), retries=0, backoff_seconds=0, seconds=60, budget_seconds=60)
            with pytest.raises(ModelFailed) as caught:
                await _ask(engine, target, patience, talks=talks)
            told = traceback.TracebackException.from_exception(caught.value, capture_locals=True)
            assert KEY not in "".join(told.format())
    finally:
        await engine.close()


async def _ask(engine: ModelClient, target: ModelTarget, patience: RetryBudget, *, talks: bool) -> None:
    messages = [HumanMessage("hello")]
    if talks:
        await engine.converse(target, messages, patience)
    else:
        await engine.ask(Question(target, messages, [], patience), lambda reply: reply)
