"""One websocket while it is open: frames are answered in their order, the user's events go out beside them."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Awaitable
from contextlib import aclosing
from dataclasses import replace
from typing import Any

from starlette.websockets import WebSocket, WebSocketDisconnect, WebSocketDisconnected

from app.errors import Forbidden, NotFound, Problem, Unauthenticated
from app.http.auth import Caller
from app.http.deps import Services
from app.http.problems import CLOSE_FAILED, unexpected_problem
from app.http.rates import Rates, too_fast
from app.http.revalidation import Revalidation
from app.turns.routes.dictation import Dictation
from app.turns.routes.envelopes import Envelope, answer, as_text, refusal
from app.turns.routes.event_cursor import Reader, events_until, unacknowledged_reminders
from app.turns.routes.frames import (
    Acknowledge,
    AnyFrame,
    AudioCancel,
    AudioEnd,
    AudioStart,
    Cancel,
    Ping,
    Resume,
    Say,
    named_in,
    read_document,
    read_frame,
    turn_document,
)
from app.turns.routes.intake import TurnIntake

# A client that resumes by its first frame would else be sent events before it can say after which one.
FIRST_FRAME_SECONDS = 1.0
NOT_ALLOWED = 4401
TOO_SLOW = 4408
LONGEST_REASON = 100  # a close frame holds 123 bytes
TOO_SLOW_REASON = "reads too slowly; resume with last_seq"


class ListenerTooSlow(Exception):  # noqa: N818 - it names the reader
    """The client takes nothing in; what it misses stays in the log, not in this server's memory."""


