"""What /metrics shows: what this process did, what waits in the whole house, and nothing a user wrote."""

from __future__ import annotations

from collections.abc import Iterator

from prometheus_client import CollectorRegistry, Counter, Histogram, generate_latest
from prometheus_client.core import GaugeMetricFamily
from prometheus_client.metrics_core import Metric
from prometheus_client.registry import Collector

from app.counters import BACKGROUND, HERE
from app.database.model import Backlog
from app.turns.model.turns import TurnState

EVERYWHERE = " (of all servers together, the same at each)"
METHODS = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"})


class Metrics:
    """The counters of one application, in a registry of its own."""

    def __init__(self) -> None:
        self.registry = CollectorRegistry()
        self._requests = Counter(
            "summit_http_requests", f"Requests answered{HERE}.", ("method", "route", "status"), registry=self.registry
        )
        self._latency = Histogram(
            "summit_http_request_seconds",
            f"Time from request to the end of its answer, in seconds{HERE}.",
            ("method", "route"),
            registry=self.registry,
        )
        self._turns = Counter(
            "summit_turn_answers",
            f"Answers to posted turns, by the state of the turn{HERE}.",
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

    def text(self, backlog: Backlog | None) -> bytes:
        """The metrics in Prometheus' text format; without a backlog the database did not answer."""
        house = CollectorRegistry()
        house.register(ServerCollector(backlog))
        return generate_latest(self.registry) + generate_latest(BACKGROUND) + generate_latest(house)


class ServerCollector(Collector):
    """The backlog as gauges: (name, help, label, values by label)."""

    def __init__(self, backlog: Backlog | None) -> None:
        self._backlog = backlog

    def collect(self) -> Iterator[Metric]:
        """One family after another."""
        yield GaugeMetricFamily(
            "summit_database_up", f"Whether the database answers{HERE}.", value=self._backlog is not None
        )
        if waits := self._backlog:
            turns = {"queued": waits.queued_turns, "running": waits.running_turns}
            jobs = {"waiting": waits.waiting_jobs, "running": waits.running_jobs, "failed": waits.failed_jobs}
            deliveries = {"pending": waits.pending_deliveries, "dead": waits.dead_deliveries}
            yield _by_state("turns", "Turns that are not finished", turns)
            yield _single(
                "oldest_turn_seconds", "Age of the oldest turn that is not finished", waits.oldest_turn_seconds
            )
            yield _single("due_reminders", "Reminders that are due and not told", waits.due_reminders)
            yield _single("oldest_reminder_seconds", "How late the latest of them is", waits.oldest_reminder_seconds)
            yield _by_state("webhook_deliveries", "Deliveries to webhooks under way or given up", deliveries)
            yield _by_state("jobs", "Background jobs", jobs)


def _single(name: str, text: str, value: float) -> Metric:
    return GaugeMetricFamily(f"summit_all_{name}", f"{text}{EVERYWHERE}.", value=value)


def _by_state(name: str, text: str, values: dict[str, int]) -> Metric:
    family = GaugeMetricFamily(f"summit_all_{name}", f"{text}{EVERYWHERE}.", labels=("state",))
    for state, value in values.items():
        family.add_metric((state,), value)
    return family
