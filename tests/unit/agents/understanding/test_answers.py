"""Questions are answered from the records, by what they ask after and not by how they are put."""

from __future__ import annotations

from typing import Any

import pytest

from agents.contract import Lookback
from agents.phrases import CANNOT_DO_THAT, NOT_IN_NOTES, NOT_TOLD
from agents.understanding.dialogue.answers import answer_clause
from agents.understanding.dialogue.smalltalk import ABOUT_ME, CALENDARS
from agents.understanding.said import ACKNOWLEDGEMENTS, BYE, GLAD, HOW, HOW_TO, NO_SETTING, SETTING, SOUNDS_HARD, THANKS
from agents.understanding.share import Share
from tests.unit.agents.understanding.marked import clause_of, situation_with

WEEK: dict[str, Any] = {
    "todos": [
        {"task": "Mend the tent", "status": "not started", "deadline": "2026-03-02", "time_to_complete": 40},
        {"task": "Order seed potatoes", "status": "not started", "deadline": "2026-03-06", "priority": "high"},
        {"task": "Prune the apple trees", "status": "in progress", "difficulty": "hard", "time_to_complete": 180},
        {"task": "Renew the library card", "status": "done"},
        {"task": "porridge", "kind": "reminder", "tags": ["timer"], "remind_at": "2026-03-04T09:12"},
        {"task": "feed the cat next door", "kind": "reminder", "remind_at": "2026-03-04T18:00"},
    ],
    "events": [
        {"title": "Farrier", "start": "2026-03-05T14:00", "end": "2026-03-05T15:00", "location": "Yard 3"},
        {"title": "Parents' evening", "start": "2026-03-05T14:30", "end": "2026-03-05T16:00"},
        {
            "title": "Band practice", "start": "2026-03-05T20:00", "end": "2026-03-05T22:00",
            "recurrence": "FREQ=WEEKLY;BYDAY=TH",
        },
    ],
    "notes": [
        {"category": "list", "content": "Hardware", "items": ["hinges", {"text": "glue", "done": True}]},
        {"category": "note", "content": "the vet only takes cash"},
        {"category": "idea", "content": "a calendar made of postcards"},
    ],
    "profile": {"name": "Orla", "job": "beekeeper", "facts": {"bike lock": "0413", "brother": "Fintan"}},
    "instructions": [{"text": "keep replies short"}],
}  # fmt: skip


def told(marked: str, *recent: tuple[str, str]) -> Share:
    return answer_clause(clause_of(marked), situation_with(WEEK, *recent))


def sentences(marked: str, *recent: tuple[str, str]) -> str:
    return " ".join(told(marked, *recent).answers)


@pytest.mark.parametrize(
    ("question", "parts"),
    [
        ("ask/agenda what is happening [w tomorrow]", ["3 events", "Farrier", "Band practice"]),
        ("ask/agenda anything [w tomorrow evening]", ["Band practice"]),
        ("ask/agenda what do i have first [w tomorrow]", ["First", "Farrier"]),
        ("ask/details when does the [g farrier] come and where", ["14:00", "Yard 3"]),
        ("ask/length how long does [g band practice] go on", ["2 hours"]),
        ("ask/countdown how long until the [g farrier]", ["in 1 day"]),
        ("ask/room am i free [w tomorrow at 2pm]", ["Not quite", "Farrier"]),
        ("ask/room am i free [w on friday]", ["Yes, you are free"]),
        (
            "ask/room which evenings am i free [w this week]",
            ["today from 18:00 to 23:00", "tomorrow from 18:00 to 20:00"],
        ),
        ("ask/length how long is it between the [g farrier] and [g band practice]", ["5 hours between"]),
        ("ask/clash does anything overlap [w tomorrow]", ["1 clash", "Farrier", "Parents"]),
        ("ask/todos which tasks are overdue", ["1 open task", "Mend the tent"]),
        ("ask/todos what are my [pr top priority] tasks", ["Order seed potatoes"]),
        ("ask/todos which of my tasks have no date", ["Prune the apple trees"]),
        ("ask/todos how many tasks are still open", ["4 open tasks"]),
        ("ask/todos what am i working on", ["Prune the apple trees"]),
        ("ask/finished what have i finished", ["Renew the library card"]),
        ("ask/state did i renew the [g library card]", ["is done"]),
        ("ask/state have i ordered the [g seed potatoes]", ["not done yet"]),
        ("ask/timers how much time is left on the [g porridge timer]", ["12 minutes left"]),
        ("ask/reminders what reminders do i have", ["2 reminders", "feed the cat next door"]),
        ("ask/list what is on the [l hardware] list", ["hinges", "1 ticked off"]),
        ("ask/list are [i hinges] on any list", ["Yes, hinges is on"]),
        ("ask/list are [i screws] on the [l hardware] list", ["No, screws is not on"]),
        ("ask/notes what ideas have i got", ["postcards"]),
        ("ask/memory how does the [q vet] want to be paid", ["only takes cash"]),
        ("ask/profile what is the code of my [q bike lock]", ["0413"]),
        ("ask/memory who is [q fintan]", ["brother"]),
        ("ask/profile what do i do for a living, what is my job", ["beekeeper"]),
        ("ask/profile what do you know about me", ["Orla", "0413"]),
        ("ask/rules which rules have i given you", ["keep replies short"]),
        ("ask/clock what time is it", ["09:00 on Wednesday 4 March"]),
        ("ask/date what day is [w the 1st of may]", ["Friday 1 May 2026"]),
        ("ask/wayback can i get it back if i delete it", ["undone"]),
    ],
)
def test_each_topic_is_answered_from_its_records(question: str, parts: list[str]) -> None:
    said = sentences(question)
    assert all(part in said for part in parts), said


