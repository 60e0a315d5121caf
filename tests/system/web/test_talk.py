"""Talking to Summit in a browser: what is shown is what was committed."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

from playwright.sync_api import Page, expect

from tests.support.errands import ERRANDS
from tests.support.speech.sounds import needs_model
from tests.system.web.conftest import DRAWN, ZONE, Visitor, at_rest, becomes, eventually, say

WORDS = "call mom tomorrow at 5"
PAUSE_MS = 1_000
"""Longer than the page waits for the next letter."""
LATE = re.compile(r"0:0[5-9]|0:[1-5]\d|[1-9]\d*:\d\d")
"""What the clock of a recording shows once all of the command was said."""
TO_THE_TOP = """
(one) => new Promise((done) => {
  one.addEventListener("scroll", () => requestAnimationFrame(done), { once: true });
  one.scrollTop = 0;
})
"""


def card(page: Page, title: str) -> Any:
    return page.locator(".turn .card", has=page.get_by_text(title, exact=True))


def test_from_the_first_visit_to_the_first_task(visitor: Visitor) -> None:
    page = visitor.open()
    expect(page.locator(".example")).to_have_count(3)
    say(page, "call mom tomorrow at 6")
    expect(card(page, "call mom")).to_contain_text("Added task")
    expect(page.locator(".reply")).to_have_text("(I took 6 as 18:00.)")  # the card tells the rest
    expect(page.locator(".hero")).to_be_hidden()
    becomes(visitor.todos, ["call mom"])
    assert page.faults == []


def test_an_example_is_read_before_it_is_sent(visitor: Visitor) -> None:
    page = visitor.open()
    page.get_by_role("button", name="Add milk, eggs and bread").click()
    expect(page.locator("#preview")).to_contain_text("milk, eggs, bread")
    assert visitor.turns() == []
    page.keyboard.press("Enter")
    expect(card(page, "shopping list")).to_contain_text("milk, eggs, bread")
    becomes(visitor.turns, ["Add milk, eggs and bread to my shopping list"])


def test_the_preview_shows_what_will_happen_and_what_is_not_used(visitor: Visitor) -> None:
    page = visitor.open()
    page.locator("#message").press_sequentially("remind me to call mom tomorrow at 5, high priority")
    preview, tomorrow = page.locator("#preview"), datetime.now(ZoneInfo(ZONE)) + timedelta(days=1)
    expect(preview.locator(".card-op")).to_have_text("New reminder")
    expect(preview).to_contain_text(f"{tomorrow.strftime('%a')} {tomorrow.day} {tomorrow.strftime('%b')}, 17:00")
    expect(preview.locator(".chip", has_text="high")).to_have_attribute("title", "From your words: “high priority”")
    assert visitor.todos() == []
    page.fill("#message", "book lunch with Ana on friday at 1pm, high priority")
    expect(preview.locator(".aside.warm")).to_have_text(re.compile("Not used ?high priority"))
    page.fill("#message", "blorb the frobnicator")
    expect(preview).to_contain_text("Not understood")
    page.fill("#message", "")
    expect(preview).to_be_hidden()


def test_a_chip_can_be_changed_before_it_is_sent(visitor: Visitor) -> None:
    page = visitor.open()
    page.locator("#message").press_sequentially("call mom tomorrow at 5")
    page.get_by_role("button", name="due: ").click()
    page.locator(".chip-input").fill("2030-05-06T08:30")
    page.locator(".chip-input").press("Enter")
    expect(page.locator("#preview")).to_contain_text("Mon 6 May 2030, 08:30")
    page.get_by_role("button", name="task: call mom").click()
    page.locator(".chip-input").fill("call mum")
    page.locator(".chip-input").press("Enter")
    page.press("#message", "Enter")
    expect(card(page, "call mum")).to_contain_text("Mon 6 May 2030, 08:30")
    [todo] = visitor.api.get("/v1/todos").json()["items"]
    assert (todo["task"], todo["deadline"]) == ("call mum", "2030-05-06T08:30:00+01:00")


def test_a_preview_is_asked_for_once_where_somebody_pauses(visitor: Visitor) -> None:
    visitor.context.clock.install()
    page = visitor.open()
    at_rest(page)
    page.clock.pause_at(datetime.now(ZoneInfo(ZONE)) + timedelta(hours=1))
    asked: list[str] = []
    page.on(
        "request",
        lambda one: asked.append(one.post_data_json["text"]) if one.url.endswith("/v1/understand") else None,
    )
    page.locator("#message").press_sequentially(WORDS)
    assert asked == []
    page.clock.run_for(PAUSE_MS)
    expect(page.locator("#preview .card-op")).to_have_text("New task")
    assert asked == [WORDS]


def test_undo_and_redo_are_one_tap_each(visitor: Visitor) -> None:
    page = visitor.open()
    say(page, "add buy stamps")
    card(page, "buy stamps").get_by_role("button", name="Undo").click()
    expect(card(page, "buy stamps")).to_contain_text("Undone task")
    becomes(visitor.todos, [])
    card(page, "buy stamps").get_by_role("button", name="Redo").click()
    expect(card(page, "buy stamps")).to_contain_text("Added task")
    becomes(visitor.todos, ["buy stamps"])


def test_a_question_is_answered_by_tapping(visitor: Visitor) -> None:
    for task in ("call Ann", "call Bob"):
        visitor.api.post("/v1/todos", json={"task": task})
    page = visitor.open()
    say(page, "the call is done")
    page.locator("#waits .option", has_text="Bob").click()
    expect(card(page, "call Bob")).to_contain_text("Done task")
    becomes(visitor.todos, ["call Ann"])


def test_what_waits_for_a_yes_is_done_by_tapping(visitor: Visitor) -> None:
    visitor.api.post("/v1/turns", json={"text": "always ask me before adding tasks"})
    page = visitor.open()
    say(page, "add buy stamps")
    expect(card(page, "buy stamps")).to_contain_text("Needs confirmation")
    assert visitor.todos() == []
    page.get_by_role("button", name="Yes, do it").click()
    expect(card(page, "buy stamps").last).to_contain_text("Added task")
    becomes(visitor.todos, ["buy stamps"])


def test_a_conflict_is_shown_and_moved_out_of_the_way(visitor: Visitor) -> None:
    page = visitor.open()
    say(page, "book the dentist for friday at 3pm")
    expect(card(page, "dentist")).to_be_visible()
    say(page, "book lunch with Ana on friday at 3pm")
    clash = card(page, "lunch with Ana")
    expect(clash).to_contain_text("Overlaps with “dentist”")
    clash.locator(".clash .chip-edit").first.click()
    expect(clash).to_contain_text("Moved to")
    events = {one["title"]: one["start"] for one in visitor.api.get("/v1/events").json()["items"]}
    assert events["dentist"] != events["lunch with Ana"]


def test_script_stays_text(visitor: Visitor) -> None:
    nasty = '<img src=x onerror="document.title=1"><script>document.title=2</script>'
    visitor.api.post("/v1/todos", json={"task": nasty, "notes": nasty, "list": nasty})
    visitor.api.post("/v1/notes", json={"content": nasty, "category": "list", "items": [nasty]})
    visitor.api.post("/v1/events", json={"title": nasty, "start": "2026-11-22T10:00:00+00:00", "location": nasty})
    page = visitor.open()
    say(page, f"remember that {nasty}")
    expect(page.locator(".said")).to_contain_text("<script>")
    for view in ("day", "memory", "history"):
        page.goto(f"{visitor.url}/#{view}")
        expect(page.locator("main")).to_contain_text("<script>")
        assert page.locator("main img, main script").count() == 0
    assert page.title() == "History · Summit"
    assert page.faults == []


@needs_model
def test_what_is_spoken_is_shown_while_it_is_said_and_then_done(visitor: Visitor) -> None:
    page = visitor.open()
    page.get_by_role("button", name="Record").click()
    loudest = (
        "Math.max(...[...document.querySelectorAll('.meter i')].map(bar => +bar.style.getPropertyValue('--level')))"
    )
    eventually(lambda: page.evaluate(loudest) > 0.1)
    expect(page.locator(".heard")).to_contain_text("call the plu")  # "mber" may still be on its way, or was cut off
    page.locator(".recording .primary").click()
    expect(page.locator(".heard")).to_be_hidden()
    expect(page.locator(".turn .card").filter(has_text="call the plu")).to_be_visible()
    [memo] = visitor.memos()
    assert memo["duration_ms"] > 500
    assert memo["container"] == "webm"


@needs_model
def test_the_words_of_a_recording_can_be_corrected_before_they_are_sent(visitor: Visitor) -> None:
    page = visitor.open()
    page.get_by_role("button", name="Record").click()
    expect(page.locator(".heard")).to_contain_text("Remind me")
    page.get_by_role("button", name="Edit the words").click()
    expect(page.locator("#message")).to_have_value(re.compile("Remind me"))
    page.locator("#message").fill("Remind me to call the painter tomorrow at nine")
    page.keyboard.press("Enter")
    expect(card(page, "call the painter")).to_be_visible()
    becomes(visitor.memos, [])


@needs_model
def test_a_recording_that_begins_before_the_page_is_connected_shows_its_words(visitor: Visitor) -> None:
    page = visitor.open()
    visitor.context.set_offline(True)
    page.evaluate("dispatchEvent(new Event('offline'))")
    page.get_by_role("button", name="Record").click()
    expect(page.locator(".clock")).not_to_have_text("0:00")
    visitor.context.set_offline(False)
    page.evaluate("dispatchEvent(new Event('online'))")
    expect(page.locator(".heard")).to_contain_text("Remind me")


@needs_model
def test_a_discarded_recording_leaves_nothing(visitor: Visitor) -> None:
    page = visitor.open()
    page.get_by_role("button", name="Record").click()
    expect(page.locator(".heard")).to_contain_text("Remind me")
    page.get_by_role("button", name="Discard the recording").click()
    expect(page.locator("#message")).to_be_visible()
    becomes(visitor.memos, [])


@needs_model
def test_a_recording_that_loses_its_line_is_sent_whole_and_kept_once(visitor: Visitor) -> None:
    page = visitor.open()
    page.get_by_role("button", name="Record").click()
    expect(page.locator(".heard")).to_contain_text("Remind me")
    visitor.context.set_offline(True)
    page.evaluate("dispatchEvent(new Event('offline'))")
    expect(page.locator(".clock")).to_have_text(LATE)
    page.locator(".recording .primary").click()
    expect(page.locator(".turn[data-status=queued]")).to_have_count(1)
    visitor.context.set_offline(False)
    page.evaluate("dispatchEvent(new Event('online'))")
    expect(card(page, "call the plumber")).to_be_visible()
    becomes(lambda: len(visitor.memos()), 1)


@needs_model
def test_a_recording_that_is_held_is_sent_when_it_is_let_go(visitor: Visitor) -> None:
    page = visitor.open()
    page.get_by_role("button", name="Record").hover()
    page.mouse.down()
    expect(page.locator(".clock")).to_have_text(LATE)
    page.mouse.up()
    expect(page.locator("#message")).to_be_visible()
    expect(card(page, "call the plumber")).to_be_visible()
    becomes(lambda: len(visitor.memos()), 1)


def test_earlier_messages_are_a_tap_away_and_reading_them_is_not_disturbed(visitor: Visitor) -> None:
    first, *_, last = said = ERRANDS[:25]
    for errand in said:
        visitor.api.post("/v1/turns", json={"text": f"add a task: {errand}"})
    page = visitor.open()
    expect(card(page, last)).to_be_visible()
    expect(card(page, first)).to_have_count(0)
    page.get_by_role("button", name="Earlier messages").click()
    expect(card(page, first)).to_contain_text("Added task")
    expect(page.get_by_role("button", name="Earlier messages")).to_have_count(0)
    expect(page.locator(".turn")).to_have_count(25)
    page.locator(".scroll").evaluate(TO_THE_TOP)
    visitor.api.post("/v1/turns", json={"text": "add a task: buy ink"})
    expect(card(page, "buy ink")).to_be_attached()
    page.evaluate(DRAWN)
    assert page.locator(".scroll").evaluate("(one) => one.scrollTop") == 0
    assert page.faults == []


def test_everything_can_be_reached_with_the_keyboard(visitor: Visitor) -> None:
    page = visitor.open()
    page.locator("#message").focus()
    page.keyboard.type("add buy stamps")
    page.keyboard.press("Enter")
    expect(card(page, "buy stamps")).to_be_visible()
    tab_to(page, lambda text: text.startswith("Undo"))
    page.keyboard.press("Enter")
    expect(card(page, "buy stamps")).to_contain_text("Undone")
    tab_to(page, lambda text: text == "Day")
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="To do")).to_be_visible()
    tab_to(page, lambda text: text == "Add a task")
    page.keyboard.type("buy ink")
    page.keyboard.press("Enter")
    expect(page.get_by_role("button", name="Edit: buy ink")).to_be_visible()
    tab_to(page, lambda text: text == "Mark done: buy ink")
    page.keyboard.press("Enter")
    expect(page.get_by_role("button", name="Edit: buy ink")).to_have_count(0)


def tab_to(page: Page, fits: Callable[[str], bool]) -> None:
    named = "document.activeElement.getAttribute('aria-label') ?? document.activeElement.textContent"
    for _ in range(60):
        page.keyboard.press("Tab")
        if fits(str(page.evaluate(named)).strip()):
            return
    raise AssertionError("the keyboard does not get there")
