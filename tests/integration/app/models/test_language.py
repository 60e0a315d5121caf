"""A user who speaks another language: receipts and corrections are in the language of the reply."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager

import pytest

from agents.ports import Understanding
from agents.understanding import BuiltIn
from agents.understanding.builtin import ENGLISH_ONLY
from app.database.database import Database
from app.http.accounts.store.users import Users
from app.models.understanding.decision import language_of_text
from tests.support.fakes import Call, ScriptedModelServer
from tests.support.minds import mind_at, says, world_of
from tests.support.servers.turn_server import TurnServer, reply_of, turn_server

BUY = "comprar leite amanhã às 17h"


@pytest.fixture
def models() -> Iterator[ScriptedModelServer]:
    with ScriptedModelServer() as server:
        yield server


@asynccontextmanager
async def portuguese(database: Database, mind: Understanding) -> AsyncIterator[TurnServer]:
    async with turn_server(database, mind) as server:
        await Users(database).update_settings(server.user, {"language": "pt-PT"})
        yield server


async def test_times_and_receipts_are_the_users(database: Database, models: ScriptedModelServer) -> None:
    task = {"title": "comprar leite", "due": "2026-11-19T17:00", "when_words": "amanhã às 17h"}
    models.script("/chat/completions", says(Call("create_task", task)))
    async with portuguese(database, mind_at(models)) as server:
        turn = await server.say(BUY)
        (row,) = await server.changes(turn)
    assert (row.title, row.status) == ("comprar leite", "applied")
    assert (row.after or {})["deadline"].startswith("2026-11-19T17:00")
    assert reply_of(turn) == "Adicionei “comprar leite” às suas tarefas, prazo: amanhã às 17:00."
    assert "language: pt-PT" in world_of(models.requests[-1])


async def test_a_deletion_that_is_named_is_done_and_one_that_is_not_is_asked(
    database: Database, models: ScriptedModelServer
) -> None:
    async with portuguese(database, mind_at(models)) as server:
        models.script("/chat/completions", says(Call("create_task", {"title": "comprar leite"})))
        await server.say("comprar leite")
        models.script("/chat/completions", says(Call("delete", {"ids": ["comprar leite"]})))
        turn = await server.say("que dia bonito")
        assert [(row.op, row.status) for row in await server.changes(turn)] == [("delete", "needs_confirmation")]
        assert "Apagar a tarefa “comprar leite”?" in reply_of(turn)
        await server.say("não")
        await server.say("apaga comprar leite")
        assert await server.tasks() == []


async def test_without_a_model_it_says_what_it_understands(database: Database) -> None:
    async with portuguese(database, BuiltIn()) as server:
        turn = await server.say("xpto qwerty zz?")
        assert ENGLISH_ONLY in reply_of(turn)
        assert reply_of(await server.say("add task buy milk")) == "Adicionei “buy milk” às suas tarefas."


@pytest.mark.parametrize(
    ("text", "usual", "tag"),
    [
        ("Das ist auf der Liste, und für morgen ist nichts da.", "en", "de"),
        ("O leite está na lista, e não há mais nada para amanhã.", "en", "pt-BR"),
        ("That is on the list, and there is nothing for tomorrow.", "de", "en"),
        ("La leche está en la lista, y no hay más para el viernes.", "en", "es"),
        ("Das ist auf der Liste.", "de-AT", ""),
        ("ok", "en", ""),
        ("Milk 2.0", "de", ""),
    ],
)
def test_the_language_of_a_text_is_told_by_its_common_words(text: str, usual: str, tag: str) -> None:
    assert language_of_text(text, usual) == tag


async def test_a_receipt_follows_the_language_of_the_reply(database: Database, models: ScriptedModelServer) -> None:
    said = says(Call("create_task", {"title": "Milch"}), text="Das mache ich für dich, und es ist nicht zu viel.")
    models.script("/chat/completions", said)
    async with turn_server(database, mind_at(models)) as server:
        turn = await server.say("Ich brauche Milch, und das ist nicht für dich")
    assert "“Milch”" in reply_of(turn) or "„Milch“" in reply_of(turn)
    assert "Added" not in reply_of(turn)
