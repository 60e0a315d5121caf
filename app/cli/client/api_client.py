"""One call of a running server for a command: its answer, or its problem as a sentence."""

from __future__ import annotations

import argparse
import os
from typing import Any
from urllib.parse import quote

import httpx

from app.cli.address import base_url
from app.settings import load_settings

CALL_SECONDS = 60.0


class CallRefused(Exception):  # noqa: N818 - the sentence a command ends with
    """The server cannot be reached, or said no; the message says what to do."""


def call(
    options: argparse.Namespace,
    method: str,
    path: str,
    body: dict[str, Any] | None = None,
    seconds: float = CALL_SECONDS,
) -> Any:
    """Ask the server that ``--url`` or the settings name, with ``--key`` or SUMMIT_API_KEY; raises Refused."""
    answer = _request(options, method, path, body, seconds)
    return None if answer.status_code == httpx.codes.NO_CONTENT else _document(answer)


def fetch(options: argparse.Namespace, path: str, seconds: float = CALL_SECONDS) -> bytes:
    """The file at this path of the same server; raises Refused."""
    answer = _request(options, "GET", path, None, seconds)
    if answer.is_error:
        _document(answer)
    return answer.content


def _request(
    options: argparse.Namespace, method: str, path: str, body: dict[str, Any] | None, seconds: float
) -> httpx.Response:
    url = options.url or usual_url()
    key = options.key or os.environ.get("SUMMIT_API_KEY")
    headers = {"Authorization": f"Bearer {key}"} if key else {}
    try:
        return httpx.request(method, f"{url}{path}", json=body, headers=headers, timeout=seconds)
    except httpx.HTTPError as error:
        words = f"no answer from {url} ({type(error).__name__}). Start the server with `summit serve`."
        raise CallRefused(words) from error


def _document(answer: httpx.Response) -> Any:
    if "json" not in answer.headers.get("content-type", ""):
        raise CallRefused(f"{answer.url.scheme}://{answer.url.netloc.decode()} answers, but it is not Summit.")
    document = answer.json()
    if answer.is_error:
        raise CallRefused(" ".join(filter(None, (document.get("detail"), document.get("hint")))))
    return document


def part(name: str) -> str:
    """What somebody typed as one part of a path, whatever is in it."""
    return quote(name, safe="")


def usual_url() -> str:
    """Where the server of these settings is."""
    settings = load_settings()
    return base_url(settings.host, settings.port)
