"""Measurements of a model on this machine: what it can do, how fast it is, and that both end in time."""

from __future__ import annotations

import threading
from collections.abc import Callable
from itertools import count
from typing import Any

import pytest

from app.models.local.measure import measure
from app.models.local.models_here import ModelsHere
from app.models.model.local_models import Measured, NotAnAddressHere
from tests.support.fakes import Call, RecordedRequest, Reply, ScriptedModelServer, Spent, chat
from tests.support.waiting import HANG_SECONDS

HELLO, JSON = Call("report", {"word": "hello"}), '{"word": "hello"}'
SILENT = Reply({}, delay_seconds=10 * HANG_SECONDS)
Answer = Callable[[RecordedRequest], Reply]


def kind_of(request: RecordedRequest) -> str:
    body: dict[str, Any] = request.json
    return "stream" if body.get("stream") else "tools" if "tools" in body else "json"


def model_with(**answers: Answer | Reply) -> Answer:
    """A model that answers a kind of question so, and any other in plain words."""

    def answer(request: RecordedRequest) -> Reply:
        given = answers.get(kind_of(request), chat(text="Good morning."))
        return given if isinstance(given, Reply) else given(request)

    return answer


async def measured(script: Answer | Reply, *, seconds: float = HANG_SECONDS) -> tuple[Measured, ScriptedModelServer]:
    ticks = count()
    with ScriptedModelServer() as server:
        server.script("/chat/completions", script)
        found = await measure(server.base_url, "m", seconds=seconds, tokens=64, clock=lambda: float(next(ticks)))
        return found, server


async def test_a_model_that_does_everything_is_told_with_its_speed() -> None:
    counting = chat(text="one two three four", spent=Spent(completion=10))
    found, server = await measured(model_with(tools=chat(HELLO), json=chat(text=JSON), stream=counting))
    # The clock ticks when the question is asked and at each of the four words: nine tokens after the first, 3 s.
    assert found == Measured(server.base_url, "m", True, True, 1.0, 3.0)  # noqa: FBT003
    assert [kind_of(request) for request in server.requests] == ["tools", "json", "stream"]
    assert {request.json["model"] for request in server.requests} == {"m"}
    assert not any("authorization" in request.headers for request in server.requests)


async def test_a_call_in_another_form_is_none() -> None:
    wrong = model_with(tools=chat(Call("report", {"word": "moin"})), json=chat(text='{"word": "moin"}'))
    found, _ = await measured(wrong)
    assert (found.tools, found.json_schema, found.detail) == (False, False, "")


async def cut_short(script: Answer | Reply, enough: Callable[[Measured], bool]) -> tuple[Measured, float]:
    """A measurement that runs out of time after what was wanted of it, however slow this machine is; and its time."""
    for seconds in (0.5, 2.0, 8.0, 32.0):
        found, _ = await measured(script, seconds=seconds)
        if enough(found):
            break
    return found, seconds


async def test_what_there_was_no_time_for_is_not_told_as_a_failure() -> None:
    script = model_with(tools=chat(HELLO), json=SILENT)
    found, seconds = await cut_short(script, lambda one: one.tools is not None)
    assert (found.tools, found.json_schema) == (True, None)
    assert (found.first_token_seconds, found.tokens_per_second) == (None, None)
    assert found.detail == f"It was not done within {seconds:g} seconds."


async def test_the_speed_of_an_answer_that_does_not_end_in_time_is_told() -> None:
    never = threading.Event()
    counting = chat(text="one two three four", hold=never, held_after=3)
    script = model_with(tools=chat(HELLO), json=chat(text=JSON), stream=counting)
    found, _ = await cut_short(script, lambda one: one.tokens_per_second is not None)
    never.set()
    # Three words a second apart, and no count of tokens came.
    assert (found.first_token_seconds, found.tokens_per_second, found.detail) == (1.0, 1.0, "")


@pytest.mark.parametrize(
    ("script", "detail"),
    [
        (Reply({}, status=404), "It gives no answer of use (404)."),
        (Reply({}, status=401), "It refuses the key (401)."),
        (Reply(drop=True), "It does not answer."),
        (Reply("<html>"), "It gives no answer of use (200)."),
    ],
)
async def test_what_is_no_model_is_told(script: Reply, detail: str) -> None:
    found, _ = await measured(script)
    assert found.detail == detail
    assert not any((found.tools, found.json_schema, found.tokens_per_second))


async def test_no_other_address_is_asked() -> None:
    with ScriptedModelServer() as server:
        here = ModelsHere(["http://127.0.0.1:9/v1"], HANG_SECONDS, 64)
        with pytest.raises(NotAnAddressHere):
            await here.measure(server.base_url, "m")
        assert server.requests == []
