"""What /metrics shows: requests by route template, turns by state, and nothing a user wrote."""

from __future__ import annotations

from prometheus_client import CollectorRegistry, Counter, Histogram, generate_latest

from app.counters import BACKGROUND
from app.ports import TurnState

METHODS = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"})


class Metrics:
    """The counters of one application, in a registry of its own."""

    def __init__(self) -> None:
        self.registry = CollectorRegistry()
        self._requests = Counter(
            "summit_http_requests", "Requests answered.", ("method", "route", "status"), registry=self.registry
        )
        self._latency = Histogram(
            "summit_http_request_seconds",
            "Time from request to the end of its answer, in seconds.",
            ("method", "route"),
            registry=self.registry,
        )
        self._turns = Counter(
            "summit_turn_answers",
            "Answers to posted turns, by the state of the turn.",
            ("state",),
            registry=self.registry,
        )

    def observe(self, method: str, route: str, status: int, seconds: float) -> str:
        """Count one request; the method as counted, since clients may invent methods without end."""
        known = method if method in METHODS else "OTHER"
        self._requests.labels(known, route, str(status)).inc()
        self._latency.labels(known, route).observe(seconds)
        return known

    def turn_answered(self, state: TurnState) -> None:
        """Count the answer to a posted turn."""
        self._turns.labels(state).inc()

    def text(self) -> bytes:
        """The metrics in Prometheus' text format."""
        return generate_latest(self.registry) + generate_latest(BACKGROUND)
