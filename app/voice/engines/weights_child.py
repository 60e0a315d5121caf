"""The child that downloads whisper's weights: reports {done, total}, then {} for success or {error}.

Arguments: model name, path to write.
"""

from __future__ import annotations

import hashlib
import json
import os
import sys
from collections.abc import Callable
from pathlib import Path

import httpx

from app.boundary.confinement import frames, sandbox

CHUNK_BYTES = 1024 * 1024
PATIENCE_SECONDS = 60.0


def main() -> None:
    """Download and report."""
    sandbox.follow_parent()
    _, replies = frames.take_pipes()

    def say(**report: int | str) -> None:
        frames.write(replies, json.dumps(report).encode())

    try:
        url, sha256 = official(sys.argv[1])
        download(url, sha256, Path(sys.argv[2]), lambda done, total: say(done=done, total=total))
        say()
    except Exception as error:  # noqa: BLE001 - every reason is the answer
        say(error=f"{type(error).__name__}: {error}")


def official(model: str) -> tuple[str, str]:
    """Address and SHA-256 of a model, as openai-whisper publishes them (the hash is a part of the path)."""
    import whisper

    url: str = whisper._MODELS[model]  # noqa: SLF001 - the package offers no public way to ask
    return url, url.split("/")[-2]


def download(url: str, sha256: str, path: Path, progress: Callable[[int, int], None]) -> None:
    """Write the file whole and checked, or not at all."""
    path.parent.mkdir(parents=True, exist_ok=True)
    part = path.with_name(f"{path.name}.{os.getpid()}.part")
    try:
        if _receive(url, part, progress) != sha256:
            raise ValueError("what arrived is not what was published (its SHA-256 differs)")
        part.replace(path)
    finally:
        part.unlink(missing_ok=True)


def _receive(url: str, part: Path, progress: Callable[[int, int], None]) -> str:
    digest, done = hashlib.sha256(), 0
    with httpx.stream("GET", url, timeout=PATIENCE_SECONDS, follow_redirects=True) as response, part.open("wb") as file:
        response.raise_for_status()
        total = int(response.headers.get("Content-Length", 0))
        for chunk in response.iter_bytes(CHUNK_BYTES):
            file.write(chunk)
            digest.update(chunk)
            done += len(chunk)
            progress(done, total)
        file.flush()
        os.fsync(file.fileno())
    return digest.hexdigest()


if __name__ == "__main__":
    main()
