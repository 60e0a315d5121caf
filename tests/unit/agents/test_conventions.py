from __future__ import annotations

from datetime import time

import pytest

from agents.context import Context, conventions_of
from agents.conventions import Conventions, QuietHours, conventions_from


def test_a_run_without_conventions_uses_the_defaults() -> None:
    assert conventions_of(None) == conventions_of(Context()) == Conventions()
    assert conventions_of(Context(conventions={"evening": "18:30"})).evening == "18:30"


def test_conventions_survive_json_and_can_be_a_key() -> None:
    known = Conventions(week_start="sunday", working_days=("tuesday", "monday"))
    assert conventions_from(known.model_dump(mode="json")) == known
    assert len({known, conventions_from(known.model_dump(mode="json")), Conventions()}) == 2
    assert known.working_weekdays == (0, 1)


def test_what_no_longer_fits_counts_as_never_set() -> None:
    assert conventions_from({"evening": "late"}) == Conventions()


@pytest.mark.parametrize(
    ("start", "end", "inside", "outside"),
    [
        ("22:00", "07:00", ["22:00", "23:59", "00:00", "06:59"], ["21:59", "07:00"]),
        ("13:00", "14:00", ["13:00"], ["14:00"]),
    ],
)
def test_quiet_hours_cover(start: str, end: str, inside: list[str], outside: list[str]) -> None:
    quiet = QuietHours(start=start, end=end)
    assert [quiet.cover(time.fromisoformat(clock)) for clock in [*inside, *outside]] == [True] * len(inside) + [
        False
    ] * len(outside)
