"""New things: what clauses that ask for them come to."""

from __future__ import annotations

import pytest

from agents.ports import Records
from agents.records import Profile
from tests.support.asking import changed
from tests.support.readings import BASE, event, heard_as, proposals_of, task


def test_task_with_its_details() -> None:
    (made,) = proposals_of(heard_as("{todo [t buy loom oil] [w by friday], [d 40 min], [pr urgent]}"))
    assert made.fields == {
        "task": "buy loom oil",
        "deadline": "2026-11-20",
        "time_to_complete": 40,
        "priority": "high",
    }


def test_a_task_is_put_on_the_list_or_under_the_tag_that_is_named() -> None:
    (listed,) = proposals_of(heard_as("{todo [t oil the gate] [w by friday] on my [l Farm] list}"))
    assert (listed.fields["list"], "tags" in listed.fields) == ("Farm", False)
    (tagged,) = proposals_of(heard_as("{todo [t oil the gate], tag [l Farm]}"))
    assert (tagged.fields["tags"], "list" in tagged.fields) == (["farm"], False)


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


@pytest.mark.parametrize(
    ("when", "start"),
    [
        ("on the last day of january at 9am", "2027-01-31T09:00:00+00:00"),
        ("on the 2nd day of may at 10am", "2027-05-02T10:00:00+01:00"),
    ],
)
def test_a_day_of_a_month_counts_from_nothing_else(when: str, start: str) -> None:
    (made,) = proposals_of(heard_as(f"{{event [t stocktaking] [w {when}]}}"))
    assert made.fields["start"] == start


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
    (asked,) = heard_as("{remind remind me [w today at 11am] to [t ring the glazier]}").questions
    assert asked.text == "11:00 has passed. Shall I remind you about “ring the glazier” tomorrow at 11:00?"
    (made,) = proposals_of(heard_as("when | {yes yes please}", pending=asked.pending))
    assert made.fields["remind_at"] == "2026-11-19T11:00:00+00:00"
    (made,) = proposals_of(heard_as("when | {tell [w at 5pm]}", pending=asked.pending))
    assert made.fields["remind_at"] == "2026-11-18T17:00:00+00:00"
    (asked,) = heard_as("{remind remind me [w yesterday at 11am] to [t ring the glazier]}").questions
    assert asked.text.startswith("That would have been yesterday at 11:00. ")


def test_a_reminder_of_nothing_at_a_time_that_is_over_loses_that_time() -> None:
    (asked,) = heard_as("{remind remind me [w today at 11am]}").questions
    assert asked.text == "Today at 11:00 has passed. What shall I remind you about?"
    (asked,) = heard_as("what | {tell [t the glazier]}", pending=asked.pending).questions
    assert asked.text == "And when shall I remind you?"


def test_facts_are_one_change_of_the_profile() -> None:
    (made,) = proposals_of(heard_as("{fact i'm [fname Ilse]}, {fact a [fjob bookbinder] in [fhome Ghent]}"))
    assert made.fields == {"name": "Ilse", "job": "bookbinder", "location": "Ghent"}


def test_each_fact_has_its_own_day() -> None:
    marked = "{fact i'm [fother off sugar] [w since may] and started as a [fjob miller] [w on monday]}"
    (made,) = proposals_of(heard_as(marked))
    assert made.fields["since"] == {"off sugar": "2026-05-01", "job": "2026-11-16"}
    (made,) = proposals_of(heard_as("{fact i'm [fother off sugar] [w since may] and i am a [fjob miller]}"))
    assert made.fields["since"] == {"off sugar": "2026-05-01"}
    (made,) = proposals_of(heard_as("{fact i live in [fhome Ghent] and am a [fjob miller] [w since may]}"))
    assert made.fields["since"] == {"location": "2026-05-01", "job": "2026-05-01"}


def test_an_hour_with_a_first_day_is_on_that_day() -> None:
    (made,) = proposals_of(heard_as("{event [t roll call] [w at 8am] for [d 10 minutes] [w starting monday]}"))
    assert (made.fields["start"], made.fields["end"]) == ("2026-11-23T08:00:00+00:00", "2026-11-23T08:10:00+00:00")


def test_a_number_tells_which_one_is_not_meant() -> None:
    decision = heard_as("{done [g bill 71] is paid}", Records(todos=[task("pay bill 40")]))
    assert (proposals_of(decision), decision.questions) == ([], [])


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


def test_a_blocked_morning_begins_when_it_does_for_the_user() -> None:
    (made,) = proposals_of(heard_as("{event keep [w friday morning] for [t glazing]}"))
    assert (made.fields["start"], made.fields["end"]) == ("2026-11-20T09:00:00+00:00", "2026-11-20T12:00:00+00:00")
    (made,) = proposals_of(heard_as("{event block off [w the whole of friday] for [t glazing]}"))
    assert (made.fields["start"], made.fields["all_day"]) == ("2026-11-20", True)


