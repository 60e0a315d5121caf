"""Settings in a browser: keys with what they may, the first key, and what models cost."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import httpx
from playwright.sync_api import expect

from tests.support.servers.plain import plain_client
from tests.support.waiting import HANG_SECONDS
from tests.system.web.conftest import Visitor, becomes, say


def test_a_key_has_what_it_may_and_an_end(visitor: Visitor) -> None:
    page = visitor.open("settings")
    keys = page.locator("#set-keys")
    keys.get_by_label("A new key for").fill("kitchen")
    keys.get_by_label("Ends on").fill("2100-01-31")
    keys.get_by_label("administer").uncheck()
    keys.get_by_role("button", name="Make a key").click()
    key = keys.locator(".secret").inner_text()
    expect(keys.locator(".item", has_text="kitchen")).to_contain_text("may read, change")
    with plain_client(visitor.url, {"Authorization": f"Bearer {key}"}) as phone:
        assert phone.get("/v1/todos").status_code == 200
        assert phone.get("/v1/keys").status_code == 403
    [made] = [one for one in visitor.api.get("/v1/keys").json()["items"] if one["name"] == "kitchen"]
    assert made["expires_at"].startswith("2100-01-31")
    keys.get_by_role("button", name="Remove: kitchen").click()
    page.get_by_role("dialog").get_by_role("button", name="Revoke").click()
    expect(keys.locator(".item", has_text="kitchen")).to_have_count(0)
    assert page.faults == []


def test_who_makes_the_first_key_stays_in(keyless: str, new_context: Callable[..., Any]) -> None:
    page = new_context().new_page()
    page.goto(f"{keyless}/#settings")
    keys = page.locator("#set-keys")
    keys.get_by_label("A new key for").fill("me")
    keys.get_by_role("button", name="Make a key").click()
    page.get_by_role("dialog").get_by_role("button", name="Make a key").click()
    expect(keys.locator(".secret")).to_contain_text("sk_summit_")
    assert httpx.get(f"{keyless}/v1/todos", timeout=HANG_SECONDS).status_code == 401
    page.goto(f"{keyless}/#talk")
    say(page, "add buy stamps")
    expect(page.locator(".turn .card")).to_contain_text("buy stamps")
    page.goto(f"{keyless}/#settings")
    expect(page.get_by_role("button", name="Sign out")).to_be_visible()


def test_what_is_known_of_somebody_is_put_right_and_forgotten(visitor: Visitor) -> None:
    visitor.api.patch("/v1/profile", json={"job": "nurse", "facts": {"dog": "Rex", "cat": "Tom"}})
    page = visitor.open("history")
    known = page.locator("#profile")
    known.get_by_role("button", name="Edit: job").click()
    known.get_by_label("job").fill("teacher")
    known.get_by_label("job").press("Enter")
    expect(known.get_by_role("button", name="Edit: job")).to_have_text("teacher")
    known.get_by_role("button", name="Edit: dog").click()
    known.get_by_label("dog").fill("")
    known.get_by_label("dog").press("Enter")
    expect(known.get_by_role("button", name="Edit: cat")).to_be_visible()
    expect(known.locator("form")).to_have_count(0)
    expect(known.get_by_role("button", name="Edit: dog")).to_have_count(0)
    known.get_by_text("What was true before").click()
    expect(known).to_contain_text("nurse (until Today")
    becomes(visitor.read("/v1/profile", "job", "facts"), ("teacher", {"cat": "Tom"}))
    assert page.faults == []


def test_who_chose_no_zone_lives_in_that_of_their_device(new_visitor: Callable[..., Visitor]) -> None:
    ana = new_visitor(timezone_id="America/New_York", locale="en-US")
    page = ana.open()
    becomes(ana.read("/v1/settings", "timezone", "timezone_chosen"), ("America/New_York", True))
    say(page, "ring the vet on 6 may 2030 at 4pm")
    expect(page.locator(".turn .card")).to_contain_text("Mon 6 May 2030, 4:00 pm")
    becomes(lambda: ana.read("/v1/settings", "conventions")()["clock"], "12h")
    ana.api.patch("/v1/settings", json={"timezone": "Asia/Tokyo"})
    ana.go(page, "settings")
    page.reload()
    expect(page.get_by_label("Time zone")).to_have_value("Asia/Tokyo")
    expect(page.get_by_text("This device is in America/New_York.")).to_be_visible()
    assert ana.read("/v1/settings", "timezone")() == "Asia/Tokyo"


def test_times_are_told_in_the_form_that_is_chosen_in_cards_and_replies(visitor: Visitor) -> None:
    page = visitor.open("settings")
    page.get_by_label("Times are told on").select_option("12h")
    page.locator("#set-you").get_by_role("button", name="Save").click()
    becomes(lambda: visitor.read("/v1/settings", "conventions")()["clock"], "12h")
    visitor.go(page, "talk")
    say(page, "ring the vet on 6 may 2030 at 16:00")
    expect(page.locator(".turn .card")).to_contain_text("Mon 6 May 2030, 4:00 pm")
    page.reload()
    expect(page.locator(".turn .card")).to_contain_text("Mon 6 May 2030, 4:00 pm")


def test_what_is_wrong_is_said_in_words_for_people(visitor: Visitor) -> None:
    page = visitor.open("settings")
    models = page.locator("#set-models")
    expect(models.get_by_label("Provider").locator("option").first).to_be_attached()
    models.get_by_role("button", name="Use it").click()
    told = page.locator(".toast span").first
    expect(told).to_have_text("Model must not be empty.")


def test_where_something_is_put_right_is_a_tap_away(visitor: Visitor) -> None:
    refusal = {"title": "Refused", "detail": "No model is chosen.", "hint": "Choose one with PUT /v1/models/chat."}
    page = visitor.open("day")
    page.route(
        "**/v1/todos", lambda route: route.fulfill(status=409, json=refusal) if is_post(route) else route.continue_()
    )
    page.get_by_label("Add a task").fill("mow the lawn")
    page.keyboard.press("Enter")
    expect(page.locator(".toast span").first).to_have_text("No model is chosen. Choose one with Settings, Models.")
    page.locator(".toast").get_by_role("link", name="Settings, Models").click()
    expect(page.locator("#set-models h2")).to_be_focused()


def is_post(route: Any) -> bool:
    return bool(route.request.method == "POST")
