"""What undoing a change gives back: all that the record said, whatever its kind."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from agents.ledger.transitions import Stamp, revert
from agents.records import RECORD_TYPES, Kind, Source

STAMP = Stamp(datetime(2026, 11, 24, 9, tzinfo=UTC), "UTC", Source())


@pytest.mark.parametrize("kind", RECORD_TYPES)
def test_an_undo_gives_back_every_field_as_a_new_version(kind: Kind) -> None:
    names = RECORD_TYPES[kind].model_fields
    before, after = ({**dict.fromkeys(names, word), "version": number} for word, number in (("old", 3), ("new", 4)))
    expected = {**before, "version": 5, "updated_at": "2026-11-24T09:00:00Z"}
    assert revert(after, before, STAMP) == expected
