"""Appointments of imported calendars that words may mean: known, but only to be read."""

from __future__ import annotations

from datetime import timedelta

from agents.index.words import words_of
from agents.rendering.agenda import Slot
from agents.understanding.scene import Scene
from agents.understanding.series.occurrences import imported_slots

YEAR = timedelta(days=366)
STEM = 3


def elsewhere(phrase: str, scene: Scene) -> Slot | None:
    """The next appointment of an imported calendar that has all these words."""
    words = set(words_of(phrase))
    coming = imported_slots(scene, scene.now, scene.now + YEAR) if words and _may_be_imported(words, scene) else []
    fitting = (slot for slot in coming if slot.calendar and words <= set(words_of(slot.event.title)))
    return min(fitting, key=lambda slot: slot.start, default=None)


def _may_be_imported(words: set[str], scene: Scene) -> bool:
    """Whether it is worth working all of them out: cheap, as there may be hundreds. Words are stems of what is said."""
    titles = [one.title.lower() for one in scene.ask.imported or ()]
    return scene.ask.imported is None or any(word[:STEM] in title for title in titles for word in words)
