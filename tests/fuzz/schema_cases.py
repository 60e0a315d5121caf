"""Requests made from the API's description, valid ones and others, and chains of them along its links: never a 5xx.

    python -m tests.fuzz.schema_cases [--examples 160] [--seed N]

``--examples`` is for each operation; the last line counts what was sent. ``--phases coverage`` tries every boundary of
each schema instead, which takes longer than all the rest and is left out otherwise.
503 is an answer, where a model or a voice is not there; every other 5xx breaks the campaign.
"""

from __future__ import annotations

import argparse
import os
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

import httpx

from app.database.embedded import EmbeddedServer
from tests.support.servers.live_server import ADMIN_KEY, live_server, settings_for

PHASES = ("examples", "coverage", "fuzzing", "stateful")
USUAL = ("examples", "fuzzing", "stateful")
# Streams that have no end, the key that all others need, and an archive that a schema cannot describe.
LEFT_OUT = ("stream", "turn_events", "run_events", "delete_key", "import_everything", "erase_everything")
EXPECTED = """
hooks = "tests.fuzz.unguided"
[checks]
not_a_server_error.expected-statuses = ["2xx", "3xx", "4xx", 503]
"""
ROOT = Path(__file__).parents[2]
PROGRAM = Path(sys.executable).parent / "schemathesis"


def campaign(url: str, folder: Path, examples: int, number: int, phases: Sequence[str] = USUAL) -> tuple[int, str]:
    """The exit status, 0 where nothing broke, and what was printed."""
    admin = {"Authorization": f"Bearer {ADMIN_KEY}"}
    key = httpx.post(f"{url}/v1/users", json={"name": "x"}, headers=admin, timeout=60).json()["api_key"]
    httpx.get(f"{url}/openapi.json", timeout=60)  # made at the first request, for which schemathesis waits ten seconds
    settings = folder / "schemathesis.toml"
    settings.write_text(EXPECTED)
    command = [str(PROGRAM), "--config-file", str(settings), "run", f"{url}/openapi.json", "--no-color"]
    command += ["--header", f"Authorization: Bearer {key}", "--checks", "not_a_server_error", "--seed", str(number)]
    command += ["--max-examples", str(examples), "--phases", ",".join(phases), "--request-timeout", "120"]
    command += ["--suppress-health-check", "all", "--generation-database", "none", "--continue-on-failure"]
    command += [word for name in LEFT_OUT for word in ("--exclude-operation-id", name)]
    env = os.environ | {"PYTHONPATH": str(ROOT)}
    done = subprocess.run(command, cwd=folder, env=env, capture_output=True, text=True, check=False)
    return done.returncode, done.stdout + done.stderr


def _answered(url: str) -> int:
    """How many requests the server counted."""
    counts = re.findall(r"^summit_http_requests_total\{.*\} ([\d.]+)$", httpx.get(f"{url}/metrics").text, re.MULTILINE)
    return round(sum(map(float, counts)))


def main() -> int:
    """One campaign on a server and a database of its own."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--examples", type=int, default=160)
    parser.add_argument("--seed", type=int, default=int(time.time()))
    parser.add_argument("--phases", nargs="+", choices=PHASES, default=USUAL)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="summit-schema-") as name:
        folder = Path(name)
        postgres = EmbeddedServer.start(folder / "postgres", lambda _: None, durable=False)
        try:
            with live_server(settings_for(postgres.url, folder)) as url:
                status, told = campaign(url, folder, options.examples, options.seed, options.phases)
                told += f"{_answered(url)} requests answered\n"
        finally:
            postgres.stop()
    sys.stdout.write(told)
    return status


if __name__ == "__main__":
    sys.exit(main())
