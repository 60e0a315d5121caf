"""Recurring events by words: one of them, several, or the series; and a question where the words leave it open."""

from __future__ import annotations

from typing import Any

import pytest

from agents.contract import Pending, Proposal
from agents.mind.message import understand
from tests.support.asking import answers, ask, decide, proposals

EVENTS: list[dict[str, Any]] = [
    {
        "title": "Standup",
        "start": "2026-11-02T09:30",
        "end": "2026-11-02T09:45",
        "recurrence": "FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR",
    },
    {
        "title": "Yoga",
        "start": "2026-11-05T18:00",
        "end": "2026-11-05T19:00",
        "recurrence": "FREQ=WEEKLY;BYDAY=TH",
        "location": "Studio 3",
    },
    {"title": "Dentist", "start": "2026-11-20T15:00", "end": "2026-11-20T16:00"},
]
STANDUP, YOGA = "event-1", "event-2"


def said(text: str) -> list[tuple[str, str | None, dict[str, Any]]]:
    return [(item.op, item.record_id, item.fields) for item in proposals(text, events=EVENTS)]


SWIMMING = {
    "title": "Lily's swimming",
    "start": "2026-11-03T16:00",
    "end": "2026-11-03T17:00",
    "recurrence": "FREQ=WEEKLY;BYDAY=TU",
}
GALA = {"title": "Swimming gala", "start": "2026-12-05T10:00", "end": "2026-12-05T12:00"}


@pytest.mark.parametrize(
    "text",
    [
        "when is the next swimming lesson?",
        "when is lily's next swimming lesson",
        "what time is the next swimming lesson",
        "next swimming lesson?",
        "what's my next swimming class",
        "how long until the next swimming lesson",
    ],
)
def test_the_next_one_of_a_series_is_found_by_a_word_of_its_title(text: str) -> None:
    said = answers(text, events=[*EVENTS, SWIMMING])
    assert "Lily's swimming" in said
    assert "Tuesday 24 November" in said


def test_an_event_of_that_very_name_goes_before_a_series() -> None:
    assert "Swimming gala: Saturday 5 December" in answers("when is the next swimming gala", events=[SWIMMING, GALA])


def test_a_word_that_several_series_have_names_none_of_them() -> None:
    other = {**SWIMMING, "title": "Tom's swimming", "recurrence": "FREQ=WEEKLY;BYDAY=FR"}
    assert "I found nothing called" in answers("when is the next swimming lesson?", events=[SWIMMING, other])


def test_what_is_not_asked_for_as_the_next_one_is_not_guessed() -> None:
    assert "I found nothing called" in answers("when is the swimming lesson?", events=[SWIMMING])
    decision = decide("cancel the next swimming lesson", events=[SWIMMING])
    assert all(item.hold for target in decision.targets if target.proposed for item in target.proposed.proposals)


@pytest.mark.parametrize(
    ("text", "event", "days"),
    [
        ("cancel this friday's standup", STANDUP, ["2026-11-20"]),
        ("cancel tomorrow's yoga", YOGA, ["2026-11-19"]),
        ("skip yoga this week", YOGA, ["2026-11-19"]),
        ("cancel yoga on december 3", YOGA, ["2026-12-03"]),
        ("cancel the standup tomorrow and friday", STANDUP, ["2026-11-19", "2026-11-20"]),
        ("cancel just the next one of yoga", YOGA, ["2026-11-19"]),
    ],
)
def test_what_a_day_names_is_left_out_and_the_series_goes_on(text: str, event: str, days: list[str]) -> None:
    assert said(text) == [("update", event, {"exdates": days})]


@pytest.mark.parametrize(
    ("text", "event"),
    [
        ("cancel the standup series", STANDUP),
        ("delete the recurring standup", STANDUP),
        ("cancel the whole yoga series", YOGA),
        ("cancel all yoga sessions", YOGA),
        ("cancel yoga for good", YOGA),
    ],
)
def test_the_series_goes_when_the_words_say_all_of_it(text: str, event: str) -> None:
    assert said(text) == [("delete", event, {})]


def test_a_single_event_is_cancelled_as_ever() -> None:
    assert said("cancel the dentist") == [("delete", "event-3", {})]


@pytest.mark.parametrize(
    ("text", "out", "start", "end"),
    [
        ("move tomorrow's yoga to 7pm", "2026-11-19", "2026-11-19T19:00:00+00:00", "2026-11-19T20:00:00+00:00"),
        ("move thursday's yoga to friday at 5", "2026-11-19", "2026-11-20T17:00:00+00:00", "2026-11-20T18:00:00+00:00"),
        (
            "push tomorrow's yoga back by an hour",
            "2026-11-19",
            "2026-11-19T19:00:00+00:00",
            "2026-11-19T20:00:00+00:00",
        ),
    ],
)
def test_one_that_is_moved_becomes_an_event_of_its_own(text: str, out: str, start: str, end: str) -> None:
    (left, made) = said(text)
    assert left == ("update", YOGA, {"exdates": [out]})
    assert made[:2] == ("create", None)
    assert made[2]["title"] == "Yoga"
    assert (made[2]["location"], made[2]["start"], made[2]["end"]) == ("Studio 3", start, end)
    assert "recurrence" not in made[2]


