"""What /readyz and the doctor report."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class ReadyCheck:
    """One line of /readyz."""

    name: str
    ok: bool
    detail: str
