"""What a task's past suggestions count, by itself: weights, halving, bounds."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from agents.suggestion_feedback import MOST_KEPT, Track, preference_score

NOW = datetime(2026, 11, 18, 9, 30, tzinfo=UTC)
DAY = timedelta(days=1)


def track(*, skipped: tuple[float, ...] = (), accepted: tuple[float, ...] = ()) -> Track:
    """A track by the days that have passed since."""
    return Track(skipped=[NOW - days * DAY for days in skipped], accepted=[NOW - days * DAY for days in accepted])


def test_no_past_counts_nothing() -> None:
    assert (preference_score(None, NOW), preference_score(Track(suggested=[NOW]), NOW)) == (0.0, 0.0)


@pytest.mark.parametrize(("days", "counts"), [(0, -1.5), (3, -0.75), (6, -0.375), (60, 0.0)])
def test_a_skip_counts_against_and_halves_in_three_days(days: float, counts: float) -> None:
    assert preference_score(track(skipped=(days,)), NOW) == pytest.approx(counts, abs=1e-3)


@pytest.mark.parametrize(("days", "counts"), [(0, 0.5), (14, 0.25), (28, 0.125)])
def test_taking_it_counts_in_favour_and_halves_in_two_weeks(days: float, counts: float) -> None:
    assert preference_score(track(accepted=(days,)), NOW) == pytest.approx(counts)


def test_they_add_up_within_bounds() -> None:
    assert preference_score(track(skipped=(0,), accepted=(0,)), NOW) == pytest.approx(-1.0)
    assert preference_score(track(skipped=(0,) * 9), NOW) == -4.0
    assert preference_score(track(accepted=(0,) * 9), NOW) == 1.0


def test_a_moment_is_noted_once_and_only_the_latest_are_kept() -> None:
    known = Track().with_outcome("skipped", NOW).with_outcome("skipped", NOW)
    assert known.skipped == [NOW]
    for step in range(20):
        known = known.with_outcome("skipped", NOW + step * DAY)
    assert (len(known.skipped), known.skipped[-1]) == (MOST_KEPT, NOW + 19 * DAY)


def test_only_a_recent_suggestion_that_was_not_taken_yet_is_open() -> None:
    suggested = Track(suggested=[NOW - DAY / 2])
    assert suggested.open_since(NOW, DAY)
    assert not suggested.with_outcome("accepted", NOW).open_since(NOW, DAY)
    assert not Track(suggested=[NOW - 2 * DAY]).open_since(NOW, DAY)
    assert not Track().open_since(NOW, DAY)
