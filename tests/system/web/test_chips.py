"""What is understood of a message, put right before it is sent: taken out, found in the words, edited by keyboard."""

from __future__ import annotations

from typing import Any

from playwright.sync_api import Page, Route, expect

from tests.system.web.conftest import Visitor, becomes, say
from tests.system.web.test_talk import card

# What the page hears at the end of a turn; over once the turn was read and shown.
TOLD_AGAIN = """
async (turn_id) => {
  const { tell } = await import("/page/live.js");
  tell("turn.done", { type: "turn.done", turn_id, data: { status: "done" } });
  while (performance.getEntriesByName(`${location.origin}/v1/turns/${turn_id}`).length < 2) {
    await new Promise((done) => requestAnimationFrame(done));
  }
  await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
}
"""


def preview_of(page: Page, text: str) -> Any:
    page.locator("#message").press_sequentially(text)
    found = page.locator("#preview")
    expect(found.locator(".slip")).to_be_visible()
    return found


def test_a_chip_that_is_taken_out_is_not_saved(visitor: Visitor) -> None:
    page = visitor.open()
    shown = preview_of(page, "pick up the rug on monday, high priority")
    shown.get_by_role("button", name="Leave out: priority").click()
    expect(shown.get_by_text("high")).to_have_count(0)
    page.press("#message", "Enter")
    expect(card(page, "pick up the rug")).to_be_visible()
    [todo] = visitor.api.get("/v1/todos").json()["items"]
    assert (todo["priority"], bool(todo["deadline"])) == (None, True)


def test_what_was_put_right_stays_so_while_more_is_typed(visitor: Visitor) -> None:
    page = visitor.open()
    shown = preview_of(page, "pick up the rug on monday, high priority")
    shown.get_by_role("button", name="Leave out: priority").click()
    for name in ("take the rug", "fetch the rug"):
        shown.get_by_role("button", name="task: ").click()
        page.locator(".chip-input").fill(name)
        page.locator(".chip-input").press("Enter")
    page.locator("#message").press("End")
    page.locator("#message").press_sequentially(", and feed the cat")
    expect(shown.get_by_text("feed the cat")).to_be_visible()
    expect(shown.get_by_text("fetch the rug")).to_be_visible()
    expect(shown.get_by_text("high")).to_have_count(0)
    page.press("#message", "Enter")
    expect(card(page, "fetch the rug")).to_be_visible()
    todos = visitor.api.get("/v1/todos").json()["items"]
    assert {one["task"]: one["priority"] for one in todos} == {"fetch the rug": None, "feed the cat": None}


def test_a_value_that_is_emptied_is_taken_out_and_what_it_is_stays(visitor: Visitor) -> None:
    page = visitor.open()
    shown = preview_of(page, "pick up the rug on monday, high priority")
    expect(shown.get_by_role("button", name="Leave out: task")).to_have_count(0)
    shown.get_by_role("button", name="due: ").click()
    page.locator(".chip-input").fill("")
    page.locator(".chip-input").press("Enter")
    expect(shown.get_by_role("button", name="due: ")).to_have_count(0)
    page.press("#message", "Enter")
    expect(card(page, "pick up the rug")).to_be_visible()
    [todo] = visitor.api.get("/v1/todos").json()["items"]
    assert (todo["deadline"], todo["priority"]) == (None, "high")


def test_the_keyboard_stays_where_it_was(visitor: Visitor) -> None:
    page = visitor.open()
    shown = preview_of(page, "pick up the rug on monday, high priority")
    shown.get_by_role("button", name="task: ").press("Enter")
    page.keyboard.type("fetch the rug")
    page.keyboard.press("Enter")
    expect(shown.get_by_role("button", name="task: fetch the rug")).to_be_focused()
    shown.get_by_role("button", name="Leave out: priority").press("Enter")
    expect(shown.get_by_role("button", name="task: fetch the rug")).to_be_focused()


def test_pointing_at_a_chip_marks_its_words(visitor: Visitor) -> None:
    page = visitor.open()
    shown = preview_of(page, "  🥕 pick up the rug on monday, high priority")
    shown.get_by_role("button", name="due: ").hover()
    expect(page.locator(".marks mark")).to_have_text("on monday")
    shown.get_by_role("button", name="priority: ").focus()
    expect(page.locator(".marks mark")).to_have_text("high priority")
    page.locator("#message").focus()
    page.keyboard.type("!")
    expect(page.locator(".marks mark")).to_have_count(0)


