"""``summit export``, ``summit import`` and ``summit erase``: everything of one user, out, in and gone."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx

from app.cli.client.api_client import CallRefused, call, usual_url
from app.cli.output import complain, note, say

TRANSFER_SECONDS = 3600.0
CHUNK_BYTES = 1 << 20
ERASE = "erase everything"


def export(options: argparse.Namespace) -> int:
    """Make an archive and fetch it; its name is printed."""
    path = Path(options.file)
    if path.exists():
        return complain(f"{path} is there already.")
    try:
        made = call(options, "POST", "/v1/export", seconds=TRANSFER_SECONDS)
    except CallRefused as refusal:
        return complain(str(refusal))
    beside = path.with_name(f".{path.name}.part")
    with _client(options) as client, client.stream("GET", made["url"]) as answer, beside.open("wb") as file:
        if answer.is_error:
            return complain(f"the archive cannot be fetched ({answer.status_code}).")
        for piece in answer.iter_bytes(CHUNK_BYTES):
            file.write(piece)
            _progress(file.tell(), made["size_bytes"])
    beside.rename(path)
    say(f"{path}: {_counts(made)}.")
    return 0


def take_in(options: argparse.Namespace) -> int:
    """Send an archive into an account that holds nothing."""
    path = Path(options.file)
    if not path.is_file():
        return complain(f"there is no file {path}.")
    with _client(options) as client:
        try:
            answer = client.put("/v1/import", content=_pieces(path), headers={"Content-Type": "application/x-tar"})
        except httpx.HTTPError as error:
            return complain(f"no answer from {client.base_url} ({type(error).__name__}).")
    document = answer.json()
    if answer.is_error:
        return complain(f"{document['detail']} {document['hint']}")
    say(f"Taken in: {_counts(document)}. Memory is indexed in the background.")
    return 0


def erase(options: argparse.Namespace) -> int:
    """Erase everything, after a question, and print the receipt."""
    if not options.yes:
        note("This erases tasks, calendar, notes, memos, recordings, conversations, memory and the ledger, for good.")
        note("`summit export` keeps a copy. To go on, type: erase everything")
        if sys.stdin.readline().strip().lower() != ERASE:
            return complain("nothing was erased.")
    try:
        receipt = call(options, "POST", "/v1/erase", {"confirm": ERASE}, seconds=TRANSFER_SECONDS)
    except CallRefused as refusal:
        return complain(str(refusal))
    for name, count in sorted(receipt["erased"]["rows"].items()):
        say(f"{count:>9}  {name}")
    say(f"{receipt['erased']['recordings']:>9}  recordings")
    say(f"{receipt['erased']['files']:>9}  files of runs")
    say(f"Left: {receipt['left']}. Kept: {', '.join(receipt['kept'])}. {receipt['at']}")
    return 0 if receipt["left"] == 0 else 1


def _client(options: argparse.Namespace) -> httpx.Client:
    key = options.key or os.environ.get("SUMMIT_API_KEY")
    headers = {"Authorization": f"Bearer {key}"} if key else {}
    return httpx.Client(base_url=options.url or usual_url(), headers=headers, timeout=TRANSFER_SECONDS)


def _pieces(path: Path) -> Iterator[bytes]:
    size, sent = path.stat().st_size, 0
    with path.open("rb") as file:
        while piece := file.read(CHUNK_BYTES):
            yield piece
            sent += len(piece)
            _progress(sent, size)


def _progress(done: int, size: int) -> None:
    if sys.stderr.isatty():
        sys.stderr.write(f"\r{done / 1e6:.1f} of {size / 1e6:.1f} MB")
        sys.stderr.write("\n" if done >= size else "")
        sys.stderr.flush()


def _counts(document: dict[str, Any]) -> str:
    rows = sum(document["rows"].values())
    return f"{rows} rows, {document['recordings']} recordings, {document['files']} files of runs"
