"""Lead times of reminders before appointments, from the user's instructions."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import datetime, timedelta
from itertools import islice
from typing import Any
from uuid import UUID

from agents.policies.matching import is_about
from agents.policies.rules import Default, rules_in
from agents.records import Event
from agents.recurrence.expand import occurrences
from agents.reminders import Due
from app.database.database import Connection

LOOK_AHEAD = timedelta(days=400)
MOST_ROUNDS = 50
POLICIES = """
select value->'policy' as policy from store
where user_id = %s and prefix = %s and jsonb_typeof(value->'policy') = 'object'
"""


async def policies_of(conn: Connection, user_id: UUID) -> list[dict[str, Any]]:
    """What the user's instructions compiled to."""
    rows = await conn.execute(POLICIES, (user_id, f"instruction.{user_id}"))
    return [row["policy"] for row in await rows.fetchall()]


def leads_in(policies: Iterable[dict[str, Any]]) -> list[Default]:
    """The rules that ask for reminders before events."""
    rules = [rule for policy in policies for rule in rules_in(policy) if isinstance(rule, Default)]
    return [rule for rule in rules if (rule.kind, rule.field) == ("event", "remind_before")]


async def lead_rules(conn: Connection, user_id: UUID) -> list[Default]:
    """Those of the user's instructions."""
    return leads_in(await policies_of(conn, user_id))


def lead_of(event: Mapping[str, Any], rules: Iterable[Default]) -> timedelta | None:
    """The longest time that a rule asks for before an event, in JSON form; None when none does."""
    minutes = [rule.value for rule in rules if isinstance(rule.value, int) and is_about(event, rule.about)]
    return timedelta(minutes=max(minutes)) if minutes else None


def before_event(event: Mapping[str, Any], lead: timedelta, after: datetime) -> Due | None:
    """The first moment later than ``after`` that lies ``lead`` before an occurrence; whole days have none."""
    known = Event.model_validate(event)
    if known.all_day:
        return None
    begins = after + lead
    spans = islice(occurrences(known, begins, begins + LOOK_AHEAD), MOST_ROUNDS)
    coming = next((span.start for span in spans if span.start > begins), None)
    return Due(coming - lead, stated=True) if coming else None