def test_steps_that_nobody_said_are_a_suggestion(visitor: Visitor) -> None:
    text = "plan the birthday party for Mia"
    [proposal] = visitor.api.post("/v1/understand", json={"text": text}).json()["proposals"]
    steps = proposal["fields"]["solutions"]
    page = visitor.open()
    expect(preview_of(page, text)).to_contain_text(f"suggested: {len(steps)} steps")
    page.press("#message", "Enter")
    made = card(page, "plan the birthday party for Mia")
    made.get_by_text(f"Suggested: {len(steps)} steps").click()
    expect(made.locator(".steps li")).to_have_text(steps)
    page.evaluate(TOLD_AGAIN, visitor.api.get("/v1/changes").json()["items"][0]["turn_id"])
    expect(made.get_by_role("button", name="Leave the steps out")).to_be_visible()
    made.get_by_role("button", name="Leave the steps out").click()
    expect(made.locator(".suggested")).to_have_count(0)
    assert visitor.api.get("/v1/todos").json()["items"][0]["solutions"] == []


def tell_otherwise(route: Route) -> None:
    answer = route.fetch()
    body = answer.json()
    route.fulfill(response=answer, json=body | {"changes": [one | {"agent": "another"} for one in body["changes"]]})


def test_what_is_open_on_a_card_stays_so_when_it_is_told_otherwise(visitor: Visitor) -> None:
    page = visitor.open()
    say(page, "plan the birthday party for Mia")
    made = card(page, "plan the birthday party for Mia")
    made.get_by_text("Suggested:").click()
    expect(made.get_by_role("button", name="Leave the steps out")).to_be_visible()
    turn_id = visitor.api.get("/v1/changes").json()["items"][0]["turn_id"]
    page.route(f"**/v1/turns/{turn_id}", tell_otherwise)
    page.evaluate(TOLD_AGAIN, turn_id)
    expect(made.get_by_role("button", name="Leave the steps out")).to_be_visible()


def test_after_a_reload_a_card_says_how_things_are_now(visitor: Visitor) -> None:
    page = visitor.open()
    say(page, "book the optician for friday at 3pm")
    say(page, "book coffee with Lars on friday at 3pm")
    clash = card(page, "coffee with Lars")
    expect(clash).to_contain_text("Overlaps with")
    page.reload()
    expect(clash).to_contain_text("Overlaps with")
    clash.locator(".clash .chip-edit").first.click()
    expect(clash).to_contain_text("Moved to")
    page.reload()
    expect(clash).to_contain_text("Moved to")
    expect(clash).not_to_contain_text("Overlaps with")


def test_an_overlap_ends_with_the_other_appointment(visitor: Visitor) -> None:
    page = visitor.open()
    say(page, "book the optician for friday at 3pm")
    say(page, "book coffee with Lars on friday at 3pm")
    expect(card(page, "coffee with Lars")).to_contain_text("Overlaps with")
    card(page, "optician").get_by_role("button", name="Undo").click()
    expect(card(page, "coffee with Lars")).not_to_contain_text("Overlaps with")
    page.reload()
    expect(card(page, "optician")).to_contain_text("Undone event")
    expect(card(page, "coffee with Lars")).not_to_contain_text("Overlaps with")
    card(page, "optician").get_by_role("button", name="Redo").click()
    expect(card(page, "optician")).to_contain_text("Added event")
    expect(card(page, "coffee with Lars")).to_contain_text("Overlaps with")
    assert page.faults == []


def record_and_edit(page: Page) -> None:
    page.get_by_role("button", name="Record").click()
    expect(page.locator(".recording .clock")).not_to_have_text("0:00")  # a microphone takes its time to begin
    page.get_by_role("button", name="Edit the words").click()


def test_the_words_of_a_recording_are_edited_before_any_are_heard(visitor: Visitor) -> None:
    page = visitor.open()
    page.route("**/v1/audio/transcriptions", lambda route: route.fulfill(json={"text": "feed the neighbour's cat"}))
    record_and_edit(page)
    expect(page.locator("#message")).to_have_value("feed the neighbour's cat")
    assert visitor.turns() == []
    becomes(visitor.memos, [])  # what was sent while recording is taken back


def test_a_recording_that_cannot_be_written_down_is_kept_until_it_is_sent(visitor: Visitor) -> None:
    page = visitor.open()
    page.route("**/v1/audio/transcriptions", lambda route: route.abort())
    page.get_by_role("button", name="Record").click()
    expect(page.locator(".clock")).not_to_have_text("0:00")
    page.evaluate("document.querySelector('.heard').textContent = ''")
    page.get_by_role("button", name="Edit the words").click()
    expect(page.get_by_text("could not be written down")).to_be_visible()
    becomes(visitor.memos, [])
    page.get_by_role("button", name="Send the recording").click()
    expect(page.locator(".turn")).to_have_count(1)
