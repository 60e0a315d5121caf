"""Builds that are broken on purpose: the tests that guard a promise have to fail on each of them.

    python -m tests.survival.broken_builds [NAME ...]

Each build is a copy of this tree with a few lines changed. The same tests first pass on a copy without a change.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[2]
LEFT_OUT = {".git", ".venv", "node_modules", "site", "__pycache__", ".pytest_cache", ".mypy_cache", ".ruff_cache"}
LATER = """\
            async with self._database.tenant(new.user_id) as conn, conn.transaction(force_rollback=True):
                [row] = await (await conn.execute(queries.ACCEPT, values)).fetchall()
            keep = asyncio.get_running_loop().call_later
            keep(1.0, lambda: asyncio.ensure_future(self._database.step(queries.ACCEPT, values)))
"""


@dataclass(frozen=True)
class Break:
    """What is broken, as (file, lines, lines instead), and the tests that have to notice."""

    what: str
    edits: Sequence[tuple[str, str, str]]
    tests: Sequence[str]


BREAKS = {
    "fence": Break(
        "late writes of a server that lost its turn are not refused",
        [
            (
                "app/database/migrations/02_conversation.sql",
                " and t.state = 'running' and t.lease_generation = generation\n    for share;",
                "\n    for share;",
            ),
        ],
        ["tests/system/survival/test_frozen.py"],
    ),
    "tenancy": Break(
        "the filter on the user and the policy of the memos are gone",
        [
            (
                "app/voice/store/memos.py",
                "from memos m where user_id = %(user_id)s and deleted_at",
                "from memos m where deleted_at",
            ),
            (
                "app/database/migrations/06_voice.sql",
                "-- What names a memo",
                "create policy anybody on memos using (true);\n-- What names a memo",
            ),
        ],
        ["tests/integration/app/database/test_tenancy.py"],
    ),
    "acknowledgement": Break(
        "a message is acknowledged a second before it is committed",
        [
            (
                "app/turns/store/inbox.py",
                "            row = await self._database.step(queries.ACCEPT, values)\n",
                LATER,
            ),
            ("app/turns/store/inbox.py", "from collections.abc", "import asyncio\nfrom collections.abc"),
        ],
        ["tests/system/survival/test_kills.py"],
    ),
    "reports": Break(
        "an outcome is final although an agent has not reported",
        [
            ("agents/synthesizer.py", '        _check_complete(decision, state["reports"])\n', ""),
            (
                "app/turns/runner.py",
                "isinstance(outcome, Outcome) and outcome.complete",
                "isinstance(outcome, Outcome)",
            ),
        ],
        ["tests/system/survival/test_backends.py", "tests/unit/graph/test_missing_reports.py"],
    ),
}


def build(folder: Path, edits: Sequence[tuple[str, str, str]]) -> Path:
    """A copy of this tree with the edits; each has to find its lines, once."""
    copy = folder / "build"
    shutil.copytree(ROOT, copy, ignore=lambda _, names: LEFT_OUT & set(names), symlinks=True)
    for name, lines, instead in edits:
        (copy / name).write_text(edited((copy / name).read_text("utf-8"), lines, instead), "utf-8")
    return copy


def edited(text: str, lines: str, instead: str) -> str:
    """A file with one edit; raises ValueError where the lines are not there, or more than once."""
    if text.count(lines) != 1:
        raise ValueError(f"these lines are there {text.count(lines)} times: {lines.strip()}")
    return text.replace(lines, instead)


def passes(copy: Path, tests: Sequence[str]) -> bool:
    """Whether the tests pass on a copy."""
    command = [sys.executable, "-m", "pytest", "-q", "-x", "-n0", "-p", "no:cacheprovider", *tests]
    env = os.environ | {"PYTHONPATH": str(copy)}
    done = subprocess.run(command, cwd=copy, env=env, capture_output=True, text=True, check=False)
    lines = [line for line in done.stdout.splitlines() if line.startswith(("FAILED", "ERROR", "E  "))]
    sys.stdout.write("".join(f"    {line[:150]}\n" for line in lines[:4]))
    return done.returncode == 0


def noticed(name: str) -> bool:
    """Whether the tests pass as things are, and fail on the broken build."""
    one = BREAKS[name]
    sys.stdout.write(f"{name}: {one.what}\n")
    sys.stdout.flush()
    with tempfile.TemporaryDirectory(prefix="summit-whole-") as folder:
        whole = passes(build(Path(folder), []), one.tests)
    with tempfile.TemporaryDirectory(prefix="summit-broken-") as folder:
        broken = not passes(build(Path(folder), one.edits), one.tests)
    sys.stdout.write(f"  {'noticed' if whole and broken else 'NOT NOTICED' if whole else 'FAILS ANYWAY'}\n")
    return whole and broken


def main() -> int:
    """Build and test each; exit status 1 when one is not noticed."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", metavar="NAME", help=", ".join(BREAKS))
    missed = [name for name in parser.parse_args().names or BREAKS if not noticed(name)]
    sys.stdout.write(f"{len(BREAKS)} broken builds; not noticed: {', '.join(missed) or 'none'}\n")
    return int(bool(missed))


if __name__ == "__main__":
    sys.exit(main())