def test_a_time_that_counts_from_a_known_day_of_the_users() -> None:
    known = Records(
        profile=Profile.model_validate({"id": "profile", "facts": {"name day": "the 6th of december"}, **BASE})
    )
    (made,) = proposals_of(heard_as("{todo [t bake a tart] [w two days before my name day]}", known))
    assert made.fields["deadline"] == "2026-12-04"
    (made,) = proposals_of(heard_as("{event [t sauna] [w the day after my name day at 5pm]}", known))
    assert made.fields["start"] == "2026-12-07T17:00:00+00:00"
    (made,) = proposals_of(heard_as("{todo [t ring gran] [w on my name day]}", known))
    assert made.fields["deadline"] == "2026-12-06"


def test_an_hour_of_a_day_that_nobody_knows_is_not_today() -> None:
    decision = heard_as("{event [t sauna] [w the day after the regatta at 5pm]}")
    assert proposals_of(decision) == []
    assert "start" not in decision.questions[0].pending.proposals[0].fields


def test_a_month_before_a_day_of_the_same_message() -> None:
    marked = "{remark the lease is over on the 31st of january} and {todo [t ring the agent] [w a month before]}"
    (made,) = proposals_of(heard_as(marked))
    assert made.fields["deadline"] == "2026-12-31"


def test_a_series_without_an_hour_is_asked_for_that_only() -> None:
    (asked,) = heard_as("{event [t rowing] [w every day]}").questions
    assert asked.text == "“rowing”: what time?"


def test_a_weekday_that_contradicts_its_date_is_named() -> None:
    for words in ("friday the 4th of january", "friday night, 4 january", "on friday the 4th january at 9"):
        (asked,) = heard_as(f"{{event [t regatta] [w {words}]}}").questions
        assert asked.text == "4 January is a Monday, not a Friday. “regatta”: which day?"
    (asked,) = heard_as("{event [t regatta] [w on friday the 3rd]}").questions
    assert asked.text == "3 December is a Thursday, not a Friday. “regatta”: which day?"
    (asked,) = heard_as("{todo [t pay the crew] [w by friday the 3rd]}").questions
    assert asked.text == "3 December is a Thursday, not a Friday. “pay the crew”: which day?"
    (asked,) = heard_as("{event [t regatta] [w on the fifth friday of december at 6pm]}").questions
    assert asked.text.startswith("I find no “")


def test_a_note_is_kept_as_it_was_written() -> None:
    for marked in (
        "{note note: [c the sail is torn], [c a mender comes on the 3rd]}",
        "{note note: [c the sail is torn, a mender comes] [w on the 3rd]}",
    ):
        (made,) = proposals_of(heard_as(marked))
        assert made.fields["content"] == "the sail is torn, a mender comes on the 3rd"
        assert "deadline" not in made.fields
    (made,) = proposals_of(heard_as("{note [w by friday] note that [c the sail is torn]}"))
    assert made.fields["deadline"] == "2026-11-20"


def test_a_picture_before_a_name_belongs_to_it() -> None:
    def name(marked: str, field: str) -> object:
        return proposals_of(heard_as(marked))[0].fields[field]

    assert name("{todo add 🪁 [t mend the kite]}", "task") == "🪁 mend the kite"
    assert name("{event [t tea with] 👩‍🚀 [t Ida] [w friday at 3pm]}", "title") == "tea with 👩‍🚀 Ida"
    assert name("{list put 🥕 [i carrots] on the [l farm] list}", "items") == ["🥕 carrots"]
    assert name("{todo add - [t mend the kite]}", "task") == "mend the kite"


def test_a_list_is_called_as_it_was_said() -> None:
    def called(marked: str) -> object:
        return proposals_of(heard_as(marked))[0].fields["summary"]

    assert called("{list make a list called [l Kites]: [i red], [i blue]}") == "Kites"
    assert called("{list list: [l kites]: [i red], [i blue]}") == "kites"
    assert called("{list start a [l kites] list: [i red]}") == "kites list"


def test_the_present_is_no_part_of_a_fact() -> None:
    (made,) = proposals_of(heard_as("{fact my [fother toll is 12 now,] it was [x 10]}"))
    assert made.fields["facts"] == {"toll": "12"}


def test_what_is_hardly_a_wish_and_names_none_is_asked_about() -> None:
    reading = "{rule/advice Ida turns six on the 4th} and {todo [t wrap the kite] [w on friday]}"
    decision = heard_as(reading, sure=0.4)
    assert all(item.kind != "instruction" for item in proposals_of(decision))


@pytest.mark.parametrize("when", ["today", "this week", "this month", "by the end of today"])
def test_a_reminder_of_a_day_whose_morning_is_over_is_later_that_day(when: str) -> None:
    (made,) = proposals_of(heard_as(f"{{remind remind me to [t feed the mule] [w {when}]}}"))
    later = "18:00" if "end" in when else "17:15"
    assert made.fields["remind_at"] == f"2026-11-18T{later}:00+00:00"


