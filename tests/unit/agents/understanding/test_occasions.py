"""What reminders and appointments are called: the thing itself, without the words that ask for it."""

from __future__ import annotations

import pytest

from agents.understanding.slots.occasions import named, occasion
from tests.support.asking import decide, proposals


@pytest.mark.parametrize(
    ("title", "name"),
    [
        ("a notification about the gala", "the gala"),
        ("send me notice of the gala", "the gala"),
        ("there is a gala", "gala"),
        ("before the gala i have", "the gala"),
        ("my next gala", "gala"),
        ("the day before my gala", "my gala"),
        ("the gala, please set it to repeat", "the gala"),
        ("the gala before the music starts", "the gala"),
        ("go to the gym", "go to the gym"),
        ("notice the cracks", "notice the cracks"),
        ("set the table", "set the table"),
        ("alert", "alert"),
    ],
)
def test_a_reminder_is_called_by_what_it_is_about(title: str, name: str) -> None:
    assert named(title) == name


@pytest.mark.parametrize(
    ("title", "name"),
    [
        ("attend the wedding", "wedding"),
        ("go to Nina's recital", "Nina's recital"),
        ("go to the bank", "go to the bank"),
        ("set rehearsal down", "rehearsal"),
        ("repeating event rehearsal", "rehearsal"),
        ("upcoming rehearsal event", "rehearsal"),
        ("special event", "special event"),
    ],
)
def test_an_appointment_is_called_by_its_occasion(title: str, name: str) -> None:
    assert occasion(title) == name


@pytest.mark.parametrize(
    ("text", "task"),
    [
        ("tell me to close the valve tomorrow at 4pm", "close the valve"),
        ("remind to at 8pm to water the ferns", "water the ferns"),
        ("set an event for friday at 9am to remind me to sign the lease", "sign the lease"),
        ("just set me reminders about the rent on the 1st at 9am", "the rent"),
        ("let me know the morning of my recital on the 20th", "my recital"),
    ],
)
def test_reminders_asked_for_in_other_words(text: str, task: str) -> None:
    (made,) = proposals(text)
    assert (made.kind, made.fields["kind"], made.fields["task"]) == ("todo", "reminder", task)


def test_who_tells_of_an_occasion_and_asks_for_the_event_gets_it() -> None:
    (question,) = decide("i have a recital on monday set the event").questions
    assert question.text == "What time is recital on Monday 23 November?"


@pytest.mark.parametrize(
    ("text", "title", "day"),
    [
        ("put christmas with the cousins on my calendar", "christmas with the cousins", "2026-12-25"),
        ("add halloween with Rui on friday", "halloween with Rui", "2026-11-20"),
    ],
)
def test_a_feast_stays_in_the_name_that_would_else_be_only_its_guests(text: str, title: str, day: str) -> None:
    decision = decide(text)
    drafts = [item for target in decision.targets if target.proposed for item in target.proposed.proposals]
    drafts += [item for question in decision.questions for item in question.pending.proposals]
    (made,) = drafts
    assert title in (made.fields.get("title"), made.fields.get("task"))
    assert day in (made.fields.get("deadline", day), made.fields.get("start", day)[:10])


@pytest.mark.xfail(strict=True, reason="the built-in understanding does not read this")
@pytest.mark.parametrize(
    "text",
    [
        "remind me two days before anna's birthday on may 4th",
        "remind me of anna's birthday on may 4th every year two days before",
    ],
)
def test_days_before_an_occasion_count_from_the_day_that_is_said_with_it(text: str) -> None:
    """Today it reminds on the day itself."""
    [made] = proposals(text)
    assert made.fields["remind_at"][:10] == "2027-05-02"
