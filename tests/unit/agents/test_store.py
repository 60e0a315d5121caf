"""Reading what is stored: all of it, as it is now, and each user's own."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import UTC, datetime

from langgraph.store.base import Op, Result, SearchItem, SearchOp
from langgraph.store.memory import InMemoryStore

from agents.ports import Mark
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


class Following(InMemoryStore):
    """A store that tells what changed, and counts how often all of it is read."""

    def __init__(self) -> None:
        super().__init__()
        self.changed: list[SearchItem] | None = None
        self.searches = 0

    async def changed_since(self, user_id: str, since: Mark | None) -> tuple[Mark, list[SearchItem] | None]:
        return (1, 1), None if since is None else self.changed

    async def abatch(self, ops: Iterable[Op]) -> list[Result]:
        asked = list(ops)
        self.searches += sum(isinstance(op, SearchOp) for op in asked)
        return await super().abatch(asked)


async def test_of_a_store_that_tells_what_changed_only_that_is_read_again() -> None:
    store = Following()
    desk = desk_on(store)
    made = await desk.add(task="one")
    assert await tasks(desk) == {made.record_id: ""}
    read_once, store.changed = store.searches, []
    assert await tasks(desk) == {made.record_id: ""}
    assert store.searches == read_once
    value = {**(made.after or {}), "notes": "at last"}
    now = datetime(2026, 11, 27, tzinfo=UTC)
    store.changed = [SearchItem(("todo", str(desk.user)), str(made.record_id), value, now, now)]
    assert await tasks(desk) == {made.record_id: "at last"}
    assert store.searches == read_once


async def test_a_store_that_cannot_tell_what_changed_is_read_whole() -> None:
    store = Following()
    desk = desk_on(store)
    made = await desk.add(task="one")
    await tasks(desk)
    store.changed = None
    await desk.do("update", "todo", made.record_id, notes="later")
    assert await tasks(desk) == {made.record_id: "later"}
