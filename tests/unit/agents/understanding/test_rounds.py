"""Series that end, lose weekdays or rounds, or are otherwise from some day on."""

from __future__ import annotations

from agents.contract import Proposal
from agents.ports import Records
from tests.support.asking import changed
from tests.support.readings import event, heard_as, proposals_of, task

POTTERY = Records(
    events=[
        event(
            "Pottery",
            "2026-11-17T18:00:00+00:00",
            end="2026-11-17T19:00:00+00:00",
            recurrence="FREQ=WEEKLY;BYDAY=TU,TH",
        )
    ],
    todos=[
        task("Weekly report", deadline="2026-11-20", recurrence="FREQ=WEEKLY;BYDAY=FR"),
    ],
)


def made_by(marked: str) -> list[Proposal]:
    """Return what a marked message changes."""
    return proposals_of(heard_as(marked, POTTERY))


def rules(marked: str) -> list[object]:
    """Return the rules that a marked message leaves."""
    return [item.fields.get("recurrence") for item in made_by(marked)]


def test_only_some_weekdays_are_left() -> None:
    assert rules("{edit [g pottery] only [w on tuesday] from now on}") == ["FREQ=WEEKLY;BYDAY=TU"]


def test_last_round_ends_a_series() -> None:
    ended = ["FREQ=WEEKLY;BYDAY=TU,TH;UNTIL=20261203"]
    assert rules("{edit the [v last] [g pottery] is [w on 3 december]}") == ended
    assert rules("{edit [g pottery] goes on [w until 3 december]}") == ended


def test_series_is_split_where_it_is_otherwise_from_then_on() -> None:
    before, after = made_by("{edit [g pottery] starts [w at 5pm from 1 december on]}")
    assert before.fields == {"recurrence": "FREQ=WEEKLY;BYDAY=TU,TH;UNTIL=20261130"}
    assert (after.op, after.fields["start"], after.fields["recurrence"]) == (
        "create",
        "2026-12-01T17:00:00+00:00",
        "FREQ=WEEKLY;BYDAY=TU,TH",
    )
    assert before.group == after.group


def test_round_of_a_recurring_task_is_skipped() -> None:
    (skipped,) = made_by("{drop skip the [g report] [v this week]}")
    assert (skipped.op, skipped.fields) == ("update", {"deadline": "2026-11-27"})
    assert made_by("{drop delete the [g weekly report]}")[0].op == "delete"


DAILY = Records(
    todos=[
        task(
            "lock the shed",
            kind="reminder",
            remind_at="2026-11-18T20:00:00+00:00",
            recurrence="FREQ=DAILY;UNTIL=20270331",
        )
    ]
)


def test_days_that_are_excepted_afterwards_leave_a_daily_reminder() -> None:
    lately = [changed("lock the shed", record_id="lock the shed")]
    (made,) = proposals_of(heard_as("did | {fix but not [x on wednesdays]}", DAILY, recent_changes=lately))
    rule = "FREQ=WEEKLY;BYDAY=MO,TU,TH,FR,SA,SU;UNTIL=20270331"
    assert made.fields == {"recurrence": rule, "remind_at": "2026-11-19T20:00:00+00:00"}


def test_this_weekday_said_on_that_day_is_the_next_round_of_a_series_that_has_none_today() -> None:
    choir = event(
        "Choir", "2026-11-25T18:00:00+00:00", end="2026-11-25T19:00:00+00:00", recurrence="FREQ=WEEKLY;BYDAY=WE"
    )
    lately = [changed("Choir", kind="event", record_id="Choir")]
    (made,) = proposals_of(
        heard_as("did | {drop not [v this wednesday]}", Records(events=[choir]), recent_changes=lately)
    )
    assert made.fields == {"exdates": ["2026-11-25"]}


def test_a_time_alone_tells_what_is_to_go() -> None:
    known = Records(events=[event("Talk", "2026-11-18T16:00:00+00:00", end="2026-11-18T17:00:00+00:00")])
    (question,) = heard_as("{drop clear [w this afternoon]}", known).questions
    assert [(one.op, one.record_id) for one in question.pending.proposals] == [("delete", "Talk")]
