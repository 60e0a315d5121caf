"""New things: what clauses that ask for them come to."""

from __future__ import annotations

from agents.ports import Records
from tests.support.asking import changed
from tests.support.readings import event, heard_as, proposals_of, task


def test_task_with_its_details() -> None:
    (made,) = proposals_of(heard_as("{todo [t buy loom oil] [w by friday], [d 40 min], [pr urgent]}"))
    assert made.fields == {
        "task": "buy loom oil",
        "deadline": "2026-11-20",
        "time_to_complete": 40,
        "priority": "high",
    }


def test_known_task_is_changed_not_doubled() -> None:
    records = Records(todos=[task("Oil the loom")])
    (made,) = proposals_of(heard_as("{todo [t oil the loom] [w by friday]}", records))
    assert (made.op, made.record_id, made.fields) == ("update", "Oil the loom", {"deadline": "2026-11-20"})


def test_appointment_without_an_hour_is_asked_about() -> None:
    decision = heard_as("{event [t kiln visit] [w on friday]}")
    assert decision.questions[0].pending.missing == "when"
    assert decision.questions[0].pending.proposals[0].fields["start"] == "2026-11-20"


def test_a_blocked_part_of_the_day_is_all_of_it() -> None:
    (made,) = proposals_of(heard_as("{event block [w friday afternoon] for [t glazing]}"))
    assert (made.fields["start"], made.fields["end"]) == ("2026-11-20T12:00:00+00:00", "2026-11-20T18:00:00+00:00")
    (made,) = proposals_of(heard_as("{event block [d two hours] [w friday afternoon] for [t glazing]}"))
    assert (made.fields["start"], made.fields["end"]) == ("2026-11-20T15:00:00+00:00", "2026-11-20T17:00:00+00:00")


def test_an_exception_that_no_grammar_reads_is_named() -> None:
    decision = heard_as("{event [t glee club] [w every tuesday at 7pm] except [x during the half-term break]}")
    (made,) = proposals_of(decision)
    assert made.fields["recurrence"] == "FREQ=WEEKLY;BYDAY=TU"
    assert decision.unclear == ["except during the half-term break"]


def test_later_appointments_take_the_day_of_a_heading() -> None:
    made = proposals_of(heard_as("{event [w friday:] [t standup] [w 9:15]}, {event [t weaving] [w 10-11]}"))
    assert [item.fields["start"] for item in made] == ["2026-11-20T09:15:00+00:00", "2026-11-20T10:00:00+00:00"]


def test_times_that_count_from_an_appointment() -> None:
    records = Records(events=[event("Ferry to Ios", "2026-11-27T18:10:00+00:00")])
    (made,) = proposals_of(heard_as("{remind remind me [w an hour before the ferry] to [t buy figs]}", records))
    assert made.fields["remind_at"] == "2026-11-27T17:10:00+00:00"
    (made,) = proposals_of(heard_as("{remind remind me [w the evening before the ferry] to [t pack]}", records))
    assert made.fields["remind_at"] == "2026-11-26T19:00:00+00:00"


def test_times_that_count_from_a_day_of_the_same_message() -> None:
    marked = "{remark Nils is fifty on the 30th of December} so {todo [t post his parcel] [w a week before]}"
    (made,) = proposals_of(heard_as(marked))
    assert made.fields == {"task": "post his parcel", "deadline": "2026-12-23"}


def test_a_time_that_counts_from_nothing_is_named() -> None:
    decision = heard_as("{todo [t post the parcel] [w a week before]}")
    assert [item.fields["task"] for item in proposals_of(decision)] == ["post the parcel"]
    assert decision.unclear == ["a week before"]


def test_reminder_of_what_the_message_just_booked() -> None:
    marked = "{event [t ferry] [w friday 8am]}, {remind remind me [w two hours before]}"
    booked, reminder = proposals_of(heard_as(marked))
    assert booked.fields["title"] == reminder.fields["task"] == "ferry"
    assert reminder.fields["remind_at"] == "2026-11-20T06:00:00+00:00"


def test_timer_is_exact_to_the_second() -> None:
    (made,) = proposals_of(heard_as("{remind set a timer for [d 90 seconds] for the [t eggs]}"))
    assert made.fields["remind_at"] == "2026-11-18T14:21:30+00:00"


def test_reminder_of_a_time_that_is_over_is_asked_about() -> None:
    decision = heard_as("{remind remind me [w today at 11am] to [t ring the glazier]}")
    assert "would have been" in decision.questions[0].text


def test_facts_are_one_change_of_the_profile() -> None:
    (made,) = proposals_of(heard_as("{fact i'm [fname Ilse]}, {fact a [fjob bookbinder] in [fhome Ghent]}"))
    assert made.fields == {"name": "Ilse", "job": "bookbinder", "location": "Ghent"}


def test_idea_becomes_a_task() -> None:
    from agents.records import Note
    from tests.support.readings import BASE

    note = Note.model_validate({"id": "n", "category": "idea", "content": "rooftop beehives", "summary": "x", **BASE})
    records = Records(notes=[note.model_copy(update={"summary": "rooftop beehives"})])
    made = proposals_of(heard_as("{todo turn the [t rooftop beehives idea] into a task}", records))
    assert [(item.op, item.kind) for item in made] == [("create", "todo"), ("archive", "note")]


def test_a_day_that_is_told_every_morning_is_a_briefing() -> None:
    (made,) = proposals_of(heard_as("{remind [w every morning at 7] tell me my [q day]}"))
    assert (made.fields["task"], made.fields["tags"], made.fields["recurrence"]) == (
        "daily briefing",
        ["briefing"],
        "FREQ=DAILY",
    )
    assert made.fields["remind_at"] == "2026-11-19T07:00:00+00:00"


def test_time_that_is_kept_for_a_task_is_linked_to_it() -> None:
    records = Records(todos=[task("Write the report"), task("Call Ana")])
    (made,) = proposals_of(heard_as("{event block [w tomorrow 9 to 11] for [t the report]}", records))
    assert made.fields["task_id"] == "Write the report"
    (made,) = proposals_of(heard_as("{event [t lunch with Ana] [w tomorrow at 1]}", records))
    assert "task_id" not in made.fields


def test_a_word_behind_a_title_that_nobody_says_beside_one_belongs_to_it() -> None:
    (made,) = proposals_of(heard_as("{todo [t buy new wacom] nibs}"))
    assert made.fields["task"] == "buy new wacom nibs"
    (made,) = proposals_of(heard_as("{todo [t buy figs] please}"))
    assert made.fields["task"] == "buy figs"


def test_a_reminder_before_something_is_of_that_thing() -> None:
    records = Records(events=[event("dentist", "2026-11-20T16:00:00+00:00")], todos=[task("call Ana")])
    lately = [changed("call Ana", record_id="call Ana")]
    (reminder,) = proposals_of(
        heard_as("{remind remind me [w an hour before the dentist]}", records, recent_changes=lately)
    )
    assert (reminder.fields["task"], reminder.fields["remind_at"]) == ("dentist", "2026-11-20T15:00:00+00:00")


def test_a_job_that_is_said_in_two_pieces_is_one() -> None:
    (made,) = proposals_of(heard_as("{fact i work at [fjob Lumen] as a [fjob designer]}"))
    assert made.fields["job"] == "Lumen as a designer"
