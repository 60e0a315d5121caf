"""Google accounts: access that was allowed, and whose it is."""

from __future__ import annotations

from dataclasses import replace
from uuid import UUID

from app.calendars.google.calendar import GoogleCalendar
from app.calendars.google.sign_in import GoogleSignIn
from app.calendars.model.synced import Login, SignIn


class GoogleAccounts:
    """Accounts at Google, by the access that their owners allow; raises RemoteRefused and RemoteFailed."""

    def __init__(self, sign_in: GoogleSignIn, calendar: GoogleCalendar) -> None:
        self._sign_in = sign_in
        self._calendar = calendar

    def begin(self, user_id: UUID, redirect: str) -> SignIn:
        """Where the person is asked."""
        return self._sign_in.begin(user_id, redirect)

    async def finish(self, user_id: UUID, answer: str) -> Login:
        """The account, by the address that it goes by."""
        login = await self._sign_in.finish(user_id, answer)
        return replace(login, username=await self._calendar.owner(login))

    async def revoke(self, login: Login) -> None:
        """Give the access back."""
        await self._sign_in.revoke(login)
