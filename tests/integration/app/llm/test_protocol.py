"""Servers that do not keep to tools, and models that answer in words: what they say is read all the same."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from agents.mind.line import records_of
from agents.ports import Ask
from app.llm.plain_text import without_thoughts
from app.llm.requests import Target
from app.llm.understanding import ModelUnderstanding
from tests.support.fakes import Call, RecordedRequest, Reply, Script, ScriptedModelServer, chat, tools_of
from tests.support.minds import agent_of, ids_in, message_of, mind_at, mind_on, route

NOW = datetime(2026, 11, 18, 10, 30, tzinfo=UTC)
QUESTION, TASK = "why is the sky blue?", "get hold of some milk"
REFUSED = Reply({"error": {"message": "unknown field"}}, status=400)


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
    return Ask(text=text, words=text, at=NOW, timezone="UTC", records=records, imported=[])


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


async def test_text_in_place_of_a_call_is_the_answer(models: ScriptedModelServer) -> None:
    async with mind(models, chat(text="Air scatters blue light most.")) as model:
        decision = await model.route(ask(QUESTION))
    assert (decision.acknowledgement, decision.understanding) == ("Air scatters blue light most.", "model")
    assert len(models.requests) == 1


async def test_text_does_not_pass_over_a_request(models: ScriptedModelServer) -> None:
    async with mind(models, chat(text="Milk is healthy.")) as model:
        decision = await model.route(ask("add milk to my list"))
    assert decision.understanding == "fallback"
    assert [target.worker for target in decision.targets] == ["update_todos"]


IN_TEXT = {
    "bare arguments": '{"shares": [{"agent": "update_todos", "words": "some milk"}]}',
    "a fence": '```json\n{"shares": [{"agent": "update_todos", "words": "some milk"}]}\n```',
    "a tag": '<tool_call>{"name": "Route", "arguments": {"shares": [{"agent": "update_todos", "words": "milk"}]}}',
    "words before it": 'Sure: {"name": "Route", "args": {"shares": [{"agent": "update_todos", "words": "milk"}]}}',
    "a thought": '<think>a task {"x"</think>{"shares": [{"agent": "update_todos", "words": "some milk"}]}',
    "arguments in a string": json.dumps(
        [{"function": {"name": "Route", "arguments": '{"shares": [{"agent": "update_todos", "words": "milk"}]}'}}]
    ),
}


@pytest.mark.parametrize("text", IN_TEXT.values(), ids=IN_TEXT)
async def test_json_in_text_is_a_call(models: ScriptedModelServer, text: str) -> None:
    async with mind(models, chat(text=text)) as model:
        decision = await model.route(ask(TASK))
    assert decision.understanding == "model"
    assert [target.worker for target in decision.targets] == ["update_todos"]


async def test_a_server_that_ignores_tools_is_asked_by_a_schema_from_then_on(models: ScriptedModelServer) -> None:
    def answering(request: RecordedRequest) -> Reply:
        if "response_format" not in request.json:
            return chat(text="I would say: milk.")(request)
        calls = [{"name": "Task", "arguments": {"task": "get some milk"}}]
        return chat(text=json.dumps({"calls": calls}))(request)

    async with mind(models, answering) as model:
        await model.route(ask(QUESTION))
        proposed = await model.propose("update_todos", ask(TASK))
    assert [proposal.fields["task"] for proposal in proposed.proposals] == ["get some milk"]
    assert formats(models) == ["tools required", "schema strict"]
    schema = models.requests[-1].json["response_format"]["json_schema"]["schema"]
    assert schema["additionalProperties"] is False
    assert schema["required"] == ["calls"]


async def test_a_server_that_refuses_is_asked_for_less_and_remembered(models: ScriptedModelServer) -> None:
    def only_words(request: RecordedRequest) -> Reply:
        if "tools" in request.json or "response_format" in request.json:
            return REFUSED
        return chat(text='{"shares": [{"agent": "update_todos", "words": "some milk"}]}')(request)

    async with mind(models, only_words) as model:
        for _ in range(2):
            decision = await model.route(ask(TASK))
            assert [target.worker for target in decision.targets] == ["update_todos"]
    assert formats(models) == ["tools required", "tools auto", "schema strict", "schema", "words", "words"]
    assert '"enum":["update_todos"' in models.requests[-1].json["messages"][0]["content"]


async def test_what_fits_no_form_is_put_right_once(models: ScriptedModelServer) -> None:
    def careless(request: RecordedRequest) -> Reply:
        if "PatchFunctionErrors" not in tools_of(request):
            wrong = Call("Task", {"task": "get some milk", "priority": "urgent"})
            return chat(wrong, Call("Task", {"task": "get hold of bread"}))(request)
        told = request.json["messages"]
        assert "must be one of low, medium, high" in told[-1]["content"]
        fixed = [{"op": "replace", "path": "/priority", "value": "high"}]
        known = told[-1]["tool_call_id"]
        return chat(Call("PatchFunctionErrors", {"json_doc_id": known, "planned_edits": "-", "patches": fixed}))(
            request
        )

    async with mind(models, careless) as model:
        proposed = await model.propose("update_todos", ask(f"{TASK}, urgently, and of bread"))
    made = [(proposal.fields["task"], proposal.fields.get("priority")) for proposal in proposed.proposals]
    assert made == [("get some milk", "high"), ("get hold of bread", None)]
    assert len(models.requests) == 2


async def test_a_change_of_a_record_that_fits_no_form_is_put_right_too(models: ScriptedModelServer) -> None:
    def careless(request: RecordedRequest) -> Reply:
        if "PatchFunctionErrors" not in tools_of(request):
            (known,) = ids_in(request).values()
            return chat(Call("PatchDoc", {"json_doc_id": known, "set": {"priority": "urgent"}}))(request)
        fixed = [{"op": "replace", "path": "/priority", "value": "high"}]
        return chat(Call("PatchFunctionErrors", {"json_doc_id": "x", "planned_edits": "-", "patches": fixed}))(request)

    async with mind(models, careless) as model:
        proposed = await model.propose("update_todos", ask("call mom is urgent", todos=["call mom"]))
    assert [(one.op, one.fields) for one in proposed.proposals] == [("update", {"priority": "high"})]


async def test_what_stays_wrong_fails_alone_after_one_repair(models: ScriptedModelServer) -> None:
    wrong = Call("Task", {"task": "get some milk", "priority": "urgent"})
    async with mind(models, chat(wrong, Call("Task", {"task": "get hold of bread"}))) as model:
        proposed = await model.propose("update_todos", ask(f"{TASK}, urgently, and of bread"))
    assert [proposal.fields["task"] for proposal in proposed.proposals] == ["get some milk", "get hold of bread"]
    assert len(models.requests) == 2


async def test_the_settings_are_sent_only_where_they_are_set(models: ScriptedModelServer) -> None:
    models.script("/chat/completions", chat(route("update_todos", words=TASK)))
    plain = Target(models.base_url, "m", max_tokens=77)
    full = Target(models.base_url, "m", max_tokens=77, temperature=0.3, effort="low")
    for target in (plain, full):
        model = mind_on(target)
        await model.route(ask(TASK))
        await model.close()
    bodies = [request.json for request in models.requests]
    assert [body["max_tokens"] for body in bodies] == [77, 77]
    assert [(body.get("temperature"), body.get("reasoning_effort")) for body in bodies] == [(None, None), (0.3, "low")]


async def test_the_beginning_of_a_prompt_is_the_same_byte_for_byte(models: ScriptedModelServer) -> None:
    async with mind(models, chat(route("update_todos", words="milk"))) as model:
        await model.route(ask(TASK))
        await model.route(ask("some milk later", todos=["call mom"], notes=["the gate code is 7"]))
    first, second = (request.json for request in models.requests)
    assert first["messages"][0] == second["messages"][0]
    assert first["tools"] == second["tools"]


def characters(models: ScriptedModelServer) -> int:
    body = models.requests[-1].json
    told = "".join(str(message["content"]) for message in body["messages"])
    return len(told) + len(json.dumps(body["tools"]))


async def test_prompts_are_short(models: ScriptedModelServer) -> None:
    """Four characters a token: 500 tokens for the router, 900 for the task agent with a record to change."""
    async with mind(models, chat(route("update_todos", words="milk"))) as model:
        await model.route(ask(TASK))
        assert characters(models) // 4 < 500
    async with mind(models, chat(Call("Task", {"task": "milk"}))) as model:
        await model.propose("update_todos", ask(TASK, todos=["call mom"]))
        assert characters(models) // 4 < 900


async def test_times_of_records_are_on_the_users_clock_with_their_weekday(models: ScriptedModelServer) -> None:
    async with mind(models, chat(Call("Say", {"text": "It is on Thursday."}))) as model:
        event = {"title": "dentist", "start": "2026-11-19T15:00", "end": "2026-11-19T16:00"}
        proposed = await model.propose("update_events", ask("the dentist, what about it", events=[event]))
    assert '"dentist", when Thu 2026-11-19 15:00 to 16:00' in models.requests[-1].json["messages"][-1]["content"]
    assert proposed.answers == ["It is on Thursday."]


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


async def test_a_streamed_thought_is_not_heard(models: ScriptedModelServer) -> None:
    async with mind(
        models, chat(text="<think>they want a greeting </think> Dear Ana,\n\nI have moved to Rome.\n\nBo")
    ) as model:
        said = [sentence async for sentence in model.tell(ask("write to Ana that I moved to Rome"))]
    assert "".join(said) == "Dear Ana,\n\nI have moved to Rome.\n\nBo"


async def test_a_streamed_letter_may_not_claim_what_is_kept(models: ScriptedModelServer) -> None:
    async with mind(models, chat(text="Hi there,\nI have added milk to your list.\nBye.")) as model:
        said = [sentence async for sentence in model.tell(ask("say hi"))]
    assert "".join(said) == "Hi there,\nBye."


async def test_a_plan_waits_for_one_yes(models: ScriptedModelServer) -> None:
    tasks = [{"task": "Choose a date", "solutions": ["Ask the guests"]}, {"task": "Order the cake"}]
    text = "help me plan a party for Bo"

    def planning(request: RecordedRequest) -> Reply:
        assert agent_of(request) == "update_todos"
        assert message_of(request) == text
        return chat(Call("Plan", {"about": "a party for Bo", "tasks": tasks}))(request)

    async with mind(models, planning) as model:
        proposed = await model.propose("update_todos", ask(text))
    assert [proposal.fields["task"] for proposal in proposed.proposals] == ["Choose a date", "Order the cake"]
    assert all(proposal.hold for proposal in proposed.proposals)
    assert len({proposal.group for proposal in proposed.proposals}) == 1
    assert "1. Choose a date: Ask the guests\n2. Order the cake" in proposed.answers[0]
