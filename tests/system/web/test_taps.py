"""Somebody impatient: whoever taps twice means it once, and nothing is scolded."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.system.web.conftest import Visitor, at_rest, becomes, say

BOTH_SUBMITTED = "(form) => { form.requestSubmit(); form.requestSubmit(); }"
ALL_TICKED = "(list) => list.querySelectorAll('input').forEach((one) => one.click())"


def test_an_example_a_yes_and_an_undo_that_are_tapped_twice(visitor: Visitor) -> None:
    visitor.api.post("/v1/instructions", json={"text": "always ask me before adding tasks"})
    page = visitor.open()
    page.get_by_role("button", name="Add milk, eggs and bread").dblclick()
    page.press("#message", "Enter")
    expect(page.locator(".turn .card")).to_contain_text("milk, eggs, bread")
    say(page, "add buy stamps")
    page.get_by_role("button", name="Yes, do it").dblclick()
    added = page.locator(".card", has_text="Added task")
    expect(added).to_have_count(1)
    added.get_by_role("button", name="Undo").dblclick()
    expect(page.locator(".card", has_text="Undone task")).to_be_visible()
    at_rest(page)  # what a second tap asked for would be answered
    expect(page.locator(".toast")).to_have_count(0)
    expect(page.locator(".turn")).to_have_count(2)
    becomes(visitor.todos, [])


def test_a_task_that_is_ticked_twice_leaves_the_next_one_alone(visitor: Visitor) -> None:
    for task in ("buy ink", "buy paper", "buy stamps"):
        visitor.api.post("/v1/todos", json={"task": task})
    page = visitor.open("day")
    page.locator('[aria-label^="Mark done:"]').first.dblclick()
    expect(page.locator(".toast")).to_contain_text("Done: ")
    at_rest(page)
    expect(page.locator(".toast")).to_have_count(1)
    assert len(visitor.todos()) == 2


def test_an_event_that_is_saved_twice_is_one(visitor: Visitor) -> None:
    page = visitor.open("day")
    page.get_by_role("button", name="Add an event").click()
    form = page.get_by_role("dialog")
    form.get_by_label("Title").fill("dentist")
    form.get_by_role("button", name="Save").dblclick()
    expect(form).to_have_count(0)
    assert len(visitor.api.get("/v1/events").json()["items"]) == 1


@pytest.mark.parametrize(
    ("view", "label", "path"), [("memory", "Add a note", "/v1/notes"), ("history", "A new one", "/v1/instructions")]
)
def test_a_form_that_is_sent_twice_is_one(visitor: Visitor, view: str, label: str, path: str) -> None:
    page = visitor.open(view)
    at_rest(page)
    page.get_by_label(label).fill("keep replies short")
    page.locator("form", has=page.get_by_label(label)).evaluate(BOTH_SUBMITTED)
    expect(page.locator("main")).to_contain_text("keep replies short")
    at_rest(page)
    assert len(visitor.api.get(path).json()["items"]) == 1


def test_lines_that_are_ticked_faster_than_the_server_answers_are_all_ticked(visitor: Visitor) -> None:
    items = ["milk", "eggs", "ham"]
    made = visitor.api.post("/v1/notes", json={"category": "list", "summary": "shop", "items": items}).json()
    page = visitor.open("memory")
    page.locator(".lines").evaluate(ALL_TICKED)
    ticked = [{"text": text, "done": True} for text in items]
    becomes(visitor.read(f"/v1/notes/{made['id']}", "items"), ticked)
    expect(page.locator(".lines .over")).to_have_count(3)
    expect(page.locator(".toast")).to_have_count(0)


def test_a_recording_that_is_begun_twice_is_one_and_goes_on(visitor: Visitor) -> None:
    page = visitor.open()
    page.get_by_role("button", name="Record").dblclick()
    expect(page.locator(".clock")).not_to_have_text("0:00")
    page.get_by_role("button", name="Discard the recording").click()
    expect(page.locator("#record")).to_have_count(1)
    expect(page.locator(".turn")).to_have_count(0)
