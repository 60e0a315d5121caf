"""Records that are brought up to date are those that would be read: nothing of the changes in between is missed."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from operator import itemgetter
from typing import Any

import pytest
from langgraph.store.base import Op, Result

from agents.contract import Change
from agents.index.index import Items
from agents.index.items import Item
from agents.ports import INDEXED, Records
from agents.records import Kind
from agents.store import RECENTLY_CLOSED, read_records
from app.database.database import Database
from app.database.store import MAX_CHANGED_ROWS, TenantStore
from app.errors import OutOfReach
from app.principal import Principal, acting_as
from tests.support.ledgers import Desk, desk_at

STEPS = 120


class Unfollowed:
    """The same store, which does not tell what changed."""

    def __init__(self, store: TenantStore) -> None:
        self._store = store

    async def abatch(self, ops: Iterable[Op]) -> list[Result]:
        return await self._store.abatch(ops)


async def both(desk: Desk) -> tuple[Records, Records]:
    with acting_as(Principal(desk.user)):
        followed = await read_records(desk.store, str(desk.user))
        plain: Any = Unfollowed(desk.store)  # type: ignore[arg-type]
        return followed, await read_records(plain, str(desk.user))


def ordered(records: Records) -> dict[str, Any]:
    """By id within each kind: of two that changed in one transaction, either may come first."""
    told = records.model_dump(mode="json")
    return {name: sorted(rows, key=itemgetter("id")) if isinstance(rows, list) else rows for name, rows in told.items()}


def filed(records: Records) -> dict[Kind, list[Any]]:
    """All records in the order of the index, with the words that lead to each."""
    items = {kind: Items(records.index, (kind,)) for kind in INDEXED}
    return {
        kind: [
            (one.record.model_dump(), [one in known.find_under("word", [word]) for word in one.words]) for one in known
        ]
        for kind, known in items.items()
    }


FIELDS: dict[Kind, Callable[[int], dict[str, Any]]] = {
    "todo": lambda number: {"task": f"paint fence {number}"},
    "event": lambda number: {"title": f"meeting {number}", "start": f"2027-03-{number % 28 + 1:02d}T10:00:00+00:00"},
    "note": lambda number: {"content": f"the key number {number} is under the pot"},
    "instruction": lambda number: {"text": f"use British spelling in letter {number}"},
    "profile": lambda number: {"name": f"Ada {number}"},
}


@dataclass
class Walk:
    """Any changes, one after another, those that the ledger refuses included."""

    desk: Desk
    dice: random.Random
    made: list[Change] = field(default_factory=list)

    async def step(self, number: int) -> None:
        op: Any = self.dice.choice(("create", "create", "update", "complete", "archive", "delete", "undo"))
        if op == "undo" and self.made:
            await self.desk.undo(self.dice.choice(self.made))
            return
        kind = self.dice.choice(("todo", *FIELDS))
        same = [change.record_id for change in self.made if change.kind == kind]
        op = op if same and op != "undo" else "update" if kind == "profile" else "create"
        record = self.dice.choice(same) if op != "create" and same else None
        fields = FIELDS[kind](number) if op in ("create", "update") else {}
        change = await self.desk.do(op, kind, record, **fields)
        if change.status == "applied":
            self.made.append(change)


@pytest.mark.parametrize("seed", [1, 2, 3])
async def test_after_any_changes_they_are_what_a_fresh_reading_finds(database: Database, seed: int) -> None:
    walk = Walk(await desk_at(database), random.Random(seed))
    for number in range(STEPS):
        await walk.step(number)
        followed, plain = await both(walk.desk)
        assert ordered(followed) == ordered(plain), number
        anew = Records.model_validate(followed.model_dump())
        assert filed(followed) == filed(anew), number
    assert len(walk.made) > STEPS // 5


async def test_more_changes_than_are_followed_and_more_closed_than_are_shown(database: Database) -> None:
    desk = await desk_at(database)
    await desk.add(task="one")
    await both(desk)
    made = [await desk.add(task=f"paint fence {number}") for number in range(RECENTLY_CLOSED + 5)]
    for change in made:
        await desk.do("complete", "todo", change.record_id)
    followed, plain = await both(desk)
    assert ordered(followed) == ordered(plain)
    assert len(followed.todos) == RECENTLY_CLOSED + 1
    async with database.tenant(desk.user) as conn:
        await conn.execute(COPIES, (MAX_CHANGED_ROWS + 10, f"todo.{desk.user}"))
    followed, plain = await both(desk)
    assert ordered(followed) == ordered(plain)
    assert len(followed.todos) == MAX_CHANGED_ROWS + 10 + RECENTLY_CLOSED + 1


async def test_what_is_made_of_a_record_is_kept_as_long_as_the_record(database: Database) -> None:
    desk = await desk_at(database)
    kept, changed, gone, gone_too = [str((await desk.add(task=f"paint fence {one}")).record_id) for one in range(4)]

    async def items() -> dict[str, Item]:
        return {item.id: item for item in Items((await both(desk))[0].index, ("todo",))}

    first = await items()
    assert set(first) == {kept, changed, gone, gone_too}
    await desk.do("update", "todo", changed, task="paint the door")
    await desk.do("delete", "todo", gone)
    await desk.do("delete", "todo", gone_too)
    again = await items()
    assert set(again) == {kept, changed}
    assert again[kept] is first[kept]
    assert again[changed].title == "paint the door"


async def test_numbers_come_in_the_order_of_commits(database: Database) -> None:
    desk = await desk_at(database)
    change = await desk.add(task="one")
    touch = "update store set value = value where prefix = %s and key = %s returning key"
    place = (f"todo.{desk.user}", change.record_id)
    async with database.tenant(desk.user) as first:
        assert await (await first.execute(touch, place)).fetchone()  # it is done, not only sent
        with pytest.raises(OutOfReach):  # it waits for the other
            await copied(database, desk, place)


async def copied(database: Database, desk: Desk, place: tuple[str, str | None]) -> None:
    async with database.tenant(desk.user) as conn:
        await conn.execute("set local lock_timeout = '100ms'")
        await conn.execute(COPY, place)


COPIES = """
insert into store (prefix, key, value) select prefix, key || n, value || jsonb_build_object('id', key || n)
from store, generate_series(1, %s) n where prefix = %s and value->>'status' = 'not started'
"""
COPY = """
insert into store (prefix, key, value) select prefix, 'other', value from store where prefix = %s and key = %s
"""


async def test_another_user_sees_nothing_of_it(database: Database) -> None:
    ada, ben = await desk_at(database), await desk_at(database)
    await ada.add(task="ada's")
    await both(ada)
    assert ordered((await both(ben))[0])["todos"] == []
    with acting_as(Principal(ben.user)):
        store: Any = ben.store
        _, found = await store.changed_since(str(ada.user), (0, 0))
    assert not found
