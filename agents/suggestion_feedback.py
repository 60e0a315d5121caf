"""What became of suggestions, by task, and what that counts when the next one is chosen."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Literal

from pydantic import AwareDatetime, BaseModel

TrackOutcome = Literal["suggested", "skipped", "accepted"]
MOST_KEPT = 10
SKIPPED, SKIP_HALVES = -1.5, timedelta(days=3)
ACCEPTED, ACCEPT_HALVES = 0.5, timedelta(days=14)
MIN_PREFERENCE, MAX_PREFERENCE = -4.0, 1.0


class Feedback(BaseModel):
    """What the user made of the last suggestion."""

    task_id: str
    outcome: Literal["skipped", "accepted"]


class Track(BaseModel):
    """When one task was suggested, passed over and taken up: the latest moments of each."""

    suggested: list[AwareDatetime] = []
    skipped: list[AwareDatetime] = []
    accepted: list[AwareDatetime] = []

    def with_outcome(self, outcome: TrackOutcome, at: datetime) -> Track:
        """The track with one more moment; one that it has already is not counted again."""
        known: list[datetime] = getattr(self, outcome)
        return self.model_copy(update={outcome: [*known, at][-MOST_KEPT:] if at not in known else known})

    def open_since(self, now: datetime, patience: timedelta) -> bool:
        """Whether the last suggestion is so recent that what happens to the task now is an answer to it."""
        last = max(self.suggested, default=None)
        if last is None or not timedelta(0) <= now - last <= patience:
            return False
        return not any(at >= last for at in self.accepted)


def preference_score(track: Track | None, now: datetime) -> float:
    """What a task's past counts in its score.

    Each time it was skipped counts -1.5, halved for every 3 days since; each time it was taken +0.5, halved for every
    14 days since; together no less than -4 and no more than +1.
    """
    if track is None:
        return 0.0
    against = sum(SKIPPED * _decay(now - at, SKIP_HALVES) for at in track.skipped)
    in_favour = sum(ACCEPTED * _decay(now - at, ACCEPT_HALVES) for at in track.accepted)
    return min(max(against + in_favour, MIN_PREFERENCE), MAX_PREFERENCE)


def _decay(age: timedelta, half: timedelta) -> float:
    """What is left after an age of something that halves."""
    return float(0.5 ** (max(age, timedelta(0)) / half))
