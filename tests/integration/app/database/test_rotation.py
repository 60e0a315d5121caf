"""Another master key: everything is sealed anew, an interruption loses nothing, and what was forged stays refused."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path
from uuid import UUID, uuid4

import pytest

from app.cli.server.rotation import reseal, rotate
from app.database.database import Database
from app.database.model import KeyUnreadable
from app.database.secrets import CannotUnseal, KeyRing
from app.http.accounts.store.users import Users
from app.models.model.providers import ProviderChange
from app.models.store.providers import Providers
from app.principal import EVERYBODY, Principal, acting_as

SLUGS = ("openai", "openrouter")


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "master.key"


@pytest.fixture
async def users(database: Database, path: Path) -> AsyncIterator[list[UUID]]:
    """Three owners of two keys each, everybody among them; the first has a webhook, too."""
    made = [(await Users(database).create(name, uuid4())).id for name in ("Ada", "Ben")]
    keys = KeyRing(path)
    with acting_as(Principal(made[0])):
        for owner in (*made, EVERYBODY):
            for slug in SLUGS:
                await Providers(database, keys).put(owner, ProviderChange(slug, api_key=f"sk-{slug}-{owner}"))
        async with database.tenant(made[0]) as conn:
            hook = uuid4()
            sealed = keys.seal("whsec_1", made[0], f"webhooks:{hook}")
            await conn.execute(
                "insert into webhooks (user_id, id, url, format, secret) values (%s, %s, %s, 'json', %s)",
                (made[0], hook, "https://a.example", sealed),
            )
        yield [*made, EVERYBODY]


def lines(path: Path) -> list[bytes]:
    """The keys in a file; none if there is no file."""
    return path.read_bytes().split() if path.exists() else []


def modes(*paths: Path) -> set[int]:
    return {path.stat().st_mode & 0o777 for path in paths}


async def rows(database: Database, owner: UUID) -> dict[str, bytes]:
    async with database.tenant(owner) as conn:
        found = await (
            await conn.execute("select slug, api_key from providers where user_id = %s", (owner,))
        ).fetchall()
    return {row["slug"]: bytes(row["api_key"]) for row in found}


async def write(database: Database, owner: UUID, slug: str, sealed: bytes) -> None:
    async with database.tenant(owner) as conn:
        await conn.execute("update providers set api_key = %s where user_id = %s and slug = %s", (sealed, owner, slug))


async def key_of(database: Database, path: Path, owner: UUID, slug: str) -> str:
    found = await Providers(database, KeyRing(path)).get(owner, slug, with_key=True)
    assert found is not None
    return found.api_key


async def all_there(database: Database, path: Path, owners: list[UUID]) -> bool:
    found = {(owner, slug): await key_of(database, path, owner, slug) for owner in owners for slug in SLUGS}
    return found == {(owner, slug): f"sk-{slug}-{owner}" for owner in owners for slug in SLUGS}


async def test_everything_is_sealed_anew_and_the_old_key_retires(
    database: Database, path: Path, users: list[UUID]
) -> None:
    before, old = lines(path), await rows(database, users[0])
    serving = KeyRing(path)
    serving.unseal(old["openai"], users[0], "provider:openai")
    done = await rotate(database, KeyRing(path), users, grace_seconds=0)
    assert (done.count, done.unreadable) == (7, [])
    assert await all_there(database, path, users)
    assert len(lines(path)) == 1
    retired = path.with_name("master.key.old")
    assert lines(retired) == before
    assert modes(path, retired) == {0o600}
    with pytest.raises(CannotUnseal):
        KeyRing(path).unseal(old["openai"], users[0], "provider:openai")
    # A server that was running all the time goes on with the new key.
    new = (await rows(database, users[0]))["openai"]
    assert serving.unseal(new, users[0], "provider:openai") == f"sk-openai-{users[0]}"
    assert KeyRing(path).sealed_by_newest(serving.seal("x", users[0], "row"))


async def test_an_interrupted_rotation_is_readable_and_goes_on_where_it_was(
    database: Database, path: Path, users: list[UUID]
) -> None:
    keys = KeyRing(path)
    keys.begin_rotation()
    await reseal(database, keys, users[:1])
    newest = lines(path)[0]
    assert await all_there(database, path, users)
    done = await rotate(database, KeyRing(path), users, grace_seconds=0)
    assert (done.count, done.unreadable) == (4, [])
    assert lines(path) == [newest]
    assert await all_there(database, path, users)


async def test_what_was_forged_or_swapped_is_refused_and_keeps_the_old_key(
    database: Database, path: Path, users: list[UUID]
) -> None:
    ada, ben, _ = users
    mine, theirs = await rows(database, ada), await rows(database, ben)
    await write(database, ada, "openai", theirs["openai"])
    await write(database, ben, "openrouter", mine["openrouter"][:-1] + b"?")
    done = await rotate(database, KeyRing(path), users, grace_seconds=0)
    assert done.unreadable == [f"providers openai of user {ada}", f"providers openrouter of user {ben}"]
    assert done.count == 5
    assert len(lines(path)) == 2
    assert lines(path.with_name("master.key.old")) == []
    for owner, slug in ((ada, "openai"), (ben, "openrouter")):
        with pytest.raises(KeyUnreadable):
            await key_of(database, path, owner, slug)
    await write(database, ada, "openai", mine["openai"])
    await write(database, ben, "openrouter", theirs["openrouter"])
    assert (await rotate(database, KeyRing(path), users, grace_seconds=0)).unreadable == []
    assert await all_there(database, path, users)
