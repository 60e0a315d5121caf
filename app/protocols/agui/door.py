"""POST /agui: the Agent User Interaction protocol; every run of it is a turn, or the answer to what one asked."""

from __future__ import annotations

import asyncio
import importlib
from collections.abc import AsyncIterator
from dataclasses import dataclass
from typing import Any
from uuid import UUID, uuid5

import httpx
from fastapi import APIRouter, Request, Response
from pydantic import ValidationError
from starlette.responses import StreamingResponse

from app.errors import NotFound, Unavailable
from app.http.bodies import read_json
from app.http.deps import Provided, Services, Tenant
from app.http.inside import inside
from app.http.problems import MEDIA_TYPE, invalid
from app.protocols.answered import turn_before
from app.protocols.mcp.calls import PROBLEM, Calls, ToolRefused
from app.protocols.mcp.resources import today
from app.turns.model.turns import Turn
from app.turns.question import question_id
from app.turns.routes.intake import TurnIntake
from app.turns.routes.sse import EVENT_STREAM, HEADERS

router = APIRouter(include_in_schema=False)
ASKED_MODULE = "app.protocols.agui.asked"
TELLING = "app.protocols.agui.telling"
NO_INTERRUPT = "resume: there is no such interrupt in this thread."


@router.post("/agui")
async def run_agent(request: Request, services: Provided, user_id: Tenant) -> Response:
    """Begin a run and follow it; the same run again is followed from its beginning, and does nothing twice."""
    # The protocol's types take a while to load, and most servers never need them.
    shapes = await asyncio.to_thread(importlib.import_module, ASKED_MODULE)
    asked = _parse_document(shapes.Asked, await read_json(request))
    if asked.forced_tool is not None:
        return await _call_forced_tool(asked)
    run = Running(request, services, user_id, asked, await _day(request))
    if not asked.resume:
        return await run.follow(await run.say(asked.last_user_text))
    turn_id, said = asked.answer
    turn = await run.get_interrupted_turn(turn_id)
    if isinstance(said, str):
        return await run.follow(await run.say(said, answers=question_id(turn)))
    return await run.answer(turn, accept=said)


@dataclass(frozen=True)
class Running:
    """One run that is asked for, by whom, and the day as it was before."""

    request: Request
    services: Services
    user_id: UUID
    asked: Any
    day: dict[str, Any]

    async def say(self, text: str, answers: UUID | None = None) -> Turn:
        """The turn of a message, which may be the answer to a question."""
        thread_id = self.asked.thread(self.user_id)
        await self.services.threads.create(self.user_id, "", thread_id)
        if self.asked.goes_on and (known := await turn_before(self.services, self.user_id, thread_id, text)):
            return known
        intake = TurnIntake(self.services, self.user_id, f"agui:{self._name(thread_id)}")
        named = {"answers": str(answers)} if answers else {}
        return (await intake.accept_text({"text": text, "thread_id": str(thread_id), **named})).turn

    async def get_interrupted_turn(self, turn_id: UUID) -> Turn:
        """The turn that asked; raises NotFound."""
        turn = await self.services.inbox.get(self.user_id, turn_id)
        if turn is None or turn.thread_id != self.asked.thread(self.user_id):
            raise NotFound(NO_INTERRUPT, hint="Send the id that the run before ended with.")
        return turn

    async def answer(self, turn: Turn, *, accept: bool) -> Response:
        """Say yes or no, as every other door does; what it came to is then told."""
        async with httpx.AsyncClient(**inside(self.request)) as client:
            key = {"Idempotency-Key": f"agui:{self._name(turn.id)}"}
            said = await client.post(f"/v1/turns/{turn.id}/confirm", json={"accept": accept}, headers=key)
        if said.status_code >= PROBLEM:
            return Response(said.content, said.status_code, media_type=MEDIA_TYPE)
        if location := said.headers.get("location"):
            answer = await self.services.inbox.get(self.user_id, UUID(location.rsplit("/", 1)[-1]))
            return await self.follow(answer or turn)
        return await self.follow(turn, answering=True)

    async def follow(self, turn: Turn, *, answering: bool = False) -> Response:
        """The events of a run."""
        telling = await asyncio.to_thread(importlib.import_module, TELLING)

        async def frames() -> AsyncIterator[bytes]:
            async with httpx.AsyncClient(**inside(self.request)) as client:
                calls = Calls(client)
                told = telling.frames_of(self.services, turn, self.asked, calls, before=self.day, answering=answering)
                async for frame in told:
                    yield frame

        headers = {**HEADERS, "X-Summit-Turn": str(turn.id), "X-Summit-Thread": str(turn.thread_id)}
        return StreamingResponse(frames(), media_type=EVENT_STREAM, headers=headers)

    def _name(self, about: UUID) -> UUID:
        """The run's name, which may be longer than a key can be."""
        return uuid5(about, self.asked.run_id)


async def _call_forced_tool(asked: Any) -> Response:
    """Call the tool that a program demands with nothing in its arguments: such a run never acts."""
    telling = await asyncio.to_thread(importlib.import_module, TELLING)
    return StreamingResponse(telling.frames_of_call(asked), media_type=EVENT_STREAM, headers=HEADERS)


async def _day(request: Request) -> dict[str, Any]:
    """The day now. Read before the turn begins: one that is done at once would else be in it already."""
    async with httpx.AsyncClient(**inside(request)) as client:
        try:
            return await today(Calls(client))
        except ToolRefused as refused:
            raise Unavailable(str(refused)) from refused


def _parse_document(shape: Any, document: dict[str, Any]) -> Any:
    try:
        return shape.model_validate(document)
    except ValidationError as error:
        raise invalid([{**item, "loc": ("body", *item["loc"])} for item in error.errors()]) from error
