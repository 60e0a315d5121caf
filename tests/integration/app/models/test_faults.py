"""Every kind of fault of a model over real HTTP: each turn is answered in time, whole, and claims nothing false."""

from __future__ import annotations

import json
from collections.abc import Callable
from itertools import product
from typing import Any

import pytest

from app.database.database import Database
from app.models.llm.breaker import Breakers
from app.models.llm.requests import ModelTarget
from app.models.understanding.without_model import FAULT_REPLIES
from tests.support.fakes import Call, RecordedRequest, Reply, Script, ScriptedModelServer, chat
from tests.support.minds import message_of, mind_at, mind_on, says
from tests.support.servers.turn_server import TurnServer, reply_of, turn_server

WITHOUT = ("understood without it.)", "I can still handle tasks, calendar and notes.)")
"""How the sentence ends that says why there was no model."""
WORDS = ("buy milk", "call mom tomorrow", "pay the rent by friday", "clean the kitchen", "water the plants")
LIE = "Done! I added everything to your list and deleted the old ones."
HTML = Reply("<html><body>Welcome to the hotel's network</body></html>", content_type="text/html")


def many(request: RecordedRequest) -> Reply:
    """Forty calls where one is wanted."""
    return chat(*[Call("create_task", {"title": f"{message_of(request)} {number}"}) for number in range(40)])(request)


FAULTS: dict[str, Script] = {
    "429 with Retry-After": Reply({"error": {"message": "slow down"}}, status=429, headers={"Retry-After": "0.01"}),
    "429 for an hour": Reply({"error": {"message": "slow down"}}, status=429, headers={"Retry-After": "3600"}),
    "500": Reply({"error": {"message": "oops"}}, status=500),
    "503": Reply("overloaded", status=503, content_type="text/plain"),
    "401": Reply({"error": {"message": "bad key sk-test-key"}}, status=401),
    "HTML": HTML,
    "hangs up": Reply(drop=True),
    "cut body": chat(Call("create_task", {"title": "buy milk"}), cut=True),
    "broken JSON": Reply('{"choices": [{"message": {"role"', content_type="application/json"),
    "broken arguments": chat(Call("create_task", '{"title": [{"agent": ')),
    "unknown tool": chat(Call("launch_rocket", {"to": "moon"})),
    "empty reply": chat(),
    "no choices": Reply({"id": "x", "object": "chat.completion", "created": 1, "model": "m", "choices": []}),
    "refusal": chat(refusal="I cannot help with that."),
    "too long": Reply({"error": {"message": "maximum context length is 4096 tokens"}}, status=400),
    "forty calls": many,
    "only a thought": chat(text="<think>they want milk"),
    "an error in a stream": Reply('data: {"error": {"message": "oops"}}\n\n', content_type="text/event-stream"),
    "a stream of nothing": Reply("data: [DONE]\n\n", content_type="text/event-stream"),
}


async def five_turns(server: TurnServer) -> None:
    """Each is answered, says why, and makes exactly the one change it asks for."""
    for text in WORDS:
        turn = await server.say(text)
        assert turn.state == "done"
        assert turn.result is not None
        assert turn.result.understanding == "fallback"
        assert reply_of(turn).endswith(WITHOUT)
        rows = await server.changes(turn)
        assert [(row.op, row.status) for row in rows] == [("create", "applied")]
        assert "Done!" not in reply_of(turn)
    assert len(await server.tasks()) == len(WORDS)


@pytest.mark.parametrize("fault", FAULTS)
async def test_a_fault_is_answered_by_the_built_in_understanding(database: Database, fault: str) -> None:
    with ScriptedModelServer() as models:
        models.script("/chat/completions", FAULTS[fault])
        async with turn_server(database, mind_at(models)) as server:
            await five_turns(server)
        assert len(models.requests) <= len(WORDS) * 8


@pytest.mark.parametrize("url", ["http://127.0.0.1:9/v1", "http://nowhere.invalid/v1"])
async def test_a_server_that_is_not_there_is_done_without(database: Database, url: str) -> None:
    async with turn_server(database, mind_on(ModelTarget(url, "m"))) as server:
        await five_turns(server)


TASK = {"title": "fetch the parcel", "due": "2026-11-20"}
SAID = json.dumps(TASK)


def written(text: str) -> Script:
    """A server whose model writes its call into the text."""
    return chat(text=text)


