"""Keys of providers at rest: sealed, bound to their owner and row, and in no dump."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path
from uuid import UUID, uuid4

import psycopg
import pytest

from app.database.database import Database
from app.database.model import KeyUnreadable
from app.database.secrets import KeyRing
from app.http.accounts.store.users import Users
from app.models.model.presets import PRESETS
from app.models.model.providers import ProviderChange
from app.models.store.providers import Providers
from app.principal import EVERYBODY, Principal, acting_as

KEY = "sk-very-secret-0123456789"


@pytest.fixture
async def ada(database: Database) -> AsyncIterator[UUID]:
    user = await Users(database).create("Ada", uuid4())
    with acting_as(Principal(user.id)):
        yield user.id


@pytest.fixture
def registry(database: Database, tmp_path: Path) -> Providers:
    return Providers(database, KeyRing(tmp_path / "master.key"))


async def key_of(registry: Providers, user: UUID, slug: str = "openai") -> str:
    found = await registry.get(user, slug, with_key=True)
    assert found is not None
    return found.api_key


async def test_the_seeds_are_there_without_keys(registry: Providers, ada: UUID) -> None:
    found = await registry.all(ada)
    assert [one.slug for one in found] == [seed.slug for seed in PRESETS]
    assert {one.hint for one in found} == {""}
    assert await key_of(registry, ada) == ""


async def test_a_users_own_key_comes_before_everybodys(registry: Providers, ada: UUID) -> None:
    await registry.put(EVERYBODY, ProviderChange("openai", api_key="sk-everybody"))
    assert await key_of(registry, ada) == "sk-everybody"
    shared = await registry.get(ada, "openai")
    assert shared is not None
    assert (shared.hint, shared.own_key) == ("", False)
    await registry.put(ada, ProviderChange("openai", api_key=KEY))
    assert await key_of(registry, ada) == KEY
    shown = await registry.get(ada, "openai")
    assert shown is not None
    assert (shown.hint, shown.own_key, shown.api_key) == ("6789", True, "")
    assert await registry.delete(ada, "openai")
    assert await key_of(registry, ada) == "sk-everybody"


async def test_a_users_row_never_moves_an_address(registry: Providers, database: Database, ada: UUID) -> None:
    await registry.put(ada, ProviderChange("openai", base_url="https://evil.example/v1", api_key=KEY))
    async with database.tenant(ada) as conn:
        await conn.execute(
            "update providers set base_url = 'https://evil.example/v1', name = 'x' where user_id = %s", (ada,)
        )
    found = await registry.get(ada, "openai")
    assert found is not None
    assert (found.base_url, found.name) == ("https://api.openai.com/v1", "OpenAI")


async def test_a_user_cannot_write_what_everybody_uses(database: Database, ada: UUID) -> None:
    with pytest.raises(psycopg.errors.InsufficientPrivilege):
        async with database.tenant(ada) as conn:
            await conn.execute("insert into providers (user_id, slug) values (%s, 'openai')", (EVERYBODY,))
    async with database.tenant(EVERYBODY) as conn:
        await conn.execute("insert into providers (user_id, slug, hint) values (%s, 'openai', 'abcd')", (EVERYBODY,))
    async with database.tenant(ada) as conn:
        changed = await conn.execute("update providers set hint = 'evil' returning slug")
        assert await changed.fetchall() == []


async def test_any_changed_byte_and_a_swapped_row_are_refused(
    registry: Providers, database: Database, ada: UUID
) -> None:
    ben = (await Users(database).create("Ben", uuid4())).id
    for user in (ada, ben):
        await registry.put(user, ProviderChange("openai", api_key=KEY))
    await registry.put(ada, ProviderChange("ollama", api_key="another"))
    sealed = await _sealed(database, ada)
    for place in range(len(sealed)):
        broken = bytearray(sealed)
        broken[place] ^= 1
        await _write(database, ada, bytes(broken))
        with pytest.raises(KeyUnreadable):
            await key_of(registry, ada)
    await _write(database, ada, await _sealed(database, ben))
    with pytest.raises(KeyUnreadable):
        await key_of(registry, ada)
    await _write(database, ada, await _sealed(database, ada, "ollama"))
    with pytest.raises(KeyUnreadable):
        await key_of(registry, ada)
    await _write(database, ada, sealed)
    assert await key_of(registry, ada) == KEY


async def test_the_key_is_in_no_row_and_in_no_repr(registry: Providers, database: Database, ada: UUID) -> None:
    change = ProviderChange("openai", api_key=KEY)
    await registry.put(ada, change)
    async with database.tenant(ada) as conn:
        rows = await (await conn.execute("select t::text as text from providers t")).fetchall()
    dump = str(rows)
    assert KEY not in dump
    assert KEY.encode().hex() not in dump
    assert KEY not in repr(change)
    assert KEY not in repr(await registry.get(ada, "openai", with_key=True))


async def test_a_choice_of_ones_own_comes_before_everybodys(registry: Providers, ada: UUID) -> None:
    await registry.choose(EVERYBODY, "chat", ["fast", "reason"], "ollama", "small")
    await registry.choose(ada, "chat", ["reason"], "openai", "large")
    assert [(one.tier, one.provider, one.model, one.own) for one in await registry.models(ada)] == [
        ("fast", "ollama", "small", False),
        ("reason", "openai", "large", True),
    ]


async def _sealed(database: Database, user: UUID, slug: str = "openai") -> bytes:
    async with database.tenant(user) as conn:
        query = "select api_key from providers where user_id = %s and slug = %s"
        row = await (await conn.execute(query, (user, slug))).fetchone()
    assert row is not None
    return bytes(row["api_key"])


async def _write(database: Database, user: UUID, sealed: bytes) -> None:
    async with database.tenant(user) as conn:
        await conn.execute("update providers set api_key = %s where user_id = %s and slug = 'openai'", (sealed, user))
