from __future__ import annotations

import pytest

from agents.understanding import understand_line


@pytest.mark.parametrize(
    ("zone", "instant"),
    [
        ("Europe/Lisbon", "2026-11-19T17:00:00+00:00"),
        ("-02:00", "2026-11-19T17:00:00-02:00"),
        ("+09:00", "2026-11-19T17:00:00+09:00"),
    ],
)
def test_a_zone_is_a_name_or_a_fixed_offset(zone: str, instant: str) -> None:
    line = {"id": "1", "text": "call the vet tomorrow at 5", "now": "2026-11-18T10:30:00", "tz": zone}
    assert understand_line(line)["time"][0]["start"] == instant
