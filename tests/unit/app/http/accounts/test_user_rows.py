"""What is in no archive, and what stays when everything is erased: each is a decision, so each is named here again."""

from __future__ import annotations

from app.http.accounts.store.user_rows import KEPT_AT_ERASURE, NOT_EXPORTED

STAYS = set(
    "users api_keys sessions counters credit_accounts credit_entries credit_holds kill_switches run_grants "
    "audit_log".split()
)
LEFT_OUT = set(
    "replays providers active_models webhooks webhook_deliveries calendar_feeds calendar_accounts synced_calendars "
    "synced_items synced_events mail_accounts outgoing_mail uploads heard_clips projects memory_documents memory_units "
    "memory_vectors memory_terms memory_totals memory_queue memory_topic_units memory_topic_runs run_lesson_vectors "
    "workflow_runs workflow_steps".split()
)


def test_nothing_else_stays_when_everything_is_erased() -> None:
    assert set(KEPT_AT_ERASURE) == STAYS


def test_nothing_else_is_left_out_of_an_archive() -> None:
    assert set(NOT_EXPORTED) - set(KEPT_AT_ERASURE) == LEFT_OUT
