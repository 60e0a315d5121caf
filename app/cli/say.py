"""``summit say``: one message to a running server."""

from __future__ import annotations

import argparse
import os

import httpx

from app.cli.address import base_url
from app.cli.output import complain
from app.cli.output import say as print_line
from app.settings import load_settings

SECONDS = 60.0


def say(options: argparse.Namespace) -> int:
    """Send the words, print the reply; exit status 1 when the server cannot be reached or refuses."""
    settings = load_settings()
    url = options.url or base_url(settings.host, settings.port)
    key = options.key or os.environ.get("SUMMIT_API_KEY")
    headers = {"Authorization": f"Bearer {key}"} if key else {}
    try:
        answer = httpx.post(f"{url}/v1/turns", json={"text": " ".join(options.words)}, headers=headers, timeout=SECONDS)
    except httpx.HTTPError as error:
        return complain(f"no answer from {url} ({type(error).__name__}). Start the server with `summit serve`.")
    if "json" not in answer.headers.get("content-type", ""):
        return complain(f"{url} answers, but it is not Summit.")
    body = answer.json()
    if answer.is_error:
        return complain(f"{body['detail']} {body['hint']}")
    print_line(body["reply"] or f"Still working on it: {url}/v1/turns/{body['id']}")
    return 0
