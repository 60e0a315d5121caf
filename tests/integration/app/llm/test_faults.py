"""Every kind of fault of a model over real HTTP: each turn is answered in time, whole, and claims nothing false."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import pytest

from app.llm.breaker import Breakers
from app.llm.requests import Target
from app.storage.database import Database
from tests.support.fakes import Call, RecordedRequest, Reply, Script, ScriptedModelServer, chat
from tests.support.minds import agent_of, message_of, mind_at, mind_on, route
from tests.support.servers.turn_server import TurnServer, reply_of, turn_server

SAID = "(The language model could not be used, so this was understood without it.)"
WORDS = ("buy milk", "call mom tomorrow", "pay the rent by friday", "clean the kitchen", "water the plants")
LIE = "Done! I added everything to your list and deleted the old ones."
HTML = Reply("<html><body>Welcome to the hotel's network</body></html>", content_type="text/html")


def prose(request: RecordedRequest) -> Reply:
    """Claims success without a call."""
    return chat(text=LIE)(request)


def invalid(request: RecordedRequest) -> Reply:
    """Routes to an agent that there is not."""
    return chat(Call("Route", {"shares": [{"agent": "send_email", "words": message_of(request)}]}))(request)


def many(request: RecordedRequest) -> Reply:
    """Forty calls where one is wanted."""
    if agent_of(request) == "route":
        return chat(route("update_todos", words=message_of(request)))(request)
    return chat(*[Call("Task", {"task": f"{message_of(request)} {number}"}) for number in range(40)])(request)


def half(request: RecordedRequest) -> Reply:
    """Routes well, then says nothing of use."""
    if agent_of(request) == "route":
        return chat(route("update_todos", words=message_of(request)))(request)
    return chat(text=LIE)(request)


FAULTS: dict[str, Script] = {
    "429 with Retry-After": Reply({"error": {"message": "slow down"}}, status=429, headers={"Retry-After": "0.01"}),
    "429 for an hour": Reply({"error": {"message": "slow down"}}, status=429, headers={"Retry-After": "3600"}),
    "500": Reply({"error": {"message": "oops"}}, status=500),
    "503": Reply("overloaded", status=503, content_type="text/plain"),
    "401": Reply({"error": {"message": "bad key sk-test-key"}}, status=401),
    "HTML": HTML,
    "hangs up": Reply(drop=True),
    "cut body": chat(Call("Route", {"shares": []}), cut=True),
    "broken JSON": Reply('{"choices": [{"message": {"role"', content_type="application/json"),
    "broken arguments": chat(Call("Route", '{"shares": [{"agent": ')),
    "invalid enum": invalid,
    "unknown tool": chat(Call("LaunchRocket", {"to": "moon"})),
    "empty reply": chat(),
    "no choices": Reply({"id": "x", "object": "chat.completion", "created": 1, "model": "m", "choices": []}),
    "refusal": chat(refusal="I cannot help with that."),
    "prose claims success": prose,
    "forty calls": many,
    "fails after routing": half,
}


async def five_turns(server: TurnServer) -> None:
    """Each is answered, says so, and makes exactly the one change it asks for."""
    for text in WORDS:
        turn = await server.say(text)
        assert turn.state == "done"
        assert turn.result is not None
        assert turn.result.understanding == "fallback"
        assert reply_of(turn).endswith(SAID)
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
        assert len(models.requests) <= len(WORDS) * 4


@pytest.mark.parametrize("url", ["http://127.0.0.1:9/v1", "http://nowhere.invalid/v1"])
async def test_a_server_that_is_not_there_is_done_without(database: Database, url: str) -> None:
    async with turn_server(database, mind_on(Target(url, "m"))) as server:
        await five_turns(server)


async def test_a_slow_model_is_waited_for_within_the_budget_only(database: Database) -> None:
    with ScriptedModelServer() as models:
        models.script("/chat/completions", chat(Call("Route", {"shares": []}), delay_seconds=3600.0))
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
        calls = chat(Call("Task", {"task": "buy milk"}))
        models.script(
            "/chat/completions",
            Reply({}, status=503),
            chat(route("update_todos", words="buy milk")),
            Reply({}, status=429, headers={"Retry-After": "0.01"}),
            calls,
        )
        async with turn_server(database, mind_at(models)) as server:
            turn = await server.say("buy milk")
    assert turn.result is not None
    assert turn.result.understanding == "model"
    assert SAID not in reply_of(turn)


@dataclass
class Failing:
    """Fails for one agent only."""

    agent: str

    def __call__(self, request: RecordedRequest) -> Reply:
        if agent_of(request) == "route":
            return chat(route("update_todos", "update_events", words=message_of(request)))(request)
        if agent_of(request) == self.agent:
            return Reply({}, status=500)
        made: dict[str, Callable[[RecordedRequest], Reply]] = {
            "update_todos": chat(Call("Task", {"task": "call mom"})),
            "update_events": chat(Call("Appointment", {"title": "dentist", "when": "friday at 3pm"})),
        }
        return made[agent_of(request)](request)


@pytest.mark.parametrize("agent", ["update_todos", "update_events"])
async def test_one_agents_fault_leaves_the_others_to_the_model(database: Database, agent: str) -> None:
    with ScriptedModelServer() as models:
        models.script("/chat/completions", Failing(agent))
        async with turn_server(database, mind_at(models)) as server:
            turn = await server.say("call mom and book the dentist friday at 3pm")
            rows = await server.changes(turn)
    assert sorted((row.kind, row.status) for row in rows) == [("event", "applied"), ("todo", "applied")]
    assert turn.result is not None
    assert turn.result.understanding == "fallback"


async def test_no_fault_leaves_a_key_or_the_users_words_in_the_log(
    database: Database, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level("DEBUG")
    with ScriptedModelServer() as models:
        async with turn_server(database, mind_at(models, Breakers(10**9, 0.0, 0.0))) as server:
            for fault in ("401", "broken JSON", "unknown tool", "500"):
                models.script("/chat/completions", FAULTS[fault])
                await server.say(f"buy zanzibar for {fault}")
    assert "sk-test-key" not in caplog.text
    assert "zanzibar" not in caplog.text
    assert "the language model failed at routing: denied" in caplog.text
