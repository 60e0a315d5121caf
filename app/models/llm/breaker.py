"""Circuit breakers: a model that is down, or that says not to ask, is not asked at every turn."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from urllib.parse import urlsplit

from app.models.llm.faults import FaultKind, ModelFailed
from app.models.llm.requests import ModelTarget

SERVER_FAULTS: frozenset[FaultKind] = frozenset({"unreachable", "timeout", "server error"})
"""Faults of a server, whoever asks."""
UNASKED_FAULTS: frozenset[FaultKind] = frozenset({"out of credits", "resting", "too late", "too long", "declined"})
"""What ended before anybody was asked."""
MOST_KEPT = 1000
Clock = Callable[[], float]
Key = str | tuple[str, str, str]
"""What rests: a server by its base URL for everybody, or one model there for who has the same key."""


@dataclass
class _Circuit:
    failed: int = 0
    rests_until: float = 0.0


class Breakers:
    """What is left alone in this process: after ``most`` failed questions in a row a server rests for some seconds.

    So does a key that was asked too often. One that is refused rests ``longest_seconds``; where a server says how long
    not to ask, that long, and never longer. Then one question is let through as a trial; the others wait for what
    becomes of it, for ``cooling_seconds`` again.
    """

    def __init__(
        self, most: int, cooling_seconds: float, longest_seconds: float = 600.0, clock: Clock = time.monotonic
    ) -> None:
        self._most = most
        self._cooling = cooling_seconds
        self._longest = longest_seconds
        self._clock = clock
        self._circuits: dict[Key, _Circuit] = {}

    @contextmanager
    def watching(self, target: ModelTarget) -> Iterator[None]:
        """Learn from one question to a model; raises ModelFailed at once while it rests."""
        server, own = target.base_url, (target.base_url, target.model, target.api_key)
        self._let_through(server, own)
        try:
            yield
        except ModelFailed as failure:
            self._learn(failure, server, own)
            raise
        self._well(server, own)

    def resting(self) -> dict[str, float]:
        """The servers that are left alone now, without paths, and for how many seconds more."""
        now = self._clock()
        tripped = {key: one for key, one in self._circuits.items() if isinstance(key, str) and self._is_tripped(one)}
        return {urlsplit(url).netloc: max(one.rests_until - now, 0.0) for url, one in tripped.items()}

    def _let_through(self, *keys: Key) -> None:
        tripped = [one for key in keys if (one := self._circuits.get(key)) and self._is_tripped(one)]
        left = max((one.rests_until - self._clock() for one in tripped), default=0.0)
        if left > 0:
            raise ModelFailed("resting", left)
        for one in tripped:
            one.rests_until = self._clock() + self._cooling

    def _learn(self, failure: ModelFailed, server: Key, own: Key) -> None:
        if failure.kind in UNASKED_FAULTS:
            return
        if failure.kind in SERVER_FAULTS:
            self._count(server)
            return
        self._well(server)
        if failure.kind == "denied":
            self._count(own, self._longest)
        elif failure.kind == "rate limited":
            self._count(own, failure.retry_after)
        else:
            self._well(own)

    def _is_tripped(self, circuit: _Circuit) -> bool:
        return circuit.failed >= self._most

    def _count(self, key: Key, seconds: float | None = None) -> None:
        """Count a failure; after one that says for how many ``seconds`` a key rests at once."""
        circuit = self._circuits.get(key) or self._remember(key, _Circuit())
        circuit.failed = self._most if seconds else circuit.failed + 1
        circuit.rests_until = self._clock() + (min(seconds, self._longest) if seconds else self._cooling)

    def _remember(self, key: Key, circuit: _Circuit) -> _Circuit:
        """The circuit, remembered; of keys and models that were refused and given up, nobody else would ever tell."""
        if len(self._circuits) >= MOST_KEPT:
            now = self._clock()
            resting = {known: one for known, one in self._circuits.items() if one.rests_until > now}
            self._circuits = resting if len(resting) < MOST_KEPT else {}
        self._circuits[key] = circuit
        return circuit

    def _well(self, *keys: Key) -> None:
        for key in keys:
            self._circuits.pop(key, None)
