"""Settings in a browser: keys with what they may, the first key, and what models cost."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from playwright.sync_api import expect

from tests.app.running import RunningServer, running
from tests.web.conftest import CHROMIUM, Visitor, say


def test_a_key_has_what_it_may_and_an_end(visitor: Visitor) -> None:
    page = visitor.open("settings")
    keys = page.locator("#set-keys")
    keys.get_by_label("A new key for").fill("kitchen")
    keys.get_by_label("Ends on").fill("2100-01-31")
    keys.get_by_label("administer").uncheck()
    keys.get_by_role("button", name="Make a key").click()
    key = keys.locator(".secret").inner_text()
    expect(keys.locator(".item", has_text="kitchen")).to_contain_text("may read, change")
    with httpx.Client(base_url=visitor.url, headers={"Authorization": f"Bearer {key}"}) as phone:
        assert phone.get("/v1/todos").status_code == 200
        assert phone.get("/v1/keys").status_code == 403
    [made] = [one for one in visitor.api.get("/v1/keys").json()["items"] if one["name"] == "kitchen"]
    assert made["expires_at"].startswith("2100-01-31")
    keys.get_by_role("button", name="Remove: kitchen").click()
    page.get_by_role("dialog").get_by_role("button", name="Revoke").click()
    expect(keys.locator(".item", has_text="kitchen")).to_have_count(0)
    assert page.faults == []


@pytest.fixture
def keyless(database_url: str, tmp_path: Path) -> Iterator[RunningServer]:
    if CHROMIUM is None:
        pytest.skip("no Chromium here")
    with running(tmp_path / "data", DATABASE_URL=database_url) as server:
        yield server


def test_who_makes_the_first_key_stays_in(keyless: RunningServer, new_context: Callable[..., Any]) -> None:
    page = new_context().new_page()
    page.goto(f"{keyless.url}/#settings")
    keys = page.locator("#set-keys")
    keys.get_by_label("A new key for").fill("me")
    keys.get_by_role("button", name="Make a key").click()
    page.get_by_role("dialog").get_by_role("button", name="Make a key").click()
    expect(keys.locator(".secret")).to_contain_text("sk_summit_")
    assert httpx.get(f"{keyless.url}/v1/todos").status_code == 401
    page.goto(f"{keyless.url}/#talk")
    say(page, "add buy stamps")
    expect(page.locator(".turn .card")).to_contain_text("buy stamps")
    page.goto(f"{keyless.url}/#settings")
    expect(page.get_by_role("button", name="Sign out")).to_be_visible()
