"""Which messages ask memory, and which ask for something to be done."""

from __future__ import annotations

import pytest

from agents.ports import Exchange
from agents.time import clock_for
from agents.user_words.remembering import OverAll, doing_over_all, may_be_remembered, over_all, question_of
from tests.support.ledgers import LISBON, NOW

QUOTED = "On 2 March 2026: “My knee hurts.” On 9 March 2026: “It is better.”"


@pytest.mark.parametrize(
    ("words", "topic"),
    [
        ("Summarize all my thoughts on Project Apollo", "Project Apollo"),
        ("please summarise my notes about the garden and the pond", "the garden and the pond"),
        ("can you sum up everything I said about moving", "moving"),
        ("give me a short summary of my ideas on the shop", "the shop"),
        ("tell me everything I've told you about Lena", "Lena"),
        ("what are my thoughts on moving to Porto?", "moving to Porto?"),
    ],
)
def test_all_that_was_said_is_asked_for(words: str, topic: str) -> None:
    assert over_all(words) == OverAll("digest", topic)
    assert question_of(words, []) == words


@pytest.mark.parametrize(
    "words",
    [
        "summarize the report by friday",
        "summarise chapter two for anna",
        "write a summary of the meeting",
        "add summarize my notes on Apollo to my tasks",
        "remind me to sum up my thoughts on the shop tomorrow",
        "summarize my notes on Apollo and remind me to call Lena",
        "summarize my notes on Apollo. Book the dentist for friday",
        "and before that?",
        "what about friday?",
    ],
)
def test_what_is_to_be_done_is_left_to_the_others(words: str) -> None:
    assert question_of(words, []) == ""


@pytest.mark.parametrize(
    ("words", "question"),
    [
        ("and before that?", "summarise my thoughts on my knee until 1 March 2026"),
        ("And after that?", "summarise my thoughts on my knee since 10 March 2026"),
        ("what about last month?", "summarise my thoughts on my knee last month"),
        ("and in january", "summarise my thoughts on my knee in january"),
        ("and book the dentist", ""),
        ("what about my car?", ""),
    ],
)
def test_a_follow_up_asks_the_same_of_another_time(words: str, question: str) -> None:
    recent = [Exchange(said="summarise my thoughts on my knee", replied=QUOTED)]
    assert question_of(words, recent) == question
    later = [*recent, Exchange(said="and before that?", replied=QUOTED)]
    assert question_of(words, later) == question


def test_what_came_only_closest_is_followed_up_too() -> None:
    recent = [Exchange(said="where is the saw?", replied="The closest I have: on 9 March 2026: “I sharpened the saw.”")]
    assert question_of("and before that?", recent) == "where is the saw until 8 March 2026"


def test_a_follow_up_of_something_else_is_no_question_to_memory() -> None:
    recent = [Exchange(said="what is on friday?", replied="You have the dentist on Friday.")]
    assert question_of("what about last week?", recent) == ""


@pytest.mark.parametrize(
    ("question", "answer", "may"),
    [
        ("what happened on 17 October?", "You have nothing on your calendar on 17 October 2027.", True),
        ("what happened in October?", "You have nothing on your calendar in October.", True),
        ("how low was my iron?", "You have no open tasks about “iron”.", True),
        ("when is my sister's baby due?", "You have no open tasks about “my sister's baby”.", True),
        ("In which town will Grace open her shop?", "You have no open tasks.", True),
        ("Did I go to Scotland this year?", "I have changed nothing called “Scotland”.", True),
        ("what did I have yesterday?", "You have nothing on your calendar yesterday.", True),
        ("what did I get done today?", "You have no finished tasks today.", True),
        ("what's on today?", "You have nothing on your calendar today.", False),
        ("what's on tomorrow?", "You have nothing on your calendar tomorrow.", False),
        ("when is the dentist on Friday?", "You have nothing on your calendar on Friday.", False),
        ("what are my open tasks?", "You have no open tasks.", False),
        ("show the shopping list", "You have no lists.", False),
        ("what did I do today?", "You have finished “call Ana”.", False),
    ],
)
def test_memory_may_know_what_records_have_nothing_of(question: str, answer: str, may: bool) -> None:  # noqa: FBT001 - a column
    assert may_be_remembered(question, [answer], clock_for(NOW, LISBON)) is may


@pytest.mark.parametrize(
    ("question", "whole"),
    [
        ("How many times did I go swimming?", OverAll("often", "How did I go swimming?")),
        ("how often have we been to Porto", OverAll("often", "how have we been to Porto")),
        ("When did I last see Lena?", OverAll("last", "When did I see Lena?")),
        ("when did we see Lena last?", OverAll("last", "when did we see Lena")),
        ("when did we first go climbing?", OverAll("first", "when did we go climbing?")),
        ("how often should I take the tablets?", None),
        ("when is the first lesson?", None),
        ("did I call Lena?", None),
    ],
)
def test_what_its_user_did_over_all_times_is_asked_for(question: str, whole: OverAll | None) -> None:
    assert doing_over_all(question) == whole
