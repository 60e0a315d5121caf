"""Values that are emptied, tags, kinds that change, what is over, days that there are not."""

from __future__ import annotations

import pytest

from agents.contract import Change, Opening
from agents.ports import Records
from tests.support.asking import changed
from tests.support.readings import event, heard_as, proposals_of, shopping, task

RECORDS = Records(
    todos=[
        task("water the ferns", recurrence="FREQ=DAILY", deadline="2026-11-19"),
        task("write the speech", priority="high", tags=["club"], deadline="2026-11-20"),
        task("ring Odile", kind="reminder", remind_at="2026-11-20T09:00:00+00:00"),
        task("wax the skis", status="done"),
        task("sell the skis", status="done"),
    ],
    events=[
        event("physio", "2026-11-20T15:00:00+00:00", end="2026-11-20T15:30:00+00:00", location="Mill Lane"),
        event("choir", "2026-11-17T18:00:00+00:00", recurrence="FREQ=WEEKLY;BYDAY=TU"),
    ],
    notes=[shopping("groceries", ["eggs"])],
)


@pytest.mark.parametrize(
    ("marked", "record", "fields"),
    [
        ("{edit stop repeating [g the ferns]}", "water the ferns", {"recurrence": None}),
        ("{edit [g the ferns] [w no longer repeats]}", "water the ferns", {"recurrence": None}),
        ("{edit remove [w the due date] of [g the speech]}", "write the speech", {"deadline": None}),
        ("{edit take the [pr priority] off the [g speech]}", "write the speech", {"priority": None}),
        ("{edit the [g physio] has no [p place] any more}", "physio", {"location": None}),
        ("{edit tag the [g speech] as [l work]}", "write the speech", {"tags": ["club", "work"]}),
        ("{edit take the tag [l club] off the [g speech]}", "write the speech", {"tags": []}),
        ("{edit make [g write the speech] a [st habit]}", "write the speech", {"kind": "habit"}),
        ("{edit change the [g reminder] to [n 10]}", "ring Odile", {"remind_at": "2026-11-20T10:00:00+00:00"}),
        (
            "{drop cancel [g choir] [v from december on]}",
            "choir",
            {"recurrence": "FREQ=WEEKLY;BYDAY=TU;UNTIL=20261130"},
        ),
        (
            "{drop end [g choir] [w after december 15]}",
            "choir",
            {"recurrence": "FREQ=WEEKLY;BYDAY=TU;UNTIL=20261215"},
        ),
    ],
)
def test_one_value_changes_and_nothing_else(marked: str, record: str, fields: dict[str, object]) -> None:
    (made,) = proposals_of(heard_as(marked, RECORDS))
    assert (made.op, made.record_id, made.fields) == ("update", record, fields)


def test_a_priority_that_is_given_is_not_taken_away() -> None:
    (made,) = proposals_of(heard_as("{edit no, make the [g ferns] [pr high priority]}", RECORDS))
    assert made.fields == {"priority": "high"}


def test_a_task_becomes_an_appointment_in_one_change() -> None:
    created, away = proposals_of(heard_as("{edit make the [g speech] an [st event] [w tomorrow at 8pm]}", RECORDS))
    assert (created.kind, created.fields["title"], created.fields["start"]) == (
        "event",
        "write the speech",
        "2026-11-19T20:00:00+00:00",
    )
    assert (away.op, away.record_id, away.group) == ("archive", "write the speech", created.group)


def test_an_appointment_without_an_hour_is_asked_for_it() -> None:
    decision = heard_as("{edit turn [g ring Odile] into an [st event]}", RECORDS)
    assert decision.questions[0].pending.missing == "when"


def test_a_copy_has_the_hour_the_length_and_the_place() -> None:
    (made,) = proposals_of(heard_as("{event copy the [g physio] to [w next friday]}", RECORDS))
    assert made.op == "create"
    assert made.fields == {
        "title": "physio",
        "location": "Mill Lane",
        "start": "2026-11-27T15:00:00+00:00",
        "end": "2026-11-27T15:30:00+00:00",
    }


def test_all_that_is_done_is_deleted_after_a_yes_and_put_away_at_once() -> None:
    decision = heard_as("{drop delete [a all] [st done] tasks}", RECORDS)
    assert [item.record_id for item in decision.questions[0].pending.proposals] == ["wax the skis", "sell the skis"]
    assert proposals_of(decision) == []
    put_away = proposals_of(heard_as("{drop archive the [g completed tasks]}", RECORDS))
    assert {(item.op, item.record_id) for item in put_away} == {
        ("archive", "wax the skis"),
        ("archive", "sell the skis"),
    }


@pytest.mark.parametrize("day", ["on february 30 at 3pm", "on friday the 13th at 3pm"])
def test_a_day_that_there_is_not_is_asked_about(day: str) -> None:
    decision = heard_as(f"{{event [t tailor] [w {day}]}}")
    assert proposals_of(decision) == []
    assert decision.questions[0].pending.missing == "when"
    assert "start" not in decision.questions[0].pending.proposals[0].fields
    assert proposals_of(heard_as(f"{{edit move the [g physio] to [w {day}]}}", RECORDS)) == []


