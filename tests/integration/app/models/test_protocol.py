"""Servers that do not keep to tools, and what is sent to all of them."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from agents.ports import Ask
from agents.understanding.line import records_of
from app.models.llm.plain_text import without_thoughts
from app.models.llm.requests import ModelTarget
from app.models.understanding.understanding import ModelUnderstanding
from tests.support.fakes import Call, RecordedRequest, Reply, Script, ScriptedModelServer, chat
from tests.support.minds import mind_at, mind_on, says, world_of

NOW = datetime(2026, 11, 18, 10, 30, tzinfo=UTC)
TASK = "get hold of some milk"
REFUSED = Reply({"error": {"message": "unknown field"}}, status=400)
CALLED = {"reply": "Sure.", "calls": [{"name": "create_task", "arguments": {"title": "some milk"}}]}


@pytest.fixture
def models() -> Iterator[ScriptedModelServer]:
    with ScriptedModelServer() as server:
        yield server


@asynccontextmanager
async def mind(models: ScriptedModelServer, script: Script) -> AsyncIterator[ModelUnderstanding]:
    models.script("/chat/completions", script)
    opened = mind_at(models)
    try:
        yield opened
    finally:
        await opened.close()


def ask(text: str, **given: Any) -> Ask:
    records = records_of(given, NOW, ZoneInfo("UTC"))
    return Ask(text=text, words=text, at=NOW, timezone="UTC", records=records, imported=[], history=[])


def formats(models: ScriptedModelServer) -> list[str]:
    """How each request wants its answer."""
    return [
        f"tools {request.json['tool_choice']}"
        if "tools" in request.json
        else "schema" + (" strict" if request.json["response_format"]["json_schema"].get("strict") else "")
        if "response_format" in request.json
        else "words"
        for request in models.requests
    ]


async def test_a_server_that_refuses_is_asked_for_less_and_remembered(models: ScriptedModelServer) -> None:
    def only_words(request: RecordedRequest) -> Reply:
        if "tools" in request.json or "response_format" in request.json:
            return REFUSED
        return chat(text=json.dumps(CALLED))(request)

    async with mind(models, only_words) as model:
        for _ in range(2):
            decision = await model.route(ask(TASK))
            assert [target.worker for target in decision.targets] == ["update_todos"]
            assert decision.acknowledgement == "Sure."
    assert formats(models) == ["tools auto", "schema strict", "schema", "words", "words"]
    assert '"enum":["create_task"]' in models.requests[-1].json["messages"][0]["content"]


async def test_a_server_without_tools_gets_the_same_as_one_schema(models: ScriptedModelServer) -> None:
    def by_schema(request: RecordedRequest) -> Reply:
        return REFUSED if "tools" in request.json else chat(text=json.dumps(CALLED))(request)

    async with mind(models, by_schema) as model:
        await model.route(ask(TASK))
    schema = models.requests[-1].json["response_format"]["json_schema"]["schema"]
    assert schema["additionalProperties"] is False
    assert schema["required"] == ["reply", "calls"]
    assert len(schema["properties"]["calls"]["items"]["anyOf"]) == 17


async def test_results_go_back_in_words_to_a_server_without_tools(models: ScriptedModelServer) -> None:
    wrong = {"reply": "", "calls": [{"name": "update_task", "arguments": {"id": "ffffff", "status": "done"}}]}

    def by_schema(request: RecordedRequest) -> Reply:
        if "tools" in request.json:
            return REFUSED
        again = "Result: not done" in str(request.json["messages"])
        return chat(text=json.dumps(CALLED if again else wrong))(request)

    async with mind(models, by_schema) as model:
        decision = await model.route(ask(TASK))
    assert [target.worker for target in decision.targets] == ["update_todos"]
    assert {message["role"] for message in models.requests[-1].json["messages"]} == {"system", "user", "assistant"}


async def test_roles_take_turns_as_templates_of_small_models_demand(models: ScriptedModelServer) -> None:
    async with mind(models, says(text="Hello.")) as model:
        await model.route(ask(TASK))
    roles = [message["role"] for message in models.requests[-1].json["messages"]]
    assert roles == ["system", "user", "assistant", "user"]


async def test_the_settings_are_sent_only_where_they_are_set(models: ScriptedModelServer) -> None:
    models.script("/chat/completions", says(Call("create_task", {"title": TASK})))
    plain = ModelTarget(models.base_url, "m", max_tokens=77)
    full = ModelTarget(models.base_url, "m", max_tokens=77, temperature=0.3, effort="low")
    for target in (plain, full):
        model = mind_on(target)
        await model.route(ask(TASK))
        await model.close()
    bodies = [request.json for request in models.requests]
    assert [body["max_tokens"] for body in bodies] == [77, 77]
    assert [(body.get("temperature"), body.get("reasoning_effort")) for body in bodies] == [(None, None), (0.3, "low")]


async def test_records_are_on_the_users_clock_with_weekdays_and_numbers(models: ScriptedModelServer) -> None:
    event = {"title": "dentist", "start": "2026-11-19T15:00", "end": "2026-11-19T16:00"}
    yoga = {"title": "yoga", "start": "2026-11-02T18:00", "recurrence": "FREQ=WEEKLY;BYDAY=MO"}
    pantry = {"category": "list", "summary": "pantry", "items": ["tea", {"text": "ham", "done": True}]}
    async with mind(models, says(text="On Thursday.")) as model:
        await model.route(ask("the dentist, what about it", events=[event, yoga], notes=[pantry]))
    world = world_of(models.requests[-1])
    assert "dentist; Thu 2026-11-19 15:00-16:00" in world
    assert "repeats FREQ=WEEKLY;BYDAY=MO; next Mon 2026-11-23" in world
    assert "pantry; 1 tea, 2 ham (done)" in world


async def test_what_is_long_over_is_shown_only_where_it_is_meant(models: ScriptedModelServer) -> None:
    old = {"title": "congress", "start": "2026-10-01T09:00", "end": "2026-10-01T10:00"}
    done = {"task": "file taxes", "status": "done"}
    async with mind(models, says(text="Right.")) as model:
        await model.route(ask("hello there", events=[old], todos=[done]))
        await model.route(ask("how was the congress, and are my taxes filed?", events=[old], todos=[done]))
    first, second = map(world_of, models.requests)
    assert "congress" not in first
    assert "taxes" not in first
    assert "congress; Thu 2026-10-01" in second
    assert "file taxes; done" in second


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("<think>hm</think>Hello.", "Hello."),
        ("hm</think>\nHello.", "Hello."),
        ("<think>cut off", ""),
        ("Hello.", "Hello."),
        ("<THINKING>a\nb</THINKING> Hello.", "Hello."),
    ],
)
def test_thoughts_are_left_out(text: str, left: str) -> None:
    assert without_thoughts(text) == left
