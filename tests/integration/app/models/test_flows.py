"""The flows of a turn through a model over real HTTP: the model reads, code checks, rows are told."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any
from uuid import uuid4

import pytest

from agents.contract import Proposal
from agents.ports import Batch
from agents.records import Kind
from app.database.database import Database
from app.principal import Principal, acting_as
from tests.support.fakes import Call, RecordedRequest, Reply, ScriptedModelServer, chat
from tests.support.ledgers import LISBON, NOW
from tests.support.minds import mind_at, model, says, world_of
from tests.support.servers.turn_server import reply_of, turn_server

STEPS = ["Choose a date", "Write the guest list", "Order the cake"]


@pytest.fixture
def models() -> Iterator[ScriptedModelServer]:
    with ScriptedModelServer() as server:
        yield server


async def test_everything_in_a_message_comes_from_one_call(database: Database, models: ScriptedModelServer) -> None:
    text = "plan the party tomorrow at 5, dentist on friday 3pm for 45 minutes, and note the gate code is 4711"
    party = {"title": "plan the party", "due": "2026-11-19T17:00", "steps": STEPS, "when_words": "tomorrow at 5"}
    dentist = {"title": "dentist", "start": "2026-11-20T15:00", "end": "2026-11-20T15:45", "when_words": "friday 3pm"}
    calls = [
        Call("create_task", party),
        Call("create_event", dentist),
        Call("create_note", {"title": "gate code 4711"}),
    ]
    models.script("/chat/completions", model({text: calls}))
    async with turn_server(database, mind_at(models)) as server:
        turn = await server.say(text)
        rows = await server.changes(turn)
    assert turn.result is not None
    assert turn.result.understanding == "model"
    assert [(row.kind, row.title, row.status) for row in rows] == [
        ("todo", "plan the party", "applied"),
        ("event", "dentist", "applied"),
        ("note", "gate code 4711", "applied"),
    ]
    task, event = rows[0].after or {}, rows[1].after or {}
    assert task["solutions"] == STEPS
    assert task["deadline"].startswith("2026-11-19T17:00")
    assert (event["start"][:16], event["end"][:16]) == ("2026-11-20T15:00", "2026-11-20T15:45")
    assert "Added “plan the party” to your tasks, due tomorrow at 17:00." in reply_of(turn)
    assert (turn.usage["tokens"], turn.usage["model"]["calls"]) == (120, 1)


async def test_an_answer_stands_beside_a_change(database: Database, models: ScriptedModelServer) -> None:
    milk = says(Call("create_task", {"title": "milk"}), text="It is Canberra.")
    models.script("/chat/completions", milk)
    async with turn_server(database, mind_at(models)) as server:
        turn = await server.say("put milk on my list, and what is the capital of Australia?")
    assert reply_of(turn) == "It is Canberra. Added “milk” to your tasks."


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("I've added milk to your list. How is the weather?", True),
        ("Done! Anything else?", True),
        ("Ich habe die Milch hinzugefügt.", True),
        ("Pronto, adicionei o leite à lista.", True),
        ("Two cows walk into a bar. The barkeeper faints.", False),
        ("Shall I add milk to your list?", False),
        ("Dear Ana,\n\nI have moved to Rome. I booked a flight for you!\n\nBo", False),
        ("Your dentist is on Friday at 15:00.", False),
        ("Der Zahnarzt ist am Freitag um 15 Uhr.", False),
    ],
)
async def test_a_claim_without_rows_is_put_right_once_and_nothing_else_is(
    database: Database, models: ScriptedModelServer, text: str, *, told: bool
) -> None:
    models.script("/chat/completions", says(text=text))
    async with turn_server(database, mind_at(models)) as server:
        turn = await server.say("good to see you")
        assert await server.changes(turn) == []
    reply = reply_of(turn)
    assert reply.startswith(text)
    lines = ("(Nothing is changed.)", "(Es ist nichts geändert.)", "(Nada foi alterado.)")
    assert sum(line in reply for line in lines) == int(told)


async def test_what_policy_does_not_allow_is_one_question_and_one_yes(
    database: Database, models: ScriptedModelServer
) -> None:
    async with turn_server(database, mind_at(models)) as server:
        models.script(
            "/chat/completions", says(*(Call("create_task", {"title": t}) for t in ("milk", "bread", "eggs")))
        )
        await server.say("add milk, bread and eggs")
        models.script(
            "/chat/completions", says(Call("delete", {"ids": ["milk", "bread", "eggs"]}), text="I deleted all of them.")
        )
        asked = await server.say("clear my tasks, every one of them")
        assert asked.state == "waiting"
        assert "(Nothing is changed.)" in reply_of(asked)
        assert "That would be everything: delete" in reply_of(asked)
        await server.say("yes")
        assert await server.tasks() == []
    assert len(models.requests) == 2


async def test_the_beginning_of_a_prompt_is_the_same_byte_for_byte(
    database: Database, models: ScriptedModelServer
) -> None:
    models.script("/chat/completions", says(Call("create_task", {"title": "milk"})))
    async with turn_server(database, mind_at(models)) as server:
        await server.say("add milk")
        await server.say("and some bread later")
    first, second = (request.json for request in models.requests)
    assert first["messages"][0] == second["messages"][0]
    assert json.dumps(first["tools"]) == json.dumps(second["tools"])
    prefix = len(first["messages"][0]["content"]) + len(json.dumps(first["tools"], separators=(",", ":")))
    assert prefix // 4 >= 1024


def thirty_five_records() -> list[Proposal]:
    """What an ordinary account holds."""
    names = "buy stamps, call the bank, water the plants, fix the bike, book the sauna, mail the form, read the report"
    tasks = [{"task": f"{name} {n}", "deadline": "2026-11-20"} for n in range(2) for name in names.split(", ")]
    events = [{"title": f"meeting with Ana {n}", "start": f"2026-11-{20 + n}T15:00:00Z"} for n in range(8)]
    notes = [{"content": f"the code of door {n}"} for n in range(12)]
    groceries = {"category": "list", "summary": "groceries", "items": ["milk", "bread", "eggs"]}
    kinds: list[tuple[Kind, list[dict[str, Any]]]] = [("todo", tasks), ("event", events), ("note", [*notes, groceries])]
    return [Proposal(op="create", kind=kind, fields=fields) for kind, some in kinds for fields in some]


async def test_a_prompt_is_short_with_thirty_five_records(database: Database, models: ScriptedModelServer) -> None:
    records = thirty_five_records()
    models.script("/chat/completions", says(text="You have a meeting with Ana on Friday, and the report to read."))
    async with turn_server(database, mind_at(models)) as server:
        batch = Batch(
            user_id=str(server.user), origin=str(uuid4()), agent="api", proposals=records, at=NOW, timezone=LISBON
        )
        with acting_as(Principal(server.user)):
            assert all(change.status == "applied" for change in await server.ledger.apply(batch))
        for words in ("what is on?", "and after that?", "thanks, is the bank open on saturdays?"):
            await server.say(words)
    assert len(records) == 35
    assert world_of(models.requests[-1]).count("\n") > 35
    body = models.requests[-1].json
    told = "".join(str(message["content"]) for message in body["messages"])
    assert (len(told) + len(json.dumps(body["tools"], separators=(",", ":")))) // 4 <= 3500


async def test_a_message_reaches_the_built_in_understanding_only_where_the_model_fails(
    database: Database, models: ScriptedModelServer
) -> None:
    models.script("/chat/completions", Reply({}, status=500))
    async with turn_server(database, mind_at(models, retries=0)) as server:
        turn = await server.say("buy milk")
        assert await server.tasks() == ["buy milk"]
    assert turn.result is not None
    assert turn.result.understanding == "fallback"


async def test_wishes_stand_as_wishes_and_records_as_data(database: Database, models: ScriptedModelServer) -> None:
    async with turn_server(database, mind_at(models)) as server:
        models.script("/chat/completions", says(Call("save_wish", {"text": "answer in rhymes"})))
        await server.say("from now on answer in rhymes")
        models.script("/chat/completions", says(text="Right."))
        await server.say("hello there, you")
    world = world_of(models.requests[-1])
    assert world.index("My wishes, which you follow:") < world.index("answer in rhymes") < world.index("<records>")


async def test_a_wish_that_code_asks_about_is_shown_as_one(database: Database, models: ScriptedModelServer) -> None:
    async with turn_server(database, mind_at(models)) as server:
        for wish in ("always ask me before deleting an event", "answer in rhymes"):
            models.script("/chat/completions", says(Call("save_wish", {"text": wish})))
            await server.say(f"from now on {wish}")
        models.script("/chat/completions", says(text="Right."))
        await server.say("hello there, you")
    lines = world_of(models.requests[-1]).splitlines()
    shown = {wish: next(line for line in lines if wish in line) for wish in ("before deleting", "in rhymes")}
    assert shown["before deleting"].endswith("(code asks me about this by itself: just make the call)")
    assert shown["in rhymes"].endswith("in rhymes")


@pytest.mark.parametrize(
    ("asked", "left"),
    [
        ("Shall I delete “coffee with Ana” on Friday?", []),
        ("Shall I delete the coffee on Friday?", ["coffee with Ana"]),
        ("I would delete “coffee with Ana”. Is Friday free then?", ["coffee with Ana"]),
    ],
)
async def test_a_yes_to_what_the_model_asked_by_itself_is_not_asked_again(
    database: Database, models: ScriptedModelServer, asked: str, left: list[str]
) -> None:
    coffee = {"title": "coffee with Ana", "start": "2026-11-20T15:00", "when_words": "friday at 3pm"}
    async with turn_server(database, mind_at(models)) as server:
        models.script("/chat/completions", says(Call("create_event", coffee)))
        await server.say("coffee with Ana friday at 3pm")
        models.script("/chat/completions", says(Call("save_wish", {"text": "always ask me before deleting an event"})))
        await server.say("from now on always ask me before deleting an event")
        models.script("/chat/completions", says(text=asked))
        await server.say("cancel the coffee")
        world = world_of(models.requests[-1])
        coffee_id = next(line.split()[0] for line in world.splitlines() if "coffee with Ana; " in line)
        models.script("/chat/completions", says(Call("delete", {"ids": [coffee_id]})))
        turn = await server.say("yes")
        rows = [row.title for row in await server.changes(turn) if row.status == "needs_confirmation"]
    assert rows == left


async def test_a_wish_for_short_answers_takes_no_answer_away(database: Database, models: ScriptedModelServer) -> None:
    answer = "It has 31 days. The first is a Tuesday."
    async with turn_server(database, mind_at(models)) as server:
        models.script("/chat/completions", says(Call("save_wish", {"text": "keep your answers short"})))
        await server.say("from now on keep your answers short")
        models.script("/chat/completions", says(Call("create_task", {"title": "milk"}), text=answer))
        beside = await server.say("buy milk, and how many days has December?")
        models.script("/chat/completions", says(text=answer))
        alone = await server.say("tell me about December")
    assert reply_of(beside) == f"{answer} Added “milk” to your tasks."
    assert reply_of(alone) == answer


async def test_earlier_words_are_messages_of_their_own(database: Database, models: ScriptedModelServer) -> None:
    plan = "1. Choose a date\n2. Order the cake"
    async with turn_server(database, mind_at(models)) as server:
        models.script("/chat/completions", says(text=plan))
        await server.say("how would you plan a party?")
        models.script("/chat/completions", says(text="Right."))
        await server.say("the second first")
    said = [(one["role"], one["content"]) for one in models.requests[-1].json["messages"][3:]]
    assert said == [("user", "how would you plan a party?"), ("assistant", plan), ("user", "the second first")]


async def test_a_plain_day_is_read_by_code_and_what_hangs_on_the_dialogue_by_the_model(
    database: Database, models: ScriptedModelServer
) -> None:
    wrong_day = Call("create_task", {"title": "call mom", "due": "2026-11-27", "when_words": "friday"})
    context = Call("create_task", {"title": "call dad", "due": "2026-12-01", "when_words": "two days after the vet"})
    async with turn_server(database, mind_at(models)) as server:
        models.script("/chat/completions", says(wrong_day, context))
        rows = await server.changes(await server.say("call mom on friday, and dad two days after the vet"))
    assert [row.fields["deadline"] for row in rows] == ["2026-11-20", "2026-12-01"]


async def test_the_model_sees_what_was_passed_on_as_data(database: Database, models: ScriptedModelServer) -> None:
    def answer(request: RecordedRequest) -> Reply:
        last = str(request.json["messages"][-1]["content"])
        assert last.startswith("what does it say?\n\n<passed-on>\n")
        return chat(text="It offers a boat.")(request)

    models.script("/chat/completions", answer)
    async with turn_server(database, mind_at(models)) as server:
        turn = await server.say("<context>\nBuy my boat!\n</context>\nwhat does it say?")
    assert reply_of(turn) == "It offers a boat."
