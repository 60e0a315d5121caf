"""An agent that a person works with has a terminal of its own, and is gone afterwards."""

from __future__ import annotations

import os
import time
from pathlib import Path

import psutil

from app.projects.children import Surroundings
from app.projects.terminal import attend

AROUND = Surroundings({**os.environ, "SECRET": "x"})


def test_it_has_a_terminal_hears_what_is_typed_and_says_how_it_ended(tmp_path: Path) -> None:
    typed, typing = os.pipe()
    seeing, shown = os.pipe()
    os.write(typing, b"mend the roof\n")
    lines = 'test -t 0 && test -t 1 && tty < /dev/tty; read line; echo "got $line"; echo "<$CI$SECRET>"; exit 3'
    assert attend(["sh", "-c", lines], tmp_path, AROUND, typed=typed, shown=shown) == 3
    said = os.read(seeing, 10_000).decode()
    assert "/dev/" in said
    assert "got mend the roof" in said
    assert "<>" in said
    for descriptor in (typed, typing, seeing, shown):
        os.close(descriptor)


def test_what_it_started_is_gone_with_it(tmp_path: Path) -> None:
    typed, typing = os.pipe()
    seeing, shown = os.pipe()
    attend(
        ["sh", "-c", "trap '' HUP; sleep 317 > /dev/null 2>&1 < /dev/null & :"],
        tmp_path,
        AROUND,
        typed=typed,
        shown=shown,
    )
    until = time.monotonic() + 10
    while [one for one in psutil.process_iter(["cmdline"]) if one.info["cmdline"] == ["sleep", "317"]]:
        assert time.monotonic() < until
        time.sleep(0.05)
    for descriptor in (typed, typing, seeing, shown):
        os.close(descriptor)
