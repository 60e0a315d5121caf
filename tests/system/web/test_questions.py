"""What waits for an answer in a browser: shown once, answered by its name, and shown before it is sent."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import expect

from tests.system.web.conftest import Visitor, at_rest, becomes, say
from tests.system.web.test_talk import card

CLEAR = "delete all my tasks"


@pytest.fixture
def asked_first(visitor: Visitor) -> Visitor:
    """Somebody with two tasks who is asked before notes are added."""
    for task in ("sweep the yard", "fix the hinge"):
        visitor.api.post("/v1/todos", json={"task": task})
    visitor.api.post("/v1/instructions", json={"text": "always ask me before adding notes"})
    return visitor


def sent(page: Any) -> list[dict[str, Any]]:
    """What the page says from now on."""
    found: list[dict[str, Any]] = []
    page.on("request", lambda one: found.append(one.post_data_json) if one.url.endswith("/v1/turns") else None)
    return found


def waits(page: Any) -> Any:
    return page.locator("#waits")


def test_what_waits_is_one_card_and_replies_are_about_their_messages(asked_first: Visitor) -> None:
    page = asked_first.open()
    say(page, "note that the ladder is lent to Kim")
    expect(waits(page)).to_contain_text("Keep “the ladder is lent to Kim” as a note?")
    for task in ("call the roofer", "buy nails"):
        say(page, f"add {task}")
        expect(card(page, task)).to_be_visible()
    at_rest(page)
    expect(page.get_by_text("Keep “the ladder is lent to Kim” as a note?")).to_have_count(1)
    expect(page.get_by_role("button", name="No", exact=True)).to_have_count(1)
    assert page.locator(".turn .reply").all_inner_texts()[1:] == ["", ""]
    page.get_by_role("button", name="Yes, do it").click()
    expect(waits(page)).to_be_hidden()
    becomes(
        lambda: [one["content"] for one in asked_first.api.get("/v1/notes").json()["items"]],
        ["the ladder is lent to Kim"],
    )
    assert page.faults == []


def test_what_waits_is_there_after_a_reload(asked_first: Visitor) -> None:
    page = asked_first.open()
    say(page, CLEAR)
    expect(waits(page)).to_be_visible()
    page.reload()
    waits(page).get_by_role("button", name="no").click()
    expect(waits(page)).to_be_hidden()
    assert sorted(asked_first.todos()) == ["fix the hinge", "sweep the yard"]


def test_a_tapped_answer_names_its_question(asked_first: Visitor) -> None:
    page = asked_first.open()
    say(page, CLEAR)
    expect(waits(page)).to_contain_text("hinge")
    said = sent(page)
    waits(page).get_by_role("button", name="yes").click()
    becomes(asked_first.todos, [])
    at_rest(page)  # which is told of what it asked for
    assert [(one["text"], one["answers"]) for one in said] == [("yes", messages(asked_first)[0]["turn_id"])]


def messages(visitor: Visitor) -> list[dict[str, Any]]:
    [main] = [one for one in visitor.api.get("/v1/threads").json()["items"] if one["is_main"]]
    found: list[dict[str, Any]] = visitor.api.get(f"/v1/threads/{main['id']}/messages").json()["items"]
    return found


def test_an_old_yes_does_nothing_to_a_newer_question(asked_first: Visitor) -> None:
    page = asked_first.open()
    say(page, CLEAR)
    expect(waits(page)).to_be_visible()
    page.evaluate("window.old = document.querySelector('#waits .option')")
    asked_first.api.post("/v1/turns", json={"text": "no"})
    expect(waits(page)).to_be_hidden()
    say(page, "note that the ladder is lent to Kim")
    expect(waits(page)).to_contain_text("ladder")
    page.evaluate("window.old.click()")  # as by a finger that was on its way
    expect(page.locator(".reply", has_text="no longer open")).to_be_visible()
    assert asked_first.api.get("/v1/notes").json()["items"] == []
    assert len(asked_first.todos()) == 2


def test_the_preview_shows_what_an_answer_does(asked_first: Visitor) -> None:
    page = asked_first.open()
    say(page, "note that the ladder is lent to Kim")
    expect(waits(page)).to_be_visible()
    said = sent(page)
    page.locator("#message").press_sequentially("no")
    expect(page.locator("#preview")).to_contain_text("Nothing of it is done")
    expect(page.locator("#preview .slip")).to_have_count(0)
    page.fill("#message", "yes please")
    expect(page.locator("#preview .slip")).to_contain_text("the ladder is lent to Kim")
    expect(page.locator("#preview")).not_to_contain_text("Not used")
    page.press("#message", "Enter")
    expect(waits(page)).to_be_hidden()
    expect(card(page, "the ladder is lent to Kim").last).to_contain_text("Added note")
    assert [bool(one.get("answers")) for one in said] == [True]


def test_what_waits_for_a_yes_shows_all_that_it_writes(asked_first: Visitor) -> None:
    asked_first.api.post("/v1/instructions", json={"text": "always ask me before adding events"})
    page = asked_first.open()
    say(page, "book choir every tuesday at 7pm in the town hall")
    held = page.locator(".turn .card")
    expect(held.locator(".card-op")).to_have_text("Needs confirmation: new event")
    for part in ("Tue", "19:00", "every week on Tue", "town hall"):
        expect(held).to_contain_text(part)


RHYTHMS = {
    "FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR": "every weekday",
    "FREQ=WEEKLY;INTERVAL=2;BYDAY=FR;COUNT=6": "every 2 weeks on Fri, 6 times",
    "FREQ=WEEKLY;BYDAY=TU;UNTIL=20310304T235959": "every week on Tue until Tue 4 Mar 2031",
    "FREQ=WEEKLY;BYDAY=TU;BYMONTH=1,2,3,4,5,6,7,9,10,11,12": "every week on Tue except in Aug",
    "FREQ=MONTHLY;BYMONTHDAY=13,22": "every month on the 13th, 22nd",
    "FREQ=MONTHLY;BYMONTHDAY=-1": "every month on the last day",
    "FREQ=MONTHLY;BYDAY=-1FR": "every month on the last Fri",
    "FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-1": "every month on the last weekday",
    "FREQ=MONTHLY;BYMONTHDAY=6,7,8;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-1": "every month on the last weekday before the 9th",
    "FREQ=MONTHLY;BYMONTHDAY=12,13,14,15,16,17,18;BYDAY=WE": "every month on the first Wed after the 11th",
    "FREQ=MONTHLY;BYMONTHDAY=13;BYDAY=FR": "every month on Fri of the 13th",
    "FREQ=YEARLY;BYMONTH=5;BYDAY=2SU": "every year on the second Sun of May",
    "FREQ=YEARLY;BYMONTH=3;BYMONTHDAY=1": "every year on the 1st of Mar",
    "FREQ=YEARLY": "every year",
}


def test_what_repeats_is_told_with_all_that_its_rule_holds(visitor: Visitor) -> None:
    page = visitor.open()
    told = page.evaluate("async (rules) => rules.map((await import('/page/rules.js')).howOften)", [*RHYTHMS])
    assert dict(zip(RHYTHMS, told, strict=True)) == RHYTHMS


def test_a_question_of_another_conversation_is_answered_there(asked_first: Visitor) -> None:
    page = asked_first.open()
    at_rest(page)
    thread = asked_first.api.post("/v1/threads", json={"title": "garden"}).json()["id"]
    asked_first.api.post("/v1/turns", json={"text": CLEAR, "thread_id": thread})
    expect(waits(page)).to_be_visible()
    say(page, "add buy seeds")
    expect(card(page, "buy seeds")).to_be_visible()
    waits(page).get_by_role("button", name="yes").click()
    expect(waits(page)).to_be_hidden()
    becomes(asked_first.todos, ["buy seeds"])
    assert len(messages(asked_first)) == 2
