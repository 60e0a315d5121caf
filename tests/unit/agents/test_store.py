"""Reading what is stored: all of it, as it is now, and each user's own."""

from __future__ import annotations

from langgraph.store.memory import InMemoryStore

from agents.store import PAGE, read_records
from graph.store_ledger import StoreLedger
from tests.support.ledgers import Desk


def desk_on(store: InMemoryStore) -> Desk:
    return Desk(StoreLedger(lambda: store), store)


async def tasks(desk: Desk) -> dict[str, str]:
    return {todo.id: todo.notes for todo in (await read_records(desk.store, str(desk.user))).todos}


async def test_more_than_a_page_is_read_whole() -> None:
    store = InMemoryStore()
    desk = desk_on(store)
    made = (await desk.add(task="one")).after or {}
    for number in range(PAGE + 5):
        value = {**made, "id": f"todo-{number}"}
        await store.aput(("todo", str(desk.user)), value["id"], value)
    assert len(await tasks(desk)) == PAGE + 6


async def test_a_record_that_changed_is_read_as_it_is_now() -> None:
    desk = desk_on(InMemoryStore())
    made = await desk.add(task="one")
    for notes in ("", "at last", "again"):
        if notes:
            await desk.do("update", "todo", made.record_id, notes=notes)
        assert await tasks(desk) == {made.record_id: notes}


async def test_the_same_id_of_two_users_is_two_records() -> None:
    store = InMemoryStore()
    ada, ben = desk_on(store), desk_on(store)
    made = (await ada.add(task="one")).after or {}
    await store.aput(("todo", str(ben.user)), made["id"], {**made, "notes": "ben's"})
    assert (await tasks(ada), await tasks(ben)) == ({made["id"]: ""}, {made["id"]: "ben's"})