def by_number(*numbers: int) -> Script:
    """A stream whose calls come whole, each under a number of the server's choice."""

    def answer(_: RecordedRequest) -> Reply:
        head = {"id": "x", "object": "chat.completion.chunk", "created": 1, "model": "m"}
        calls = [
            {
                "index": number,
                "id": f"c{at}",
                "type": "function",
                "function": {"name": "create_task", "arguments": said},
            }
            for at, (number, said) in enumerate(zip(numbers, (SAID, json.dumps({"title": "buy stamps"})), strict=False))
        ]
        events: list[dict[str, Any]] = [{"delta": {"tool_calls": [call]}, "index": 0} for call in calls]
        events.append({"delta": {}, "index": 0, "finish_reason": "tool_calls"})
        told = [f"data: {json.dumps({**head, 'choices': [event]})}\n\n" for event in events]
        return Reply(content_type="text/event-stream", pieces=(*told, "data: [DONE]\n\n"))

    return answer


def unstreamed(request: RecordedRequest) -> Reply:
    """One whole answer, also where a stream was asked for."""
    body = dict(request.json) | {"stream": False}
    return chat(Call("create_task", TASK))(RecordedRequest(**{**vars(request), "body": json.dumps(body).encode()}))


def only_streams(request: RecordedRequest) -> Reply:
    """A stream whatever was asked for, without its end."""
    body = dict(request.json) | {"stream": True}
    whole = chat(Call("create_task", TASK))(RecordedRequest(**{**vars(request), "body": json.dumps(body).encode()}))
    return Reply(content_type="text/event-stream", pieces=whole.pieces[:-1])


def called_json(request: RecordedRequest) -> Reply:
    """A stream that its server calls JSON."""
    return Reply(b"".join(piece.encode() for piece in only_streams(request).pieces))


def with_an_object(request: RecordedRequest) -> Reply:
    """A whole answer whose arguments are an object, not text."""
    reply = unstreamed(request)
    reply.body["choices"][0]["message"]["tool_calls"][0]["function"]["arguments"] = TASK
    return reply


def without_tools(request: RecordedRequest) -> Reply:
    """A server that knows neither tools nor schemas."""
    if "tools" in request.json or "response_format" in request.json:
        return Reply({"error": {"message": "unknown field"}}, status=400)
    return chat(text=json.dumps({"reply": "", "calls": [{"name": "create_task", "arguments": TASK}]}))(request)


def short_of_context(request: RecordedRequest) -> Reply:
    """A model that takes in little: the prompt has to be shortened, not repeated."""
    if str(request.json["messages"]).count("Call number") > 40:
        return Reply({"error": {"code": "context_length_exceeded", "message": "too long"}}, status=400)
    return chat(Call("create_task", TASK))(request)


MENDED: dict[str, Script] = {
    "a prefix": chat(Call("functions.create_task", TASK)),
    "another case": chat(Call("CreateTask", TASK)),
    "a name that is nearly right": chat(Call("create_tasks", TASK)),
    "invented fields": chat(Call("create_task", {"task": TASK["title"], "deadline": TASK["due"]})),
    "arguments encoded twice": chat(Call("create_task", json.dumps(SAID))),
    "three equal calls": chat(*[Call("create_task", TASK)] * 3),
    "JSON in the text": written(json.dumps({"name": "create_task", "arguments": TASK})),
    "a fence": written(f"```json\n{json.dumps([{'name': 'create_task', 'arguments': TASK}])}\n```"),
    "a tag": written(f'<tool_call>{{"name": "create_task", "arguments": {SAID}}}</tool_call>'),
    "functions in tags": written(
        "<tool_call><function=create_task><parameter=title>fetch the parcel</parameter>"
        "<parameter=due>2026-11-20</parameter></function></tool_call>"
    ),
    "code": written("[create_task(title='fetch the parcel', due='2026-11-20')]"),
    "a thought before it": written(f'<think>a task {{"x"</think>{{"name": "create_task", "arguments": {SAID}}}'),
    "a thought without its beginning": written(f'a task</think>{{"name": "create_task", "arguments": {SAID}}}'),
    "channels": written(
        "<|channel|>analysis<|message|>hm<|end|><|start|>assistant<|channel|>commentary to=functions.create_task "
        f"<|constrain|>json<|message|>{SAID}<|call|>"
    ),
    "a mark of Mistral's": written(f'[TOOL_CALLS][{{"name": "create_task", "arguments": {SAID}}}]'),
    "a key over the arguments": written(json.dumps({"create_task": TASK})),
    "whole where a stream was asked for": unstreamed,
    "a stream without an end": only_streams,
    "a stream that is called JSON": called_json,
    "arguments that are an object": with_an_object,
    "one number for all calls": by_number(0),
    "no tools": without_tools,
    "little context": short_of_context,
}
MESSAGES = ("we have to fetch the parcel by friday", "please, the parcel, friday", "the parcel needs fetching friday")


