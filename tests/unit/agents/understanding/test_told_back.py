"""What Summit did, how a day looks, and complaints: answers that change nothing."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from agents.contract import Change
from agents.mind.message import understand
from tests.support.asking import answers, ask, changed, decide, proposals

NOW = datetime(2026, 11, 18, 10, 30, tzinfo=UTC)
MIDNIGHT = NOW.replace(hour=0, minute=0)
HOUR, DAY = timedelta(hours=1), timedelta(days=1)


def row(
    title: str, op: Any = "delete", *, ago: timedelta = timedelta(hours=1), place: int = 0, **fields: Any
) -> Change:
    made = changed(title, op=op, turn=f"t{place}", place=place)
    return made.model_copy(update={"created_at": NOW - ago, **fields})


FILED = row("oil the gate", "complete", place=1)
GONE = row("fix the hinge", place=2)
OLD = row("call the bank", ago=DAY, place=0)
ROWS = [OLD, FILED, GONE]


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ("what did you do today", "2 changes today: Marked “oil the gate” as done. Deleted the task “fix the hinge”."),
        ("what changed yesterday?", "1 change yesterday: Deleted the task “call the bank”."),
        ("show me the history", "2 changes today: Marked “oil the gate” as done. Deleted the task “fix the hinge”."),
        ("what was the last thing you did", "The last thing I did: Deleted the task “fix the hinge”."),
        ("what have you changed on monday", "Nothing was changed on monday."),
    ],
)
def test_what_was_done_is_told_from_the_rows(said: str, told: str) -> None:
    assert answers(said, changes=ROWS) == told
    assert proposals(said, changes=ROWS) == []


def test_what_was_taken_back_is_told_as_such() -> None:
    rows = [FILED, GONE.model_copy(update={"status": "undone"})]
    assert answers("what did you change today?", changes=rows).endswith(
        "Deleted the task “fix the hinge” (undone since)."
    )


def test_a_long_history_names_the_latest() -> None:
    rows = [row(f"errand {number}", place=number) for number in range(12)]
    told = answers("what changed today", changes=rows)
    assert told.startswith("12 changes today, the latest 8: ")
    assert "errand 3" not in told
    assert "errand 11" in told


def test_the_ledger_is_asked_for_what_the_thread_does_not_show() -> None:
    asked = ask("what did you do yesterday").model_copy(update={"history": None})
    look = understand(asked).look_back
    assert look is not None
    assert (look.since, look.until) == (
        NOW.replace(hour=0, minute=0) - timedelta(days=1),
        NOW.replace(hour=0, minute=0),
    )


def test_why_is_answered_with_the_words_that_caused_it() -> None:
    made = row("call mom", "create", after={"source": {"words": "call mom tomorrow"}})
    told = answers("why did you add that?", changes=[made])
    assert told == "“call mom”: you said “call mom tomorrow”, today at 09:30. Say “undo call mom” to take it back."
    assert answers("why did you add a zebra", changes=[made]) == "I have changed nothing called “a zebra”."


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ("what's my day like?", "You have 1 event today: yoga (18:00 to 19:00). Due: buy milk."),
        ("brief me", "You have 1 event today: yoga (18:00 to 19:00). Due: buy milk."),
        ("help me plan my day", "You have 1 event today: yoga (18:00 to 19:00). Due: buy milk."),
        ("run me through tomorrow please", "You have nothing on your calendar tomorrow."),
        ("how's friday looking", "You have nothing on your calendar on Friday 20 November."),
        (
            "how does next month look",
            "You have nothing on your calendar from Tuesday 1 December to Thursday 31 December.",
        ),
    ],
)
def test_how_a_stretch_of_time_looks(said: str, told: str) -> None:
    given = {
        "todos": [{"task": "buy milk", "deadline": "2026-11-18"}],
        "events": [{"title": "yoga", "start": "2026-11-18T18:00", "end": "2026-11-18T19:00"}],
    }
    assert answers(said, **given) == told


@pytest.mark.parametrize("said", ["plan the party", "organise the shed", "tell me about the offer"])
def test_what_names_no_time_is_no_overview(said: str) -> None:
    assert "calendar" not in answers(said)


@pytest.mark.parametrize(
    "said", ["that's wrong", "wtf, this is useless", "you got it wrong again", "not what I asked for!"]
)
def test_a_complaint_is_met_with_the_way_back(said: str) -> None:
    assert answers(said, changes=[GONE]).startswith("I'm sorry. Say “undo that” to take back “fix the hinge”")
    assert "I'm sorry" in decide(said).acknowledgement
    assert proposals(said, changes=[GONE]) == []


@pytest.mark.parametrize(
    "said",
    [
        "No. Wrong.",
        "Wrong.",
        "NO. That is wrong. I never asked for that",
        "no, that's wrong, I never asked for that",
        "No! That's not what I meant",
        "no. this is stupid",
        "no!! stop it",
    ],
)
@pytest.mark.parametrize(
    ("kind", "title", "given"),
    [
        ("note", "Workouts list", {"notes": [{"category": "list", "summary": "Workouts list", "items": ["squats"]}]}),
        ("todo", "buy a boat", {"todos": [{"task": "buy a boat"}]}),
        ("event", "dentist", {"events": [{"title": "dentist", "start": "2026-11-19T10:00"}]}),
    ],
)
def test_a_complaint_puts_no_word_of_it_into_what_was_just_changed(
    said: str, kind: str, title: str, given: dict[str, Any]
) -> None:
    last = changed(title, kind=kind, record_id=f"{kind}-1")
    assert proposals(said, changes=[last], **given) == []
    assert answers(said, changes=[last], **given).startswith(f"I'm sorry. Say “undo that” to take back “{title}”")


def test_an_angry_correction_is_still_one() -> None:
    events = [{"title": "dentist", "start": "2026-11-19T10:00"}]
    last = changed("dentist", kind="event", record_id="event-1")
    [moved] = proposals("what the hell, I said friday not thursday!!!", changes=[last], events=events)
    assert moved.fields == {"start": "2026-11-20T10:00:00+00:00"}


@pytest.mark.parametrize("said", ["cancel the stupid meeting", "fix the broken lamp"])
def test_a_rude_request_is_still_a_request(said: str) -> None:
    assert "sorry" not in f"{decide(said).acknowledgement} {answers(said)}"


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ("cancel my lunch", "I found nothing called “lunch”, so I left everything as it is."),
        ("delete all my notes", "I see no notes to delete, so I left everything as it is."),
        ("clear my calendar on friday", "I see no events to delete then, so I left everything as it is."),
        ("what do you know about me", "You have not told me anything about yourself yet."),
    ],
)
def test_what_is_not_there_is_said_plainly(said: str, told: str) -> None:
    assert answers(said) == told


def test_a_name_that_changed_twice_is_asked_about_once() -> None:
    rows = [row("lunch", "update", place=place) for place in (1, 2)]
    asked = decide("undo everything from today", changes=rows).questions[0]
    assert asked.text == "Do you want me to undo all 2 changes: “lunch”?"


def test_a_priority_after_a_clock_time_is_no_part_of_it() -> None:
    fields = proposals("write the report by friday 5pm p1, takes 2 hours")[0].fields
    assert (fields["task"], fields["priority"], fields["time_to_complete"]) == ("write the report", "high", 120)


CALENDAR = {
    "events": [
        {"title": "standup", "start": "2026-11-19T09:00", "end": "2026-11-19T09:30"},
        {"title": "review", "start": "2026-11-19T09:15", "end": "2026-11-19T10:00"},
        {"title": "lunch", "start": "2026-11-19T10:00", "end": "2026-11-19T11:00"},
    ]
}


@pytest.mark.parametrize("said", ["what clashes tomorrow", "any conflicts tomorrow?", "am I double booked tomorrow"])
def test_clashes_are_told_in_pairs(said: str) -> None:
    told = "1 clash tomorrow: “standup” (tomorrow from 09:00 to 09:30) with “review” (tomorrow from 09:15 to 10:00)."
    assert answers(said, **CALENDAR) == told


def test_no_clash_is_said() -> None:
    assert answers("do I have any overlaps on friday", **CALENDAR) == "Nothing clashes on Friday 20 November."
    assert answers("any clashes?") == "Nothing clashes in the next two weeks."


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ("how many tasks have I got", "You have 1 open task: write the report."),
        ("what's on the grocery list", "You have no list called “grocery”."),
        ("snooze the zebra", "I found nothing called “zebra”, so I left everything as it is."),
    ],
)
def test_counts_and_lists_are_told(said: str, told: str) -> None:
    assert answers(said, todos=[{"task": "write the report"}]) == told


def test_snoozing_asks_until_when_and_takes_the_answer() -> None:
    given = {"todos": [{"task": "write the report"}]}
    asked = decide("snooze the report", **given).questions[0]
    assert asked.text == "Until when shall I snooze “write the report”?"
    [made] = proposals("friday", pending=asked.pending, **given)
    assert (made.op, made.record_id, made.fields) == ("update", "todo-1", {"snooze_until": "2026-11-20"})


def test_a_list_is_begun_by_its_name_and_a_colon() -> None:
    [made] = proposals("groceries: oat milk, coffee, spinach")
    assert (made.kind, made.fields["items"]) == ("note", ["oat milk", "coffee", "spinach"])
    [more] = proposals("shopping: tea", notes=[{"category": "list", "summary": "shopping list", "items": ["milk"]}])
    assert more.op == "update"


@pytest.mark.parametrize(
    ("said", "facts"),
    [
        ("I just moved to Berlin and started at Acme as a designer", {"location": "Berlin", "job": "designer at Acme"}),
        ("I joined Siemens as a data engineer", {"job": "data engineer at Siemens"}),
    ],
)
def test_a_new_job_is_known_with_its_place(said: str, facts: dict[str, str]) -> None:
    [made] = proposals(said)
    assert (made.kind, made.fields) == ("profile", facts)


def test_a_task_may_be_due_before_an_event() -> None:
    flight = {"title": "flight to Lisbon", "start": "2026-12-03T06:40", "end": "2026-12-03T08:30"}
    [made] = proposals("pack for lisbon the night before the flight", events=[flight])
    assert (made.fields["task"], made.fields["deadline"][:16]) == ("pack for lisbon", "2026-12-02T20:00")
