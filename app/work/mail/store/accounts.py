"""Mail accounts in Postgres; their passwords are sealed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any
from uuid import UUID

from psycopg.types.json import Jsonb

from app.database.database import Database
from app.database.model import KeyUnreadable
from app.database.secrets import CannotUnseal, KeyRing
from app.errors import Conflict
from app.work.mail.model import MailAccount, MailLogin, MailServer

ACCOUNT = "id, name, address, username, imap, smtp, created_at"
LOCK = "select 1 from counters where user_id = %s for update"
OTHERS = "select name from mail_accounts where user_id = %s and id <> %s"
LIST = f"select {ACCOUNT} from mail_accounts where user_id = %s order by name, id"  # noqa: S608
GET = f"select {ACCOUNT} from mail_accounts where user_id = %s and id = %s"  # noqa: S608
SEALED = "select address, username, password, imap, smtp from mail_accounts where user_id = %s and id = %s"
ADD = """
insert into mail_accounts (user_id, id, name, address, username, password, imap, smtp)
values (%s, %s, %s, %s, %s, %s, %s, %s) on conflict (user_id, id) do nothing
"""
ENTER = "update mail_accounts set username = %s, password = %s where user_id = %s and id = %s"
DELETE = "delete from mail_accounts where user_id = %s and id = %s returning id"


class PostgresMailAccounts:
    """Accounts as routes and steps use them; ``most`` is how many a user may keep."""

    def __init__(self, database: Database, keys: KeyRing, *, most: int) -> None:
        self._database = database
        self._keys = keys
        self._most = most

    async def connect(self, user_id: UUID, account_id: UUID, name: str, login: MailLogin) -> MailAccount:
        """Keep an account; the same id again changes nothing. Raises Conflict for a second one of that name."""
        sealed = self._keys.seal(login.password, user_id, place_of(account_id))
        values = (name, login.address, login.username, sealed, _row(login.imap), _row(login.smtp))
        async with self._database.tenant(user_id) as conn:
            await conn.execute(LOCK, (user_id,))
            others = [row["name"] for row in await (await conn.execute(OTHERS, (user_id, account_id))).fetchall()]
            if len(others) >= self._most:
                raise Conflict(f"There are {self._most} mail accounts already.", hint="Disconnect one first.")
            if name in others:
                raise Conflict(f"There is a mail account called {name} already.", hint="Give this one another name.")
            await conn.execute(ADD, (user_id, account_id, *values))
            [made] = await (await conn.execute(GET, (user_id, account_id))).fetchall()
        return MailAccount(**made)

    async def list(self, user_id: UUID) -> Sequence[MailAccount]:
        """The user's accounts by name."""
        async with self._database.one_statement(user_id) as conn:
            rows = await (await conn.execute(LIST, (user_id,))).fetchall()
        return [MailAccount(**row) for row in rows]

    async def get(self, user_id: UUID, account_id: UUID) -> MailAccount | None:
        """One account."""
        async with self._database.one_statement(user_id) as conn:
            row = await (await conn.execute(GET, (user_id, account_id))).fetchone()
        return MailAccount(**row) if row else None

    async def login(self, user_id: UUID, account_id: UUID) -> MailLogin | None:
        """How to enter it. Raises KeyUnreadable when the password was tampered with."""
        async with self._database.one_statement(user_id) as conn:
            row = await (await conn.execute(SEALED, (user_id, account_id))).fetchone()
        if row is None:
            return None
        try:
            password = self._keys.unseal(bytes(row["password"]), user_id, place_of(account_id))
        except (CannotUnseal, ValueError) as error:
            raise KeyUnreadable from error
        return MailLogin(row["address"], row["username"], password, _server(row["imap"]), _server(row["smtp"]))

    async def enter(self, user_id: UUID, account_id: UUID, username: str, password: str) -> None:
        """Keep another password, and user name."""
        sealed = self._keys.seal(password, user_id, place_of(account_id))
        async with self._database.tenant(user_id) as conn:
            await conn.execute(ENTER, (username, sealed, user_id, account_id))

    async def disconnect(self, user_id: UUID, account_id: UUID) -> bool:
        """Forget an account; what waits stays, and cannot be sent any more."""
        async with self._database.tenant(user_id) as conn:
            return await (await conn.execute(DELETE, (user_id, account_id))).fetchone() is not None


def place_of(account_id: UUID) -> str:
    """The row's part of what a password is sealed to."""
    return f"mail-account:{account_id}"


def _row(server: MailServer | None) -> Jsonb | None:
    return Jsonb(asdict(server)) if server else None


def _server(row: Mapping[str, Any] | None) -> MailServer | None:
    return MailServer(**row) if row else None
