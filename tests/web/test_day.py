"""The day: steps that are ticked one by one, and habits apart from what is due once."""

from __future__ import annotations

from playwright.sync_api import expect

from tests.web.conftest import Visitor, eventually, say

LISTEN = """
window.spoken = [];
speechSynthesis.speak = (one) => window.spoken.push(one.text);
"""


def test_a_step_is_ticked_and_stays_ticked(visitor: Visitor) -> None:
    steps = ["Find the receipts", "Add them up", "Send the form"]
    made = visitor.api.post("/v1/todos", json={"task": "file the taxes", "solutions": steps}).json()
    page = visitor.open("day")
    row = page.locator(f'[data-id="{made["id"]}"]')
    row.get_by_text("3 steps").click()
    row.get_by_label("Add them up").check()
    expect(row).to_contain_text("1 of 3 steps done")
    expect(row.get_by_label("Find the receipts")).not_to_be_checked()
    assert visitor.api.get(f"/v1/todos/{made['id']}").json()["done_steps"] == ["Add them up"]
    page.get_by_role("button", name="Undo").click()
    expect(row.locator("summary")).to_have_text("3 steps")
    assert visitor.api.get(f"/v1/todos/{made['id']}").json()["done_steps"] == []
    assert page.faults == []


def test_habits_stand_apart(visitor: Visitor) -> None:
    visitor.api.post("/v1/todos", json={"task": "buy ink"})
    visitor.api.post("/v1/todos", json={"task": "meditate", "kind": "habit", "recurrence": "daily"})
    page = visitor.open("day")
    expect(page.locator(".group-title", has_text="Habits")).to_have_text("Habits · 1")
    page.get_by_role("button", name="Mark done: meditate").click()
    expect(page.get_by_text("meditate", exact=True).first).to_be_visible()
    assert sorted(visitor.todos()) == ["buy ink", "meditate"]


def test_replies_are_read_aloud_where_wanted(visitor: Visitor) -> None:
    visitor.context.add_init_script(LISTEN)
    page = visitor.open()
    say(page, "buy ink")
    expect(page.locator(".reply")).to_contain_text("Added “buy ink”")
    assert page.evaluate("window.spoken") == []
    page.goto(f"{visitor.url}/#settings")
    page.get_by_label("Read replies aloud").check()
    page.goto(f"{visitor.url}/#talk")
    say(page, "buy paper")
    expect(page.locator(".reply").last).to_contain_text("Added “buy paper”")
    assert eventually(lambda: len(page.evaluate("window.spoken")) == 1)
    assert "Added “buy paper”" in page.evaluate("window.spoken[0]")
