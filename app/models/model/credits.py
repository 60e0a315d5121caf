"""What models cost: accounts in credits of a thousandth of a US dollar, and the usage behind them."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date


@dataclass(frozen=True)
class CreditAccount:
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
