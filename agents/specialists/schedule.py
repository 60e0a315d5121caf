"""The scheduler."""

from __future__ import annotations

from typing import Any

from langgraph.runtime import Runtime

from agents.context import Context
from agents.contract import Proposal
from agents.specialists.agent import Agent, AgentInput, Reports

FREE_DAYS = frozenset(("birthday", "anniversary"))
"""Days to know of that keep nobody from anything, and that come back every year."""


YEARLY = {"recurrence": "FREQ=YEARLY"}
A_DAY = len("2026-11-18")


def is_free_day(title: str) -> bool:
    """Whether a title names a birthday or the like, and not something that is done on it."""
    said = title.lower()
    return bool(FREE_DAYS & {*said.split()[-1:], said.split(" of ")[0]})


def _comes_back(event: dict[str, Any]) -> bool:
    """Whether an event is a birthday as a day; one with a number, as a sixtieth, comes once."""
    title, start = str(event.get("title", "")), str(event.get("start", ""))
    once = any(letter.isdigit() for letter in title) or event.get("recurrence") or len(start) != A_DAY
    return is_free_day(title) and not once


class Scheduler(Agent):
    """Books, moves and cancels appointments."""

    worker = "update_events"

    def prepare(self, proposal: Proposal) -> Proposal:
        """Let a new birthday come back every year."""
        yearly = proposal.op == "create" and proposal.kind == "event" and _comes_back(proposal.fields)
        return proposal.model_copy(update={"fields": {**proposal.fields, **YEARLY}}) if yearly else proposal

    async def update_events(self, task: AgentInput, runtime: Runtime[Context]) -> Reports:
        """Apply this turn's changes to the calendar."""
        return await self.run(task, runtime)
