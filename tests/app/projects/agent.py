"""A coding agent that plays what it is told: a script of steps, in the format of Claude Code."""

from __future__ import annotations

import json
import os
import signal
import sys
import time
from pathlib import Path

INIT = {"type": "system", "subtype": "init", "session_id": "s-1"}
GOOD = {"type": "result", "subtype": "success", "is_error": False, "result": "All done.", "session_id": "s-1"}
BAD = {"type": "result", "subtype": "success", "is_error": True, "result": "API Error: 401 Unauthorized"}


def said(text: str) -> dict[str, object]:
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
        time.sleep(0.15)
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
    tell({**GOOD, "result": json.dumps(dict(os.environ))})


if __name__ == "__main__":
    tell(INIT)
    globals()[sys.argv[1]]()
