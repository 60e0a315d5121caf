"""A time that hangs on something else: resolved from a known fact or event, and never guessed."""

from __future__ import annotations

from typing import Any

import pytest

from agents.mind.message import understand
from tests.support.asking import ask, decide

KNOWN: dict[str, Any] = {
    "events": [{"title": "marathon", "start": "2026-12-06"}, {"title": "launch party", "start": "2026-11-27T18:00"}],
    "profile": {"name": "Ana", "facts": {"brother's birthday": "on May 4th", "anniversary": "12 June 2019"}},
}
MOMENTS = ("start", "end", "deadline", "remind_at", "snooze_until")
UNKNOWN = [
    *("the day after my anniversary", "two days after my brother's birthday", "after my brother's birthday"),
    *("the day before the exam", "a week after the wedding", "the morning after the gala", "on the day of the funeral"),
    *("the monday after the conference", "the weekend before my sister's graduation", "three days before my cruise"),
    *("right after the school play", "the evening of the launch", "an hour before the recital"),
]
MADE = [
    *(
        "dinner {}",
        "dentist {} at 9",
        "party {} at 7pm",
        "book a massage {}",
        "schedule a meeting with Carla {} at 3pm",
    ),
    *("remind me {} to send flowers", "remind me to water the plants {} at 9", "call the florist {}", "buy a card {}"),
    *("pay the deposit {}", "submit the form {}, high priority"),
]
DAYS = [
    ("the day after my anniversary", "2027-06-13"),
    ("two days after my brother's birthday", "2027-05-06"),
    ("the day before my brother's birthday", "2027-05-03"),
    ("a week after my anniversary", "2027-06-19"),
    ("the day after the marathon", "2026-12-07"),
    ("on the day of the marathon", "2026-12-06"),
    ("the monday after the marathon", "2026-12-07"),
    ("the friday before the marathon", "2026-12-04"),
    ("the saturday after my anniversary", "2027-06-19"),
]


def dates(text: str, **given: Any) -> list[str]:
    """Every moment that a message would write, as far as it is said."""
    made = [target.proposed.proposals for target in decide(text, **given).targets if target.proposed]
    fields = [item.fields for items in made for item in items]
    return [str(value) for some in fields for name in MOMENTS if (value := some.get(name))]


@pytest.mark.parametrize("when", UNKNOWN)
@pytest.mark.parametrize("request_", MADE)
def test_what_hangs_on_something_unknown_gets_no_date(request_: str, when: str) -> None:
    assert dates(request_.format(when)) == []


@pytest.mark.parametrize(("when", "day"), DAYS)
@pytest.mark.parametrize("request_", [*MADE[1:3], *MADE[4:]])
def test_what_hangs_on_something_known_is_on_its_day(request_: str, when: str, day: str) -> None:
    found = dates(request_.format(when), **KNOWN)
    assert found
    assert {value[:10] for value in found} == {day}


@pytest.mark.parametrize(
    ("text", "day"),
    [
        ("call mom after work at 6pm", "2026-11-18"),
        ("dentist tomorrow, after the recital at 5pm", "2026-11-19"),
        ("dentist on friday before the gym at 9", "2026-11-20"),
        ("pay the rent by the first monday of december", "2026-12-07"),
        ("buy a tree the week before christmas", "2026-12-20"),
        ("call mom the day after tomorrow", "2026-11-20"),
        ("send the report by the end of the month", "2026-11-30"),
        ("gym on the morning of the 5th at 8", "2026-12-05"),
    ],
)
def test_a_day_that_is_said_stays(text: str, day: str) -> None:
    assert {value[:10] for value in dates(text)} == {day}


def test_the_question_names_what_the_time_hangs_on() -> None:
    (question,) = decide("dentist the day after my anniversary at 9").questions
    assert "the day after my anniversary" in question.text


@pytest.mark.parametrize("when", [*UNKNOWN[:10], UNKNOWN[12]])
def test_nothing_is_moved_to_a_day_that_nobody_knows(when: str) -> None:
    assert dates(f"move the marathon to {when}", events=KNOWN["events"]) == []


def test_what_is_known_is_moved_to() -> None:
    assert dates("move the launch party to two days after my anniversary", **KNOWN)[0][:10] == "2027-06-14"


def test_the_day_it_hangs_on_is_a_fact_and_no_answer() -> None:
    (question,) = decide("dentist the day after my anniversary").questions
    decision = understand(ask("my anniversary is on June 12", pending=question.pending))
    assert (decision.answered, [target.worker for target in decision.targets]) == (False, ["update_profile"])
    later = understand(ask("june 13 at 9", pending=question.pending)).targets[0].proposed
    assert later is not None
    assert later.proposals[0].fields == {"title": "dentist", "start": "2027-06-13T09:00:00+01:00"}


def test_a_day_and_then_an_hour_answer_it() -> None:
    (question,) = decide("dentist the day after my anniversary at 9").questions
    (hour,) = understand(ask("june 13", pending=question.pending)).questions
    made = understand(ask("at 10", pending=hour.pending)).targets[0].proposed
    assert made is not None
    assert made.proposals[0].fields == {"title": "dentist", "start": "2027-06-13T10:00:00+01:00"}


def test_an_hour_alone_does_not_answer_it() -> None:
    (question,) = decide("dentist the day after my anniversary").questions
    decision = understand(ask("at 3", pending=question.pending))
    assert (decision.answered, decision.targets) == (False, [])
