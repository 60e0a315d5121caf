"""The part of the composition root that is about OpenTelemetry; its packages load where an endpoint is set."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from contextvars import ContextVar
from hashlib import blake2b
from typing import Any
from uuid import UUID

from app.settings import Settings
from app.tracing import Attributes, Side, TraceSpan, tracing_to
from app.version import summit_version

EXPORT_SECONDS = 5.0
GOODBYE_SECONDS = 2.0
"""How long the end of a process waits for a collector that does not answer."""
_trace: ContextVar[UUID | None] = ContextVar("summit_trace", default=None)


class NoOpenTelemetry(OSError):  # noqa: N818 - it names what is missing
    """SUMMIT_OTLP_ENDPOINT is set, but OpenTelemetry is not installed here: `make setup EXTRAS=otel` adds it."""

    def __init__(self) -> None:
        super().__init__(self.__doc__)


@asynccontextmanager
async def open_tracing(
    settings: Settings, *, export_seconds: float = EXPORT_SECONDS, goodbye_seconds: float = GOODBYE_SECONDS
) -> AsyncIterator[None]:
    """Send spans to the collector that the settings name, if they do; raises NoOpenTelemetry."""
    if not settings.otlp_endpoint:
        yield
        return
    exporter = await asyncio.to_thread(_exporter, settings.otlp_endpoint, export_seconds)
    tracer = OpenTelemetryTracer(exporter, goodbye_seconds)
    try:
        with tracing_to(tracer):
            yield
    finally:
        await asyncio.to_thread(tracer.close)


def _exporter(endpoint: str, seconds: float) -> Any:
    try:
        from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
    except ImportError:
        raise NoOpenTelemetry from None
    return OTLPSpanExporter(f"{endpoint.rstrip('/')}/v1/traces", timeout=seconds)


class OpenTelemetryTracer:
    """See app.tracing.Tracer; spans are handed to ``exporter`` in batches, by a thread of their own."""

    def __init__(self, exporter: Any, goodbye_seconds: float = GOODBYE_SECONDS) -> None:
        from opentelemetry.sdk.resources import Resource
        from opentelemetry.sdk.trace import TracerProvider
        from opentelemetry.sdk.trace.export import BatchSpanProcessor

        resource = Resource.create({"service.name": "summit", "service.version": summit_version()})
        self._provider = TracerProvider(resource=resource, id_generator=_ids(), shutdown_on_exit=False)
        self._provider.add_span_processor(BatchSpanProcessor(exporter))
        self._goodbye_seconds = goodbye_seconds
        self._tracer = self._provider.get_tracer("summit", summit_version())

    @contextmanager
    def span(
        self, name: str, attributes: Attributes, *, trace: UUID | None, side: Side, inner: bool
    ) -> Iterator[TraceSpan]:
        """A span around what is done inside; its errors are told by ``fail``, as the words of one may quote a user."""
        from opentelemetry.context import Context
        from opentelemetry.trace import SpanKind, use_span

        kinds = {"own": SpanKind.INTERNAL, "client": SpanKind.CLIENT, "server": SpanKind.SERVER}
        token = _trace.set(trace)
        try:
            begun = self._tracer.start_span(
                name,
                Context() if trace else None,
                kinds[side],
                _plain(attributes),
            )
        finally:
            _trace.reset(token)
        opened = _Opened(begun)
        try:
            if inner:
                with use_span(begun, record_exception=False, set_status_on_exception=False):
                    yield opened
            else:
                yield opened
        finally:
            begun.end()

    def close(self) -> None:
        """Send what is left, as far as the collector takes it within ``goodbye_seconds``."""
        last = threading.Thread(target=self._provider.shutdown, daemon=True)
        last.start()
        last.join(self._goodbye_seconds)


class _Opened:
    def __init__(self, begun: Any) -> None:
        self._begun = begun

    def call(self, name: str) -> None:
        """Give it a better name."""
        self._begun.update_name(name)

    def tell(self, attributes: Attributes) -> None:
        """Add attributes."""
        self._begun.set_attributes(_plain(attributes))

    def fail(self, kind: str) -> None:
        """Mark it as failed."""
        from opentelemetry.trace import StatusCode

        self._begun.set_attribute("error.type", kind)
        self._begun.set_status(StatusCode.ERROR)


def _plain(attributes: Attributes) -> dict[str, Any]:
    return {str(name): value for name, value in attributes.items()}


def _ids() -> Any:
    from opentelemetry.sdk.trace.id_generator import RandomIdGenerator

    class TraceIds(RandomIdGenerator):
        """Random ids; where a trace is named, one that every process makes of that name, as random as samplers need."""

        def generate_trace_id(self) -> int:
            named = _trace.get()
            return trace_id_of(named) if named else super().generate_trace_id()

    return TraceIds()


def trace_id_of(name: UUID) -> int:
    """The trace of a run."""
    return int.from_bytes(blake2b(name.bytes, digest_size=16).digest())
