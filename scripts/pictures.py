"""The pictures of the documentation, taken of a real server in the Chromium of this system.

`python -m scripts.pictures` writes them to docs/images.
"""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any

import httpx
from playwright.sync_api import sync_playwright

from tests.app.running import running
from tests.web.conftest import CHROMIUM, FLAGS, ZONE

IMAGES = Path(__file__).parents[1] / "docs" / "images"
DESK: dict[str, Any] = {"viewport": {"width": 1120, "height": 760}}
PHONE: dict[str, Any] = {
    "viewport": {"width": 390, "height": 760},
    "device_scale_factor": 2,
    "color_scheme": "dark",
    "is_mobile": True,
    "has_touch": True,
}
SAID = (
    "call mom tomorrow at 5 and book the dentist for Friday 3pm",
    "add milk, eggs and bread to my shopping list",
    "remind me every Monday at 8 to take the bins out",
    "lunch with Ana on Friday from 3pm to 4pm",
    "note: the spare key is at Ana's",
    "renew the passport by the end of the month, high priority",
)
MEMOS = (
    "The roofer came today. He wants four thousand two hundred euros for the north side and can begin in March.",
    "Idea for the garden: three raised beds along the wall, beans and tomatoes in the sunny one.",
)
ASKED = "what does the roofer want?"
TYPED = "email the landlord next monday, high priority"


def main() -> None:
    """Take them all."""
    with tempfile.TemporaryDirectory() as folder, running(Path(folder) / "data", TZ=ZONE) as server:
        with httpx.Client(base_url=server.url, timeout=60) as api:
            for words in SAID[1:]:
                api.post("/v1/turns", json={"text": words}).raise_for_status()
            for words in MEMOS:
                api.post("/v1/memos", json={"transcript": words}).raise_for_status()
        with sync_playwright() as library:
            browser = library.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
            take(browser, server.url, DESK, "")
            take(browser, server.url, PHONE, "-phone")
            browser.close()


def take(browser: Any, url: str, form: dict[str, Any], suffix: str) -> None:
    """One picture a view."""
    context = browser.new_context(timezone_id=ZONE, locale="en-GB", reduced_motion="reduce", **form)
    page = context.new_page()
    page.goto(f"{url}/#talk")
    if not suffix:
        page.fill("#message", SAID[0])
        page.press("#message", "Enter")
    page.locator(".turn .card", has_text="call mom").wait_for()
    page.locator("#message").press_sequentially(TYPED)
    page.locator("#preview .chip").first.wait_for()
    shot(page, f"talk{suffix}")
    page.fill("#message", "")
    for view in ("day", "memory", "history"):
        page.goto(f"{url}/#{view}")
        page.wait_for_load_state("networkidle")
        page.locator("main .item, main .card").first.wait_for()
        if view == "memory":
            page.get_by_placeholder("What did I say about the plumber?").fill(ASKED)
            page.keyboard.press("Enter")
            page.locator("#ask .item").first.wait_for()
        shot(page, f"{view}{suffix}")
    context.close()


def shot(page: Any, name: str) -> None:
    """The window as it is once nothing moves any more."""
    page.wait_for_timeout(500)
    page.screenshot(path=IMAGES / f"{name}.png")


if __name__ == "__main__":
    main()
