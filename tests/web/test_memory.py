"""Memory in a browser: what was said is corrected, deleted, brought back, and quoted."""

from __future__ import annotations

from playwright.sync_api import expect

from tests.web.conftest import Visitor


def test_a_memo_is_corrected_deleted_and_brought_back(visitor: Visitor) -> None:
    visitor.api.post("/v1/memos", json={"transcript": "The spare key is at Anna's."})
    page = visitor.open("memory")
    memos = page.locator("#memos")
    memos.get_by_role("button", name="Correct: ").click()
    memos.get_by_label("What was said").fill("The spare key is at Ana's.")
    memos.get_by_role("button", name="Save").click()
    expect(memos).to_contain_text("The spare key is at Ana's.")
    memos.get_by_role("button", name="Delete: ").click()
    page.get_by_role("dialog").get_by_role("button", name="Delete").click()
    expect(memos).not_to_contain_text("The spare key")
    page.locator(".toast").get_by_role("button", name="Undo").click()
    expect(memos).to_contain_text("The spare key is at Ana's.")
    assert page.faults == []


def test_a_question_is_answered_by_a_quote(visitor: Visitor) -> None:
    visitor.api.post("/v1/memos", json={"transcript": "The spare key of the cabin is under the blue pot."})
    page = visitor.open("memory")
    asked = page.get_by_label("Ask or search your memory")
    asked.fill("Where is the spare key of the cabin?")
    ask = page.get_by_role("button", name="Ask", exact=True)
    quote = page.locator("#ask").get_by_text("“The spare key of the cabin is under the blue pot.”", exact=True)
    for _ in range(20):  # until it is in the index
        with page.expect_response("**/v1/memory/ask"):
            ask.click()
        page.wait_for_timeout(500)
        if quote.count():
            break
    expect(quote).to_be_visible()
    assert page.faults == []