def test_a_reminder_by_the_end_of_a_day_rings_then() -> None:
    (made,) = proposals_of(heard_as("{remind remind me to [t ring the mason] [w by the end of the day on friday]}"))
    assert made.fields["remind_at"] == "2026-11-20T18:00:00+00:00"
    (made,) = proposals_of(heard_as("{remind remind me to [t ring the mason] [w by friday]}"))
    assert made.fields["remind_at"] == "2026-11-20T09:00:00+00:00"


def test_a_series_tells_nothing_of_today() -> None:
    (made,) = proposals_of(heard_as("{event [w every weekday] [t rowing] [w at 7am]}"))
    assert made.assumed == []


@pytest.mark.parametrize(
    ("marked", "times"),
    [
        ("{remind ping me [w at 6pm and at 9pm] to [t rinse the sprouts]}", ["2026-11-18T18:00", "2026-11-18T21:00"]),
        (
            "{remind [w in an hour] and again [w in three hours] to [t turn the cheese]}",
            ["2026-11-18T15:20", "2026-11-18T17:20"],
        ),
        (
            "{remind me [w on friday] and [w on sunday at 8] to [t feed the geese]}",
            ["2026-11-20T08:00", "2026-11-22T08:00"],
        ),
        ("{remind me [w on the 20th and the 21st] of [t the raffle]}", ["2026-11-20T09:00", "2026-11-21T09:00"]),
        ("{remind me [w at 6pm and at 18:00] of [t the soup]}", ["2026-11-18T18:00"]),
        ("{remind me [w tomorrow morning at 9] to [t ring Kit]}", ["2026-11-19T09:00"]),
    ],
)
def test_what_is_wanted_at_several_times_is_made_for_each(marked: str, times: list[str]) -> None:
    assert [str(made.fields["remind_at"])[:16] for made in proposals_of(heard_as(marked))] == times


def test_a_task_for_several_days_is_one_for_each() -> None:
    made = proposals_of(heard_as("{todo [t air the cellar] [w on friday and monday]}"))
    assert [one.fields["deadline"] for one in made] == ["2026-11-20", "2026-11-23"]


def test_several_more_at_the_same_hours() -> None:
    known = Records(events=[event("watch", "2026-11-20T20:00:00+00:00", end="2026-11-21T04:00:00+00:00")])
    lately = [changed("watch", kind="event", record_id="watch")]
    marked = "did | {more [t harbour watch] [w monday and tuesday] as well, same hours}"
    made = proposals_of(heard_as(marked, known, recent_changes=lately))
    assert [(one.fields["title"], str(one.fields["start"])[:16], str(one.fields["end"])[:16]) for one in made] == [
        ("harbour watch", "2026-11-23T20:00", "2026-11-24T04:00"),
        ("harbour watch", "2026-11-24T20:00", "2026-11-25T04:00"),
    ]


def test_tasks_just_made_go_on_a_list_by_a_pronoun() -> None:
    known = Records(todos=[task("oats"), task("hay")])
    lately = [changed("oats", record_id="oats"), changed("hay", record_id="hay", place=1)]
    started, *away = proposals_of(heard_as("did | {list put those on the [l feed] list}", known, recent_changes=lately))
    assert (started.op, started.kind, started.fields["items"]) == ("create", "note", ["oats", "hay"])
    assert [(one.op, one.record_id) for one in away] == [("archive", "oats"), ("archive", "hay")]
    assert len({one.group for one in (started, *away)}) == 1


def test_two_days_with_an_and_are_two_unless_they_follow_each_other() -> None:
    apart = proposals_of(heard_as("{event [t market stall] [w on the 12th and 15th of december], [w 9 to 5]}"))
    assert [str(one.fields["start"])[:10] for one in apart] == ["2026-12-12", "2026-12-15"]
    (made,) = proposals_of(heard_as("{event [t rally trip] [w on the 5th and 6th of december]}"))
    assert (made.fields["start"], made.fields["end"]) == ("2026-12-05", "2026-12-06")


def test_a_reminder_is_about_what_its_own_message_still_asks_about() -> None:
    lately = [changed("chase the mason", record_id="chase the mason")]
    marked = "did | {event [t passport] expires [w in march]}, {remind remind me [w a month before]}"
    known = Records(todos=[task("chase the mason")])
    (made,) = proposals_of(heard_as(marked, known, recent_changes=lately))
    assert (made.fields["task"].split()[0], str(made.fields["remind_at"])[:10]) == ("passport", "2027-02-01")


def test_what_is_so_on_one_day_is_offered_for_that_day_and_is_no_wish() -> None:
    (question,) = heard_as("{rule/advice [c Lena turns four on the 9th of december]}").questions
    (draft,) = question.pending.proposals
    assert (draft.kind, draft.fields) == ("event", {"title": "Lena turns four", "start": "2026-12-09", "all_day": True})
    for wish in ("from monday on [c write to me in capitals]", "[c on a monday I work at home]"):
        (made,) = proposals_of(heard_as(f"{{rule/advice {wish}}}"))
        assert made.kind == "instruction"
