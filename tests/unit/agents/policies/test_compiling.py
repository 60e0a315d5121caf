"""Words to rules by the shipped weights: how many wishes are enforced, and that none is as another rule."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agents.policies import Policy, compile_rules, policy_of
from agents.rendering.policies import describe_rules

LEAST_ENFORCED = 0.8
"""Share of the wishes below that come to their rules; the others stay advice."""
ENFORCED = {
    "always ask me before adding tasks": "I ask before I add tasks",
    "from now on um always ask me before you delete anything okay": "I ask before I delete anything",
    "never delete anything without asking me first": "I ask before I delete anything",
    "Don’t add reminders without asking": "I ask before I add tasks",
    "check with me before you change my calendar": "I ask before I change events",
    "ask me before deleting anything about work": "I ask before I delete anything about “work”",
    "ask before moving client meetings": "I ask before I change events about “client”",
    "get my ok before booking meetings": "I ask before I add events",
    "before you delete a note, ask me": "I ask before I delete notes",
    "I want to approve every deletion": "I ask before I delete anything",
    "confirm with me before adding events on fridays": "I ask before I add events on Fridays",
    "never make any changes without my permission": "I ask before I add, change, complete, archive and delete anything",
    "always ask me before you add anything to my list": "I ask before I add tasks and notes",
    "ask me before double booking": "I ask before events overlap",
    "don't double book me": "I ask before events overlap",
    "mark urgent tasks as high": "new urgent tasks get high priority unless you say another",
    "Any new task for Norte gets high priority.": "new tasks about “norte” get high priority unless you say another",
    "give work tasks low priority": "new tasks about “work” get low priority unless you say another",
    "new tasks are medium priority by default": "new tasks get medium priority unless you say another",
    "if i add a tax task, make it high priority": "new tasks about “tax” get high priority unless you say another",
    "add an estimate automatically": "new tasks get an estimate unless you give one",
    "Add estimated time automatically": "new tasks get an estimate unless you give one",
    "automatically add an estimated time to new tasks": "new tasks get an estimate unless you give one",
    "always add estimated durations": "new tasks get an estimate unless you give one",
    "give every task an estimated time of 20 minutes": ("new tasks get an estimate of 20 minutes unless you give one"),
    "estimate how long tasks take": "new tasks get an estimate unless you give one",
    "meetings are 30 minutes by default": "new events last 30 minutes unless you say otherwise",
    "when i add a meeting always make it 45 minutes": "new events last 45 minutes unless you say otherwise",
    "every task you add for me should be medium priority": "new tasks get medium priority unless you say another",
    "the default meeting length is half an hour": "new events last 30 minutes unless you say otherwise",
    "make my spa appointments an hour": "new events about “spa” last 1 hour unless you say otherwise",
    "calls last an hour and a half": "new events about “calls” last 1 hour 30 minutes unless you say otherwise",
    "always remind me 30 minutes before meetings": "I remind you 30 minutes before events",
    "never schedule before 9": "I ask before I put events before 09:00",
    "never schedule anything for me before ten in the morning": "I ask before I put events before 10:00",
    "no meetings on fridays": "I ask before I put meetings on Fridays",
    "no meetings on friday afternoons": "I ask before I put meetings between 12:00 and 18:00 on Fridays",
    "no work after 18:00": "I ask before I put events about “work” after 18:00",
    "nothing before half past eight": "I ask before I put events before 08:30",
    "keep lunch 12-1 free": "I ask before I put events between 12:00 and 13:00",
    "keep fridays clear": "I ask before I put events on Fridays",
    "I don't work on weekends": "I ask before I put events on Saturdays and Sundays",
    "meetings only on weekdays": "I ask before I put meetings on Saturdays and Sundays",
    "only book meetings between 10 and 4": (
        "I ask before I put meetings before 10:00 and I ask before I put meetings after 16:00"
    ),
    "quiet hours from 22 to 7": "nothing nudges you from 22:00 to 07:00",
    "don't disturb me after 10pm": "nothing nudges you from 22:00 to 07:00",
    "keep replies short": "I keep my replies short",
    "keep your answers brief please": "I keep my replies short",
    "always answer in one sentence": "I keep my replies short",
    "be concise": "I keep my replies short",
    "I want short answers": "I keep my replies short",
    "no small talk": "I keep my replies short",
    "just the facts": "I keep my replies short",
    "give me detailed answers": "I tell the details too",
    "explain in detail": "I tell the details too",
    "no emojis": "I use no emojis",
    "short answers without emojis": "I keep my replies short and I use no emojis",
    "keep your answers short and no emojis": "I keep my replies short and I use no emojis",
    "never schedule before 9 and ask me before deleting anything": (
        "I ask before I put events before 09:00 and I ask before I delete anything"
    ),
    "in future, never put calls on a monday morning": "I ask before I put events about “calls” before 12:00 on Mondays",
    "all my piano lessons are 45 minutes": (
        "new events about “piano” and “lessons” last 45 minutes unless you say otherwise"
    ),
    "tell me an hour before every appointment": "I remind you 1 hour before events",
    "my working hours are 8 to 4": ("I ask before I put events before 08:00 and I ask before I put events after 16:00"),
    "don't nudge me before seven in the morning": "nothing nudges you from 00:00 to 07:00",
}
ADVICE = (
    "you don't need to ask me before adding tasks any more",
    "stop asking me before you delete things",
    "in future, use British spelling, please",
    "Ask me for an estimate when a task has none.",
    "ask me for the estimated time of new tasks",
    "always water the plants first",
    "keep meetings short",
    "be kind",
    "answer mom's message briefly tomorrow",
    "write a short message to Ana",
    "give the long report to Ana",
    "never forget mom's birthday on friday",
    "remember that my wife prefers tea",
    "always put milk on the shopping list",
    "call me boss",
    "when I say groceries add it to the shopping list",
    "",
    "x" * 2000,
    "don't book anything before eleven on days after a late shift",
    "no meetings before 10 when Marta is here",
    "nothing after 6pm if I was up early",
    "never schedule on mondays unless the shop is closed",
    "no meetings on fridays in the school holidays",
    "do not disturb until 4pm",
    "no meetings on fridays except with Ana",
    "this week keep the mornings free",
)


def told(text: str) -> str:
    return describe_rules(compile_rules(text))


def test_most_wishes_are_enforced() -> None:
    missed = [text for text in ENFORCED if not compile_rules(text)]
    assert len(missed) <= (1 - LEAST_ENFORCED) * len(ENFORCED), missed


def test_no_wish_is_enforced_as_another() -> None:
    other = {text: told(text) for text, rules in ENFORCED.items() if told(text) not in rules}
    assert other == {}


@pytest.mark.parametrize("text", ADVICE)
def test_other_words_stay_advice(text: str) -> None:
    assert compile_rules(text) == ()
    assert policy_of(text) is None


def test_what_is_enforced_is_stored_as_it_compiles() -> None:
    enforced = [text for text in ENFORCED if compile_rules(text)]
    assert [Policy.model_validate(policy_of(text)).rules for text in enforced] == list(map(compile_rules, enforced))


@settings(max_examples=25)
@given(st.text(max_size=200))
def test_no_words_break_the_compiler(text: str) -> None:
    for prefix in ("", "ask me before ", "never schedule ", "remind me ", "keep "):
        assert isinstance(told(prefix + text), str)
