"""``summit understand``: the built-in understanding without a server."""

from __future__ import annotations

import argparse
import json
import sys
from datetime import datetime
from typing import Any

from agents.understanding import understand_line
from app.cli.output import complain
from app.settings import load_settings


def understand(options: argparse.Namespace) -> int:
    """Words from the command line, or JSON lines from standard input; JSON lines out."""
    if options.jsonl:
        return max((_line(line) for line in sys.stdin if line.strip()), default=0)
    if not options.words:
        return complain('say something: summit understand "call mom tomorrow at 5", or give --jsonl lines.')
    words = {"id": "1", "text": " ".join(options.words), "now": _now(), "tz": load_settings().default_timezone}
    return _print(understand_line(words))


def _line(line: str) -> int:
    try:
        return _print(understand_line(json.loads(line)))
    except (ValueError, KeyError, TypeError) as error:
        return complain(f"this line cannot be read ({error}): it needs {{id, text, now, tz}}.")


def _now() -> str:
    return datetime.now().isoformat(timespec="seconds")  # noqa: DTZ005 - wall time; the zone goes beside it


def _print(result: dict[str, Any]) -> int:
    sys.stdout.write(json.dumps(result, ensure_ascii=False) + "\n")
    return 0
