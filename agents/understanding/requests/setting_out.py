"""Hours before something just booked: "the train is at 7:52 on thursday, i need to leave by seven" leaves on Thursday."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime

from agents.time import on_day
from agents.understanding.grammar import patterns_of
from agents.understanding.scene import Scene
from agents.understanding.slots.moves import HALF_A_DAY, MERIDIEM
from agents.understanding.slots.slots import Slots

P = patterns_of(__name__)


def before_leaving(slots: Slots, scene: Scene, *, alarm: bool = False) -> None:
    """Put the one hour at which somebody sets out on the day, and the half of it, of what this message booked before."""
    lone = [found for found in slots.times if found.timed and not found.day_said and found.kind != "set"]
    starts = [
        item.fields.get("start")
        for share in scene.before
        for item in share.proposals
        if item.kind == "event" and item.op == "create"
    ]
    if (
        len(lone) != 1
        or not starts
        or len(str(starts[-1])) <= len("2026-11-18")
        or not (alarm or P.SETS_OUT.match(slots.title))
    ):
        return
    begins = datetime.fromisoformat(str(starts[-1])).astimezone(scene.clock.zone)
    there = on_day(lone[0], begins.date(), scene.clock)
    at = there.start or there.end
    halves = [at, at - HALF_A_DAY] if at and not MERIDIEM.search(lone[0].text) else [at]
    hour = next((one for one in halves if one and scene.now < one <= begins), None)
    if at and hour:
        shift = hour - at
        there = replace(there, start=there.start and there.start + shift, end=there.end and there.end + shift)
        slots.times = [there if found is lone[0] else found for found in slots.times]
