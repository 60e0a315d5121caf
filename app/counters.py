"""What background work counts for /metrics; numbers alone, nothing a user wrote."""

from __future__ import annotations

from prometheus_client import CollectorRegistry, Counter, Histogram

HERE = " (by this process alone)"
# One for the process: background work belongs to no application.
BACKGROUND = CollectorRegistry()
REMINDERS_SENT = Counter(
    "summit_reminders_told", f"Reminders that became a notification{HERE}.", ("late",), registry=BACKGROUND
)
LATENESS = Histogram(
    "summit_reminder_late_seconds",
    f"Time from when a reminder was due to its notification, in seconds{HERE}.",
    registry=BACKGROUND,
    buckets=(0.5, 1, 2, 5, 10, 30, 60, 600, 3600, 86400),
)
DROPPED_SENTENCES = Counter(
    "summit_model_sentences_dropped",
    f"Sentences of language models that were left out, as they claim a change{HERE}.",
    ("reason",),
    registry=BACKGROUND,
)
WEBHOOKS = Counter("summit_webhook_attempts", f"Attempts to tell a webhook{HERE}.", ("outcome",), registry=BACKGROUND)


def count_reminders(late_seconds: int) -> None:
    """Count one notification; a minute late is late."""
    REMINDERS_SENT.labels("yes" if late_seconds >= 60 else "no").inc()  # noqa: PLR2004 - a minute
    LATENESS.observe(late_seconds)