@pytest.mark.parametrize(
    ("marked", "rule"),
    [
        ("{event [t row] [w every day] except [x sunday] [w at 7am]}", "FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR,SA"),
        ("{event [t row] [w every weekday at 9:30] except [x fridays]}", "FREQ=WEEKLY;BYDAY=MO,TU,WE,TH"),
    ],
)
def test_a_series_leaves_out_the_days_that_are_excepted(marked: str, rule: str) -> None:
    (made,) = proposals_of(heard_as(marked))
    assert made.fields["recurrence"] == rule


def clash_with_free_times(*hours: int) -> Change:
    free = [Opening(start=f"2026-11-20T{hour}:00:00+00:00", end=f"2026-11-20T{hour}:30:00+00:00") for hour in hours]
    return changed("physio", kind="event", record_id="physio").model_copy(update={"alternatives": free})


@pytest.mark.parametrize(
    ("words", "hour"), [("the later one", 16), ("the earliest slot", 10), ("the sooner", 10), ("the last", 11)]
)
def test_a_free_time_that_was_offered_is_picked_by_its_order(words: str, hour: int) -> None:
    row = clash_with_free_times(10, 16, 11)
    (made,) = proposals_of(heard_as(f"{{pick [k {words}]}}", RECORDS, recent_changes=[row]))
    assert made.fields["start"] == f"2026-11-20T{hour}:00:00+00:00"


def test_a_free_time_that_was_offered_is_picked_by_its_place() -> None:
    row = clash_with_free_times(10, 11, 16)
    (made,) = proposals_of(heard_as("{pick [k the second one]}", RECORDS, recent_changes=[row]))
    assert (made.record_id, made.fields) == (
        "physio",
        {"start": "2026-11-20T11:00:00+00:00", "end": "2026-11-20T11:30:00+00:00"},
    )
    (undone,) = proposals_of(heard_as("{undo undo [k the first one]}", RECORDS, recent_changes=[row]))
    assert undone.op == "undo"


def test_what_is_put_off_or_due_is_told() -> None:
    sleeping = Records(
        todos=[
            task("paint the hull", snooze_until="2026-12-01"),
            task("sand it", deadline="2026-11-10", priority="high"),
        ]
    )

    def told(marked: str) -> str:
        return str([one.proposed.answers for one in heard_as(marked, sleeping).targets if one.proposed])

    assert "paint the hull" in told("{ask/todos what's [st snoozed]}")
    assert "sand it" in told("{ask/todos what is due [w tomorrow] or [st overdue]}")
    assert "no low-priority" in told("{ask/todos which tasks are [pr low priority]}")


def test_two_lengths_are_two_timers() -> None:
    made = proposals_of(heard_as("{remind set two timers, [d 5]} and {remind [d 10 minutes]}"))
    assert [item.fields["remind_at"][14:16] for item in made] == ["25", "30"]


def test_an_alarm_is_about_nothing_that_was_just_made() -> None:
    row = changed("physio", kind="event", record_id="physio")
    (made,) = proposals_of(heard_as("{remind wake me [w at 6:30]}", RECORDS, recent_changes=[row]))
    assert (made.fields["task"], made.fields["tags"]) == ("alarm", ["timer"])


def test_energy_that_is_told_of_is_answered_with_one_task() -> None:
    decision = heard_as("{chat/tired i'm exhausted}", RECORDS)
    assert any(one.proposed and one.proposed.suggestion for one in decision.targets)
    assert heard_as("{chat/tired i'm exhausted}").targets == []


@pytest.mark.parametrize(
    ("marked", "parts", "not_there"),
    [
        ("{ask/finished list my [st done] tasks}", ["2 finished tasks", "wax the skis"], "speech"),
        ("{ask/tagged what is tagged [l club]}", ["write the speech"], "ferns"),
        ("{ask/todos sort my tasks by [pr priority]}", ["3 open tasks: write the speech", "ferns"], "skis"),
        ("{ask/agenda how busy am i [w this week]}", ["physio"], "Yes"),
        ("{ask/agenda what did i have [w last week]}", ["nothing on your calendar"], "finished"),
        ("{ask/steps what are the [q steps] of [g the speech]}", ["write the speech", "steps"], "date"),
    ],
)
def test_what_is_asked_for_is_told_and_nothing_else(marked: str, parts: list[str], not_there: str) -> None:
    targets = heard_as(marked, RECORDS).targets
    told = " ".join(line for one in targets if one.proposed for line in one.proposed.answers)
    assert [part for part in parts if part not in told] == []
    assert not_there not in told


def test_what_only_names_its_kind_is_made_no_other_one() -> None:
    made = proposals_of(heard_as("{edit change the [g speech] event to [w friday at 3pm]}", RECORDS))
    assert [(item.op, item.kind) for item in made] in ([], [("update", "todo")])


def test_a_thing_that_is_done_is_dropped_and_not_all_that_is() -> None:
    lately = [changed("wax the skis", record_id="wax the skis", op="complete")]
    decision = heard_as("{drop delete [g it], it's done}", RECORDS, recent_changes=lately)
    drafts = [*proposals_of(decision), *(item for one in decision.questions for item in one.pending.proposals)]
    assert {item.record_id for item in drafts} <= {"wax the skis"}
