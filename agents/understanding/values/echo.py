"""Which convention decided a time that the words left open: told once, where the change has the time so read."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, datetime

from agents.contract import Proposal
from agents.fields import MOMENTS
from agents.ports import Ask
from agents.time import Clock, FoundTime, find_times

MAX_BARE_WORDS = 3
"""Words of a message in which a lone number is an hour."""


def echo_assumptions(proposals: Sequence[Proposal], ask: Ask, clock: Clock) -> list[Proposal]:
    """The proposals, each with what was assumed about its time; what a reply told lately is not told again."""
    if not any(_values(proposal) for proposal in proposals):
        return list(proposals)
    told = "\n".join(exchange.replied for exchange in ask.recent)
    bare = len(ask.text.split()) <= MAX_BARE_WORDS
    doubtful = [found for found in find_times(ask.text, clock, bare=bare) if found.ambiguous]
    today = clock.at.astimezone(clock.zone).date()
    return [_with_assumptions(proposal, doubtful, told, today) for proposal in proposals]


def _with_assumptions(proposal: Proposal, doubtful: Sequence[FoundTime], told: str, today: date) -> Proposal:
    values = _values(proposal)
    meant = [found for found in doubtful if any(_is_read(found, value, today) for value in values)]
    meant = [found for found in meant if found.kind == "set" or not proposal.fields.get("recurrence")]
    assumed = dict.fromkeys(words for found in meant for words in found.ambiguous if words not in told)
    return proposal.model_copy(update={"assumed": list(assumed)}) if assumed else proposal


def _values(proposal: Proposal) -> list[date]:
    said = [proposal.fields.get(name) for name in MOMENTS] if proposal.op in ("create", "update") else []
    return [_moment(value) for value in said if isinstance(value, str)]


def _moment(value: str) -> date:
    return date.fromisoformat(value) if len(value) == len("2026-11-18") else datetime.fromisoformat(value)


def _is_read(found: FoundTime, value: date, today: date) -> bool:
    """Whether a field has the time of a phrase; a clock time of today without a day may have another one."""
    if found.moment is None:
        return False
    if not isinstance(value, datetime):
        return value == found.moment.date()
    local = value.astimezone(found.moment.tzinfo)
    day = found.moment.date()
    return local.time() == found.moment.time() and (local.date() == day or (not found.day_said and day == today))
