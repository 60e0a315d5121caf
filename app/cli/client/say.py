"""``summit say``: one message to a running server."""

from __future__ import annotations

import argparse

from app.cli.client.api_client import CallRefused, call, usual_url
from app.cli.output import complain
from app.cli.output import say as print_line


def say(options: argparse.Namespace) -> int:
    """Send the words, print the reply; exit status 1 when the server cannot be reached or refuses."""
    try:
        turn = call(options, "POST", "/v1/turns", {"text": " ".join(options.words)})
    except CallRefused as refusal:
        return complain(str(refusal))
    print_line(turn["reply"] or f"Still working on it: {options.url or usual_url()}/v1/turns/{turn['id']}")
    return 0
