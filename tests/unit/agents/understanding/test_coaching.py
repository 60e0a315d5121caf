"""What a message says of energy."""

from __future__ import annotations

import pytest

from agents.understanding.questions.coaching import energy_of
from tests.support.readings import read_as


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
