"""Who has the clock on twelve hours is told so everywhere, and what is told is understood again."""

from __future__ import annotations

from agents.dates_in_words import telling_times
from tests.support.readings import heard_as, proposals_of


def test_the_clock_itself() -> None:
    with telling_times("12h"):
        decision = heard_as("{ask/clock what time is it}")
    (target,) = decision.targets
    assert target.proposed
    assert target.proposed.answers == ["It is 2:20 pm on Wednesday 18 November."]


def test_times_that_are_offered() -> None:
    with telling_times("12h"):
        marked = "{ask/room when could i fit in [q the glazing] [w on friday afternoon] for [d an hour]}"
        (asked,) = heard_as(marked).questions
        label = asked.options[0]
        (made,) = proposals_of(heard_as(f"when | {{tell [w {label}]}}", pending=asked.pending))
    assert label.endswith("1:00 pm")
    assert made.fields["start"] == "2026-11-20T12:00:00+00:00"


def test_times_of_which_one_is_meant() -> None:
    with telling_times("12h"):
        (asked,) = heard_as("{event [t glazing] [w on friday or saturday at 3pm]}").questions
        (made,) = proposals_of(heard_as(f"when | {{tell [w {asked.options[1]}]}}", pending=asked.pending))
    assert asked.options[1].endswith(", 3:00 pm")
    assert made.fields["start"] == "2026-11-21T15:00:00+00:00"
