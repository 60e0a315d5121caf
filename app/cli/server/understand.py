"""``summit understand``: the built-in understanding without a server."""

from __future__ import annotations

import argparse
import json
import sys
from datetime import datetime
from io import TextIOWrapper
from typing import Any

from pydantic import ValidationError

from agents.understanding import understand_line
from agents.understanding.warm import warm
from app.cli.output import complain
from app.settings import load_settings


def understand(options: argparse.Namespace) -> int:
    """Words from the command line, or JSON lines from standard input; JSON lines out."""
    if options.jsonl:
        return _lines()
    if not options.words:
        return complain('say something: summit understand "call mom tomorrow at 5", or give --jsonl lines.')
    words = {"id": "1", "text": " ".join(options.words), "now": _now(), "tz": load_settings().default_timezone}
    return _print(understand_line(words))


def _lines() -> int:
    """One line out for each line in; a line that cannot be read becomes one with ``error``, and the status 1."""
    warm()
    if isinstance(sys.stdin, TextIOWrapper):
        sys.stdin.reconfigure(encoding="utf-8", errors="replace")
    return max((_line(line) for line in sys.stdin if line.strip()), default=0)


def _line(line: str) -> int:
    data: Any = None
    try:
        data = json.loads(line)
        return _print(understand_line(data))
    except (ValueError, KeyError, TypeError, AttributeError, OverflowError, RecursionError) as error:
        words = f"this line cannot be read ({_reason(error)}): it needs {{id, text, now, tz}}"
        _print({"id": data.get("id") if isinstance(data, dict) else None, "error": words})
        return 1


def _reason(error: Exception) -> str:
    if isinstance(error, ValidationError):
        return "; ".join(f"{'.'.join(map(str, item['loc']))}: {item['msg']}" for item in error.errors())
    return f"{error} is missing" if isinstance(error, KeyError) else str(error)


def _now() -> str:
    return datetime.now().isoformat(timespec="seconds")  # noqa: DTZ005 - wall time; the zone goes beside it


def _print(result: dict[str, Any]) -> int:
    text = json.dumps(result, ensure_ascii=False)
    sys.stdout.write(text.encode("utf-8", "replace").decode() + "\n")
    return 0
