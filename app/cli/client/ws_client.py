"""The websocket as a client sees it: it connects again by itself, resumes, and sends again what was not answered."""

from __future__ import annotations

import asyncio
import contextlib
import json
import time
from collections.abc import AsyncIterator, Callable
from http import HTTPStatus
from types import TracebackType
from typing import Any, Self

from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidHandshake, InvalidStatus

from app.cli.client.turn_result import turn_result
from app.cli.output import complain

PATH = "/v1/ws"
GIVE_UP_SECONDS = 60.0
FIRST_PAUSE_SECONDS = 0.2
LONGEST_PAUSE_SECONDS = 5.0
LEAVE_SECONDS = 1.0
QUIET_SECONDS = 10.0
PASSING = frozenset({HTTPStatus.TOO_MANY_REQUESTS, HTTPStatus.BAD_GATEWAY, HTTPStatus.SERVICE_UNAVAILABLE})

Envelope = dict[str, Any]


class Lost(Exception):  # noqa: N818 - it names what happened
    """The server cannot be reached."""


class SocketRefused(Exception):  # noqa: N818 - it names what happened
    """The server does not want this connection, or this message; says why and what to do."""


class WsClient:
    """One conversation with a server at ``url``, over as many connections as it takes.

    ``remind`` shows the words of a reminder, each once, and says whether a person has seen them. After
    ``quiet_seconds`` without news it asks ``server``, which is the same one unless stated, how a turn ended.
    """

    def __init__(
        self,
        url: str,
        key: str | None,
        *,
        remind: Callable[[str], bool] | None = None,
        patience_seconds: float = GIVE_UP_SECONDS,
        quiet_seconds: float = QUIET_SECONDS,
        server: str | None = None,
    ) -> None:
        self._server, self._quiet = (server or url).rstrip("/"), quiet_seconds
        self._url = f"ws{url.rstrip('/').removeprefix('http')}{PATH}"
        self._headers = {"Authorization": f"Bearer {key}"} if key else {}
        self._patience = patience_seconds
        self._remind = remind or (lambda _: False)
        self._reminded: set[str] = set()
        self._socket: ClientConnection | None = None
        self._seq: int | None = None

    async def __aenter__(self) -> Self:
        """Connect once; raises Lost, Refused."""
        self._socket = await self._connect()
        try:
            # From here on nothing is missed, whenever the connection is cut.
            await self._socket.send(json.dumps({"type": "ping"}))
            while (sent := json.loads(await self._socket.recv()))["type"] != "pong":
                await self._notice(self._socket, sent)
            self._seq = sent["seq"]
        except ConnectionClosed as error:
            raise Lost("it closed the connection") from error
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._socket:
            await self._socket.close()

    async def say(self, text: str, key: str) -> AsyncIterator[Envelope]:
        """The events of the turn that a message becomes, each once; raises Lost, Refused."""
        frame = json.dumps({"type": "turn", "text": text, "idempotency_key": key})
        turn_id: str | None = None
        async for sent in self._answers(frame):
            if sent is None or sent["data"].get("status") == HTTPStatus.GONE:
                # Nothing comes, or what came is forgotten: perhaps the turn's end with it.
                if told := await turn_result(self._server, self._headers, text, key):
                    for one in told:
                        yield one
                    return
                continue
            if sent["type"] == "error" and sent["data"].get("idempotency_key") == key:
                raise SocketRefused(f"{sent['data']['detail']} {sent['data']['hint']}")
            if sent["type"] == "turn.accepted" and sent["data"].get("idempotency_key") == key:
                turn_id = sent["turn_id"]
            if turn_id and sent["turn_id"] == turn_id:
                yield sent
                if sent["type"] == "turn.done":
                    return

    async def _answers(self, frame: str) -> AsyncIterator[Envelope | None]:
        """What comes after a frame was sent; it is sent again over every new connection. None when it is quiet."""
        while True:
            try:
                socket = self._socket = self._socket or await self._again()
                await socket.send(frame)
                async for sent in self._news(socket, self._quiet):
                    yield sent
            except ConnectionClosed:
                pass
            self._socket = None

    async def idle(self) -> None:
        """Receive events while the person types nothing, until the connection ends."""
        if self._socket is None:
            return
        with contextlib.suppress(ConnectionClosed):
            async for _ in self._news(self._socket):
                continue
        self._socket = None

    async def _news(self, socket: ClientConnection, quiet: float | None = None) -> AsyncIterator[Envelope | None]:
        while True:
            try:
                async with asyncio.timeout(quiet):
                    text = await socket.recv()
            except TimeoutError:
                yield None
                continue
            sent: Envelope = json.loads(text)
            await self._notice(socket, sent)
            if self._is_new(sent):
                yield sent

    async def _notice(self, socket: ClientConnection, sent: Envelope) -> None:
        """Show a reminder that was not shown yet, and acknowledge what a person has seen."""
        if sent["type"] != "reminder.fired" or sent["data"]["id"] in self._reminded:
            return
        self._reminded.add(sent["data"]["id"])
        if self._remind(sent["data"]["text"]):
            await socket.send(json.dumps({"type": "ack", "notification_id": sent["data"]["id"]}))

    def _is_new(self, sent: Envelope) -> bool:
        """Whether it is an answer to this connection, or an event that was not seen before."""
        if sent["type"] in ("error", "pong"):
            return True
        seen, self._seq = self._seq or 0, max(self._seq or 0, sent["seq"])
        return bool(sent["seq"] > seen)

    async def _again(self) -> ClientConnection:
        deadline, pause = time.monotonic() + self._patience, FIRST_PAUSE_SECONDS
        while True:
            try:
                return await self._connect()
            except Lost:
                if time.monotonic() + pause > deadline:
                    raise
                if pause == FIRST_PAUSE_SECONDS:
                    complain("the connection is lost; trying again.")
            await asyncio.sleep(pause)
            pause = min(pause * 2, LONGEST_PAUSE_SECONDS)

    async def _connect(self) -> ClientConnection:
        url = self._url if self._seq is None else f"{self._url}?last_seq={self._seq}"
        try:
            return await connect(
                url,
                additional_headers=self._headers,
                compression=None,
                max_size=None,
                proxy=None,
                close_timeout=LEAVE_SECONDS,
            )
        except InvalidStatus as refusal:
            raise _refusal(refusal) from refusal
        except (OSError, TimeoutError, InvalidHandshake) as error:
            raise Lost(type(error).__name__) from error


def _refusal(refusal: InvalidStatus) -> Exception:
    status, body = refusal.response.status_code, refusal.response.body or b""
    if status in PASSING:
        return Lost(f"status {status}")
    try:
        problem = json.loads(body)
        return SocketRefused(f"{problem['detail']} {problem['hint']}")
    except (ValueError, KeyError, TypeError):
        return SocketRefused(f"The server answered with status {status}; is this the address of a Summit server?")
