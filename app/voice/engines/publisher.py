"""Better speech models from their publisher, over its public API, each file checked against what it published."""

from __future__ import annotations

import hashlib
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import httpx

from app.voice.engines.models import REQUIRED_FILES
from app.voice.engines.weights import WeightsNotFetched
from app.voice.engines.weights_child import PATIENCE_SECONDS, download

PUBLISHER = "https://huggingface.co"
REPOSITORIES = {"large-v3-turbo": "mobiuslabsgmbh/faster-whisper-large-v3-turbo"}
"""Models that somebody else publishes than the others."""

WANTED_FILES = {*REQUIRED_FILES, "vocabulary.txt", "vocabulary.json", "preprocessor_config.json"}

Progress = Callable[[str, int, int], None]
"""Called with a file's name, the bytes that are here and the bytes in all (0: unknown)."""


def fetch_model(model: str, folder: Path, progress: Progress, publisher: str = PUBLISHER) -> None:
    """Download a model whole or not at all; raises WeightsNotFetched."""
    repository = REPOSITORIES.get(model, f"Systran/faster-whisper-{model}")
    part = folder.with_name(f".{folder.name}.part")
    try:
        published = _fetch_model_info(f"{publisher}/api/models/{repository}?blobs=true")
        for file in published["siblings"]:
            if file["rfilename"] in WANTED_FILES:
                _fetch(f"{publisher}/{repository}/resolve/{published['sha']}", file, part, progress)
        shutil.rmtree(folder, ignore_errors=True)
        part.rename(folder)
    except (httpx.HTTPError, OSError, ValueError, KeyError, TypeError) as error:
        raise WeightsNotFetched(
            f"`{model}` cannot be had from {publisher} ({type(error).__name__}: {error})"
        ) from error
    finally:
        shutil.rmtree(part, ignore_errors=True)


def _fetch_model_info(address: str) -> dict[str, Any]:
    answer = httpx.get(address, timeout=PATIENCE_SECONDS, follow_redirects=True).raise_for_status()
    found: dict[str, Any] = answer.json()
    return found


def _fetch(base: str, file: dict[str, Any], part: Path, progress: Progress) -> None:
    name, large = file["rfilename"], file.get("lfs")
    if large:
        download(f"{base}/{name}", large["sha256"], part / name, lambda done, total: progress(name, done, total))
        return
    content = httpx.get(f"{base}/{name}", timeout=PATIENCE_SECONDS, follow_redirects=True).raise_for_status().content
    if _git_name(content) != file["blobId"]:
        raise ValueError(f"{name} is not what was published")
    part.mkdir(parents=True, exist_ok=True)
    (part / name).write_bytes(content)


def _git_name(content: bytes) -> str:
    """How git names this content: small files are published under it."""
    return hashlib.sha1(b"blob %d\0%s" % (len(content), content), usedforsecurity=False).hexdigest()
