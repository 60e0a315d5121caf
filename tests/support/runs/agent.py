"""A coding agent that plays what it is told: ``agent.py SCRIPT [FORMAT]``, in the format of one of those we know."""

from __future__ import annotations

import json
import os
import random
import signal
import sys
import time
from collections.abc import Mapping
from pathlib import Path

CLAUDE: dict[str, dict[str, object]] = {
    "init": {"type": "system", "subtype": "init", "session_id": "s-1"},
    "good": {"type": "result", "subtype": "success", "is_error": False, "result": "All done.", "session_id": "s-1"},
    "bad": {"type": "result", "subtype": "success", "is_error": True, "result": "API Error: 401 Unauthorized"},
}
LINES: dict[str, Mapping[str, object]] = {
    "claude": CLAUDE,
    "cursor": {**CLAUDE, "bad": "Error: Not logged in. Please run 'cursor-agent login'."},
    "codex": {
        "init": {"type": "thread.started", "thread_id": "s-1"},
        "good": {"type": "turn.completed", "usage": {"input_tokens": 1, "output_tokens": 1}},
        "bad": {"type": "turn.failed", "error": {"message": "unexpected status 401 Unauthorized"}},
    },
    "gemini": {
        "init": {"type": "init", "session_id": "s-1"},
        "good": {"type": "result", "status": "success", "stats": {}},
        "bad": {"type": "result", "status": "error", "error": {"message": "API Error: 401 Unauthorized"}},
    },
}
FORMAT = sys.argv[2] if len(sys.argv) > 2 else "claude"
INIT, GOOD, BAD = (LINES[FORMAT][name] for name in ("init", "good", "bad"))


def said(text: str) -> dict[str, object]:
    if FORMAT == "codex":
        return {"type": "item.completed", "item": {"type": "agent_message", "text": text}}
    if FORMAT == "gemini":
        return {"type": "message", "role": "assistant", "content": text, "delta": True}
    return {"type": "assistant", "message": {"content": [{"type": "text", "text": text}]}}


def tell(what: object) -> None:
    sys.stdout.write(f"{what if isinstance(what, str) else json.dumps(what)}\n")
    sys.stdout.flush()


def silent() -> None:
    time.sleep(600)


def busy() -> None:
    while True:
        sum(range(100_000))


def writing() -> None:
    for number in range(600):
        Path(f"made-{number}").write_text("x")
        time.sleep(0.1)


def deep() -> None:
    file = Path("src", "deep", "made.txt")
    file.parent.mkdir(parents=True, exist_ok=True)
    for number in range(100):
        file.write_text(str(number))
        time.sleep(0.5)


def thinks() -> None:
    for number in range(3):
        time.sleep(random.uniform(0.05, 0.3))
        tell(said(f"thought {number}"))
    tell(GOOD)


def endless() -> None:
    while True:
        tell("API Error: 529 overloaded. Retrying")
        time.sleep(0.01)


def healthy() -> None:
    tell(said("I read the prompt: " + sys.stdin.read()))
    tell(GOOD)


def slow() -> None:
    for number in range(8):
        tell(said(f"step {number}"))
        time.sleep(0.05)
    tell(GOOD)


def hangs() -> None:
    tell(GOOD)
    silent()


def wrong_login() -> None:
    tell(BAD)
    sys.exit(1)


def usage() -> None:
    tell("Claude AI usage limit reached|1893456000")
    silent()


def memory() -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def asks() -> None:
    tell("Do you trust the files in this folder? (y/n)")
    silent()


def garbage() -> None:
    tell("\x00\xff{not json" * 50)


def stubborn() -> None:
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    silent()


def environment() -> None:
    tell({**CLAUDE["good"], "result": json.dumps(dict(os.environ))})


if __name__ == "__main__":
    tell(INIT)
    globals()[sys.argv[1]]()
