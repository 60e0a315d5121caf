"""``summit users`` and ``summit keys``: straight on the database, so that they work without a server."""

from __future__ import annotations

import argparse
import asyncio
import getpass
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime, timedelta
from typing import Annotated
from uuid import UUID

from pydantic import TypeAdapter, ValidationError

from agents.context import LOCAL_USER
from agents.ledger.transitions import explain_validation
from agents.records import Name
from app.cli.output import complain, say
from app.cli.server.rotation import rotate
from app.cli.server.servers import managed_database
from app.database.secrets import KeyRing
from app.http.accounts.model.users import ApiKey
from app.http.accounts.store.audit import AuditLog
from app.http.accounts.store.users import Users
from app.http.auth import issue_key
from app.http.schemas import Spoken
from app.principal import EVERYBODY, signed_as
from app.settings import Settings, load_settings

NAME = TypeAdapter[str](Annotated[Name, Spoken])
SHOWN_ONCE = "Keep it safe: it is shown only now."


def create_user(options: argparse.Namespace) -> int:
    """A new user with a key."""
    if wrong := _fault_of(options.name):
        return complain(wrong)

    async def run(users: Users) -> int:
        user, key = await users.create(options.name), issue_key()
        await users.create_key(user.id, "first", key.digest, key.hint, ["read", "write", "admin"], None)
        say(f"User {user.name}: {user.id}\nAPI key: {key.text}\n{SHOWN_ONCE}")
        return 0

    return _with_users(run)


def list_users(_options: argparse.Namespace) -> int:
    """Every user."""

    async def run(users: Users) -> int:
        for user in await users.list():
            say(f"{user.id}  {user.created_at:%Y-%m-%d}  {user.name}")
        return 0

    return _with_users(run)


def create_key(options: argparse.Namespace) -> int:
    """A new key for a user."""
    if wrong := _fault_of(options.name):
        return complain(wrong)

    async def run(users: Users) -> int:
        user_id, key = _user_id(options), issue_key()
        if await users.get(user_id) is None:
            if options.user:
                return complain(f"there is no user {user_id}; `summit users list` shows them.")
            await users.create("local", user_id)
        expires = datetime.now(UTC) + timedelta(days=options.days) if options.days else None
        made = await users.create_key(user_id, options.name, key.digest, key.hint, options.scopes, expires)
        say(f"API key {made.id}: {key.text}\n{SHOWN_ONCE} From now on every request needs a key.")
        return 0

    return _with_users(run)


def list_keys(options: argparse.Namespace) -> int:
    """The keys of a user."""

    async def run(users: Users) -> int:
        for key in await users.keys(_user_id(options)):
            say(_describe_key(key))
        return 0

    return _with_users(run)


def revoke_key(options: argparse.Namespace) -> int:
    """Revoke a key."""

    async def run(users: Users) -> int:
        if await users.delete_key(_user_id(options), UUID(options.id)):
            say("Revoked.")
            return 0
        return complain("there is no such key; `summit keys list` shows them.")

    return _with_users(run)


def show_audit(options: argparse.Namespace) -> int:
    """The latest administrative acts."""
    return asyncio.run(_show_audit(load_settings(), UUID(options.user) if options.user else None, options.limit))


async def _show_audit(settings: Settings, user_id: UUID | None, limit: int) -> int:
    async with managed_database(settings) as database:
        found = await AuditLog(database).list(user_id, limit, None)
    for one in found.items:
        say(f"{one.at:%Y-%m-%d %H:%M:%S%z}  {one.user_id}  {one.actor}: {one.action} {one.subject}")
    return 0


def rotate_master(_options: argparse.Namespace) -> int:
    """Seal every stored secret under a new master key."""
    return asyncio.run(_rotate(load_settings()))


async def _rotate(settings: Settings) -> int:
    keys = KeyRing(settings.master_key_path)
    async with managed_database(settings) as database:
        owners = [user.id for user in await Users(database).list()]
        found = await rotate(database, keys, [*owners, EVERYBODY])
    say(f"{found.count} secrets are sealed under the new key in {settings.master_key_path}.")
    if found.unreadable:
        return complain(
            f"the old key is kept, as these cannot be read: {', '.join(found.unreadable)}. "
            "Restore their rows or delete them, and run this again."
        )
    say(f"The old key is in {keys.retired_path}, for backups made before; delete it when you keep none.")
    return 0


def _with_users(run: Callable[[Users], Awaitable[int]]) -> int:
    settings = load_settings()

    async def run_with_database() -> int:
        async with managed_database(settings) as database:
            with signed_as(f"command line, {getpass.getuser()}"):
                return await run(Users(database))

    try:
        return asyncio.run(run_with_database())
    except ValueError as error:
        return complain(f"{error}.")


def _fault_of(name: str) -> str:
    """What is wrong with the name of a user or a key, as the API sees it; empty for nothing."""
    try:
        NAME.validate_python(name)
    except ValidationError as error:
        return f"the name: {explain_validation(error)}."
    return ""


def _user_id(options: argparse.Namespace) -> UUID:
    return UUID(options.user or LOCAL_USER)


def _describe_key(key: ApiKey) -> str:
    until = f"until {key.expires_at:%Y-%m-%d}" if key.expires_at else "for ever"
    return f"{key.id}  …{key.hint}  {','.join(key.scopes)}  {until}  {key.name}"