@pytest.mark.parametrize("kind", MENDED)
async def test_what_can_be_mended_is_understood(database: Database, kind: str) -> None:
    with ScriptedModelServer() as models:
        async with turn_server(database, mind_at(models)) as server:
            if kind == "little context":
                for first in range(0, 60, 20):
                    calls = [Call("create_task", {"title": f"Call number {n}"}) for n in range(first, first + 20)]
                    models.script("/chat/completions", chat(*calls))
                    await server.say("add my calls")
            models.script("/chat/completions", MENDED[kind])
            for text in MESSAGES:
                turn = await server.say(text)
                assert turn.result is not None
                assert turn.result.understanding == "model", reply_of(turn)
                made = [(row.op, row.title, row.fields.get("deadline")) for row in await server.changes(turn)]
                first_time = text == MESSAGES[0]
                assert made == ([("create", "fetch the parcel", "2026-11-20")] if first_time else [])


async def test_several_calls_under_one_number_are_several(database: Database) -> None:
    with ScriptedModelServer() as models:
        models.script("/chat/completions", by_number(0, 0))
        async with turn_server(database, mind_at(models)) as server:
            await server.say("the parcel by friday, and stamps")
            assert await server.tasks() == ["buy stamps", "fetch the parcel"]


SHOWN = {
    "a list of one": ("['The capital of Peru is Lima.']", "The capital of Peru is Lima."),
    "a final channel": ("<|channel|>analysis<|message|>hm<|end|><|channel|>final<|message|>Lima.<|return|>", "Lima."),
    "a thought": ("<think>Peru, Peru</think>Lima.", "Lima."),
    "a thought without its beginning": ("Peru, Peru</think>Lima.", "Lima."),
    "JSON": ('{"reply": "Lima.", "calls": []}', "Lima."),
}


@pytest.mark.parametrize(
    ("kind", "question"), [*product(SHOWN, ("capital of Peru?", "which city rules Peru?", "Peru?"))]
)
async def test_what_is_not_for_people_is_not_shown(database: Database, kind: str, question: str) -> None:
    text, shown = SHOWN[kind]
    with ScriptedModelServer() as models:
        models.script("/chat/completions", chat(text=text))
        async with turn_server(database, mind_at(models)) as server:
            for _ in range(2):
                assert reply_of(await server.say(question)) == shown


async def test_a_slow_model_is_waited_for_within_the_budget_only(database: Database) -> None:
    with ScriptedModelServer() as models:
        models.script("/chat/completions", chat(Call("create_task", TASK), delay_seconds=3600.0))
        async with turn_server(database, mind_at(models, budget_seconds=0.3)) as server:
            for text in WORDS[:2]:
                turn = await server.say(text)
                assert turn.result is not None
                assert turn.result.understanding == "fallback"
                assert len(await server.changes(turn)) == 1


async def test_retries_are_bounded_and_spaced(database: Database) -> None:
    with ScriptedModelServer() as models:
        models.script("/chat/completions", Reply({}, status=500))
        async with turn_server(database, mind_at(models, retries=2, backoff_seconds=0.1)) as server:
            turn = await server.say("buy milk")
    assert len(models.requests) == 3
    assert turn.usage["ms"]["total"] > 250


async def test_a_fault_that_passes_is_not_told(database: Database) -> None:
    with ScriptedModelServer() as models:
        slow_down = Reply({}, status=429, headers={"Retry-After": "0.01"})
        models.script(
            "/chat/completions", Reply({}, status=503), slow_down, says(Call("create_task", {"title": "milk"}))
        )
        async with turn_server(database, mind_at(models)) as server:
            turn = await server.say("buy milk")
    assert turn.result is not None
    assert turn.result.understanding == "model"
    assert reply_of(turn) == "Added “milk” to your tasks."


async def test_how_long_a_server_asks_to_wait_is_told(database: Database) -> None:
    with ScriptedModelServer() as models:
        models.script("/chat/completions", Reply({}, status=429, headers={"Retry-After": "90"}))
        async with turn_server(database, mind_at(models)) as server:
            assert "asks to wait 90 s" in reply_of(await server.say("buy milk"))


def test_every_fault_has_its_sentence() -> None:
    assert all(sentence.endswith(WITHOUT) for sentence in FAULT_REPLIES.values())


async def test_no_fault_leaves_a_key_or_the_users_words_in_the_log(
    database: Database, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level("DEBUG")
    wrong: Callable[[RecordedRequest], Reply] = chat(Call("create_task", {"title": "zanzibar", "priority": "urgent"}))
    with ScriptedModelServer() as models:
        async with turn_server(database, mind_at(models, Breakers(10**9, 0.0, 0.0))) as server:
            for fault in ("401", "broken JSON", "unknown tool", "500"):
                models.script("/chat/completions", FAULTS[fault])
                await server.say(f"buy zanzibar for {fault}")
            models.script("/chat/completions", wrong)
            await server.say("zanzibar, urgently")
    assert "sk-test-key" not in caplog.text
    assert "zanzibar" not in caplog.text
    assert "the language model failed: denied" in caplog.text
