"""``summit setup``: fetches what makes Summit better and is never fetched silently."""

from __future__ import annotations

import argparse
import asyncio
import sys

from app.cli.output import complain, say
from app.settings import load_settings
from app.speech.weights import WeightsNotFetched, fetch, find, installed, is_path

MEGABYTE = 1_000_000


def prepare(options: argparse.Namespace) -> int:
    """Choose a language model, if a provider is named; else fetch whisper's weights. Exit status 1 when it failed."""
    if options.provider:
        from app.cli.choosing import choose

        return choose(options)
    return _fetch_weights()


def _fetch_weights() -> int:
    """Download whisper's weights, with progress; exit status 1 when they could not be had."""
    settings = load_settings()
    if not installed():
        return complain("openai-whisper is not installed here (LIGHT=1 leaves it out); run `make setup` without it.")
    found = find(settings)
    if found:
        say(f"Whisper's weights are here already: {found}")
        return 0
    if is_path(settings.whisper_model):
        return complain(f"SUMMIT_WHISPER_MODEL names {settings.whisper_model}, and there is no such file.")
    say(f"Fetching whisper's weights `{settings.whisper_model}` into {settings.data_dir / 'models'}, once.")
    try:
        path = asyncio.run(fetch(settings, _progress))
    except WeightsNotFetched as error:
        return complain(f"{error}. Without them clips are transcribed by sphinx, with low accuracy; try again later.")
    say(f"\nDone: {path}. Clips are transcribed by whisper from now on.")
    return 0


def _progress(done: int, total: int) -> None:
    share = f" ({done * 100 // total} %)" if total else ""
    sys.stdout.write(f"\r  {done // MEGABYTE} MB{share} ")
    sys.stdout.flush()
