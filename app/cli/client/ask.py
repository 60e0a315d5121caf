"""``summit ask``: a question about what was ever said, answered by quotes."""

from __future__ import annotations

import argparse
import os
from pathlib import Path
from typing import Any

from app.cli.client.api_client import CallRefused, call, fetch
from app.cli.output import complain
from app.cli.output import say as print_line

AROUND_MS = 300
"""What is heard before and after a quote: where words begin is known to a third of a second."""
NOT_FOUND = 3
"""Exit status of a question that has no answer, so that a script can tell."""


def ask(options: argparse.Namespace) -> int:
    """Print the answer and its sources, and keep the sound of the first one where ``--save`` names a file."""
    try:
        told = call(options, "POST", "/v1/memory/ask", {"question": " ".join(options.words)})
        print_line(told["answer"])
        for one in told["citations"]:
            print_line(f"  {_place(one)}")
        if options.save:
            print_line(_save(options, told["citations"], Path(options.save)))
    except CallRefused as refusal:
        return complain(str(refusal))
    return 0 if told["found"] else NOT_FOUND


def _place(one: dict[str, Any]) -> str:
    """Where a quote stands: "memo 1c2d3e4f, second 3.2"."""
    second = "" if one["start_ms"] is None else f", second {one['start_ms'] / 1000:.1f}"
    return f"{one['source']} {one['id'][:8]}{second}"


def _save(options: argparse.Namespace, citations: list[dict[str, Any]], file: Path) -> str:
    spoken = next((one for one in citations if one["start_ms"] is not None), None)
    if spoken is None:
        return "None of this was spoken, so there is nothing to hear."
    start, end = max(0, spoken["start_ms"] - AROUND_MS), spoken["end_ms"] + AROUND_MS
    sound = fetch(options, f"/v1/memos/{spoken['id']}/audio/part?start_ms={start}&end_ms={end}")
    try:
        file.write_bytes(sound)
    except OSError as error:
        raise CallRefused(f"{file} cannot be written: {os.strerror(error.errno or 0)}.") from error
    return f"Those words are in {file}."
