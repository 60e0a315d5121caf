"""Corrections in passing: one of several at another time, a starred word, "wait no", a time that does not suit."""

from __future__ import annotations

import pytest

from tests.support.conversations.playing import play

NOW = "2026-11-18T10:30:00"
VET = "book the vet tuesday at 3pm and the dentist wednesday at 2pm"


def last(*said: str) -> str:
    """What came of the last message."""
    turns = [{"say": text, "expect": {"disposition": [], "changes": []}} for text in said]
    return play({"id": "", "category": "", "now": NOW, "tz": "Europe/Lisbon", "turns": turns}, [])[-1].told


@pytest.mark.parametrize(
    ("said", "then", "told"),
    [
        (VET, "no the dentist at 4", "Moved “dentist” to Wednesday 25 November at 16:00"),
        (VET, "actually the vet on monday", "Moved “vet” to Monday 23 November at 15:00"),
        ("dentist friday at 3pm", "can we do 4 instead", "Moved “dentist” to Friday 20 November at 16:00"),
        (
            "dentist friday at 3pm",
            "cant make it friday, do it monday",
            "Moved “dentist” to Monday 23 November at 15:00",
        ),
        ("dentist friday at 3pm", "make it the week after", "Moved “dentist” to Friday 27 November at 15:00"),
        ("dentist friday at 3pm", "no, the tuesday after", "Moved “dentist” to Tuesday 24 November at 15:00"),
        ("dentist friday at 3pm", "push it to next week", "Moved “dentist” to Friday 27 November at 15:00"),
        ("dentist friday at 3pm", "its at Fern & Co", "location “Fern & Co”"),
        (
            "meeting with Dr Vance on friday at 2pm",
            "*Vince",
            "Renamed “meeting with Dr Vance” to “meeting with Dr Vince”",
        ),
        ("remind me in 45 minutes to check the oven", "make that an hour", "reminder today at 11:30"),
        ("add buy stamps", "wait no", "Undone: the task “buy stamps” is gone again"),
        (
            "add buy stamps",
            "make it a priority and give it till saturday",
            "deadline Saturday 21 November; priority “high”",
        ),
        ("my shoe size is 43", "oops its 44", "shoe size 44"),
        ("add pay the hydro bill due friday", "and the internet one too, same day", "“pay the internet bill”"),
        ("add order a lamp", "remind me in 20", "at 10:50"),
        ("remind me to water the herbs every day at 7pm", "stop reminding me about the herbs", "Deleted"),
        ("dentist friday at 3pm", "does that clash with anything?", "nothing else is on then"),
        ("my partner's called Dev", "whats my partners name", "Your partner: Dev"),
        ("remind me in the morning to bring my charger", "earlier, like 6", "reminder tomorrow at 06:00"),
        ("dentist friday at 3pm", "scrap that, doing it thursday instead", "Moved “dentist” to tomorrow at 15:00"),
        ("jot down that the boiler pressure was 1.2", "change that to 1.4", "1.4"),
        ("add call the bank", "by friday ideally", "deadline Friday 20 November"),
        ("yoga every tuesday and thursday at 7am", "not on tuesdays", "FREQ=WEEKLY;BYDAY=TH"),
        ("yoga every tuesday and thursday at 7am", "but not this thursday", "the series goes on"),
        ("remind me to stretch every day at 6pm", "not on weekends", "BYDAY=MO,TU,WE,TH,FR"),
        ("dentist on the 27th at 8am", "no 28th, and its 8:30", "Moved “dentist” to Saturday 28 November at 08:30"),
        ("dinner with Mia friday at 7pm", "start it at half 7", "Friday 20 November at 19:30"),
        ("return the mic by next wednesday", "push to friday that week", "deadline Friday 27 November"),
        ("water the tomatoes every evening", "no i meant every other evening", "INTERVAL=2"),
        ("dentist friday at 3pm", "make it at Lulu's", "location “Lulu's”"),
        ("dentist friday at 3pm", "its at Northside Clinic, room 4", "location “Northside Clinic, room 4”"),
        (
            "dentist friday at 3pm",
            "let's do the dentist at 4 instead",
            "Moved “dentist” to Friday 20 November at 16:00",
        ),
        ("can you add something to my list", "mop the kitchen", "Added “mop the kitchen”"),
        ("my kids are Ravi and Ines", "who are my kids?", "Your kids: Ravi and Ines"),
        ("make a list called movies", "add The Last Orchard", "“movies” now has The Last Orchard"),
    ],
)
def test_the_last_change_is_corrected(said: str, then: str, told: str) -> None:
    assert told in last(said, then)


def test_what_stands_in_the_way_is_not_what_is_moved() -> None:
    told = last("car wash friday 9am", "tire change friday at 9am", "wait the car wash is then. make it 11")
    assert "Moved “tire change” to Friday 20 November at 11:00" in told


def test_a_reminder_without_a_subject_is_for_the_task_before() -> None:
    assert "Set a reminder: “bring a salad”, Sunday 22 November at 12:00" in last(
        "bring a salad, remind me sunday at noon"
    )


def test_done_after_something_new_is_asked_about() -> None:
    assert last("add buy stamps", "done").startswith("clarify")
    assert "Marked “buy stamps” as done" in last("add buy stamps", "that's done")