def test_what_nothing_stored_tells_is_left_to_memory() -> None:
    share = told("ask/memory what did i say about the [q greenhouse]")
    assert (share.worker, share.answers) == ("recall", [NOT_IN_NOTES])


def test_time_for_something_is_offered_as_a_question_with_times() -> None:
    share = told("ask/room is there time for [q a swim] [w on friday]")
    pending = share.questions[0].pending
    assert pending.missing == "when"
    assert pending.proposals[0].fields == {"title": "swim"}
    assert pending.options
    assert not share.proposals


def test_the_ledger_is_asked_for_what_was_done_long_ago() -> None:
    share = told("ask/history what did you change [w yesterday]")
    assert isinstance(share.look_back, Lookback)


@pytest.mark.parametrize("words", ["ask/last and [w on friday]", "ask/agenda and [w on friday]"])
def test_a_question_with_another_time_goes_on_with_the_last(words: str) -> None:
    before = ("which tasks are due today", "You have 1 open task due today: Mend the tent.")
    assert sentences(words, before) == (
        "You have 1 open task due Friday 6 March: Order seed potatoes (due Friday 6 March)."
    )


def test_a_time_after_what_has_none_asks_for_the_calendar() -> None:
    assert "Farrier" in sentences("ask/agenda anything [w tomorrow]", ("where is the vet", "You noted: by the mill"))


def test_words_for_something_else_are_not_about_what_was_just_named() -> None:
    before = ("who comes tomorrow", "Farrier (tomorrow from 14:00 to 15:00).")
    assert sentences("ask/details in which town will Grace open her shop", before) == NOT_IN_NOTES


def test_what_was_just_told_is_told_again() -> None:
    assert "09:00" in sentences("ask/last say that again", ("what time is it", "It is 08:59 on Wednesday 4 March."))


def test_a_time_after_what_was_no_question_asks_for_the_calendar() -> None:
    assert "Farrier" in sentences("ask/agenda and [w tomorrow]", ("thank you", "Any time."))


def test_it_is_what_the_last_reply_named() -> None:
    before = ("who comes tomorrow", "Farrier (tomorrow from 14:00 to 15:00).")
    assert "Yard 3" in sentences("ask/details where is it", before)


@pytest.mark.parametrize(
    ("question", "part"),
    [
        ("ask/details what about the [g hardware] one", "hinges"),
        ("ask/length how long does the [g porridge] still have", "12 minutes left"),
        ("ask/list what is on my [l to-do] list", "4 open tasks"),
        ("ask/workload which take less than half an hour [d half an hour]", "of at most 30 minutes"),
        ("ask/workload how much is there [w tomorrow]", "3 events"),
        ("ask/todos what is #yard work", "Nothing is tagged “yard”"),
        ("ask/todos when is the [g farrier] task", "14:00"),
        ("ask/details is there a [g fair] [w tomorrow]", "3 events"),
        ("ask/memory when does the [g farrier] come", "14:00"),
        ("ask/profile what is the code of my [g bike lock]", "0413"),
        ("help/notes show me my ideas", "postcards"),
    ],
)
def test_what_is_named_and_stored_tells_more_than_the_topic(question: str, part: str) -> None:
    assert part in sentences(question)


@pytest.mark.parametrize(
    "question",
    [
        "ask/profile what is the name of my [q sister]",
        "ask/profile what is my daughter called",
        "ask/date when is [q the fair]",
        "ask/clock where are we flying [w in june]",
        "ask/list are we out of [i salt]",
        "ask/list are we out of the [g pepper mill]",
        "ask/profile is Mia allergic to cashews",
        "ask/details how tall is the [q tower]",
        "ask/countdown how long until the [q wedding]",
    ],
)
def test_what_is_not_stored_is_never_answered_with_something_else(question: str) -> None:
    assert sentences(question) == NOT_IN_NOTES


