"""What was made as one is undone as one, and stands or falls as one."""

from __future__ import annotations

from agents.contract import Proposal
from agents.understanding import BuiltIn
from app.database.database import Database
from tests.support.ledgers import desk_at
from tests.support.servers.turn_server import turn_server


async def test_a_group_stands_or_falls_as_one(database: Database) -> None:
    desk = await desk_at(database)
    note = await desk.add("note")
    good = Proposal(op="create", kind="todo", fields={"task": "a bench"}, group="g")
    away = Proposal(op="archive", kind="note", record_id=note.record_id, group="g")
    wrong = away.model_copy(update={"record_id": "there-is-none"})
    failed = await desk.apply(good, wrong)
    assert [row.status for row in failed] == ["failed", "failed"]
    assert "goes together with" in str(failed[0].error)
    assert await desk.records("todo") == {}
    made = await desk.apply(good, away)
    assert [(row.status, row.together) for row in made] == [("applied", made[0].id)] * 2
    assert (await desk.again(made[1])).together == made[0].id


async def test_turning_an_idea_into_a_task_is_one_change_in_words(database: Database) -> None:
    async with turn_server(database, BuiltIn()) as server:
        await server.say("idea: a bench in the garden")
        await server.say("turn the bench idea into a task")
        assert await server.tasks() == ["a bench in the garden"]
        undone = await server.say("undo the bench")
        assert sorted(change.kind for change in await server.changes(undone)) == ["note", "todo"]
        assert await server.tasks() == []
        await server.say("redo that")
        assert await server.tasks() == ["a bench in the garden"]
