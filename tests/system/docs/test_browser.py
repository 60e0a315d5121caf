"""The page of about thirty lines in docs/api/browser.md: short, and it works over a real websocket."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.support.pages import ROOT, blocks
from tests.support.servers.running import RunningServer
from tests.support.waiting import HANG_SECONDS

LONGEST = 34
NODE = shutil.which("node")
# As much of a browser as the page needs: it says one thing when it is connected, and prints what it would show.
BROWSER = """
const text = { value: "" }, form = {};
const seen = (line) => {
  console.log(line.textContent);
  if (line.textContent.startsWith("Summit")) process.exit();
};
const parts = { "#talk": { append: seen }, "#text": text, "#say": form };
globalThis.document = { createElement: () => ({}), querySelector: (name) => parts[name] };
const Socket = globalThis.WebSocket;
globalThis.WebSocket = class extends Socket {
  constructor(...given) {
    super(...given);
    this.addEventListener("open", () => { text.value = "buy milk"; form.onsubmit({ preventDefault: () => {} }); });
  }
};
"""


def page() -> str:
    [found] = [block.text for block in blocks(ROOT / "docs/api/browser.md") if block.language == "html"]
    return found


def test_the_page_is_short() -> None:
    assert len(page().splitlines()) <= LONGEST


@pytest.mark.skipif(NODE is None, reason="a browser's JavaScript needs Node.js: install the package nodejs")
def test_what_is_typed_is_answered(server: RunningServer, new_key: Callable[[], str], tmp_path: Path) -> None:
    script = re.search(r"<script type=\"module\">\n(.*)</script>", page(), re.DOTALL)
    assert script is not None
    code = script[1].replace("127.0.0.1:8000", server.url.removeprefix("http://"))
    code = code.replace('const key = ""', f"const key = {json.dumps(new_key())}")
    (tmp_path / "page.mjs").write_text(BROWSER + code)
    command = [str(NODE), "--experimental-websocket", "--no-warnings", str(tmp_path / "page.mjs")]
    done = subprocess.run(command, capture_output=True, text=True, timeout=HANG_SECONDS, check=False)
    assert done.stdout.splitlines() == ["You: buy milk", "Summit: Added “buy milk” to your tasks."], done.stderr
