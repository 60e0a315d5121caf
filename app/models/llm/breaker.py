"""Circuit breakers: a model that is down, or that says not to ask, is not asked at every turn."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
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


@dataclass(eq=False, repr=False)  # what is kept names keys
class Breakers:
    """What is left alone in this process: after ``most`` failed questions in a row a server rests for some seconds.

    So does a key that was asked too often. One that is refused rests ``longest_seconds``; where a server says how long
    not to ask, that long, and never longer. Then one question is let through as a trial; the others wait for what
    becomes of it, for ``cooling_seconds`` again.
    """

    most: int
    cooling_seconds: float
    longest_seconds: float = 600.0
    clock: Clock = time.monotonic
    _circuits: dict[Key, _Circuit] = field(default_factory=dict, init=False)

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
        now = self.clock()
        tripped = {key: one for key, one in self._circuits.items() if isinstance(key, str) and one.failed >= self.most}
        return {urlsplit(url).netloc: max(one.rests_until - now, 0.0) for url, one in tripped.items()}

    def _let_through(self, *keys: Key) -> None:
        tripped = [one for key in keys if (one := self._circuits.get(key)) and one.failed >= self.most]
        left = max((one.rests_until - self.clock() for one in tripped), default=0.0)
        if left > 0:
            raise ModelFailed("resting", left)
        for one in tripped:
            one.rests_until = self.clock() + self.cooling_seconds

    def _learn(self, failure: ModelFailed, server: Key, own: Key) -> None:
        if failure.kind in UNASKED_FAULTS:
            return
        if failure.kind in SERVER_FAULTS:
            self._count(server)
            return
        self._well(server)
        rests = {"denied": self.longest_seconds, "rate limited": failure.retry_after}
        if failure.kind in rests:
            self._count(own, rests[failure.kind])
        else:
            self._well(own)

    def _count(self, key: Key, seconds: float | None = None) -> None:
        """Count a failure; after one that says for how many ``seconds`` a key rests at once."""
        if key not in self._circuits and len(self._circuits) >= MOST_KEPT:
            # Of keys and models that were refused and given up, nobody else would ever tell.
            resting = {known: one for known, one in self._circuits.items() if one.rests_until > self.clock()}
            self._circuits = resting if len(resting) < MOST_KEPT else {}
        circuit = self._circuits.setdefault(key, _Circuit())
        circuit.failed = self.most if seconds else circuit.failed + 1
        circuit.rests_until = self.clock() + (min(seconds, self.longest_seconds) if seconds else self.cooling_seconds)

    def _well(self, *keys: Key) -> None:
        for key in keys:
            self._circuits.pop(key, None)
