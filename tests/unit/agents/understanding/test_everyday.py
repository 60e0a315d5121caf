"""Everyday remarks: rounds only named, arrivals, plain facts, how much something matters, what a word stands for."""

from __future__ import annotations

from typing import Any

import pytest

from tests.support.asking import answers, changed, decide, proposals

TASKS = [
    {"task": "Renew passport", "kind": "todo", "status": "not started"},
    {"task": "Call plumber", "kind": "todo", "status": "not started"},
]
SHOPPING = [{"category": "list", "content": "Shopping", "items": ["milk", "eggs"]}]


def fields(text: str, **given: Any) -> dict[str, Any]:
    """The fields of the one change that a message asks for."""
    (made,) = proposals(text, **given)
    return dict(made.fields)


@pytest.mark.parametrize(
    ("text", "title", "deadline"),
    [
        ("prepare the weekly review deck by friday", "prepare the weekly review deck", "2026-11-20"),
        ("submit my monthly expenses before the 30th", "submit my monthly expenses", "2026-11-30"),
        ("write the daily summary", "write the daily summary", None),
        ("finish quarterly numbers by tuesday", "finish quarterly numbers", "2026-11-24"),
        ("do the weekly shop on saturday", "do the weekly shop", "2026-11-21"),
    ],
)
def test_a_round_that_is_only_named_repeats_nothing(text: str, title: str, deadline: str | None) -> None:
    said = fields(text)
    assert (said["task"], said.get("deadline"), said.get("recurrence")) == (title, deadline, None)


@pytest.mark.parametrize(
    ("text", "rule", "start"),
    [
        ("daily standup at 9", "FREQ=DAILY", "2026-11-19T09:00"),
        ("weekly yoga at 9", "FREQ=WEEKLY", "2026-11-19T09:00"),
        ("weekly yoga at 6pm", "FREQ=WEEKLY", "2026-11-18T18:00"),
        ("set up our weekly team meeting for tuesdays at 2", "FREQ=WEEKLY;BYDAY=TU", "2026-11-24T14:00"),
    ],
)
def test_a_round_that_is_wished_begins_at_the_next_such_hour(text: str, rule: str, start: str) -> None:
    said = fields(text)
    assert (said["recurrence"], said["start"][:16]) == (rule, start)


@pytest.mark.parametrize(
    ("text", "title"),
    [
        ("write the intro, I think about an hour, quite urgent", "write the intro"),
        ("fix the bike, shouldn't take more than 20 minutes, low priority", "fix the bike"),
        ("finish the report by wednesday, it's pretty important, probably takes 3 hours", "finish the report"),
    ],
)
def test_hedges_between_details_are_no_title(text: str, title: str) -> None:
    assert fields(text)["task"] == title


@pytest.mark.parametrize(
    ("text", "title", "start", "end"),
    [
        ("the plumber is coming tomorrow between 8 and 10", "plumber", "2026-11-19T08:00", "2026-11-19T10:00"),
        ("my train arrives friday at 18:20", "train arrives", "2026-11-20T18:20", None),
        ("my flight to Lisbon leaves on the 4th of december at 7:45am", "flight to Lisbon", "2026-12-04T07:45", None),
        ("the electrician's coming on monday at 9", "electrician", "2026-11-23T09:00", None),
        ("the kids are leaving for camp on the 2nd at 8am", "kids leaving for camp", "2026-12-02T08:00", None),
    ],
)
def test_an_arrival_is_put_on_the_calendar(text: str, title: str, start: str, end: str | None) -> None:
    said = fields(text)
    assert (said["title"], said["start"][:16], said.get("end", "")[:16]) == (title, start, end or "")


@pytest.mark.parametrize("text", ["the package arrives tomorrow", "the bus leaves at 8", "he's coming at 5 tomorrow"])
def test_an_arrival_without_name_day_and_hour_is_only_heard(text: str) -> None:
    assert proposals(text) == []


@pytest.mark.parametrize(
    ("text", "known"),
    [
        ("I'm vegetarian and my daughter's name is Mia", {"facts": {"diet": "vegetarian", "daughter's name": "Mia"}}),
        ("my wife is called Elena and we live in Porto", {"location": "Porto", "facts": {"wife": "Elena"}}),
        ("my brother's name is Tom. remember that", {"facts": {"brother's name": "Tom"}}),
    ],
)
def test_facts_beside_facts_are_all_kept(text: str, known: dict[str, Any]) -> None:
    assert fields(text) == known


def test_what_is_to_be_remembered_may_be_said_first() -> None:
    assert fields("spare key is under the blue pot, remember that")["content"] == "spare key is under the blue pot"


@pytest.mark.parametrize(
    ("text", "record", "level"),
    [
        ("make the passport thing less urgent", "todo-1", "low"),
        ("bump renew passport to the top", "todo-1", "high"),
        ("move call plumber to the bottom of my list", "todo-2", "low"),
        ("the plumber is more urgent now", "todo-2", "high"),
    ],
)
def test_comparing_words_set_a_priority(text: str, record: str, level: str) -> None:
    (made,) = proposals(text, todos=TASKS)
    assert (made.op, made.record_id, made.fields) == ("update", record, {"priority": level})


