"""Timers: a reminder so long from now ("set a timer for 10 minutes", "a 20 minute pasta timer")."""

from __future__ import annotations

import re
from datetime import UTC, timedelta

from agents.contract import Proposal
from agents.timers import TIMER_TAG
from agents.understanding.grammar import patterns_of
from agents.understanding.scene import Scene
from agents.understanding.share import Share, change
from agents.understanding.slots import forms
from agents.understanding.slots.slots import fill
from agents.understanding.text.clauses import Clause

P = patterns_of(__name__)


def timer(clause: Clause, scene: Scene) -> Share | None:
    """A new timer; None when the words set none, or name no length."""
    match = P.TIMER.fullmatch(clause.text.strip(" .!"))
    slots = fill(f"{match['first'] or ''} {match['then']}", scene.clock) if match else None
    if slots is None or not slots.minutes:
        return None
    title = re.sub(r"^(?:for|to|called|named)\s+|\s+(?:for|and|to)$", "", slots.title, flags=re.IGNORECASE).strip()
    begin = scene.now.astimezone(UTC) + timedelta(minutes=slots.minutes)
    at = forms.instant(begin.astimezone(scene.now.tzinfo))
    fields = {"task": title or "timer", "kind": "reminder", "tags": [TIMER_TAG], "remind_at": at}
    return change(clause.text, Proposal(op="create", kind="todo", fields=fields, reason="you asked for a timer"))
