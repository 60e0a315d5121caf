"""What a week of messages of a theatre electrician showed: lines that become tasks, days just told, names in part."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest

from agents.ports import Records
from agents.records import Note
from agents.understanding.message import decide_reading
from agents.understanding.situation import situation_of
from tests.support.conversations.playing import State, Turned, turned
from tests.support.readings import BASE, NOW, event, read_as, shopping, task

LISTS = [shopping("shopping", ["milk", "cat food", "lightbulbs"]), shopping("van kit", ["tape", "mend the water butt"])]


def talk(records: Records, *marked: str) -> list[Turned]:
    """Return what came of each of some messages, one after the other, each read as it is marked."""
    readings = {one.text: one for one in map(read_as, marked)}
    state = State(records, NOW, "Europe/Lisbon", mind=lambda ask: decide_reading(readings[ask.text], situation_of(ask)))
    return [turned(text, state, f"t{at}") for at, text in enumerate(readings)]


def rows(records: Records, *marked: str) -> list[dict[str, Any]]:
    """Return the changes of the last of some messages."""
    return talk(records, *marked)[-1].rows


def lines(row: dict[str, Any]) -> list[str]:
    """Return the lines of a list after a change."""
    return [line["text"] if isinstance(line, dict) else line for line in row["fields"]["items"]]


@pytest.mark.parametrize("act", ["todo", "edit"])
def test_lines_just_added_become_tasks_and_leave_their_list(act: str) -> None:
    made = rows(Records(notes=LISTS), "{list need [i bread] and [i bin bags]}", f"{{{act} turn [g that] into a task}}")
    assert [row["op"] for row in made] == ["create", "create", "update"]
    assert [row["title"] for row in made[:2]] == ["bread", "bin bags"]
    assert lines(made[2]) == ["milk", "cat food", "lightbulbs"]


def test_a_list_as_a_whole_becomes_tasks() -> None:
    added = "{list need [i bread]}"
    made = rows(Records(notes=LISTS), added, "{edit turn the [l shopping] list into tasks}")
    assert [row["op"] for row in made] == [*["create"] * 4, "archive"]
    again = rows(Records(notes=LISTS[:1]), added, "{todo turn [g that list] into tasks}")
    assert [row["op"] for row in again] == [*["create"] * 4, "archive"]


@pytest.mark.parametrize(
    ("marked", "name", "due"),
    [
        ("{edit turn the [i cat food] on the [l shopping] list into a task}", "cat food", None),
        ("{edit make the [g water butt] a proper task [w for saturday]}", "mend the water butt", "2026-11-21"),
        ("{todo make the [t water butt] a proper task [w for saturday]}", "mend the water butt", "2026-11-21"),
    ],
)
def test_a_line_that_is_named_becomes_a_task_with_its_own_words(marked: str, name: str, due: str | None) -> None:
    made, left = rows(Records(notes=LISTS, todos=[task("water the greenhouse")]), marked)
    assert (made["fields"]["task"], made["fields"].get("deadline")) == (name, due)
    assert name not in lines(left)
    assert (left["op"], len(lines(left))) == ("update", 2 if name == "cat food" else 1)


def test_a_line_becomes_an_appointment_with_its_time() -> None:
    marked = "{edit turn the [i water butt] on the [l van kit] list into an appointment [w saturday at 3]}"
    made, left = rows(Records(notes=LISTS), marked)
    assert (made["title"], made["fields"]["start"]) == ("mend the water butt", "2026-11-21T15:00:00+00:00")
    assert lines(left) == ["tape"]


def test_a_new_task_called_as_a_line_leaves_the_line() -> None:
    (made,) = rows(Records(notes=LISTS), "{todo make a task for the [t cat food]}")
    assert (made["op"], made["fields"]) == ("create", {"task": "cat food"})


def test_a_line_that_no_list_has_turns_no_list_into_tasks() -> None:
    assert rows(Records(notes=LISTS), "{edit turn the [i cat litter] on the [l shopping] list into a task}") == []


def test_a_line_of_two_lists_is_asked_about() -> None:
    both = Records(notes=[*LISTS, shopping("camping", ["tape", "gas"])])
    (told,) = talk(both, "{edit turn the [i tape] into a task}")
    assert (told.rows, "van kit" in told.reply, "camping" in told.reply) == ([], True, True)


HAIRCUT = "{event [t haircut] [w saturday 11 to 11.30]}"


@pytest.mark.parametrize(
    ("said", "end"),
    [
        ("an hour and a half'll", "12:30"),
        ("an hour and a half's", "12:30"),
        ("two hours’ll", "13:00"),
        ("20 mins'd", "11:20"),
    ],
)
def test_a_verb_behind_a_length_is_no_part_of_it(said: str, end: str) -> None:
    (made,) = rows(Records(), HAIRCUT, f"{{fix [d {said}] do}}")
    assert made["fields"]["end"] == f"2026-11-21T{end}:00+00:00"


@pytest.mark.parametrize("said", ["the 27th'll", "friday 27th's", "next friday'd"])
def test_a_verb_behind_a_day_is_no_part_of_it(said: str) -> None:
    compost = task("spread the compost", deadline="2026-11-20")
    (made,) = rows(Records(todos=[compost]), f"{{edit [w {said}] do for the [g compost]}}")
    assert made["fields"]["deadline"] == "2026-11-27"


def test_a_feast_keeps_the_end_of_its_name() -> None:
    (made,) = rows(Records(), "{todo [t buy a card] [w by valentine's]}")
    assert made["fields"]["deadline"] == "2027-02-14"


def name_after(made: str, marked: str) -> str:
    """Return what an appointment is called after it is made and corrected."""
    return str(rows(Records(), f"{{event [t {made}] [w saturday at 3]}}", marked)[-1]["fields"]["title"])


@pytest.mark.parametrize(
    ("made", "marked", "name"),
    [
        ("haircut", "{fix [g haircut]s [n for milo] not [x me]}", "haircut for milo"),
        ("haircut", "{fix [g haircuts for] [n milo] [x me]}", "haircut for milo"),
        ("haircut", "{fix that's for [n milo] not [x me]}", "haircut for milo"),
        ("lunch", "{fix make [g it] [n with ben]}", "lunch with ben"),
        ("lunch with ana", "{fix make [g it] [n with ben]}", "lunch with ben"),
        ("lunch with ana", "{fix make [g it] [n with ben] not [x ana]}", "lunch with ben"),
        ("lunch with ana at the pub", "{edit make [g the lunch] [n with ben]}", "lunch with ben at the pub"),
        ("talk about crows", "{edit [g the talk] is [n about rooks]}", "talk about rooks"),
        ("haircut", "{fix swap [g it] for [n a shave]}", "a shave"),
        ("haircut", "{fix call [g it] [n at home]}", "at home"),
    ],
)
def test_a_name_that_begins_with_a_preposition_is_a_part_of_a_name(made: str, marked: str, name: str) -> None:
    assert name_after(made, marked) == name


def test_for_behind_the_verb_of_a_task_is_left_alone() -> None:
    paying = Records(todos=[task("pay for the coach")])
    assert rows(paying, "{edit [g the coach] is [n for edie]}") == []


JOBS = Records(
    todos=[task("fix the headlight on the van"), task("order gel"), task("fix the door"), task("oil the door")]
)


def test_a_task_that_lacks_only_the_verb_of_another_is_asked_about() -> None:
    asked, done = talk(JOBS, "{todo [t headlight on the van], [w tomorrow at 12.30], [d 20 mins]}", "yes | {yes yes}")
    assert (asked.rows, asked.pending and asked.pending.missing) == ([], "proceed")
    assert "fix the headlight on the van" in asked.reply
    assert [(row["op"], row["title"]) for row in done.rows] == [("update", "fix the headlight on the van")]
    assert done.rows[0]["fields"] == {"time_to_complete": 20, "deadline": "2026-11-19T12:30:00+00:00"}
    (made,) = talk(JOBS, "{todo [t headlight on van]}")
    assert [row["op"] for row in made.rows] == ["create"]  # nothing new is said of the other one


@pytest.mark.parametrize("name", ["gel", "door", "sell the headlight on the van", "headlight on the old van"])
def test_a_word_alone_or_another_verb_is_a_new_task(name: str) -> None:
    assert [(row["op"], row["title"]) for row in rows(JOBS, f"{{todo [t {name}] [w tomorrow]}}")] == [("create", name)]


PLACES = Records(
    events=[
        event("choir", "2026-11-19T19:30:00+00:00", end="2026-11-19T21:30:00+00:00", location="St Luke's"),
        event("dentist", "2026-11-24T16:00:00+00:00", end="2026-11-24T16:30:00+00:00"),
        event("lunch", "2026-11-20T13:00:00+00:00", end="2026-11-20T14:00:00+00:00"),
    ]
)


@pytest.mark.parametrize("words", ["same place as choir", "the same venue as the choir", "the same place as choir"])
def test_the_same_place_is_that_of_the_record_that_is_named(words: str) -> None:
    (made,) = rows(PLACES, f"{{event [t choir social] [w sunday 2 til 4], [p {words}]}}")
    assert (made["title"], made["fields"]["location"]) == ("choir social", "St Luke's")
    (moved,) = rows(PLACES, f"{{edit [g lunch] is at [p {words}]}}")
    assert (moved["title"], moved["fields"]) == ("lunch", {"location": "St Luke's"})


def test_the_record_with_the_place_may_be_read_as_a_name() -> None:
    (made,) = rows(PLACES, "{event [t choir social] [w sunday 2 til 4], same place as the [g choir]}")
    assert (made["title"], made["fields"]["location"]) == ("choir social", "St Luke's")
    (moved,) = rows(PLACES, "{edit the [g lunch] is at [p the] same place as [g choir]}")
    assert (moved["title"], moved["fields"]) == ("lunch", {"location": "St Luke's"})


def test_the_same_place_alone_is_that_of_what_was_just_booked() -> None:
    booked = "{event [t choir social] [w sunday 2 til 4] at [p the Bell]}"
    (made,) = rows(PLACES, booked, "{event [t drinks] [w monday at 6], [p same place]}")
    assert made["fields"]["location"] == "the Bell"


@pytest.mark.parametrize("name", ["dentist", "rehearsal"])
def test_a_record_without_a_place_gives_none_and_it_is_said(name: str) -> None:
    (told,) = talk(PLACES, f"{{event [t check up] [w sunday 2 til 4], [p same place as {name}]}}")
    assert [row["fields"].get("location") for row in told.rows] == [None]
    assert name in told.reply


@pytest.mark.parametrize(
    ("place", "said"),
    [
        ("online", ", online."),
        ("in the hall", ", in the hall."),
        ("St Luke's", ", at St Luke's."),
        ("Near", ", at Near."),
    ],
)
def test_what_tells_a_place_by_itself_has_no_at_before_it(place: str, said: str) -> None:
    booked, moved = talk(
        PLACES,
        f"{{event [t fitting] [w sunday 2 til 4] [p {place}]}}",
        f"{{edit [g lunch] is later [sh an hour], [p {place}]}}",
    )
    (changed,) = talk(PLACES, f"{{edit [g lunch] is [p {place}]}}")
    assert said in booked.reply
    assert said in moved.reply
    assert said[2:] in changed.reply.partition(": ")[2]


PRESENT = "buy Milo's birthday present"
REMINDED = [
    task(PRESENT, deadline="2026-12-12"),
    task("ring", kind="reminder", remind_at="2026-11-24T17:20:00+00:00").model_copy(update={"task": PRESENT}),
]


@pytest.mark.parametrize(
    ("marked", "op"),
    [("{done [g milos present] is sorted}", "complete"), ("{drop forget [g milos present]}", "delete")],
)
def test_the_reminder_of_a_task_goes_with_it(marked: str, op: str) -> None:
    made = rows(Records(todos=REMINDED), marked)
    assert [(row["op"], row["record_id"]) for row in made] == [(op, PRESENT), (op, "ring")]


def test_the_reminder_of_a_task_is_meant_by_its_name_only() -> None:
    (moved,) = rows(Records(todos=REMINDED), "{edit [g milos present] can wait [w until the 14th of december]}")
    assert moved["record_id"] == PRESENT
    (gone,) = rows(Records(todos=REMINDED), "{drop cancel the reminder for [g milos present]}")
    assert gone["record_id"] == "ring"


def test_two_tasks_of_one_name_leave_their_reminder_alone() -> None:
    other = task("other").model_copy(update={"task": PRESENT, "deadline": NOW.date()})
    (told,) = talk(Records(todos=[*REMINDED, other]), "{done [g milos present] is sorted}")
    assert (told.rows, told.pending and len(told.pending.options)) == ([], 2)


def task_from_note(content: str, marked: str, **fields: Any) -> dict[str, Any]:
    """Return the fields of what a note of some words is turned into."""
    note = Note.model_validate({"id": "note", "category": "note", "content": content, **BASE, **fields})
    return dict(rows(Records(notes=[note]), marked)[0]["fields"])


@pytest.mark.parametrize(
    ("content", "name", "due"),
    [
        ("ring the surgery by friday", "ring the surgery", "2026-11-20"),
        ("ring the surgery on friday at 3", "ring the surgery", "2026-11-20T15:00:00+00:00"),
        ("read the monday memo", "read the monday memo", None),
        ("ring the surgery", "ring the surgery", None),
    ],
)
def test_a_note_that_becomes_a_task_keeps_its_date(content: str, name: str, due: str | None) -> None:
    made = task_from_note(content, "{todo make [g the note] a task}")
    assert (made["task"], made.get("deadline")) == (name, due)
    booked = task_from_note(content, "{edit make [g the note] a task [w for thursday]}")
    assert (booked["task"], booked.get("deadline")) == (content, "2026-11-19")


def test_a_day_of_a_note_is_counted_from_when_it_was_written() -> None:
    written = {"created_at": NOW - timedelta(days=3)}
    made = task_from_note("ring the surgery by friday", "{todo make [g the note] a task}", **written)
    assert made["deadline"] == "2026-11-20"
    old = task_from_note("ring the surgery by tuesday", "{todo make [g the note] a task}", **written)
    assert (old["task"], "deadline" in old) == ("ring the surgery by tuesday", False)


def test_a_note_that_becomes_an_appointment_keeps_its_time() -> None:
    made = task_from_note("dentist friday at 3", "{edit make [g the note] an appointment}")
    assert (made["title"], made["start"]) == ("dentist", "2026-11-20T15:00:00+00:00")


GYM, CAT = "{event [t gym] [w every tuesday at 7am]}", "{todo [t feed the cat] [w every tuesday]}"


@pytest.mark.parametrize(
    ("first", "more", "days"),
    [
        (GYM, "{more [w thursdays] too}", "TU,TH"),
        (GYM, "{edit make [g it] [w mondays] too}", "MO,TU"),
        (GYM, "{more and [w at weekends] as well}", "TU,SA,SU"),
        (CAT, "{more and [w saturdays] as well}", "TU,SA"),
    ],
)
def test_one_more_weekday_joins_those_of_a_series(first: str, more: str, days: str) -> None:
    (made,) = rows(Records(), first, more)
    assert (made["op"], made["after"]["recurrence"]) == ("update", f"FREQ=WEEKLY;BYDAY={days}")


def test_a_series_begins_on_the_first_of_its_days() -> None:
    (made,) = rows(Records(), GYM, "{more [w thursdays] too}")
    assert (made["after"]["start"], made["after"]["end"]) == ("2026-11-19T07:00:00Z", "2026-11-19T08:00:00Z")
    (later,) = rows(Records(), "{event [t gym] [w every tuesday at 7am from 5 january]}", "{more [w thursdays] too}")
    assert later["after"]["start"] == "2027-01-05T07:00:00Z"


def test_a_weekday_with_another_hour_is_another_series() -> None:
    (made,) = rows(Records(), GYM, "{more and [w thursdays at 8am]}")
    assert (made["op"], made["title"], made["fields"]["recurrence"]) == ("create", "gym", "FREQ=WEEKLY;BYDAY=TH")
    assert made["fields"]["start"] == "2026-11-19T08:00:00+00:00"


def test_other_weekdays_take_the_place_of_those_of_a_series() -> None:
    (made,) = rows(Records(), GYM, "{fix make [g it] [w thursdays]}")
    assert made["after"]["recurrence"] == "FREQ=WEEKLY;BYDAY=TH"


KIT = Records(
    notes=[shopping("shopping", ["milk", "cat food", "lightbulbs"]), shopping("van kit", ["tape", "spare fuses"])]
)


@pytest.mark.parametrize(
    "marked",
    [
        "{edit put the [i bulbs] on [l van kit] instead of [x shopping]}",
        "{edit move the [g bulbs] to [l van kit]}",
        "{remark bulbs are for the van}, {edit move [g them] over to [l van kit]}",
    ],
)
def test_a_word_that_ends_a_line_names_it_where_no_other_does(marked: str) -> None:
    left, there = rows(KIT, marked)
    assert (lines(left), lines(there)) == (["milk", "cat food"], ["tape", "spare fuses", "lightbulbs"])


def test_a_line_named_by_its_end_is_taken_off_or_ticked() -> None:
    (left,) = rows(KIT, "{listout take the [i bulbs] off the [l shopping] list}")
    assert lines(left) == ["milk", "cat food"]
    (ticked,) = rows(KIT, "{done got the [g bulbs]}")
    assert [line["text"] for line in ticked["fields"]["items"] if line["done"]] == ["lightbulbs"]


@pytest.mark.parametrize("said", ["bulbs", "oil"])
def test_an_end_that_is_short_or_of_several_lines_names_none(said: str) -> None:
    several = Records(notes=[shopping("shopping", ["lightbulbs", "flashbulbs", "tinfoil"])])
    assert rows(several, f"{{listout take the [i {said}] off the [l shopping] list}}") == []


def test_a_line_that_has_the_word_itself_is_meant_alone() -> None:
    both = Records(notes=[shopping("shopping", ["lightbulbs", "tulip bulbs"])])
    (left,) = rows(both, "{listout take the [i bulbs] off the [l shopping] list}")
    assert lines(left) == ["lightbulbs"]


def test_lines_just_added_move_to_the_list_that_is_named() -> None:
    left, there = rows(KIT, "{list need [i gel] and [i rope]}", "{edit move [g them] to [l van kit]}")
    assert (lines(left), lines(there)[2:]) == (["milk", "cat food", "lightbulbs"], ["gel", "rope"])


EVENING = {"end": "2026-11-19T21:30:00+00:00", "recurrence": "FREQ=WEEKLY;BYDAY=TH"}
SERIES = Records(events=[event("choir", "2026-11-19T19:30:00+00:00", **EVENING)])


@pytest.mark.parametrize(
    ("marked", "start"),
    [
        ("{edit [w next week's] [g choir] is [w at 7]}", "2026-11-26T19:00:00+00:00"),
        ("{edit [w next weeks] [g choir] is [sh half an hour later]}", "2026-11-26T20:00:00+00:00"),
        ("{edit [w this week] [g choir] is [w at 7]}", "2026-11-19T19:00:00+00:00"),
    ],
)
def test_a_week_tells_which_round_is_at_another_time(marked: str, start: str) -> None:
    left, own = rows(SERIES, marked)
    assert (left["record_id"], own["op"], own["fields"]["start"]) == ("choir", "create", start)
    day = "2026-11-19" if start < "2026-11-20" else "2026-11-26"
    assert left["fields"]["exdates"] == [day]


def test_a_week_tells_which_round_behind_one_that_is_cancelled() -> None:
    fix = "did | {fix [w next weeks] starts [w at 7] not [x half past], just [g that] one}"
    left, own = rows(SERIES, "{drop no [g choir] [v this week]}", fix)
    assert left["fields"]["exdates"] == ["2026-11-19", "2026-11-26"]
    assert (own["fields"]["start"], own["fields"]["end"]) == ("2026-11-26T19:00:00+00:00", "2026-11-26T21:00:00+00:00")


BIRTHDAY = Records(
    events=[
        event("gran's 80th", "2026-12-19T13:00:00+00:00", end="2026-12-19T17:00:00+00:00"),
        event("dentist", "2026-11-24T16:00:00+00:00", end="2026-11-24T16:30:00+00:00"),
    ]
)
WHEN_IS_IT = "{ask/details when is [g gran's 80th]}"


@pytest.mark.parametrize("block", ["{event block [w that whole day] out}", "{event keep [w that day] free}"])
def test_a_day_that_was_told_is_blocked_under_the_name_that_is_asked_for(block: str) -> None:
    _, asked, named = talk(BIRTHDAY, WHEN_IS_IT, block, "what | {tell [t family weekend]}")
    assert (asked.rows, asked.pending and asked.pending.missing) == ([], "rephrase")
    assert "call" in asked.reply
    (made,) = named.rows
    assert (made["title"], made["fields"]["start"], made["fields"]["all_day"]) == ("family weekend", "2026-12-19", True)


def test_a_day_that_was_told_is_that_of_something_new_or_moved() -> None:
    (made,) = rows(BIRTHDAY, WHEN_IS_IT, "{event [t cake tasting] [w that day at 10am]}")
    assert made["fields"]["start"] == "2026-12-19T10:00:00+00:00"
    (moved,) = rows(BIRTHDAY, WHEN_IS_IT, "{edit move the [g dentist] to [w that day]}")
    assert (moved["record_id"], moved["fields"]["start"]) == ("dentist", "2026-12-19T16:00:00+00:00")


def test_hours_without_a_name_are_blocked_under_the_name_that_is_asked_for() -> None:
    _, named = talk(BIRTHDAY, "{event block out [w friday 2 to 4]}", "what | {tell [t rigging]}")
    (made,) = named.rows
    assert (made["title"], made["fields"]["start"]) == ("rigging", "2026-11-20T14:00:00+00:00")


FREE = "{ask/room am i free [w at 4 on the 10th of december]}"


@pytest.mark.parametrize(
    "marked",
    [
        "{event put [t haircut] in then}",
        "{event put [t haircut] in [w then]}",
        "{event put [t haircut] in [w there]}",
        "{event put a [t haircut] in [w that slot]}",
        "{edit ok move the [g dentist] to then}",
        "{edit move the [g dentist] [w there]}",
    ],
)
def test_then_is_the_time_that_was_asked_about(marked: str) -> None:
    (made,) = rows(BIRTHDAY, FREE, marked)
    assert made["fields"]["start"] == "2026-12-10T16:00:00+00:00"


@pytest.mark.parametrize(
    "before",
    [
        ["{ask/room am i free [w at 4 on the 10th of december] or [w at 5 on the 11th]}"],
        ["{remark/plain it gets dark at 4 on the 10th of december}"],
        [FREE, "{event [t lunch] [w friday at 1]}"],
        [FREE, "{chat/thanks thanks}"],
    ],
)
def test_then_is_asked_about_where_it_may_be_another_time(before: list[str]) -> None:
    told = talk(BIRTHDAY, *before, "{event put [t haircut] in then}")[-1]
    assert (told.rows, told.pending and told.pending.missing) == ([], "when")


def test_then_before_what_is_done_is_no_time() -> None:
    made = rows(BIRTHDAY, FREE, "{todo then [t ring ana]}")
    assert [row["fields"] for row in made] == [{"task": "ring ana"}]


def test_an_hour_there_is_on_the_day_that_was_asked_about() -> None:
    asked = "{ask/agenda what's on [w saturday]}"
    (made,) = rows(BIRTHDAY, asked, "{event put [t football] in there [w at 2]}")
    assert made["fields"]["start"] == "2026-11-21T14:00:00+00:00"
    (moved,) = rows(BIRTHDAY, asked, "{edit move the [g dentist] to [w 5] then}")
    assert moved["fields"]["start"] == "2026-11-24T17:00:00+00:00"


def test_a_week_alone_means_the_round_of_what_was_just_changed() -> None:
    busy = Records(
        events=[*SERIES.events, event("lunch", "2026-11-27T13:00:00+00:00", end="2026-11-27T14:00:00+00:00")]
    )
    left, own = rows(busy, "{drop no [g choir] [v this week]}", "did | {edit [v next week's] is [w at 8] instead}")
    assert (left["record_id"], own["fields"]["start"]) == ("choir", "2026-11-26T20:00:00+00:00")
