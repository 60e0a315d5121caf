"""What nobody expected: a 500 without contents, here and in the log."""

from __future__ import annotations

import logging
from collections.abc import AsyncIterator

import httpx
import pytest
from fastapi import FastAPI, Request
from starlette.responses import StreamingResponse
from starlette.types import Message, Receive, Scope, Send

from app.http.guard import RequestGuard
from app.http.problems import Problems
from app.settings import Settings
from tests.support.servers.api import problem
from tests.support.servers.live_server import serve
from tests.support.waiting import HANG_SECONDS

SECRET = "Rosebud"


def broken_app() -> FastAPI:
    app = FastAPI()
    app.add_middleware(Problems)

    @app.post("/broken")
    async def broken(request: Request) -> None:
        secret = (await request.body()).decode()
        try:
            int(f"{secret} is no number")
        except ValueError as error:
            raise RuntimeError(f"gave up on {secret}") from error

    @app.get("/half")
    async def half() -> StreamingResponse:
        async def pieces() -> AsyncIterator[bytes]:
            yield b"half"
            raise RuntimeError(SECRET)

        return StreamingResponse(pieces())

    return app


@pytest.fixture
def broken() -> httpx.AsyncClient:
    return httpx.AsyncClient(transport=httpx.ASGITransport(broken_app()), base_url="http://localhost")


async def test_an_unexpected_error_shows_where_it_happened_and_not_what_was_said(
    broken: httpx.AsyncClient, caplog: pytest.LogCaptureFixture
) -> None:
    answer = await broken.post("/broken", content=SECRET.encode())
    problem(answer, 500)
    assert SECRET not in answer.text
    logged = "\n".join(logging.Formatter().format(r) for r in caplog.records if r.name == "summit.errors")
    assert "builtins.RuntimeError" in logged
    assert "builtins.ValueError" in logged
    assert "in broken" in logged
    assert f"on {SECRET}" not in logged
    assert f"{SECRET} is no number" not in logged


async def test_a_websocket_from_a_foreign_page_is_closed_before_it_opens() -> None:
    sent: list[Message] = []

    async def app(_scope: Scope, _receive: Receive, send: Send) -> None:
        await send({"type": "websocket.accept"})

    async def receive() -> Message:
        return {"type": "websocket.connect"}

    async def send(message: Message) -> None:
        sent.append(message)

    guarded = Problems(RequestGuard(app, Settings(_env_file=None)))
    for origin, answer in ((b"https://evil.example", "websocket.close"), (b"http://localhost:1", "websocket.accept")):
        headers = [(b"host", b"localhost:1"), (b"origin", origin)]
        await guarded({"type": "websocket", "scheme": "ws", "path": "/v1/ws", "headers": headers}, receive, send)
        assert sent.pop()["type"] == answer


def test_an_error_in_mid_stream_cuts_the_connection(caplog: pytest.LogCaptureFixture) -> None:
    with serve(broken_app()) as url, pytest.raises(httpx.RemoteProtocolError):
        httpx.get(f"{url}/half", timeout=HANG_SECONDS)
    assert SECRET not in caplog.text
    assert "builtins.RuntimeError" in caplog.text
