"""Every file and room that the map of the house names exists, and every file and room is on the map."""

from __future__ import annotations

import re
from pathlib import Path

from tests.support.pages import ROOT

PACKAGES = ("agents", "graph", "app")
ROOM = re.compile(r"^###? (?:(agents|graph|app)(?:/([\w/]+))?)[:\s]", re.MULTILINE)
NAMED = re.compile(r"`([\w/]+(?:\.py|/))`")


def rooms() -> list[tuple[Path, str]]:
    """Each part of the map with the folder that it is about; a part without one is about app."""
    text = (ROOT / "docs/architecture/map.md").read_text()
    parts = re.split(r"^(?=###? )", text, flags=re.MULTILINE)
    found, package = [], ROOT
    for part in parts[1:]:
        heading = ROOM.match(part)
        if heading:
            package = ROOT / heading[1] / (heading[2] or "")
        elif part.startswith("### The other wires"):
            package = ROOT / "app"
        elif part.startswith("## Around"):
            package = ROOT
        found.append((package, part))
    return found


def test_the_map_names_only_files_that_exist() -> None:
    missing = [
        f"{room.relative_to(ROOT)}/{name}"
        for room, part in rooms()
        for name in NAMED.findall(part)
        if not ((room / name).exists() or (ROOT / name).exists())
    ]
    assert missing == []


def test_every_room_is_on_the_map() -> None:
    text = (ROOT / "docs/architecture/map.md").read_text()
    folders = [
        path.relative_to(ROOT)
        for package in PACKAGES
        for path in (ROOT / package).iterdir()
        if path.is_dir() and path.name != "__pycache__"
    ]
    assert [str(path) for path in folders if f"{path}:" not in text and f"`{path.name}/" not in text] == []


def test_every_file_is_on_the_map() -> None:
    parts = rooms()
    named = {room / name for room, part in parts for name in NAMED.findall(part)}
    # A room with a part of its own has its files there; any other one stands for all that lies in it.
    whole = named - {room for room, _ in parts}
    missing = [
        str(path.relative_to(ROOT))
        for package in PACKAGES
        for path in sorted((ROOT / package).rglob("*.py"))
        if path.name != "__init__.py" and path not in named and whole.isdisjoint(path.parents)
    ]
    assert missing == []
