"""How replies sound by instruction: what is left out, what is added, and what nobody may touch."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from agents.contract import FocusSuggestion
from agents.policies import Policy, standing_of
from agents.records import Instruction
from agents.rendering.tone import ReplyStyle
from tests.support.asking import decide
from tests.support.readings import wishes

SUGGESTION = FocusSuggestion(
    action="call mom", task_id="t", step=None, minutes=5, why="it is due today", encouragement="You've got this."
)
WISHES = wishes(
    "{rule/short keep your answers short}",
    "{rule/short be brief}",
    "{rule/long give me detailed answers}",
    "{rule/noemoji no emojis}",
)


def manner(*texts: str) -> ReplyStyle:
    return ReplyStyle([WISHES[text] for text in texts])


def test_short_leaves_out_what_is_no_fact() -> None:
    short = manner("keep your answers short")
    assert short.lead_in("Good morning. What can I do for you?", alone=False) == ""
    assert short.lead_in("Good morning. What can I do for you?", alone=True) == "Good morning."
    assert short.shorten_suggestion(SUGGESTION).encouragement == ""
    assert short.shorten_suggestion(SUGGESTION).why == "it is due today"


def test_the_wish_given_last_decides() -> None:
    assert not manner("be brief", "give me detailed answers").brief
    assert manner("be brief", "no emojis").brief
    assert manner("give me detailed answers", "be brief").brief


def test_the_order_of_a_store_does_not_matter() -> None:
    now = datetime(2026, 11, 18, tzinfo=UTC)
    known = [
        Instruction(
            id=text,
            text=text,
            policy=Policy(rules=WISHES[text].rules).model_dump(mode="json"),
            created_at=now,
            updated_at=now + timedelta(days=day),
        )
        for day, text in ((2, "be brief"), (1, "give me detailed answers"))
    ]
    assert ReplyStyle(standing_of(known)).brief
    assert ReplyStyle(standing_of(known[::-1])).brief


def test_a_wish_that_was_dropped_in_this_message_is_over() -> None:
    dropped = WISHES["be brief"].model_copy(update={"until": 0})
    assert not ReplyStyle([dropped]).brief


def test_emojis_go_but_titles_stay_as_they_are() -> None:
    plain = manner("no emojis")
    assert plain.strip_emojis("Well done 🎉👍🏽! You have “buy 🍎”.") == "Well done ! You have “buy 🍎”."
    assert ReplyStyle().strip_emojis("Well done 🎉!") == "Well done 🎉!"


def test_words_about_replies_are_an_instruction() -> None:
    for words in ("no emojis", "answer in one sentence", "keep your answers short"):
        (target,) = decide(words).targets
        assert target.worker == "update_instructions"
    assert not any(target.worker == "update_instructions" for target in decide("write a short message to Ana").targets)
