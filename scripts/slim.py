"""Take what no loader reads, such as information for debuggers, out of the libraries of an environment.

Some wheels carry tens of megabytes of it. A loader goes by the segments of a file alone (System V ABI, chapter 5), so
these are kept at their places; a library that does not load afterwards stays as it was.
"""

from __future__ import annotations

import struct
import subprocess
import sys
from pathlib import Path

WORTH_BYTES = 1_000_000
ELF64 = b"\x7fELF\x02\x01"
SECTIONS = slice(40, 48)
COUNT_AND_NAMES = slice(60, 64)
LOADS = "import ctypes, sys; ctypes.CDLL(sys.argv[1])"
Part = tuple[int, int]


def slim(folder: Path, python: Path) -> int:
    """Make the libraries below a folder smaller, for the Python that loads them; the bytes that this saves on disk."""
    return sum(slimmed(path, python) for path in folder.rglob("*.so*") if path.is_file() and not path.is_symlink())


def slimmed(path: Path, python: Path) -> int:
    """Make one library smaller where that is worth it; the bytes saved."""
    content = path.read_bytes()
    kept = segments(content)
    if not kept or len(content) - sum(end - start for start, end in kept) < WORTH_BYTES:
        return 0
    before, other = on_disk(path), path.with_name(f"slim-{path.name}")
    write(other, content, kept)
    other.chmod(path.stat().st_mode)
    tried = subprocess.run([python, "-c", LOADS, other], capture_output=True, check=False)
    if tried.returncode or before - on_disk(other) < WORTH_BYTES:
        other.unlink()
        return 0
    saved = before - on_disk(other)
    other.replace(path)
    return saved


def segments(content: bytes) -> list[Part]:
    """The parts of a 64-bit ELF file that a loader reads, in order and apart; none of any other file."""
    if not content.startswith(ELF64):
        return []
    at = struct.unpack_from("<Q", content, 32)[0]
    size, count = struct.unpack_from("<HH", content, 54)
    parts = [(0, 64), (at, at + size * count)]
    for number in range(count):
        start, length = struct.unpack_from("<8xQ16xQ", content, at + size * number)
        parts.append((start, start + length))
    return joined(sorted(parts))


def joined(parts: list[Part]) -> list[Part]:
    """Those that touch, as one."""
    found: list[Part] = []
    for start, end in parts:
        if found and start <= found[-1][1]:
            found[-1] = (found[-1][0], max(end, found[-1][1]))
        else:
            found.append((start, end))
    return found


def write(path: Path, content: bytes, kept: list[Part]) -> None:
    """The parts at their places; what is between them takes no room on the disk."""
    header = bytearray(content[:64])
    header[SECTIONS], header[COUNT_AND_NAMES] = bytes(8), bytes(4)
    with path.open("wb") as file:
        for start, end in kept:
            file.seek(start)
            file.write(content[start:end])
        file.seek(0)
        file.write(header)


def on_disk(path: Path) -> int:
    """The room that a file takes."""
    return path.stat().st_blocks * 512


if __name__ == "__main__":
    print(f"{slim(Path(sys.prefix) / 'lib', Path(sys.executable)) / 1e6:.0f} MB saved")
