"""An agent that a person works with has a terminal of its own, and is gone afterwards."""

from __future__ import annotations

import os
from pathlib import Path

import psutil

from app.work.projects.children import ChildSurroundings
from app.work.projects.terminal import attend
from tests.support.waiting import wait_until

AROUND = ChildSurroundings({**os.environ, "SECRET": "x"})


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
    mark = f"317.{os.getpid()}"
    typed, typing = os.pipe()
    seeing, shown = os.pipe()
    attend(
        ["sh", "-c", f"trap '' HUP; sleep {mark} > /dev/null 2>&1 < /dev/null & :"],
        tmp_path,
        AROUND,
        typed=typed,
        shown=shown,
    )
    wait_until(lambda: ["sleep", mark] not in [one.info["cmdline"] for one in psutil.process_iter(["cmdline"])])
    for descriptor in (typed, typing, seeing, shown):
        os.close(descriptor)
