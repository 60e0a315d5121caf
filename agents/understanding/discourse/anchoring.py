"""The day that the talk was about, for words that count from it: "the day before", "that evening", "the same day"."""

from __future__ import annotations

from dataclasses import replace

from agents.time import find_times
from agents.understanding.grammar import patterns_of
from agents.understanding.items import pointed
from agents.understanding.scene import Scene

P = patterns_of(__name__)


def anchored(scene: Scene) -> Scene:
    """The scene with the day of what was talked about last as "that day", when words count from it."""
    if scene.clock.anchor is not None or not P.COUNTED.search(scene.ask.text):
        return scene
    last = scene.last_change("todo", "event")
    talked = pointed.lately(scene, ("event", "todo"))
    meant = [item for item in talked if last and item.id == last.record_id] or talked
    day = meant[0].day if len(meant) == 1 else None
    return replace(scene, clock=replace(scene.clock, anchor=day)) if day else scene


def told_of(words: str, scene: Scene) -> None:
    """Make the one day of a told clause "that day" for what follows: "there's no school monday so cancel carpool that day"."""
    if not P.COUNTED.search(scene.later):
        return
    days = {found.moment.date() for found in find_times(words, scene.clock) if found.day_said and found.moment}
    if len(days) == 1:
        scene.clock = replace(scene.clock, anchor=days.pop())