def test_the_series_is_moved_with_all_its_days() -> None:
    ((op, record, fields),) = said("move the whole yoga series to 7pm")
    assert (op, record) == ("update", YOGA)
    assert fields == {"start": "2026-11-05T19:00:00+00:00", "end": "2026-11-05T20:00:00+00:00"}
    ((_, _, fields),) = said("move all yoga sessions to friday")
    assert (fields["recurrence"], fields["start"]) == ("FREQ=WEEKLY;BYDAY=FR", "2026-11-20T18:00:00+00:00")


def test_a_time_that_it_has_already_changes_nothing() -> None:
    assert said("move tomorrow's yoga to 6pm") == []
    assert "at that time already" in answers("move tomorrow's yoga to 6pm", events=EVENTS)


def test_a_day_on_which_it_is_not_changes_nothing_and_says_when_it_is() -> None:
    text = "cancel friday's yoga"
    assert said(text) == []
    assert answers(text, events=EVENTS) == (
        "“Yoga” does not take place Friday 20 November; it is next tomorrow at 18:00. I left everything as it is."
    )


def _waiting(text: str) -> Pending:
    decision = decide(text, events=EVENTS)
    assert decision.disposition == "clarify"
    (question,) = decision.questions
    assert question.options[-1] == "the whole series"
    return question.pending


def _told(pending: Pending, reply: str) -> list[Proposal]:
    decision = understand(ask(reply, events=EVENTS, pending=pending))
    return [item for target in decision.targets if target.proposed for item in target.proposed.proposals]


@pytest.mark.parametrize(
    "reply", ["only the next one", "just this one", "the first", "only the next one, tomorrow at 18:00"]
)
def test_asked_which_part_one_is_meant(reply: str) -> None:
    (left, made) = _told(_waiting("move yoga to 7pm"), reply)
    assert (left.fields, made.fields["start"]) == ({"exdates": ["2026-11-19"]}, "2026-11-19T19:00:00+00:00")
    (out,) = _told(_waiting("cancel standup"), reply)
    assert (out.op, out.fields) == ("update", {"exdates": ["2026-11-19"]})


@pytest.mark.parametrize("reply", ["the whole series", "all of them", "every one", "the series please"])
def test_asked_which_part_all_are_meant(reply: str) -> None:
    (moved,) = _told(_waiting("move yoga to 7pm"), reply)
    assert moved.fields["start"] == "2026-11-05T19:00:00+00:00"
    (gone,) = _told(_waiting("cancel standup"), reply)
    assert (gone.op, gone.record_id) == ("delete", STANDUP)


def test_asked_which_part_a_no_leaves_it_and_another_subject_goes_on() -> None:
    assert _told(_waiting("cancel standup"), "never mind") == []
    (other,) = _told(_waiting("cancel standup"), "buy milk")
    assert (other.op, other.kind) == ("create", "todo")


def test_clearing_a_day_takes_only_that_day_from_a_series() -> None:
    (question,) = decide("cancel everything on friday", events=EVENTS).questions
    assert question.text == "Shall I really delete 2 events: “Standup” (only then) and “Dentist”?"
    assert [(item.op, item.record_id, item.fields) for item in question.pending.proposals] == [
        ("update", STANDUP, {"exdates": ["2026-11-20"]}),
        ("delete", "event-3", {}),
    ]
    (question,) = decide("delete all my events", events=EVENTS).questions
    assert {item.op for item in question.pending.proposals} == {"delete"}


@pytest.mark.parametrize(
    ("text", "event", "days", "own"),
    [
        ("friday's standup is in room 4", STANDUP, ["2026-11-20"], [{"title": "Standup", "location": "room 4"}]),
        ("rename next thursday's yoga to stretching", YOGA, ["2026-11-26"], [{"title": "stretching"}]),
        ("tomorrow's yoga is only 30 minutes", YOGA, ["2026-11-19"], [{"end": "2026-11-19T18:30:00+00:00"}]),
        ("friday's standup is at ten", STANDUP, ["2026-11-20"], [{"start": "2026-11-20T10:00:00+00:00"}]),
        (
            "move the standup tomorrow and friday to 11",
            STANDUP,
            ["2026-11-19", "2026-11-20"],
            [{"start": "2026-11-19T11:00:00+00:00"}, {"start": "2026-11-20T11:00:00+00:00"}],
        ),
    ],
)
def test_one_of_a_series_with_other_details_becomes_an_event_of_its_own(
    text: str, event: str, days: list[str], own: list[dict[str, Any]]
) -> None:
    without, *apart = proposals(text, events=EVENTS)
    assert (without.record_id, without.fields) == (event, {"exdates": days})
    assert [item.op for item in apart] == ["create"] * len(own)
    assert all(wanted.items() <= item.fields.items() for item, wanted in zip(apart, own, strict=True))
    assert without.group
    assert {item.group for item in apart} == {without.group}


def test_a_detail_without_a_day_is_one_of_the_whole_series() -> None:
    assert said("yoga is in studio 5 now") == [("update", YOGA, {"location": "studio 5"})]


def test_a_detail_on_a_day_without_it_changes_nothing() -> None:
    assert proposals("saturday's yoga is in the park", events=EVENTS) == []
