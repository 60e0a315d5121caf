"""What stays when everything is erased: each is a decision, so each is named here again."""

from __future__ import annotations

from app.storage.user_rows import KEPT_AT_ERASURE

STAYS = set(
    "users api_keys sessions counters credit_accounts credit_entries credit_holds kill_switches run_grants "
    "audit_log".split()
)


def test_nothing_else_stays_when_everything_is_erased() -> None:
    assert set(KEPT_AT_ERASURE) == STAYS
