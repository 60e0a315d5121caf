"""A model's own text: what claims a change is told from what only talks, in three languages."""

from __future__ import annotations

import pytest

from agents.claims import claim_in, claims_change, sentences, whole

CLAIMS = """
I've added milk to your list.
I have booked the dentist for Friday.
Added milk.
Done!
All set.
Your meeting has been moved to Friday.
The rent is now due on Friday.
Milk is on your list now.
I will remind you at five.
I'll delete the old ones.
Okay, deleted.
Everything was archived.
We just cancelled it.
I went ahead and completed the task.
It's already done.
Your calendar was updated.
I made a note of that.
I took care of it, the task is gone.
Reminder set for 5pm.
As requested, the note is saved.
✅ milk
Summit scheduled your call.
It got rescheduled.
The event no longer exists.
Okay, that was moved to Friday.
""".strip().splitlines()
HARMLESS = """
Hello!
Nice to hear from you.
How are you today?
You have three tasks due this week.
The dentist is on Friday at 15:00.
Calling the landlord, I would say.
I don't have that.
You asked about “I deleted everything” yesterday.
Good luck with the exam.
Dear Ana,
Set the oven to 200 degrees, cut the onions and put them into the pan.
The milk is no longer fresh.
Rome was not built in a day.
The wall was built in 1961 and opened in 1989.
You could move the meeting to Friday.
I have two ideas.
Book the venue two weeks ahead.
It is now five in Tokyo.
I'm not able to see the web.
The capital was moved to Canberra in 1927.
Guten Morgen, wie geht es dir heute?
""".strip().splitlines()


@pytest.mark.parametrize("sentence", CLAIMS)
def test_a_claim_is_recognised(sentence: str) -> None:
    assert claim_in(sentence)


@pytest.mark.parametrize("sentence", HARMLESS)
def test_harmless_sentences_pass(sentence: str) -> None:
    assert claim_in(sentence) is None


def test_what_is_excused_is_no_claim_and_any_other_still_is() -> None:
    assert claim_in("Everything was archived.", {"passive"}) is None
    assert claim_in("All done: everything was archived.", {"passive"}) == "done"


def test_a_whole_text_is_all_its_sentences() -> None:
    assert sentences("Hi! How are you?\nWell") == ["Hi!", "How are you?\n", "Well"]
    assert sentences(" ") == []


def test_a_growing_text_is_cut_where_its_sentences_end() -> None:
    text = "Hi! Dr. Lee at 3.30, e.g. on Friday. He said “no.” Then\n\nJ. Doe"
    done = ["Hi!", "Dr. Lee at 3.30, e.g. on Friday.", "He said “no.”", "Then\n\n"]
    assert whole(text) == (done, "J. Doe")
    grown, rest = [], ""
    for letter in text:
        new, rest = whole(rest + letter)
        grown += new
    assert (grown, rest) == (done, "J. Doe")


@pytest.mark.parametrize(
    "text",
    [
        "Added milk.",
        "Sure. I've moved it to Friday.",
        "I'll remind you at five.",
        "Ich habe den Termin gelöscht.",
        "Erledigt!",
        "Der Termin wurde verschoben.",
        "Adicionei o leite à lista.",
        "Pronto, marquei para sexta.",
    ],
)
def test_a_reply_that_claims_a_change_is_told(text: str) -> None:
    assert claims_change(text)


@pytest.mark.parametrize(
    "text",
    [
        *HARMLESS,
        "Shall I add it?",
        "Dear Ana,\nI have moved to Rome and booked a flight.\nBo",
        "The meeting was moved to Friday last week.",
        "Dein Zahnarzt ist am Freitag um 15 Uhr.",
        "Soll ich das hinzufügen?",
        "Amanhã você tem dentista às 15h.",
    ],
)
def test_a_question_a_letter_and_talk_claim_nothing(text: str) -> None:
    assert not claims_change(text)
