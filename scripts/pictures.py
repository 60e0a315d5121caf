"""The pictures of the documentation, taken of a real server in the Chromium of this system.

`python -m scripts.pictures` writes them to docs/images.
"""

from __future__ import annotations

import tempfile
import time
from base64 import b64decode, b64encode
from pathlib import Path
from typing import Any

import httpx
from playwright.sync_api import sync_playwright

from tests.support.runs.yard import agent_program, repository
from tests.support.servers.running import running
from tests.system.web.conftest import CHROMIUM, FLAGS, ZONE

IMAGES = Path(__file__).parents[1] / "docs" / "images"
DESK: dict[str, Any] = {"viewport": {"width": 1120, "height": 760}}
PHONE: dict[str, Any] = {
    "viewport": {"width": 390, "height": 760},
    "device_scale_factor": 2,
    "is_mobile": True,
    "has_touch": True,
}
GOAL = "Mend the roof of the shed, and measure it"
SAID = (
    "add milk, eggs and bread to my shopping list",
    "remind me every Monday at 8 to take the bins out",
    "lunch with Ana on Friday from 3pm to 4pm",
    "note: the spare key is at Ana's",
    "renew the passport by the end of the month, high priority",
    "call mom tomorrow at 5 and book the dentist for Friday 3pm",
)
MEMOS = (
    "The roofer came today. He wants four thousand two hundred euros for the north side and can begin in March.",
    "Idea for the garden: three raised beds along the wall, beans and tomatoes in the sunny one.",
)
SMALLER = """
async (png) => {
  const picture = new Image();
  picture.src = png;
  await picture.decode();
  const canvas = document.createElement("canvas");
  [canvas.width, canvas.height] = [picture.width, picture.height];
  canvas.getContext("2d").drawImage(picture, 0, 0);
  return canvas.toDataURL("image/webp", 0.9);
}
"""
ASKED = "what does the roofer want?"
TYPED = "email the landlord next monday, high priority"


def main() -> None:
    """Take them all."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        programs, code = folder / "bin", folder / "code"
        programs.mkdir()
        code.mkdir()
        repository(code / "garden")
        around = {
            "TZ": ZONE,
            "PATH": agent_program(programs),
            "SUMMIT_PROJECT_FOLDERS": f'["{code}"]',
            "SUMMIT_AGENTS_UNCONFINED": "true",
        }
        with running(folder / "data", **around) as server, sync_playwright() as library:
            with httpx.Client(base_url=server.url, timeout=60) as api:
                live(api, str(code / "garden"))
            browser = library.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
            for form, place in ((DESK, ""), (PHONE, "-phone")):
                for scheme, hue in (("light", ""), ("dark", "-dark")):
                    take(browser, server.url, {**form, "color_scheme": scheme}, f"{place}{hue}")
            browser.close()


def live(api: httpx.Client, folder: str) -> None:
    """What somebody said and began; agents have built it, and wait for a yes."""
    for words in MEMOS:
        api.post("/v1/memos", json={"transcript": words}).raise_for_status()
    for words in SAID:
        api.post("/v1/turns", json={"text": words}).raise_for_status()
    project = api.post("/v1/projects", json={"name": "garden", "root": folder}).raise_for_status().json()
    body = {"goal": GOAL, "project": {"project_id": project["id"]}}
    at = f"/v1/runs/{api.post('/v1/runs', json=body).raise_for_status().json()['id']}/approvals"
    agree = asked(api, at, "start_work")
    api.post(at, json={"approval_id": agree["id"], "action": "approve"}).raise_for_status()
    asked(api, at, "publish_work")


def asked(api: httpx.Client, at: str, name: str) -> dict[str, Any]:
    """What a run asks, once it does."""
    while True:
        for one in api.get(at).json()["items"]:
            if one["status"] == "pending" and one["call"]["name"] == name:
                return dict(one)
        time.sleep(0.5)


def take(browser: Any, url: str, form: dict[str, Any], suffix: str) -> None:
    """One picture a view."""
    context = browser.new_context(timezone_id=ZONE, locale="en-GB", reduced_motion="reduce", **form)
    page = context.new_page()
    page.goto(f"{url}/#talk")
    page.locator(".turn .card", has_text="call mom").wait_for()
    page.locator("#message").press_sequentially(TYPED)
    page.locator("#preview .chip").first.wait_for()
    shot(page, f"talk{suffix}")
    page.fill("#message", "")
    for view in ("day", "memory", "history", "work"):
        page.goto(f"{url}/#{view}")
        page.wait_for_load_state("domcontentloaded")
        page.locator("main .item, main .card").first.wait_for()
        if view == "memory":
            page.get_by_placeholder("What did I say about the plumber?").fill(ASKED)
            page.keyboard.press("Enter")
            page.locator("#ask .item").first.wait_for()
        if view == "work":
            page.locator("[data-phase=phase-2][data-state=done]").wait_for()
            page.evaluate("document.querySelector('#runs').scrollIntoView()")
        shot(page, f"{view}{suffix}")
    context.close()


def shot(page: Any, name: str) -> None:
    """The window as it is once nothing moves any more; a quarter as large as a PNG."""
    page.wait_for_timeout(700)
    page.evaluate("document.querySelectorAll('.toast').forEach((one) => one.remove())")
    taken = b64encode(page.screenshot()).decode()
    blank = page.context.new_page()
    picture = blank.evaluate(SMALLER, f"data:image/png;base64,{taken}")
    blank.close()
    (IMAGES / f"{name}.webp").write_bytes(b64decode(picture.partition(",")[2]))


if __name__ == "__main__":
    main()
