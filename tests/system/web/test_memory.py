"""Memory in a browser: what was said is corrected, deleted, brought back, and quoted."""

from __future__ import annotations

import asyncio
import wave
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import psycopg
from playwright.sync_api import expect

from tests.support.speech.sounds import RATE, needs_model, silence
from tests.support.speech.voices import spoken
from tests.support.topics import say_and_find
from tests.system.web.conftest import Visitor, becomes, eventually


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


def test_uncertain_words_are_confirmed_by_a_tap(visitor: Visitor, web_database: str) -> None:
    memo = visitor.api.post("/v1/memos", json={"transcript": "The spare key is at Ana's."}).json()
    with psycopg.connect(web_database, autocommit=True) as conn:
        conn.execute("update summit.memos set state = 'needs_you' where id = %s", (memo["id"],))
    page = visitor.open("memory")
    memos = page.locator("#memos")
    expect(memos).to_contain_text("Needs you")
    memos.get_by_role("button", name="That is right").click()
    expect(memos).not_to_contain_text("Needs you")
    assert page.faults == []


def test_a_question_is_answered_by_a_quote(visitor: Visitor) -> None:
    visitor.api.post("/v1/memos", json={"transcript": "The spare key of the cabin is under the blue pot."})
    eventually(lambda: visitor.api.get("/v1/memory").json()["waiting"] == 0)
    page = visitor.open("memory")
    asked = page.get_by_label("Ask or search your memory")
    asked.fill("Where is the spare key of the cabin?")
    quote = page.locator("#ask").get_by_text("“The spare key of the cabin is under the blue pot.”", exact=True)
    page.get_by_role("button", name="Ask", exact=True).click()
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
    becomes(visitor.todos, ["call the dentist"])
    assert page.faults == []


def recording(path: Path, *sentences: str) -> Path:
    with wave.open(str(path), "wb") as file:
        file.setparams((1, 2, RATE, 0, "NONE", ""))
        file.writeframes(np.concatenate([part for said in sentences for part in (spoken(said), silence(1))]).tobytes())
    return path


@needs_model
def test_a_recording_plays_from_any_sentence(visitor: Visitor, tmp_path: Path) -> None:
    said = recording(tmp_path / "said.wav", "The roofer comes on Monday.", "The garden needs three new beds.")
    memo = visitor.api.post("/v1/memos", files={"audio": said.read_bytes()}).json()
    at = f"/v1/memos/{memo['id']}"
    eventually(lambda: bool(visitor.api.get(at).json()["segments"]))
    page = visitor.open("memory")
    expect(page.locator("#memos .sentence")).to_have_count(2)
    sentence = page.locator("#memos .sentence").last
    expect(sentence).to_contain_text("garden")
    sentence.click()
    playing = f"document.querySelector('audio[data-memo=\"{memo['id']}\"]').currentTime * 1000"
    eventually(lambda: page.evaluate(playing) > 1500)  # the first sentence is longer than that
    expect(sentence).to_have_class("sentence playing")
    visitor.api.patch(at, json={"title": "Monday"})
    expect(page.locator("#memos .item-title")).to_have_text("Monday")
    assert page.faults == []


def test_a_search_finds_what_was_kept_and_what_was_said(visitor: Visitor) -> None:
    visitor.api.post("/v1/todos", json={"task": "call the roofer"})
    visitor.api.post("/v1/memos", json={"transcript": "The roofer wants four thousand euros."})
    eventually(lambda: visitor.api.get("/v1/memory").json()["waiting"] == 0)
    page = visitor.open("memory")
    page.get_by_label("Ask or search your memory").fill("roofer")
    page.get_by_role("button", name="Search").click()
    found = page.locator("#ask")
    expect(found.get_by_role("link", name="call the roofer")).to_be_visible()
    expect(found).to_contain_text("“The roofer wants four thousand euros.”")
    expect(found).to_contain_text("Memo")


def test_a_list_takes_lines_and_an_edit_that_crosses_another_shows_both(visitor: Visitor) -> None:
    made = visitor.api.post("/v1/notes", json={"category": "list", "summary": "shopping", "items": ["milk"]}).json()
    page = visitor.open("memory")
    page.get_by_label("Add to shopping").fill("eggs")
    page.keyboard.press("Enter")
    expect(page.get_by_label("eggs")).to_be_visible()
    page.get_by_label("milk").check()
    expect(page.locator(".lines .over")).to_have_text("milk")
    page.get_by_role("button", name="Edit: shopping").click()
    visitor.api.patch(f"/v1/notes/{made['id']}", json={"summary": "groceries"})
    page.get_by_label("Lines").fill("milk\neggs\nbread")
    page.get_by_role("button", name="Save").click()
    expect(page.locator(".both")).to_contain_text("Title: shopping")
    expect(page.locator(".both")).to_contain_text("Title: groceries")
    page.get_by_role("button", name="Keep mine").click()
    expect(page.get_by_label("bread")).to_be_visible()
    lines = [("milk", True), ("eggs", False), ("bread", False)]
    becomes(visitor.read(f"/v1/notes/{made['id']}", "items"), [{"text": text, "done": done} for text, done in lines])
    assert page.faults == []
