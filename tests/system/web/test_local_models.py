"""Models on this computer, in a browser: found, measured before one's eyes, and used with one tap."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from playwright.sync_api import expect

from tests.support.fakes import Call, RecordedRequest, Reply, ScriptedModelServer, chat
from tests.support.servers.live_server import live_server, settings_for
from tests.support.waiting import HANG_SECONDS
from tests.system.web.conftest import PHONE, Visitor

CLOSED = "http://127.0.0.1:9/v1"
FIND = "Find models on this computer"
NewContext = Callable[..., Any]


class Models(ScriptedModelServer):
    """vLLM with a model that can do everything, and one before it that only talks, once ``go`` is set."""

    def __init__(self) -> None:
        super().__init__()
        self.go = threading.Event()
        cards = [{"id": name, "owned_by": "vllm"} for name in ("chatty", "able")]
        self.script("/version", Reply({}, status=404))
        self.script("/models", Reply({"data": cards}))
        self.script("/chat/completions", self.reply)

    def reply(self, request: RecordedRequest) -> Reply:
        if request.json["model"] == "chatty":
            self.go.wait(HANG_SECONDS)
            return chat(text="one two three")(request)
        return chat(Call("report", {"word": "hello"}), text='{"word": "hello"}')(request)


@pytest.fixture
def models() -> Iterator[Models]:
    with Models() as server:
        yield server
        server.go.set()


@pytest.fixture
def home(chromium: str, database_url: str, tmp_path: Path, models: Models) -> Iterator[str]:
    """A server without keys."""
    values: dict[str, Any] = {"llm_local_servers": [models.base_url, CLOSED], "llm_measure_seconds": 600}
    with live_server(settings_for(database_url, tmp_path / "data", admin_key=None, **values)) as url:
        yield url


def settings(new_context: NewContext, url: str, **options: Any) -> tuple[Any, list[str]]:
    """The part about models of an opened page, and what went wrong in it."""
    page, faults = new_context(**options).new_page(), list[str]()
    page.on("pageerror", lambda error: faults.append(str(error)))
    page.goto(f"{url}/#settings/models")
    return page.locator("#set-models"), faults


@pytest.mark.parametrize("viewport", [{}, {"viewport": PHONE}], ids=["desk", "phone"])
def test_models_are_found_measured_and_used(
    home: str, models: Models, new_context: NewContext, viewport: dict[str, Any]
) -> None:
    part, faults = settings(new_context, home, **viewport)
    part.get_by_role("button", name=FIND).click()
    rows = part.get_by_role("table", name="Models on this computer").locator("tbody tr")
    expect(rows).to_have_count(2)
    expect(rows.nth(0)).to_contain_text("…")
    expect(part.get_by_role("button", name="Use this one")).to_have_count(0)
    models.go.set()
    expect(rows.nth(0).locator("td").nth(2)).to_have_text("no")
    expect(rows.nth(1)).to_contain_text("recommended")
    expect(rows.nth(1).locator("td").nth(1)).to_have_text("vLLM")
    assert [rows.nth(1).locator("td").nth(at).inner_text() for at in (2, 3)] == ["yes", "yes"]
    width = part.evaluate("(part) => [document.documentElement.scrollWidth, innerWidth]")
    assert width[0] <= width[1], "the page is no wider than the screen"
    part.get_by_role("button", name="Use this one: able").click()
    expect(part.locator(".item", has_text="Conversation: able")).to_contain_text("at vllm")
    told = httpx.get(f"{home}/v1/providers", timeout=HANG_SECONDS).json()
    assert {(one["provider"], one["model"]) for one in told["models"]} == {("vllm", "able")}
    [added] = [one for one in told["items"] if one["slug"] == "vllm"]
    assert (added["name"], added["base_url"], added["capabilities"]) == ("vLLM", models.base_url, ["chat"])
    assert faults == []


def test_where_nothing_runs_the_page_says_how_to_start_something(keyless: str, new_context: NewContext) -> None:
    part, faults = settings(new_context, keyless)
    part.get_by_role("button", name=FIND).click()
    expect(part.get_by_text("No model was found on this computer")).to_contain_text(CLOSED)
    expect(part.get_by_text("Start one")).to_contain_text("ollama pull")
    expect(part.get_by_role("table")).to_be_hidden()
    assert faults == []


def test_who_may_not_ask_is_not_offered_it(visitor: Visitor) -> None:
    page = visitor.open("settings")
    expect(page.locator("#set-models").get_by_role("button", name="Use it")).to_be_visible()
    expect(page.get_by_role("button", name=FIND)).to_have_count(0)
