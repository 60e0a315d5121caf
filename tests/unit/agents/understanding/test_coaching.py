"""What a message says of energy."""

from __future__ import annotations

import pytest

from agents.ports import Records
from agents.understanding.questions.coaching import energy_of
from tests.support.readings import event, heard_as, read_as


@pytest.mark.parametrize(
    ("marked", "energy"),
    [
        ("{coach/tired wiped after the night shift, what now}", "low"),
        ("{chat/tired no energy at all}. {coach/plain what now}", "low"),
        ("{coach/lively wide awake, give me something}", "high"),
        ("{coach/plain what should come next}", "medium"),
        ("{coach what then}", "medium"),
    ],
)
def test_energy_is_what_the_clauses_are_about(marked: str, energy: str) -> None:
    assert energy_of(read_as(marked).clauses) == energy


def test_what_to_do_on_another_day_is_what_stands_there() -> None:
    known = Records(events=[event("Fair", "2026-11-21T10:00:00+00:00", end="2026-11-21T12:00:00+00:00")])
    (target,) = heard_as("{coach plan [w saturday] for me}", known).targets
    assert target.proposed is not None
    assert "Fair (10:00 to 12:00)" in " ".join(target.proposed.answers)
