"""The day: steps that are ticked one by one, and habits apart from what is due once."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import psycopg
from playwright.sync_api import expect

from tests.system.web.conftest import ZONE, Visitor, becomes, eventually, say

EARLIER = """
update summit.changes set created_at = created_at - interval '1 day' where user_id = %s and op = 'complete'
"""
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
    becomes(visitor.read(f"/v1/todos/{made['id']}", "done_steps"), ["Add them up"])
    page.get_by_role("button", name="Undo").click()
    expect(row.locator("summary")).to_have_text("3 steps")
    becomes(visitor.read(f"/v1/todos/{made['id']}", "done_steps"), [])
    assert page.faults == []


def test_a_row_that_is_drawn_again_keeps_the_keyboard(visitor: Visitor) -> None:
    made = visitor.api.post("/v1/todos", json={"task": "file the taxes", "solutions": ["Find them", "Add them"]}).json()
    page = visitor.open("day")
    row = page.locator(f'[data-id="{made["id"]}"]')
    row.get_by_text("2 steps").click()
    row.get_by_label("Add them").focus()
    page.keyboard.press("Space")
    expect(row).to_contain_text("1 of 2 steps done")
    expect(row.get_by_label("Add them")).to_be_focused()
    page.keyboard.press("Space")
    expect(row).not_to_contain_text("done")
    expect(row.get_by_label("Add them")).to_be_focused()


def test_habits_stand_apart(visitor: Visitor) -> None:
    visitor.api.post("/v1/todos", json={"task": "buy ink"})
    visitor.api.post("/v1/todos", json={"task": "meditate", "kind": "habit", "recurrence": "daily"})
    page = visitor.open("day")
    expect(page.locator(".group-title", has_text="Habits")).to_have_text("Habits · 1")
    page.get_by_role("button", name="Mark done: meditate").click()
    expect(page.get_by_role("button", name="Done today: meditate. Take back")).to_be_visible()
    assert sorted(visitor.todos()) == ["buy ink", "meditate"]


def test_a_habit_that_is_done_today_says_so_and_counts_its_days(visitor: Visitor, web_database: str) -> None:
    made = visitor.api.post("/v1/todos", json={"task": "meditate", "kind": "habit", "recurrence": "daily"}).json()
    visitor.api.patch(f"/v1/todos/{made['id']}", json={"status": "done"})
    with psycopg.connect(web_database) as conn:
        conn.execute(EARLIER, (visitor.id,))
    page = visitor.open("day")
    row = page.locator(f'[data-id="{made["id"]}"]')
    expect(row.get_by_role("img", name="Done on 1 of the last 7 days")).to_be_visible()
    row.get_by_role("button", name="Mark done: meditate").click()
    expect(row).to_contain_text("2 days in a row")
    row.get_by_role("button", name="Done today: meditate. Take back").click()
    expect(row.get_by_role("button", name="Mark done: meditate")).to_be_visible()
    expect(row).not_to_contain_text("in a row")
    assert page.faults == []


def test_words_about_time_are_read_where_a_task_is_added(visitor: Visitor) -> None:
    page = visitor.open("day")
    page.get_by_label("Add a task").fill("call mom tomorrow at 5")
    page.keyboard.press("Enter")
    expect(page.get_by_role("button", name="Edit: call mom", exact=True)).to_be_visible()
    page.get_by_label("Add a task").fill("milk")
    page.keyboard.press("Enter")
    expect(page.get_by_role("button", name="Edit: milk")).to_be_visible()
    [milk, call] = visitor.api.get("/v1/todos").json()["items"]
    tomorrow = datetime.now(ZoneInfo(ZONE)) + timedelta(days=1)
    assert (milk["task"], milk["deadline"]) == ("milk", None)
    assert call["deadline"].startswith(f"{tomorrow:%Y-%m-%d}T17:00")


def test_what_was_done_today_can_be_opened_again(visitor: Visitor) -> None:
    visitor.api.post("/v1/todos", json={"task": "buy ink"})
    page = visitor.open("day")
    page.get_by_role("button", name="Mark done: buy ink").click()
    page.get_by_text("Done today · 1").click()
    page.get_by_role("button", name="Open again: buy ink").click()
    expect(page.get_by_role("button", name="Mark done: buy ink")).to_be_visible()
    becomes(visitor.todos, ["buy ink"])


def test_the_menu_of_a_task_puts_it_off(visitor: Visitor) -> None:
    made = visitor.api.post("/v1/todos", json={"task": "buy ink"}).json()
    page = visitor.open("day")
    page.get_by_role("button", name="More: buy ink").press("Enter")
    expect(page.get_by_role("menuitem", name="In three hours")).to_be_focused()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    expect(page.locator(".toast")).to_contain_text("Put off: buy ink")
    eventually(lambda: bool(visitor.read(f"/v1/todos/{made['id']}", "snooze_until")()))


def noon() -> datetime:
    """Today, in the week that the page shows."""
    return datetime.now(ZoneInfo(ZONE)).replace(hour=12, minute=0, second=0, microsecond=0)


def test_an_event_is_made_and_edited_in_the_week(visitor: Visitor) -> None:
    page = visitor.open("day")
    page.get_by_role("button", name="Add an event").click()
    form = page.get_by_role("dialog")
    form.get_by_label("Title").fill("dentist")
    form.get_by_label("Starts").fill(f"{noon():%Y-%m-%dT%H:%M}")
    form.get_by_label("red").check()
    form.get_by_role("button", name="Save").click()
    block = page.locator(".block", has_text="dentist")
    block.click()
    form.get_by_label("Place").fill("Rua Augusta")
    form.get_by_label("Starts").fill(f"{noon() + timedelta(hours=1):%Y-%m-%dT%H:%M}")
    form.get_by_label("Starts").blur()
    form.get_by_role("button", name="Save").click()
    expect(block).to_contain_text("13:00")
    [kept] = visitor.api.get("/v1/events").json()["items"]
    assert (kept["color"], kept["location"]) == ("#d93025", "Rua Augusta")
    assert datetime.fromisoformat(kept["start"]) == noon() + timedelta(hours=1)
    assert datetime.fromisoformat(kept["end"]) == noon() + timedelta(hours=2)
    assert page.faults == []


def test_an_edit_of_an_event_that_crosses_another_shows_both(visitor: Visitor) -> None:
    start = noon().astimezone(UTC).isoformat()
    made = visitor.api.post("/v1/events", json={"title": "dentist", "start": start}).json()
    page = visitor.open("day")
    page.locator(".block", has_text="dentist").click()
    visitor.api.patch(f"/v1/events/{made['id']}", json={"location": "upstairs"})
    form = page.get_by_role("dialog")
    form.get_by_label("Place").fill("downstairs")
    form.get_by_role("button", name="Save").click()
    expect(form.locator(".both")).to_contain_text("Place: downstairs")
    expect(form.locator(".both")).to_contain_text("Place: upstairs")
    form.get_by_role("button", name="Keep mine").click()
    expect(form).to_have_count(0)
    becomes(visitor.read(f"/v1/events/{made['id']}", "location"), "downstairs")


def test_one_time_of_a_series_is_skipped(visitor: Visitor) -> None:
    start = noon().astimezone(UTC).isoformat()
    made = visitor.api.post("/v1/events", json={"title": "yoga", "start": start, "recurrence": "daily"}).json()
    page = visitor.open("day")
    page.locator(".lane.today .block", has_text="yoga").click()
    page.get_by_role("dialog").get_by_role("button", name="Skip this one").click()
    expect(page.locator(".lane.today .block")).to_have_count(0)
    page.locator(".toast").get_by_role("button", name="Undo").click()
    expect(page.locator(".lane.today .block")).to_have_count(1)
    becomes(visitor.read(f"/v1/events/{made['id']}", "exdates"), [])


def test_a_whole_day_is_the_same_date_in_another_zone_than_the_users(new_visitor: Callable[..., Visitor]) -> None:
    visitor = new_visitor(timezone_id="Pacific/Kiritimati")
    visitor.api.patch("/v1/settings", json={"timezone": "America/Los_Angeles"})
    here = datetime.now(ZoneInfo("Pacific/Kiritimati"))
    monday = (here - timedelta(days=here.weekday())).replace(hour=1, minute=0, second=0, microsecond=0)
    wednesday = f"{monday + timedelta(days=2):%Y-%m-%d}"
    visitor.api.post("/v1/events", json={"title": "holiday", "start": wednesday, "end": wednesday, "all_day": True})
    visitor.api.post("/v1/events", json={"title": "early flight", "start": monday.isoformat()})  # there it is Saturday
    page = visitor.open("day")
    expect(page.locator(".whole button", has_text="holiday")).to_have_count(1)
    expect(page.locator(".whole:not(.week-edge)").nth(2)).to_have_text("holiday")
    expect(page.locator(".lane").first).to_contain_text("early flight")


def test_replies_are_read_aloud_where_wanted(visitor: Visitor) -> None:
    visitor.context.add_init_script(LISTEN)
    page = visitor.open()
    say(page, "buy ink")
    expect(page.locator(".turn .card")).to_contain_text("Added task")
    assert page.evaluate("window.spoken") == []
    page.goto(f"{visitor.url}/#settings")
    page.get_by_label("Read replies aloud").check()
    page.goto(f"{visitor.url}/#talk")
    say(page, "buy paper")
    expect(page.locator(".turn .card").last).to_contain_text("buy paper")
    eventually(lambda: len(page.evaluate("window.spoken")) == 1)
    assert "Added “buy paper”" in page.evaluate("window.spoken[0]")
