"""A reader of a stream hears of every event that it cannot have any more, however few they are."""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, cast
from uuid import UUID, uuid4

import pytest

from app.http.rates import too_fast
from app.records.model.events import Event, KeptEvents
from app.records.store.event_log import EventLog
from app.turns.routes.event_cursor import Reader

AT = datetime(2026, 5, 6, 7, 8, tzinfo=UTC)


@dataclass
class Kept:
    """A log of which the events before ``first`` are gone."""

    first: int
    last: int

    async def span(self, user_id: UUID) -> KeptEvents:
        return KeptEvents(self.first, self.last)

    async def follow(self, user_id: UUID, *, turn_id: UUID | None = None, after: int = 0) -> AsyncIterator[Event]:
        for seq in range(max(after + 1, self.first), self.last + 1):
            yield Event(seq, None, "turn.accepted", AT, {})


async def read(position: int, first: int, last: int) -> list[Any]:
    reader = Reader(cast("EventLog", Kept(first, last)), uuid4(), position, "/v1/events")
    return [one async for one in reader.envelopes() if one is not None]


@pytest.mark.parametrize(("position", "first", "lost"), [(4, 5, 0), (4, 6, 1), (4, 7, 1), (0, 1, 0), (0, 2, 1)])
async def test_a_gap_is_told_once_before_what_comes_after_it(position: int, first: int, lost: int) -> None:
    told = await read(position, first, 9)
    assert len(told) == lost + 9 - first + 1
    assert [one["type"] for one in told[:lost]] == ["error"] * lost
    assert {one["type"] for one in told[lost:]} == {"turn.accepted"}


@pytest.mark.parametrize(("position", "ahead"), [(8, False), (9, False), (10, True), (99, True)])
async def test_a_number_that_no_event_has_yet_is_told_and_read_on_from_the_last(position: int, *, ahead: bool) -> None:
    told = await read(position, 1, 9)
    assert [one["type"] for one in told] == (["error"] if ahead else ["turn.accepted"] * (9 - position))
    assert [one["data"]["goes_on_after"] for one in told if one["type"] == "error"] == [9] * ahead


@pytest.mark.parametrize(("wait", "seconds"), [(0.01, 1), (1.0, 1), (1.2, 2), (59.5, 60)])
def test_who_waits_as_long_as_told_has_waited_long_enough(wait: float, seconds: int) -> None:
    assert too_fast(wait).retry_seconds == seconds
