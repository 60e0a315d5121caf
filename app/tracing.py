"""Spans of what requests, turns, clips and runs do: none until a tracer is named, and never what anybody wrote."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from functools import wraps
from typing import Any, Literal, ParamSpec, Protocol, TypeVar
from uuid import UUID

P = ParamSpec("P")
T = TypeVar("T")
Attribute = Literal[
    "error.type",
    "gen_ai.agent.name",
    "gen_ai.operation.name",
    "gen_ai.request.model",
    "gen_ai.tool.name",
    "gen_ai.usage.input_tokens",
    "gen_ai.usage.output_tokens",
    "http.request.method",
    "http.response.status_code",
    "http.route",
    "server.address",
    "summit.clip.attempt",
    "summit.clip.ms",
    "summit.memo.id",
    "summit.outcome",
    "summit.run.id",
    "summit.run.step",
    "summit.turn.attempt",
    "summit.turn.id",
    "summit.usage.credits",
    "summit.usage.tokens",
    "summit.user.id",
]
"""All that a span can tell: ids, counts, and names of our own or of the administrator; no text has a name here."""
Attributes = Mapping[Attribute, str | int | float]
Side = Literal["own", "client", "server"]
"""Work of this process, a call of another server, or the answer to a request."""


class TraceSpan(Protocol):
    """A span that is open."""

    def call(self, name: str) -> None:
        """Give it a better name, once that is known."""

    def tell(self, attributes: Attributes) -> None:
        """Add attributes."""

    def fail(self, kind: str) -> None:
        """Mark it as failed; ``kind`` is a word of ours."""


class Tracer(Protocol):
    """Where spans go."""

    def span(
        self, name: str, attributes: Attributes, *, trace: UUID | None, side: Side, inner: bool
    ) -> AbstractContextManager[TraceSpan]:
        """A span around what is done inside."""


class _Nothing:
    def call(self, name: str) -> None:
        """Tell nobody."""

    def tell(self, attributes: Attributes) -> None:
        """Tell nobody."""

    def fail(self, kind: str) -> None:
        """Tell nobody."""


NOTHING = _Nothing()
_tracer: Tracer | None = None


@contextmanager
def tracing_to(tracer: Tracer) -> Iterator[None]:
    """Send the spans of this process to ``tracer`` while open."""
    global _tracer  # noqa: PLW0603 - one for the process, as the counters are
    before, _tracer = _tracer, tracer
    try:
        yield
    finally:
        _tracer = before


@contextmanager
def span(
    name: str, attributes: Attributes, *, trace: UUID | None = None, side: Side = "own", inner: bool = True
) -> Iterator[TraceSpan]:
    """A span around what is done inside; what it raises marks it as failed, by the name of its kind alone.

    Spans begun with the same ``trace`` belong to one trace, whichever process begins them. Not ``inner``: no span
    that begins meanwhile is part of it.
    """
    if _tracer is None:
        yield NOTHING
        return
    with _tracer.span(name, attributes, trace=trace, side=side, inner=inner) as opened:
        try:
            yield opened
        except GeneratorExit:
            raise
        except BaseException as error:
            opened.fail(type(error).__name__)
            raise


def agent_span(name: str) -> AbstractContextManager[TraceSpan]:
    """A span around the work of one agent of a turn."""
    return span(f"invoke_agent {name}", {"gen_ai.operation.name": "invoke_agent", "gen_ai.agent.name": name})


def step_spans(node: Callable[..., Awaitable[Any]], name: str) -> Callable[..., Awaitable[Any]]:
    """A node of a run's graph with a span around each time that it runs."""

    @wraps(node)
    async def run_traced(state: Any, *args: Any, **kwargs: Any) -> Any:
        with span(f"run.{name}", {"summit.run.step": int(state.get("step", 0))}):
            return await node(state, *args, **kwargs)

    return run_traced
