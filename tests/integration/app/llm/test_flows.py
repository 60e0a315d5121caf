"""The flows of a turn through a model over real HTTP: the model words, code resolves, the ledger decides."""

from __future__ import annotations

import threading
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from typing import Any

import pytest

from agents.contract import RouterDecision
from agents.mind import BuiltIn
from agents.ports import Ask
from app.llm.requests import Target
from app.storage.database import Database
from tests.support.fakes import Call, RecordedRequest, Reply, ScriptedModelServer, Spent, chat
from tests.support.minds import agent_of, message_of, mind_at, mind_on, model, patch, route
from tests.support.servers.turn_server import TurnServer, reply_of, turn_server
from tests.support.waiting import HANG_SECONDS

STEPS = ["Choose a date", "Write the guest list", "Order the cake"]


@pytest.fixture
def models() -> Iterator[ScriptedModelServer]:
    with ScriptedModelServer() as server:
        yield server


@asynccontextmanager
async def opened(database: Database, models: ScriptedModelServer) -> AsyncIterator[TurnServer]:
    async with turn_server(database, mind_at(models)) as server:
        yield server


async def test_a_task_with_steps_an_event_and_a_note_come_from_one_message(
    database: Database, models: ScriptedModelServer
) -> None:
    text = "plan the party tomorrow at 5, dentist on friday 3pm for 45 minutes, and note the gate code is 4711"
    models.script(
        "/chat/completions",
        model(
            {
                text: {
                    "update_todos": [
                        Call("Task", {"task": "plan the party", "deadline": "tomorrow at 5", "solutions": STEPS})
                    ],
                    "update_events": [Call("Appointment", {"title": "dentist", "when": "friday 3pm for 45 minutes"})],
                    "update_notes": [Call("Note", {"content": "the gate code is 4711"})],
                }
            }
        ),
    )
    async with opened(database, models) as server:
        turn = await server.say(text)
        rows = await server.changes(turn)
    assert turn.result is not None
    assert turn.result.understanding == "model"
    assert [(row.kind, row.title, row.status) for row in rows] == [
        ("todo", "plan the party", "applied"),
        ("event", "dentist", "applied"),
        ("note", "the gate code is 4711", "applied"),
    ]
    task, event = rows[0].after or {}, rows[1].after or {}
    assert task["solutions"] == STEPS
    assert task["deadline"].startswith("2026-11-19T17:00")
    assert (event["start"][:16], event["end"][:16]) == ("2026-11-20T15:00", "2026-11-20T15:45")
    assert "Added “plan the party” to your tasks, due tomorrow at 17:00." in reply_of(turn)
    assert turn.usage["tokens"] == 4 * 120
    assert turn.usage["model"]["calls"] == 4


async def test_records_are_patched_completed_and_removed(database: Database, models: ScriptedModelServer) -> None:
    add, text = "add pay the rent, call mom and buy stamps", "push the rent to friday, mom is done, drop the stamps"
    models.script(
        "/chat/completions",
        model(
            {
                add: {
                    "update_todos": [
                        Call("Task", {"task": task}) for task in ("pay the rent", "call mom", "buy stamps")
                    ]
                },
                text: {
                    "update_todos": [
                        patch("pay the rent", deadline="friday"),
                        patch("call mom", status="done"),
                        Call("RemoveDoc", {"json_doc_id": "buy stamps"}),
                    ]
                },
            }
        ),
    )
    async with opened(database, models) as server:
        await server.say(add)
        rows = await server.changes(await server.say(text))
    assert [(row.op, row.title) for row in rows] == [
        ("update", "pay the rent"),
        ("complete", "call mom"),
        ("delete", "buy stamps"),
    ]
    assert rows[0].fields == {"deadline": "2026-11-20"}


async def test_a_bad_value_an_unknown_id_and_an_unknown_tool_fail_alone(
    database: Database, models: ScriptedModelServer
) -> None:
    text = "add milk with priority 99, add bread, and change the eggs"
    models.script(
        "/chat/completions",
        model(
            {
                text: {
                    "update_todos": [
                        Call("Task", {"task": "milk", "priority": 99}),
                        Call("Task", {"task": "bread"}),
                        patch("00000000", task="eggs"),
                        Call("LaunchRocket", {"to": "moon"}),
                    ]
                }
            }
        ),
    )
    async with opened(database, models) as server:
        turn = await server.say(text)
        rows = await server.changes(turn)
    assert [(row.title, row.status) for row in rows if row.op == "create"] == [("milk", "failed"), ("bread", "applied")]
    assert [(row.op, row.status, row.error) for row in rows if row.op == "update"] == [
        ("update", "failed", "there is no such todo any more")
    ]
    assert "I could not add “milk”" in reply_of(turn)
    assert "1 thing that I could not read" in reply_of(turn)


