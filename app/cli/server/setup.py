"""``summit setup``: chooses and fetches what makes Summit better and is never fetched silently."""

from __future__ import annotations

import argparse
import asyncio
import sys
from pathlib import Path

from app.cli.output import complain, say
from app.settings import Settings, load_settings
from app.voice.engines import models, weights
from app.voice.engines.publisher import fetch_model
from app.voice.engines.starter import StarterNotFetched, fetch_starter
from app.voice.speech.service import SpeechService

MEGABYTE = 1_000_000
WHISPER = "whisper"


def prepare(options: argparse.Namespace) -> int:
    """Choose a language model, of a provider or of this machine; else a speech model. Exit status 1 when it failed."""
    if options.provider:
        from app.cli.server.choosing import choose

        return choose(options)
    if options.what == "model":
        from app.cli.server.finding import find

        return find(options)
    settings = load_settings()
    if options.speech_model == WHISPER:
        return _fetch_whisper(settings)
    return _choose_model(settings, options.speech_model or models.model_in_use(settings))


def _choose_model(settings: Settings, model: str) -> int:
    """Have the model here and use it from now on."""
    if models.is_path(model):
        folder = Path(model).expanduser().resolve()
        if not models.is_whole(folder):
            return complain(f"{folder} holds no speech model; needed are {', '.join(models.REQUIRED_FILES)}.")
        return _use_model(settings, str(folder))
    if model not in models.WHISPER_MODELS:
        return complain(
            f"No speech model is called `{model}`; there are {', '.join(models.WHISPER_MODELS)}, or a folder."
        )
    try:
        _have(settings, model)
    except (weights.WeightsNotFetched, StarterNotFetched) as error:
        return complain(f"{error}. Nothing has changed; try again later.")
    return _use_model(settings, model)


def _have(settings: Settings, model: str) -> None:
    if model == models.STARTER:
        fetch_starter(settings.weights_dir)
    elif not models.is_whole(models.target(settings, model)):
        say(f"Fetching the speech model `{model}` into {settings.data_dir / 'models'}, once.")
        fetch_model(model, models.target(settings, model), lambda _, done, total: _progress(done, total))
        say("")


def _use_model(settings: Settings, model: str) -> int:
    models.remember_choice(settings, model)
    status = SpeechService(settings).status()
    say(f"Speech: {'; '.join([status.why, *([] if status.engine else status.missing)])}.")
    if settings.speech_model not in ("auto", model):
        return complain(f"SUMMIT_SPEECH_MODEL says `{settings.speech_model}`, which goes first.")
    return 0


def _fetch_whisper(settings: Settings) -> int:
    """Download openai-whisper's weights, with progress; exit status 1 when they could not be had."""
    if not weights.is_installed():
        return complain("openai-whisper is not installed here; `make setup EXTRAS=openai-whisper` adds it.")
    found = weights.find(settings)
    if found:
        say(f"Whisper's weights are here already: {found}")
        return 0
    if weights.is_path(settings.whisper_model):
        return complain(f"SUMMIT_WHISPER_MODEL names {settings.whisper_model}, and there is no such file.")
    say(f"Fetching whisper's weights `{settings.whisper_model}` into {settings.data_dir / 'models'}, once.")
    try:
        path = asyncio.run(weights.fetch(settings, _progress))
    except weights.WeightsNotFetched as error:
        return complain(f"{error}. Clips are transcribed without it; try again later.")
    say(f"\nDone: {path}. SUMMIT_TRANSCRIBER=whisper makes it the engine.")
    return 0


def _progress(done: int, total: int) -> None:
    share = f" ({done * 100 // total} %)" if total else ""
    sys.stdout.write(f"\r  {done // MEGABYTE} MB{share} ")
    sys.stdout.flush()