class Conversation:
    """Reads frames and sends envelopes until one side closes. Holds no database connection in between."""

    _telling: asyncio.Task[None]

    def __init__(self, socket: WebSocket, services: Services, reader: Reader, *, resumed: bool = False) -> None:
        self._socket = socket
        self._services = services
        self._reader = reader
        self._standing = Revalidation(socket.scope)
        self._sent = reader.position
        self._heard = asyncio.Event()
        self._dictation = Dictation(services, reader.user_id, self._answer_with, self._refuse)
        if resumed:
            self._heard.set()

    async def run(self) -> None:
        """Serve the connection to its end."""
        self._telling = asyncio.create_task(self._tell())
        try:
            await self._closing_on_failure(self._listen())
        finally:
            await self._dictation.close()
            await self._stop_telling()

    async def _listen(self) -> None:
        while (message := await self._socket.receive())["type"] != "websocket.disconnect":
            await self._keep_pace()
            await self._answer(dict(message))
            self._heard.set()

    async def _keep_pace(self) -> None:
        """Read no faster than the user and the key may send: what waits stays with the client, and nothing is lost."""
        rates: Rates = self._socket.state.rates
        caller: Caller = self._socket.state.caller
        told = False
        while wait := rates.seconds_to_wait(caller):
            if not told:
                await self._refuse(too_fast(wait), {})
                told = True
            await asyncio.sleep(wait)

    async def _answer(self, message: dict[str, Any]) -> None:
        document: dict[str, Any] = {}
        try:
            if message.get("bytes") is not None:
                await self._hear(message["bytes"])
                return
            document = read_document(message)
            await self._act(read_frame(document), document)
        except Problem as problem:
            await self._refuse(problem, document)
        except (ListenerTooSlow, WebSocketDisconnect, WebSocketDisconnected):
            raise
        except Exception as error:  # noqa: BLE001 - as over HTTP: one frame's failure is told, the others go on
            await self._refuse(unexpected_problem(error, self._socket.scope), document)

    async def _act(self, frame: AnyFrame, document: dict[str, Any]) -> None:
        match frame:
            case Say():
                await self._say(frame, turn_document(document))
            case Cancel():
                await self._cancel(frame)
            case Resume():
                await self._resume(frame)
            case Acknowledge():
                await self._acknowledge(frame)
            case Ping():
                await self._answer_with("pong", {})
            case AudioStart():
                await self._standing.may_write()
                await self._dictation.start(frame)
            case AudioEnd():
                await self._standing.may_write()
                await self._dictation.end()
            case AudioCancel():
                await self._standing.may_write()
                await self._dictation.cancel()

    async def _hear(self, sound: bytes) -> None:
        await self._standing.confirm()
        await self._dictation.take(sound)

    async def _answer_with(self, kind: str, data: dict[str, Any]) -> None:
        await self._send(answer(kind, self._sent, data))

    async def _say(self, frame: Say, document: dict[str, Any]) -> None:
        await self._standing.may_write()
        seen = self._sent
        arrival = TurnIntake(self._services, self._reader.user_id, frame.idempotency_key)
        accepted = await arrival.accept_text(document)
        if accepted.replayed:
            for told in await events_until(self._services.events, accepted.turn, seen):
                await self._send(told)

    async def _cancel(self, frame: Cancel) -> None:
        await self._standing.may_write()
        seen = self._sent
        turn = await self._services.turns.cancel(self._reader.user_id, frame.turn_id)
        if turn is None:
            raise NotFound("There is no such turn.")
        for told in await events_until(self._services.events, turn, seen):
            if told["type"] == "turn.done":
                await self._send(told)

    async def _acknowledge(self, frame: Acknowledge) -> None:
        await self._standing.may_write()
        known = self._services.notifications
        if await known.settle(self._reader.user_id, frame.notification_id, "acknowledged") is None:
            raise NotFound("There is no such notification.")

    async def _resume(self, frame: Resume) -> None:
        await self._stop_telling()
        self._sent = frame.last_seq
        self._reader = replace(self._reader, position=frame.last_seq)
        self._telling = asyncio.create_task(self._tell())

    async def _refuse(self, problem: Problem, document: dict[str, Any]) -> None:
        await self._send(refusal(problem, self._sent, self._reader.path, **named_in(document)))
        if isinstance(problem, Unauthenticated):
            await self._close(NOT_ALLOWED, problem.detail)

    async def _tell(self) -> None:
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(FIRST_FRAME_SECONDS):
                await self._heard.wait()
        await self._closing_on_failure(self._send_events())

    async def _send_events(self) -> None:
        services, reader = self._services, self._reader
        for again in await unacknowledged_reminders(
            services.notifications, reader, services.settings.resent_notifications
        ):
            await self._send(again)
        async with aclosing(self._reader.envelopes()) as envelopes:
            async for sent in envelopes:
                await self._standing.confirm()
                if sent is not None:
                    await self._send(sent)
                    self._sent = sent["seq"]

    async def _send(self, sent: Envelope) -> None:
        try:
            async with asyncio.timeout(self._services.settings.websocket_stall_seconds):
                await self._socket.send_text(as_text(sent))
        except TimeoutError:
            raise ListenerTooSlow from None

    async def _close(self, code: int, reason: str) -> None:
        with contextlib.suppress(WebSocketDisconnect, WebSocketDisconnected):
            await self._socket.close(code, reason[:LONGEST_REASON])

    async def _stop_telling(self) -> None:
        self._telling.cancel()
        await asyncio.wait([self._telling])

    async def _closing_on_failure(self, work: Awaitable[None]) -> None:
        """Do one side's work; whatever ends it ends the connection, with a code that says why."""
        try:
            await work
        except (WebSocketDisconnect, WebSocketDisconnected):
            pass
        except ListenerTooSlow:
            await self._close(TOO_SLOW, TOO_SLOW_REASON)
        except (Unauthenticated, Forbidden) as problem:
            await self._refuse(problem, {})
            await self._close(NOT_ALLOWED, problem.detail)
        except Exception as error:  # noqa: BLE001 - the last resort, by intention
            await self._close(CLOSE_FAILED, unexpected_problem(error, self._socket.scope).title)
