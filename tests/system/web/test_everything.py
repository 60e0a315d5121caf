"""Everything of yours in a browser: a file that can be kept, and a receipt when it is gone."""

from __future__ import annotations

import tarfile

from playwright.sync_api import expect

from tests.system.web.conftest import SEEN, Visitor, becomes


def test_it_is_exported_and_then_erased(visitor: Visitor) -> None:
    visitor.api.post("/v1/turns", json={"text": "add buy stamps"})
    page = visitor.open("history")
    with page.expect_download() as download:
        page.get_by_role("button", name="Export everything").click()
    with tarfile.open(download.value.path()) as archive:
        todos = archive.extractfile("tables/changes.jsonl")
        assert todos
        assert b"buy stamps" in todos.read()
    page.get_by_role("button", name="Erase everything").click()
    dialog = page.get_by_role("dialog")
    erase = dialog.get_by_role("button", name="Erase everything")
    expect(erase).to_be_disabled()
    dialog.get_by_label("Type").fill("erase everything")
    erase.click()
    expect(dialog).to_contain_text("a second look found 0")
    assert page.evaluate(SEEN) == 0
    dialog.get_by_role("button", name="Close").click()
    expect(page.get_by_text("Nothing was changed yet.")).to_be_visible()
    becomes(visitor.todos, [])
    assert page.faults == []
