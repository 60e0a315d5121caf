"""Files inside the roots, and thirty ways out that are closed."""

from __future__ import annotations

import os
import socket
from collections.abc import Callable
from pathlib import Path

import pytest

from app.work.runs.tools.roots import PathRefused, Roots

SECRET = b"not yours"


@pytest.fixture
def inside(tmp_path: Path) -> Path:
    """A root with every kind of trap in it, beside a file that is not of it."""
    root, outside = tmp_path / "root", tmp_path / "outside"
    (root / "folder").mkdir(parents=True)
    outside.mkdir()
    (outside / "secret").write_bytes(SECRET)
    (root / "plain").write_bytes(b"mine")
    (root / "link").symlink_to(outside / "secret")
    (root / "up").symlink_to("..")
    (root / "linked").symlink_to(outside)
    (root / "folder" / "link").symlink_to("../../outside/secret")
    (root / "self").symlink_to(root)
    (root / "dangling").symlink_to(outside / "new")
    os.link(outside / "secret", root / "hard")
    os.mkfifo(root / "pipe")
    with socket.socket(socket.AF_UNIX) as made:
        made.bind(str(root / "socket"))
    return root


READS = [
    "../outside/secret",
    "folder/../../outside/secret",
    "..",
    "folder/..",
    "./../outside/secret",
    "/etc/passwd",
    "//etc/passwd",
    "{root}/../outside/secret",
    "{root}x/secret",
    "link",
    "folder/link",
    "up/outside/secret",
    "linked/secret",
    "self/link",
    "self/plain",
    "hard",
    "pipe",
    "socket",
    "/dev/zero",
    "/proc/self/environ",
    "plain\0",
    "a/" * 60 + "b",
    "n" * 300,
]


@pytest.mark.parametrize("path", READS)
def test_nothing_outside_is_read(inside: Path, path: str) -> None:
    with pytest.raises(PathRefused):
        Roots([inside]).read(path.format(root=inside), 100)


ESCAPES: dict[str, Callable[[Roots], object]] = {
    "write through a link": lambda roots: roots.write("link", b"x"),
    "write through a dangling link": lambda roots: roots.write("dangling", b"x"),
    "write into a linked folder": lambda roots: roots.write("linked/new", b"x"),
    "write over a hard link": lambda roots: roots.write("hard", b"x"),
    "write to a pipe": lambda roots: roots.write("pipe", b"x"),
    "write above": lambda roots: roots.write("../outside/new", b"x"),
    "move a link": lambda roots: roots.move("link", "mine"),
    "move a hard link": lambda roots: roots.move("hard", "mine"),
    "move into a linked folder": lambda roots: roots.move("plain", "linked/new"),
    "move over a file": lambda roots: roots.move("plain", "hard"),
    "copy from a link": lambda roots: roots.copy("link", "mine", 100),
    "copy from a hard link": lambda roots: roots.copy("hard", "mine", 100),
    "copy into a linked folder": lambda roots: roots.copy("plain", "linked/new", 100),
    "delete a link": lambda roots: roots.delete("link"),
    "delete a hard link": lambda roots: roots.delete("hard"),
    "delete through a linked folder": lambda roots: roots.delete("linked/secret"),
    "delete the root": lambda roots: roots.delete("."),
    "list a linked folder": lambda roots: roots.entries("linked", 9, deep=True),
    "list above": lambda roots: roots.entries("..", 9, deep=True),
}


@pytest.mark.parametrize("attempt", ESCAPES.values(), ids=ESCAPES)
def test_nothing_outside_is_changed(inside: Path, attempt: Callable[[Roots], object]) -> None:
    with pytest.raises(PathRefused):
        attempt(Roots([inside]))
    outside = inside.parent / "outside"
    assert {path.name: path.read_bytes() for path in outside.iterdir()} == {"secret": SECRET}
    assert (inside / "plain").read_bytes() == b"mine"


def test_lists_name_no_link_and_nothing_behind_one(inside: Path) -> None:
    found = {entry.path for entry in Roots([inside]).entries("", 99, deep=True)}
    assert found == {"folder", "plain"}


def test_what_is_inside_works(tmp_path: Path) -> None:
    roots = Roots([tmp_path / "new", tmp_path])
    assert roots.write("letters/rent.txt", b"1") is True
    assert roots.write("letters/rent.txt", b"1") is False
    assert roots.copy("letters/rent.txt", "copy", 10) is True
    roots.move("copy", "letters/moved")
    assert [entry.path for entry in roots.entries("", 9, deep=True)] == ["letters", "letters/moved", "letters/rent.txt"]
    assert roots.read(f"{tmp_path}/new/letters/moved", 10) == b"1"
    roots.delete("letters/moved")
    roots.delete("letters/rent.txt")
    roots.delete("letters")
    assert roots.entries("", 9, deep=True) == []
    with pytest.raises(FileNotFoundError):
        roots.read("letters/rent.txt", 1)


def test_without_folders_there_are_no_files() -> None:
    with pytest.raises(PathRefused):
        Roots([]).read("x", 1)
