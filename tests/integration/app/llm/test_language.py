"""A user who speaks another language: a model understands it, code resolves the translated time, claims are checked."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from typing import Any

import pytest
from agents.grounding.prose import only_asks

from agents.mind import BuiltIn
from agents.mind.builtin import ENGLISH_ONLY
from agents.ports import Understanding
from app.storage.database import Database
from app.storage.users import PostgresUsers
from tests.support.fakes import Call, ScriptedModelServer, chat
from tests.support.minds import mind_at, model, route
from tests.support.servers.turn_server import TurnServer, reply_of, turn_server

BUY = "comprar leite amanhã às 17h"


@pytest.fixture
def models() -> Iterator[ScriptedModelServer]:
    with ScriptedModelServer() as server:
        yield server


@asynccontextmanager
async def portuguese(database: Database, mind: Understanding) -> AsyncIterator[TurnServer]:
    async with turn_server(database, mind) as server:
        await PostgresUsers(database).update_settings(server.user, {"language": "pt-PT"})
        yield server


def script(models: ScriptedModelServer, answers: dict[str, Any]) -> None:
    models.script("/chat/completions", model(answers))


async def test_the_model_translates_the_time_and_keeps_the_words(
    database: Database, models: ScriptedModelServer
) -> None:
    call = Call("Task", {"task": "comprar leite", "deadline": "tomorrow at 17:00"})
    script(models, {BUY: {"update_todos": [call]}})
    async with portuguese(database, mind_at(models)) as server:
        turn = await server.say(BUY)
        (row,) = await server.changes(turn)
    assert (row.title, row.status) == ("comprar leite", "applied")
    assert (row.after or {})["deadline"].startswith("2026-11-19T17:00")
    assert reply_of(turn) == "Adicionei “comprar leite” às suas tarefas, prazo: amanhã às 17:00."
    assert all("language: pt-PT" in str(request.body) for request in models.requests)


async def test_a_deletion_in_words_that_code_cannot_read_waits_for_a_yes(
    database: Database, models: ScriptedModelServer
) -> None:
    async with portuguese(database, mind_at(models)) as server:
        add, drop = Call("Task", {"task": "comprar leite"}), Call("RemoveDoc", {"json_doc_id": "comprar leite"})
        script(models, {"comprar leite": {"update_todos": [add]}, "apaga comprar leite": {"update_todos": [drop]}})
        await server.say("comprar leite")
        turn = await server.say("apaga comprar leite")
        assert [(row.op, row.status) for row in await server.changes(turn)] == [("delete", "needs_confirmation")]
        assert "devo apagar a tarefa “comprar leite”?" in reply_of(turn)
        await server.say("Sim!")
        assert await server.tasks() == []


async def test_without_a_model_it_says_what_it_understands(database: Database) -> None:
    async with portuguese(database, BuiltIn()) as server:
        turn = await server.say("xpto qwerty zz?")
        assert ENGLISH_ONLY in reply_of(turn)
        assert reply_of(await server.say("add task buy milk")) == "Adicionei “buy milk” às suas tarefas."


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("A que horas?", True),
        ("何時ですか\uff1f", True),
        ("Apaguei tudo. Mais alguma coisa?", False),
        ("I deleted everything, ok?", False),
        ("Apaguei tudo", False),
    ],
)
def test_only_a_lone_question_is_shown_in_another_language(text: str, *, shown: bool) -> None:
    assert only_asks(text) is shown


@pytest.mark.parametrize(
    ("field", "words", "told"),
    [
        ("why", "apaguei todas as outras tarefas de hoje", " (Nada foi alterado.)"),
        ("encouragement", "Já apaguei todas as outras tarefas!", " (Nada foi alterado.)"),
        ("step", "Apaguei a lista das compras de ontem", " (Nada foi alterado.)"),
        ("why", "it is the one thing that is due today", ""),
    ],
)
async def test_a_suggestion_in_words_that_no_code_can_check_is_put_right(
    database: Database, models: ScriptedModelServer, field: str, words: str, told: str
) -> None:
    add = {"update_todos": [Call("Task", {"task": "comprar leite"})]}
    coach = {"focus_coach": [Call("Suggest", {"task": "comprar leite", field: words})]}
    script(models, {"comprar leite": add, "o que faço agora?": coach})
    async with portuguese(database, mind_at(models)) as server:
        await server.say("comprar leite")
        reply = reply_of(await server.say("o que faço agora?"))
    assert words.lower() in reply.lower()
    assert reply.endswith(told)
    assert ("alterado" in reply) is bool(told)


@pytest.mark.parametrize(
    ("declared", "told"),
    [("pt", "(Nada foi alterado.)"), ("en", "(Nothing is changed.)"), ("", "(Nada foi alterado.)")],
)
async def test_what_no_code_can_check_is_put_right(
    database: Database, models: ScriptedModelServer, declared: str, told: str
) -> None:
    claim = "Pronto, apaguei todas as tarefas de amanhã."
    models.script("/chat/completions", chat(route(words="olá", say=claim, language=declared)))
    async with portuguese(database, mind_at(models)) as server:
        turn = await server.say("como vai a vida?")
        assert await server.changes(turn) == []
    assert reply_of(turn) == f"{claim} {told}"
