"""What models cost: accounts in credits of a thousandth of a US dollar, and the usage behind them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from typing import Protocol
from uuid import UUID


@dataclass(frozen=True)
class Account:
    """A user's credits: available, reserved for running calls, and spent."""

    available: int
    held: int
    spent: int
    granted: int


@dataclass(frozen=True)
class Spending:
    """What one settled call used; ``micros`` are millionths of a US dollar."""

    model: str
    tokens_in: int
    tokens_out: int
    micros: int
    credits: int


@dataclass(frozen=True)
class DayUsage:
    """One user's use of one model on one day (UTC)."""

    day: date
    model: str
    calls: int
    tokens_in: int
    tokens_out: int
    micros: int
    credits: int


class Credits(Protocol):
    """Authorise before a call, settle on what it used, release if it failed."""

    async def hold(self, user_id: UUID, hold: UUID, credits_: int, turn_id: UUID | None) -> bool:
        """Hold credits for a call; False when the user has not enough."""

    async def settle(self, user_id: UUID, hold: UUID, turn_id: UUID | None, spent: Spending) -> int:
        """Pay for a call; the credits taken."""

    async def release(self, user_id: UUID, hold: UUID) -> None:
        """Release a reservation; harmless if there is none."""

    async def grant(self, user_id: UUID, entry: UUID, credits_: int) -> Account:
        """Add credits, once for each ``entry``; the account as it is then."""

    async def account(self, user_id: UUID) -> Account:
        """The account; a new one has the starter credits."""

    async def usage(self, user_id: UUID, first: date, last: date) -> Sequence[DayUsage]:
        """What was used from one day to another, both included, the latest first."""
