"""When something was done: the stretch of the past that words name, and what to ask the ledger about it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from agents.contract import Change, Lookback
from agents.time import FoundTime, find_times, to_instant
from agents.understanding.records.lately import PLACES, SHORT_ORDINALS
from agents.understanding.scene import Scene
from agents.understanding.values.days import days_of, whole_days

LEAD = re.compile(r"^(?:(?:from|of|on|in|at|since|during|earlier)\s+)+", re.IGNORECASE)
HOURS = {"morning": (0, 12), "afternoon": (12, 18), "evening": (18, 24), "night": (18, 24)}
NUMBER = re.compile(rf"(?:the\s+)?(?:{'|'.join([*PLACES, *SHORT_ORDINALS])})(?:\s+and\s+the\s+\w+)?", re.IGNORECASE)
STRETCHES = ("point", "interval", "open_after")
LOOKBACK_SPANS = tuple(timedelta(days=days) for days in (0, 7, 31, 366))
NEARBY = timedelta(minutes=5)
BEGINNING = 4


@dataclass(frozen=True, slots=True)
class Period:
    """A stretch of the past: from ``start`` until before ``end``; ``label`` is what was said."""

    start: datetime
    end: datetime
    label: str

    def holds(self, changes: Sequence[Change]) -> list[Change]:
        """The changes made then."""
        return [item for item in changes if self.start <= item.created_at < self.end]


def period_in(text: str, scene: Scene) -> Period | None:
    """The stretch of the past that a text names: "tuesday" is the last one, as nothing was done on the next."""
    for back in LOOKBACK_SPANS:
        clock = replace(scene.clock, at=scene.now - back)
        found = [time for time in find_times(text, clock) if time.kind in STRETCHES and not NUMBER.fullmatch(time.text)]
        if not found:
            return None
        bounds = _bounds(found[0], scene)
        if bounds and bounds[0] <= scene.now:
            start, end = found[0].span
            return Period(*bounds, LEAD.sub("", text[start:end].strip()).lower())
    return None


def _bounds(found: FoundTime, scene: Scene) -> tuple[datetime, datetime] | None:
    if found.start is None:
        return None
    said = found.text.lower()
    part = next((hours for name, hours in HOURS.items() if name in said), None)
    if part and not re.search(r"\d", said):
        return _hour(found.start, part[0], scene), _hour(found.start, part[1], scene)
    if found.kind == "open_after" and found.timed:
        return found.start, scene.now + NEARBY
    if found.timed and found.kind == "point":
        near = max(NEARBY, (scene.now - found.start) / 4) if "ago" in said else timedelta(minutes=30)
        return found.start - near, found.start + near
    if found.timed and found.end:
        return found.start, found.end + NEARBY
    first, last = days_of(found, scene)
    if found.kind == "open_after":
        last = first if not said.startswith("since") else scene.now.date()
    return whole_days(first, last, scene)


def _hour(day: datetime, hour: int, scene: Scene) -> datetime:
    midnight = datetime.combine(day.date(), datetime.min.time())
    return to_instant(midnight + timedelta(hours=hour), scene.clock.zone)


def lookback(period: Period | None, words: Sequence[str]) -> Lookback:
    """What to ask the ledger for: titles are found by the beginnings of words, so that other forms fit too."""
    beginnings = [word[: max(BEGINNING, len(word) - 3)] for word in words]
    since, until = (period.start, period.end) if period else (None, None)
    return Lookback(since=since, until=until, words=list(dict.fromkeys(beginnings)))
