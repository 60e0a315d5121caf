"""Spans of requests, turns, clips and runs, as a collector receives them: who did what, how long, and no words."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from pathlib import Path
from queue import Queue
from typing import Any

import pytest
from fastapi import FastAPI
from httpx import ASGITransport, AsyncClient
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest
from starlette.middleware import Middleware
from starlette.responses import Response

from app.database.database import Database
from app.http.access import Access
from app.http.accounts.store.users import Users
from app.http.metrics import Metrics
from app.http.telemetry import open_tracing, trace_id_of
from app.settings import Settings
from app.tracing import NOTHING, span
from app.voice.model import Transcription
from tests.support.fakes import Call, RecordedRequest, Reply, ScriptedModelServer
from tests.support.minds import mind_at, model
from tests.support.runs.desk import Desk, Script, call, finish
from tests.support.servers.turn_server import turn_server
from tests.support.speech.studio import ScriptedTranscriber, heard, open_studio
from tests.support.waiting import HANG_SECONDS

SERVER = 2
"""The number of a server's span in OpenTelemetry's protocol."""
SECRET = "the locksmith's password is heliotrope"


@pytest.fixture
def collector() -> Iterator[ScriptedModelServer]:
    with ScriptedModelServer() as server:
        server.script("/traces", Reply(b"", content_type="application/x-protobuf"))
        yield server


@asynccontextmanager
async def traced(collector: ScriptedModelServer) -> AsyncIterator[None]:
    async with open_tracing(Settings(otlp_endpoint=collector.base_url.removesuffix("/v1"))):
        yield


def spans_at(collector: ScriptedModelServer) -> list[Any]:
    received = [ExportTraceServiceRequest.FromString(request.body) for request in collector.to("/traces")]
    return [
        one
        for batch in received
        for whole in batch.resource_spans
        for scope in whole.scope_spans
        for one in scope.spans
    ]


def attributes(one: Any) -> dict[str, Any]:
    return {pair.key: getattr(pair.value, pair.value.WhichOneof("value")) for pair in one.attributes}


def lineage(one: Any, spans: list[Any]) -> list[str]:
    """Its name and those of the spans around it."""
    outer = [other for other in spans if other.span_id == one.parent_span_id]
    return [one.name, *(lineage(outer[0], spans) if outer else [])]


def has_no_words(collector: ScriptedModelServer) -> bool:
    bodies = b"".join(request.body for request in collector.to("/traces"))
    return not any(word.encode() in bodies for word in ("heliotrope", "locksmith", "4711"))


async def test_a_turn_its_agents_and_their_calls_of_a_model(database: Database, collector: ScriptedModelServer) -> None:
    note = [Call("create_note", {"title": SECRET})]
    collector.script("/chat/completions", model({f"note that {SECRET}": note}))
    async with traced(collector), turn_server(database, mind_at(collector)) as server:
        turn = await server.say(f"note that {SECRET}")
    spans = spans_at(collector)
    lines = [lineage(one, spans) for one in spans]
    assert ["chat scripted", "invoke_agent conversation_agent", "turn"] in lines
    assert ["invoke_agent update_notes", "turn"] in lines
    assert ["invoke_agent response_synthesizer", "turn"] in lines
    told = {one.name: attributes(one) for one in spans}
    assert told["turn"] == {
        "summit.turn.id": str(turn.id),
        "summit.turn.attempt": 1,
        "summit.user.id": str(server.user),
        "summit.outcome": "done",
        "summit.usage.tokens": turn.usage["tokens"],
        "summit.usage.credits": 0,
    }
    assert told["chat scripted"]["gen_ai.usage.output_tokens"] > 0
    assert {int.from_bytes(one.trace_id) for one in spans} == {trace_id_of(turn.id)}
    assert has_no_words(collector)


async def test_a_run_is_one_trace_over_all_its_jobs(
    database: Database, tmp_path: Path, collector: ScriptedModelServer
) -> None:
    user = (await Users(database).create("Ada")).id
    script = Script(
        call("write_file", path="a.txt", content=SECRET),
        call("read_file", path="nowhere.txt"),
        call("no_such_tool_4711"),
        call("ask_user", question=f"Is it so that {SECRET}?"),
        finish(SECRET),
    )
    desk = Desk(database, user, tmp_path / "files", script)
    async with traced(collector):
        run_id = await desk.start(SECRET)
        await desk.work_off()
        await desk.decide(run_id, "responded", text=SECRET)
    spans = spans_at(collector)
    assert {int.from_bytes(one.trace_id) for one in spans} == {trace_id_of(run_id)}
    claims = [attributes(one)["summit.outcome"] for one in spans if one.name == "run"]
    assert claims == ["waiting", "goal_achieved"]
    [failed] = [one for one in spans if one.name == "execute_tool read_file"]
    assert lineage(failed, spans) == ["execute_tool read_file", "run.act", "run"]
    assert (failed.status.code, failed.status.message, len(failed.events)) == (2, "", 0)
    assert attributes(failed)["error.type"] == "not_found"
    steps = [attributes(one)["summit.run.step"] for one in spans if one.name == "run.act"]
    assert steps == [1, 2, 3, 4]
    assert has_no_words(collector)


async def test_a_request_is_told_by_its_route_and_its_status(collector: ScriptedModelServer) -> None:
    app = FastAPI(middleware=[Middleware(Access, metrics=Metrics())])

    @app.get("/v1/memos/{name}")
    async def shown(name: str) -> Response:
        return Response(f"{name}: heliotrope")

    @app.get("/readyz")
    async def broken() -> Response:
        return Response("heliotrope", status_code=503)

    async with traced(collector), AsyncClient(transport=ASGITransport(app), base_url="http://summit") as client:
        await client.get("/v1/memos/locksmith", params={"q": "heliotrope"}, headers={"X-Note": "4711"})
        await client.get("/readyz")
        await client.request("HELIOTROPE", "/4711")
    spans = {one.name: one for one in spans_at(collector)}
    assert list(spans) == ["GET /v1/memos/{name}", "GET /readyz", "OTHER unknown"]
    found = spans["GET /v1/memos/{name}"]
    assert attributes(found) == {
        "http.request.method": "GET",
        "http.route": "/v1/memos/{name}",
        "http.response.status_code": 200,
    }
    assert (found.kind, found.status.code) == (SERVER, 0)
    assert (attributes(spans["GET /readyz"])["error.type"], spans["GET /readyz"].status.code) == ("503", 2)
    assert attributes(spans["OTHER unknown"])["http.response.status_code"] == 404
    assert has_no_words(collector)


async def test_each_try_of_a_clip_is_told_and_what_was_heard_is_not(
    database: Database, tmp_path: Path, collector: ScriptedModelServer
) -> None:
    failed = Transcription("upstream_error", reason=SECRET, retryable=True)
    transcriber = ScriptedTranscriber(failed, heard(f"note that {SECRET}"))
    async with traced(collector), open_studio(database.url, tmp_path, transcriber) as studio:
        memo_id, turn = await studio.record()
        await studio.work()
        await studio.work()
        await studio.server.wait(turn)
    clips = [one for one in spans_at(collector) if one.name == "clip"]
    assert [attributes(one) for one in clips] == [
        {
            "summit.memo.id": str(memo_id),
            "summit.user.id": str(studio.server.user),
            "summit.clip.attempt": 1,
            "summit.outcome": "upstream_error",
            "summit.clip.ms": 0,
            "error.type": "upstream_error",
        },
        {
            "summit.memo.id": str(memo_id),
            "summit.user.id": str(studio.server.user),
            "summit.clip.attempt": 2,
            "summit.outcome": "success",
            "summit.clip.ms": 900,
        },
    ]
    assert {int.from_bytes(one.trace_id) for one in clips} == {trace_id_of(memo_id)}
    assert has_no_words(collector)


async def test_an_error_is_told_by_its_kind_alone(collector: ScriptedModelServer) -> None:
    async with traced(collector):
        with pytest.raises(ValueError, match="heliotrope"), span("turn", {}):
            raise ValueError(SECRET)
    [one] = spans_at(collector)
    assert attributes(one) == {"error.type": "ValueError"}
    assert has_no_words(collector)


async def test_a_collector_that_is_gone_breaks_neither_work_nor_end() -> None:
    async with open_tracing(Settings(otlp_endpoint="http://127.0.0.1:9"), goodbye_seconds=0.1):
        with span("turn", {}):
            pass
    with span("turn", {}) as closed:
        assert closed is NOTHING


async def test_a_collector_that_does_not_answer_holds_up_neither_work_nor_end(collector: ScriptedModelServer) -> None:
    ended, held_until_then = threading.Event(), Queue[bool]()

    def hold(_request: RecordedRequest) -> Reply:
        held_until_then.put(ended.wait(HANG_SECONDS))
        return Reply(b"", content_type="application/x-protobuf")

    collector.script("/traces", hold)
    patient = {"export_seconds": 2 * HANG_SECONDS, "goodbye_seconds": 0.1}
    async with open_tracing(Settings(otlp_endpoint=collector.base_url.removesuffix("/v1")), **patient):
        with span("turn", {}):
            pass
    ended.set()
    assert await asyncio.to_thread(held_until_then.get, timeout=HANG_SECONDS) is True
