"""Circuit breakers: a server of models that is down is not waited for at every turn."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from urllib.parse import urlsplit

from app.llm.faults import FaultKind, ModelFailed

DOWN: frozenset[FaultKind] = frozenset({"unreachable", "timeout", "server error"})
"""Faults of a server, whoever asks; one user's wrong key or empty account is no reason to leave it alone."""
UNASKED: frozenset[FaultKind] = frozenset({"out of credits", "resting"})
Clock = Callable[[], float]


@dataclass
class _Circuit:
    failed: int = 0
    rests_until: float = 0.0


class Breakers:
    """One for each base URL, in this process: after ``most`` failed questions in a row it rests for some seconds.

    Then one question is let through as a trial; the others wait for what becomes of it, for as long again.
    """

    def __init__(self, most: int, cooling_seconds: float, clock: Clock = time.monotonic) -> None:
        self._most = most
        self._cooling = cooling_seconds
        self._clock = clock
        self._circuits: dict[str, _Circuit] = {}

    @contextmanager
    def watching(self, base_url: str) -> Iterator[None]:
        """Learn from one question to a server; raises ModelFailed at once while it rests."""
        circuit = self._circuits.setdefault(base_url, _Circuit())
        self._let_through(circuit)
        try:
            yield
        except ModelFailed as failure:
            if failure.kind in DOWN:
                self._count(circuit)
            elif failure.kind not in UNASKED:
                circuit.failed = 0
            raise
        circuit.failed = 0

    def resting(self) -> dict[str, float]:
        """The servers that are left alone now, without paths, and for how many seconds more."""
        now = self._clock()
        tripped = {url: one for url, one in self._circuits.items() if one.failed >= self._most}
        return {urlsplit(url).netloc: max(one.rests_until - now, 0.0) for url, one in tripped.items()}

    def _let_through(self, circuit: _Circuit) -> None:
        if circuit.failed < self._most:
            return
        if self._clock() < circuit.rests_until:
            raise ModelFailed("resting")
        circuit.rests_until = self._clock() + self._cooling

    def _count(self, circuit: _Circuit) -> None:
        circuit.failed += 1
        circuit.rests_until = self._clock() + self._cooling