@pytest.mark.parametrize(
    "text", ["what do I still need to buy", "what should I get at the store", "what's left to buy"]
)
def test_what_to_buy_stands_on_the_shopping_list(text: str) -> None:
    assert "milk and eggs" in answers(text, notes=SHOPPING, todos=TASKS)


def test_what_a_word_stands_for_is_kept_as_it_was_said() -> None:
    assert fields("when I say lunch I mean 12:30") == {"text": "when I say lunch I mean 12:30"}


@pytest.mark.parametrize("text", ["actually not yet", "wait, i'm not done", "oops, i haven't finished it yet"])
def test_what_is_not_done_yet_is_open_again(text: str) -> None:
    done = [{"task": "Call plumber", "kind": "todo", "status": "done"}]
    (made,) = proposals(text, todos=done, changes=[changed("Call plumber", op="complete")])
    assert (made.op, made.undo_of) == ("undo", "t1-0-complete")


def test_a_good_night_is_no_greeting() -> None:
    assert "What can I do" not in decide("good night").acknowledgement


@pytest.mark.parametrize(
    ("text", "title", "deadline"),
    [
        ("so I told Marco I'd send him the slides by tomorrow noon", "send him the slides", "2026-11-19T12:00"),
        ("I promised Ana to review her draft by friday", "review her draft", "2026-11-20"),
        ("don't forget mum's present", "mum's present", None),
        ("call mom now", "call mom", None),
    ],
)
def test_what_was_promised_is_a_task(text: str, title: str, deadline: str | None) -> None:
    said = fields(text)
    assert (said["task"], said.get("deadline", "")[:16]) == (title, deadline or "")


@pytest.mark.parametrize(
    "text", ["I told my boss I'd be late", "I promised I'd never do that", "I told Tom to call me"]
)
def test_what_others_do_or_what_is_only_felt_is_no_task(text: str) -> None:
    assert proposals(text) == []


def test_a_sigh_before_the_appointments_is_passed_over() -> None:
    made = proposals("hi there, my week is a mess: dentist thursday 4pm, parent meeting friday 8:15")
    assert [item.fields["title"] for item in made] == ["dentist", "parent meeting"]


@pytest.mark.parametrize(("text", "ticked"), [("got milk and eggs", 2), ("got milk", 1), ("bought a car", 0)])
def test_what_was_bought_is_ticked_on_its_list(text: str, ticked: int) -> None:
    made = proposals(text, notes=SHOPPING)
    assert sum(line["done"] for item in made for line in item.fields["items"]) == ticked


def test_a_list_may_be_for_something() -> None:
    said = fields("make me a packing list for Rome: passport, charger, sunscreen")
    assert (said["summary"], said["items"]) == ("packing list for Rome", ["passport", "charger", "sunscreen"])


def test_a_book_club_is_no_booking() -> None:
    said = fields("book club is the first wednesday of each month at 7:30pm")
    assert (said["title"], said["recurrence"]) == ("book club", "FREQ=MONTHLY;BYDAY=1WE")


@pytest.mark.parametrize("text", ["journal: today was tough", "log: ran 5k in 27 min"])
def test_a_journal_is_a_note(text: str) -> None:
    assert fields(text)["content"] == text.partition(": ")[2]


@pytest.mark.parametrize("text", ["set my timezone to New York", "turn off notifications"])
def test_a_setting_is_told_where_to_change(text: str) -> None:
    assert "/v1/settings" in decide(text).acknowledgement


@pytest.mark.parametrize("text", ["use 12 hour time", "enable dark mode"])
def test_a_setting_that_is_not_there_is_not_promised(text: str) -> None:
    assert decide(text).acknowledgement == "I have no setting for that."


def test_what_is_offered_as_a_task_is_worded_for_who_does_it() -> None:
    (question,) = decide("can you book me a flight to Rome").questions
    assert "“book a flight to Rome”" in question.text


def test_a_note_to_a_task_joins_its_notes() -> None:
    (made,) = proposals("add a note to renew passport: needs two photos", todos=TASKS)
    assert (made.record_id, made.fields) == ("todo-1", {"notes": "needs two photos"})


@pytest.mark.parametrize("text", ["what's my shoe size", "what's my locker code"])
def test_a_fact_not_told_is_said_to_be_unknown(text: str) -> None:
    assert "have not told me" in answers(text)


def test_what_is_no_longer_so_is_forgotten() -> None:
    known = {"name": "Ada", "job": "baker", "facts": {"diet": "vegetarian", "shoe size": "43"}}
    assert fields("I'm not vegetarian anymore", profile=known) == {"facts": {"shoe size": "43"}}
    assert fields("forget my job", profile=known) == {"job": None}
    assert fields("forget my shoe size", profile=known) == {"facts": {"diet": "vegetarian"}}


def test_meetings_with_someone_are_those_alone() -> None:
    events = [
        {"title": "Coffee with Tom", "start": "2026-11-24T10:00", "end": "2026-11-24T11:00"},
        {"title": "Dentist", "start": "2026-11-20T15:00", "end": "2026-11-20T16:00"},
    ]
    told = answers("do I have any meetings with Tom", events=events)
    assert "Coffee with Tom" in told
    assert "Dentist" not in told
    assert (
        answers("do I have any meetings with Priya", events=events) == "You have nothing with Priya on your calendar."
    )