@pytest.mark.parametrize(
    ("question", "part"),
    [
        ("ask/timers how heavy is the dog now", NOT_IN_NOTES),
        ("ask/history did Ole have an accident", NOT_IN_NOTES),
        ("ask/former did i go to [q Scotland] [w this year]", NOT_IN_NOTES),
        ("ask/state do i know how the [g vet] is paid", "only takes cash"),
        ("ask/timers how long does the [g porridge] have", "12 minutes"),
        ("ask/todos what is on my plate", "4 open tasks"),
        ("ask/room am i free [w on friday]", "Yes, you are free"),
    ],
)
def test_a_topic_that_is_not_told_surely_gives_way_to_what_is_known(question: str, part: str) -> None:
    share = answer_clause(clause_of(question, sure=0.5), situation_with(WEEK))
    assert part in " ".join(share.answers)


def test_a_field_of_the_profile_that_was_not_told_is_left_to_memory() -> None:
    assert sentences("ask/profile where do i live") == NOT_TOLD


def test_what_is_due_until_a_day_is_told_as_a_whole() -> None:
    share = told("coach/plain what do i need to get done [w by friday]")
    assert "2 open tasks" in share.answers[0]


@pytest.mark.parametrize(
    ("words", "notes"),
    [
        ("chat/thanks nice one", THANKS),
        ("chat/bye off now", BYE),
        ("chat/howareyou you well", HOW),
        ("chat/sad what a day", SOUNDS_HARD),
        ("remark/glad we won", GLAD),
        ("remark/plain it rains", ACKNOWLEDGEMENTS),
        ("help/howto how is it said", (HOW_TO,)),
        ("help/settings where is the font", (SETTING,)),
        ("help/connect my other calendar", (CALENDARS,)),
        ("help/abilities who are you", (ABOUT_ME,)),
        ("cannot/settings go dark", (NO_SETTING,)),
        ("cannot/plain fly", (CANNOT_DO_THAT,)),
    ],
)
def test_talk_is_answered_by_what_it_is(words: str, notes: tuple[str, ...]) -> None:
    assert told(words).note in notes


def test_a_mood_that_is_not_told_surely_is_answered_with_a_word_for_all() -> None:
    clause = clause_of("remark/sad the loaf sank", sure=0.5)
    assert answer_clause(clause, situation_with(WEEK)).note in ACKNOWLEDGEMENTS


@pytest.mark.parametrize("act", ["chat", "remark", "help", "cannot", "vague", "coach", "ask"])
def test_nothing_that_asks_for_no_change_makes_one(act: str) -> None:
    share = told(f"{act} the bees were in a foul mood this morning")
    assert not share.proposals


def test_the_coach_suggests_what_fits_the_minutes() -> None:
    share = told("coach i have [d 45 minutes], what can i do")
    assert share.worker == "focus_coach"
    assert share.suggestion is not None
    assert share.suggestion.minutes <= 45


def test_words_beside_a_request_that_only_ask_for_it_again_say_nothing() -> None:
    situation = situation_with(WEEK)
    again = clause_of("vague can you sort that")
    situation.clauses, situation.at = (clause_of("edit the [g farrier] comes at [w 3]"), again), 1
    share = answer_clause(again, situation)
    assert share == Share(text=again.text)


SUGGESTED = ("what now", "“Mend the tent” (about 1 hour): it is due Monday 2 March.")


def test_a_yes_to_what_was_suggested_is_remembered() -> None:
    share = told("yes ok doing that", SUGGESTED)
    assert share.feedback is not None
    assert share.feedback.outcome == "accepted"


def test_what_was_suggested_is_not_suggested_again_to_who_wants_something_else() -> None:
    share = told("coach/another give me something else", SUGGESTED)
    assert share.suggestion is not None
    assert "tent" not in share.suggestion.action
    assert share.feedback is not None
    assert share.feedback.outcome == "skipped"


@pytest.mark.parametrize("act", ["yes", "no"])
def test_a_yes_or_no_to_no_question_changes_nothing_and_says_so(act: str) -> None:
    share = told(f"{act} indeed")
    assert share.note
    assert not share.proposals


def test_a_topic_that_is_a_length_is_how_long_something_takes() -> None:
    assert sentences("ask/room when am i free for [q an hour] [w on friday]").startswith("You are free for 1 hour")


def test_the_first_reminder_before_the_next_appointment_is_told() -> None:
    assert "Before it I remind you of “porridge”, today at 09:12." in sentences("ask/next what is next")