async def test_a_date_of_the_models_own_is_never_used(database: Database, models: ScriptedModelServer) -> None:
    script = {
        "call mom tomorrow": {"update_todos": [Call("Task", {"task": "call mom", "deadline": "2027-01-01"})]},
        "call dad": {"update_todos": [Call("Task", {"task": "call dad", "deadline": "2027-01-01"})]},
        "add a dentist appointment": {
            "update_events": [Call("Appointment", {"title": "dentist", "when": "2027-01-01T09:00"})]
        },
    }
    models.script("/chat/completions", model(script))
    async with opened(database, models) as server:
        said = (await server.changes(await server.say("call mom tomorrow")))[0]
        unsaid = (await server.changes(await server.say("call dad")))[0]
        asked = await server.say("add a dentist appointment")
        assert await server.changes(asked) == []
    assert said.fields["deadline"] == "2026-11-19"
    assert "deadline" not in unsaid.fields
    assert asked.state == "waiting"
    assert "When is dentist?" in reply_of(asked)


async def test_small_talk_is_the_models_but_a_claim_in_it_is_dropped(
    database: Database, models: ScriptedModelServer
) -> None:
    lie = "Nice to hear from you! I've added milk to your list. How is the weather?"
    models.script("/chat/completions", chat(Call("Route", {"shares": [], "say": lie})))
    async with opened(database, models) as server:
        turn = await server.say("good to see you")
    assert reply_of(turn) == "Nice to hear from you! How is the weather?"


async def test_the_models_small_talk_does_not_pass_over_a_time(database: Database, models: ScriptedModelServer) -> None:
    models.script("/chat/completions", chat(Call("Route", {"shares": [], "say": "How lovely!"})))
    async with opened(database, models) as server:
        turn = await server.say("my sister's train is due on friday at nine")
    assert reply_of(turn) == "How lovely! (Nothing is changed.)"


@pytest.mark.parametrize("title", ["   ", "do you", "get at least two"])
async def test_a_title_of_a_model_says_something(database: Database, models: ScriptedModelServer, title: str) -> None:
    script = {"add do you get at least two": {"update_todos": [Call("Task", {"task": title})]}}
    models.script("/chat/completions", model(script))
    async with opened(database, models) as server:
        turn = await server.say("add do you get at least two")
        assert await server.changes(turn) == []
        assert await server.tasks() == []
    assert "I did not understand" in reply_of(turn) or "I left out 1 change" in reply_of(turn)


async def test_the_model_may_ask_back_and_take_back(database: Database, models: ScriptedModelServer) -> None:
    def undoing(request: RecordedRequest) -> Reply:
        shown = str(request.json["messages"][-1]["content"])
        known = shown.split("<recent changes>\n")[1].split(":", maxsplit=1)[0]
        return chat(Call("Route", {"undo": [known, "not-an-id"]}))(request)

    asking = Call("Route", {"shares": [], "question": "Which report do you mean?", "options": ["Q1", "Q2"]})
    script: dict[str, Any] = {
        "add call mom": {"update_todos": [Call("Task", {"task": "call mom"})]},
        "the thing with mom was a slip": undoing,
        "the report thing": {"route": [asking]},
    }
    models.script("/chat/completions", model(script))
    async with opened(database, models) as server:
        await server.say("add call mom")
        back = await server.say("the thing with mom was a slip")
        assert reply_of(back) == "Do you want me to undo “call mom”?"
        assert [row.op for row in await server.changes(await server.say("yes"))] == ["undo"]
        assert await server.tasks() == []
        asked = await server.say("the report thing")
    assert asked.state == "waiting"
    assert asked.result is not None
    assert asked.result.question is not None
    assert asked.result.question.options == ["Q1", "Q2"]


async def test_answers_from_what_is_stored_are_the_models_sentences_without_claims(
    database: Database, models: ScriptedModelServer
) -> None:
    text = "which of my things needs the most courage?"

    def answering(request: RecordedRequest) -> Reply:
        if agent_of(request) == "route":
            return chat(route("recall", words=message_of(request)))(request)
        return chat(text="Calling the landlord, I would say. I have deleted the rest.")(request)

    models.script("/chat/completions", model({text: answering}))
    async with opened(database, models) as server:
        turn = await server.say(text)
    assert reply_of(turn) == "Calling the landlord, I would say."
    assert turn.result is not None
    assert turn.result.disposition == "reply"


async def test_the_agents_of_a_turn_are_asked_side_by_side(database: Database, models: ScriptedModelServer) -> None:
    text = "add milk, note the code is 7, my name is Ada and dentist friday 3pm"
    calls = {
        "update_todos": Call("Task", {"task": "milk"}),
        "update_notes": Call("Note", {"content": "the code is 7"}),
        "update_profile": Call("Profile", {"name": "Ada"}),
        "update_events": Call("Appointment", {"title": "dentist", "when": "friday 3pm"}),
    }

    all_asked = threading.Barrier(len(calls))

    def together(request: RecordedRequest) -> Reply:
        agent = agent_of(request)
        if agent == "route":
            return chat(route(*calls, words=text))(request)
        all_asked.wait(HANG_SECONDS)
        return chat(calls[agent], spent=Spent(10, 5), delay_seconds=0.1)(request)

    models.script("/chat/completions", together)
    async with opened(database, models) as server:
        turn = await server.say(text)
        rows = await server.changes(turn)
    assert {row.kind for row in rows} == {"todo", "note", "profile", "event"}
    assert turn.usage["model"]["ms"] > 400  # what each of them waited, in all


