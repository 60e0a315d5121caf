"""Where whisper's weights lie, and fetching them when someone allowed it."""

from __future__ import annotations

import asyncio
import json
import os
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path

from app.boundary.confinement import frames, processes
from app.settings import Settings

FILES = {"large": "large-v3", "turbo": "large-v3-turbo"}
"""Names whose file is called differently; every other model lies in <name>.pt."""

MODELS = frozenset(f"{size}{suffix}" for size in ("tiny", "base", "small", "medium") for suffix in ("", ".en")) | {
    "large",
    "large-v1",
    "large-v2",
    "large-v3",
    "large-v3-turbo",
    "turbo",
}
REPORT_BYTES = 64 * 1024

Progress = Callable[[int, int], None]
"""Told the bytes that are here and the bytes in all (0: unknown)."""


class WeightsNotFetched(Exception):  # noqa: N818 - the state it leaves
    """The download ended without the weights; the message says why."""


def is_installed() -> bool:
    """Whether openai-whisper can be imported (another package shares its name), without importing torch."""
    spec = find_spec("whisper")
    folders = (spec.submodule_search_locations if spec else None) or []
    return find_spec("torch") is not None and any((Path(folder) / "assets").is_dir() for folder in folders)


def is_path(model: str) -> bool:
    """Whether the setting names a file instead of a model."""
    return model not in MODELS and (os.sep in model or model.endswith(".pt"))


def find(settings: Settings) -> Path | None:
    """The checkpoint to load: the file that is named, our own copy, or one in whisper's usual cache."""
    model = settings.whisper_model
    named = [Path(model).expanduser()] if is_path(model) else [target(settings), _usual_cache() / _file(model)]
    return next((path for path in named if path.is_file()), None)


def target(settings: Settings) -> Path:
    """Where fetched weights are kept."""
    return settings.data_dir / "models" / "whisper" / _file(settings.whisper_model)


async def fetch(settings: Settings, progress: Progress) -> Path:
    """Download the weights of a named model once, whole or not at all; raises WeightsNotFetched."""
    path = target(settings)
    child = await processes.start("app.voice.engines.weights_child", settings.whisper_model, str(path))
    try:
        while report := json.loads(await frames.receive(child.replies, max_bytes=REPORT_BYTES)):
            if "error" in report:
                raise WeightsNotFetched(report["error"])
            progress(report["done"], report["total"])
    except asyncio.IncompleteReadError as error:
        raise WeightsNotFetched("the download stopped before its end") from error
    finally:
        await processes.stop(child)
    return path


def _file(model: str) -> str:
    return f"{FILES.get(model, model)}.pt"


def _usual_cache() -> Path:
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "whisper"
