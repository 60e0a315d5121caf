"""Memory in a browser: what was said is corrected, deleted, brought back, and quoted."""

from __future__ import annotations

import asyncio
from concurrent.futures import ThreadPoolExecutor

from playwright.sync_api import expect

from tests.app.memory.test_topics import say_and_find
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


def test_topics_open_to_their_sentences_and_an_open_loop_becomes_a_task(visitor: Visitor, web_database: str) -> None:
    with ThreadPoolExecutor(1) as beside:  # the browser library has the loop of this thread
        beside.submit(asyncio.run, say_and_find(web_database, visitor.id)).result()
    page = visitor.open("memory")
    topics = page.locator("#topics")
    expect(topics.locator("details")).to_have_count(2)
    shown = visitor.api.get("/v1/topics").json()["items"][0]
    opened = topics.locator(f"[data-id='{shown['id']}']")
    opened.locator("summary").click()
    expect(opened).to_contain_text(shown["citations"][0]["quote"])
    more = opened.get_by_role("button", name="All 3 sentences")
    if more.count():
        more.click()
        expect(opened.locator(".item")).to_have_count(3)
    topics.get_by_role("button", name="Make it a to-do: call the dentist").click()
    expect(page.locator(".toast")).to_contain_text("call the dentist")
    expect(topics.locator("li")).to_have_count(0)
    assert visitor.todos() == ["call the dentist"]
    assert page.faults == []