async def test_a_sure_message_asks_no_model(database: Database, models: ScriptedModelServer) -> None:
    async with turn_server(database, mind_at(models, sure=0.75)) as server:
        turn = await server.say("remind me to call mom tomorrow at 5pm")
        rows = await server.changes(turn)
    assert models.requests == []
    assert turn.result is not None
    assert turn.result.understanding == "built-in"
    assert rows[0].fields["remind_at"].startswith("2026-11-19T17:00")
    assert turn.usage["tokens"] == 0


class Counted(BuiltIn):
    """The built-in understanding, which counts the messages that it was asked about."""

    def __init__(self) -> None:
        super().__init__()
        self.asked: list[str] = []

    async def route(self, ask: Ask) -> RouterDecision:
        self.asked.append(ask.text)
        return await super().route(ask)


@pytest.mark.parametrize("status", [200, 500])
async def test_a_message_is_understood_without_the_model_once(
    database: Database, models: ScriptedModelServer, status: int
) -> None:
    built_in, done = Counted(), model({"add milk": {"update_todos": [Call("Task", {"task": "milk"})]}})
    models.script("/chat/completions", done if status == 200 else Reply({}, status=status))
    mind = mind_on(Target(models.base_url, "scripted"), built_in=built_in)
    async with turn_server(database, mind) as server:
        turn = await server.say("add milk")
        assert await server.tasks() == ["milk"]
    assert built_in.asked == ["add milk"]
    assert turn.result is not None
    assert turn.result.understanding == ("model" if status == 200 else "fallback")


async def test_five_hundred_tasks_do_not_mean_five_hundred_in_the_prompt(
    database: Database, models: ScriptedModelServer
) -> None:
    many = ", ".join(f"errand number {number}" for number in range(20))
    script = {
        many: {"update_todos": [Call("Task", {"task": f"errand number {number}"}) for number in range(20)]},
        "move errand number 3 to friday": {"update_todos": [patch("errand number 3", deadline="friday")]},
    }
    models.script("/chat/completions", model(script))
    async with turn_server(database, mind_at(models, context_tokens=200)) as server:
        await server.say(many)
        rows = await server.changes(await server.say("move errand number 3 to friday"))
    assert [(row.op, row.title) for row in rows] == [("update", "errand number 3")]
    assert max(len(request.body) for request in models.requests[2:]) < 12_000


async def test_a_plan_is_shown_and_one_yes_adds_all_of_it(database: Database, models: ScriptedModelServer) -> None:
    tasks = [{"task": "Choose a date", "solutions": ["Ask the guests"]}, {"task": "Order the cake"}]
    text = "help me plan a party for Bo"
    script = {text: {"update_todos": [Call("Plan", {"about": "a party for Bo", "tasks": tasks})]}}
    models.script("/chat/completions", model(script))
    async with turn_server(database, mind_at(models, sure=0.75)) as server:
        asked = await server.say(text)
        assert await server.tasks() == []
        assert "1. Choose a date: Ask the guests\n2. Order the cake" in reply_of(asked)
        assert asked.state == "waiting"
        done = await server.say("yes")
        assert await server.tasks() == ["Choose a date", "Order the cake"]
        assert [row.status for row in await server.changes(done)] == ["applied", "applied"]
    assert "Added “Choose a date” to your tasks." in reply_of(done)


async def test_an_answer_stands_beside_a_change(database: Database, models: ScriptedModelServer) -> None:
    text = "put milk on my list, and what is the capital of Australia?"
    said = route("update_todos", words="put milk on my list", say="It is Canberra.")
    script = {text: {"route": [said], "update_todos": [Call("Task", {"task": "milk"})]}}
    models.script("/chat/completions", model(script))
    async with turn_server(database, mind_at(models, sure=0.75)) as server:
        turn = await server.say(text)
        assert await server.tasks() == ["milk"]
    assert "It is Canberra." in reply_of(turn)
    assert "Added “milk”" in reply_of(turn)


DRAFT = "Dear Ana,\n\nI have moved to Rome. Come and see me!\n\nBo"


async def test_a_draft_comes_whole_with_its_lines(database: Database, models: ScriptedModelServer) -> None:
    text = "write a short letter to Ana about my move to Rome"

    def writing(request: RecordedRequest) -> Reply:
        routed = agent_of(request) == "route"
        return (chat(route("recall", words=message_of(request))) if routed else chat(text=DRAFT))(request)

    models.script("/chat/completions", writing)
    async with turn_server(database, mind_at(models, sure=0.75)) as server:
        turn = await server.say(text)
        assert await server.changes(turn) == []
    assert reply_of(turn) == DRAFT
