"""What set-up takes out of installed libraries is nothing that they need."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
import yaml._yaml

from scripts.slim import LOADS, on_disk, slim

LIBRARY = Path(yaml._yaml.__file__)
FOR_DEBUGGERS = b"debug" * 500_000

pytestmark = pytest.mark.skipif(not LIBRARY.read_bytes().startswith(b"\x7fELF"), reason="not a Linux")


def test_a_library_keeps_what_is_loaded_and_loses_the_rest(tmp_path: Path) -> None:
    library = tmp_path / "inner" / LIBRARY.name
    library.parent.mkdir()
    library.write_bytes(LIBRARY.read_bytes() + FOR_DEBUGGERS)
    before = on_disk(library)
    saved = slim(tmp_path, Path(sys.executable))
    assert saved >= len(FOR_DEBUGGERS) - 4096
    assert on_disk(library) == before - saved
    subprocess.run([sys.executable, "-c", LOADS, library], check=True)
    assert list(library.parent.iterdir()) == [library]
    assert slim(tmp_path, Path(sys.executable)) == 0


@pytest.mark.parametrize("spoiled", [b"\x7fELF\x02\x01", b"!<arch>\n"])
def test_what_does_not_load_afterwards_stays_as_it_was(tmp_path: Path, spoiled: bytes) -> None:
    content = spoiled + bytes(58) + FOR_DEBUGGERS
    library = tmp_path / "library.so"
    library.write_bytes(content)
    assert slim(tmp_path, Path(sys.executable)) == 0
    assert library.read_bytes() == content
    assert list(tmp_path.iterdir()) == [library]
