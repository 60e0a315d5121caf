"""Tenants, their settings and keys."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime
from uuid import uuid4

import pytest

from app.database.database import Database
from app.http.accounts.model.users import main_thread
from app.http.accounts.store.users import Users
from app.turns.store.threads import Threads


@pytest.fixture
async def users(database: Database) -> Users:
    return Users(database)


async def test_a_new_user_has_a_main_thread(database: Database, users: Users) -> None:
    ada = await users.create("Ada")
    thread = await Threads(database).get(ada.id, main_thread(ada.id))
    assert thread is not None
    assert (thread.is_main, thread.status, thread.message_count) == (True, "active", 0)
    assert await users.get(ada.id) == ada
    assert await users.get(uuid4()) is None


async def test_creating_the_same_user_many_times_at_once_makes_one(users: Users) -> None:
    known = uuid4()
    made = await asyncio.gather(*[users.create(f"name {number}", known) for number in range(8)])
    assert len({user.name for user in made}) == 1
    assert [user.id for user in await users.list()] == [known]


async def test_settings_are_merged_and_none_removes_one(users: Users) -> None:
    ada = await users.create("Ada")
    await users.update_settings(ada.id, {"timezone": "Europe/Lisbon", "tone": "short"})
    changed = await users.update_settings(ada.id, {"tone": None, "week": "monday"})
    assert changed.settings == {"timezone": "Europe/Lisbon", "week": "monday"}
    with pytest.raises(LookupError):
        await users.update_settings(uuid4(), {"tone": "short"})


async def test_keys_are_found_by_digest_until_they_are_revoked(users: Users) -> None:
    ada, ben = await users.create("Ada"), await users.create("Ben")
    assert await users.any_key() is False
    expiry = datetime(2030, 1, 1, tzinfo=UTC)
    key = await users.create_key(ada.id, "phone", b"digest", "wxyz", ["read", "write"], expiry)
    assert (key.user_id, key.hint, key.scopes, key.expires_at) == (ada.id, "wxyz", ("read", "write"), expiry)
    assert await users.find_key(b"digest") == key
    assert list(await users.keys(ada.id)) == [key]
    assert list(await users.keys(ben.id)) == []
    assert await users.delete_key(ben.id, key.id) is False
    assert await users.any_key() is True
    assert await users.delete_key(ada.id, key.id) is True
    assert await users.find_key(b"digest") is None
