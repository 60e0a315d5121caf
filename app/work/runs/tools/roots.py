"""Files inside a few folders: every step of a path is opened from the folder before it, and no link is followed."""

from __future__ import annotations

import os
import stat
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple
from uuid import uuid4

FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
READ_FLAGS = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
NEW = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
MODE, FOLDER_MODE = 0o600, 0o700
MAX_PATH_DEPTH = 40
LONGEST_NAME = 255


class PathRefused(Exception):  # noqa: N818 - a refusal is an outcome
    """The path leads out of the folders, or to something that is not a plain file; the message says which."""


class Entry(NamedTuple):
    """One thing in a folder."""

    path: str
    folder: bool
    size: int


class RootPlace(NamedTuple):
    """A path inside a root, as its steps."""

    root: Path
    steps: tuple[str, ...]


@dataclass(frozen=True)
class Roots:
    """The folders that a run may see; a relative path is inside the first one."""

    folders: Sequence[Path]

    def place(self, path: str) -> RootPlace:
        """Where a path is; raises PathRefused for one outside. Nothing is looked up yet."""
        if not self.folders:
            raise PathRefused("there are no folders for files here")
        if "\0" in path:
            raise PathRefused("the path has a character that no path has")
        if not path.startswith("/"):
            return RootPlace(self.folders[0], _steps(path))
        for root in self.folders:
            with suppress(ValueError):
                return RootPlace(root, _steps(str(Path(path).relative_to(root))))
        raise PathRefused(f"{path} is outside your folders")

    def read(self, path: str, most: int) -> bytes:
        """The first ``most`` bytes of a plain file."""
        with self._file(self.place(path)) as file:
            return _all_of(file, most)

    def write(self, path: str, content: bytes) -> bool:
        """Put a file there in one step, in place of what there is; whether anything is different then."""
        place = self.place(path)
        with self._parent(place, make=True) as parent:
            name = _name(place)
            before = _content(parent, name, len(content) + 1)
            if before == content:
                return False
            _replace(parent, name, content)
        return True

    def move(self, source: str, target: str) -> None:
        """Move a plain file or a folder to a name that is free."""
        old, new = self.place(source), self.place(target)
        with self._parent(old) as here, self._parent(new, make=True) as there:
            _require_plain(here, _name(old))
            _require_free(there, _name(new), target)
            os.rename(_name(old), _name(new), src_dir_fd=here, dst_dir_fd=there)

    def copy(self, source: str, target: str, most: int) -> bool:
        """Copy a plain file; whether anything is different then."""
        with self._file(self.place(source)) as file:
            content = _all_of(file, most + 1)
        if len(content) > most:
            raise PathRefused(f"{source} is larger than {most} bytes")
        return self.write(target, content)

    def delete(self, path: str) -> None:
        """Delete a plain file or an empty folder."""
        place = self.place(path)
        with self._parent(place) as parent:
            if _require_plain(parent, _name(place)):
                os.rmdir(_name(place), dir_fd=parent)
            else:
                os.unlink(_name(place), dir_fd=parent)

    def entries(self, path: str, most: int, *, deep: bool) -> list[Entry]:
        """What is in a folder, in order of names; with ``deep`` in those inside it, too. Links are left out."""
        place = self.place(path or ".")
        found: list[Entry] = []
        if not place.steps and not place.root.exists():  # nothing was written there yet
            return found
        with self._folder(place) as folder:
            for entry in _walk(folder, "/".join(place.steps), MAX_PATH_DEPTH if deep else 0):
                if len(found) >= most:
                    break
                found.append(entry)
        return found

    @contextmanager
    def _file(self, place: RootPlace) -> Iterator[int]:
        with self._parent(place) as parent:
            file = _open_plain_file(parent, _name(place))
            try:
                yield file
            finally:
                os.close(file)

    @contextmanager
    def _parent(self, place: RootPlace, *, make: bool = False) -> Iterator[int]:
        _name(place)
        with self._folder(RootPlace(place.root, place.steps[:-1]), make=make) as folder:
            yield folder

    @contextmanager
    def _folder(self, place: RootPlace, *, make: bool = False) -> Iterator[int]:
        """The folder at the end of a path, opened step by step from its root."""
        if make:
            place.root.mkdir(mode=FOLDER_MODE, parents=True, exist_ok=True)
        folder = _opening(lambda: os.open(place.root, FOLDER), ".")
        try:
            for step in place.steps:
                below = _into(folder, step, make=make)
                os.close(folder)
                folder = below
            yield folder
        finally:
            os.close(folder)


def _steps(path: str) -> tuple[str, ...]:
    steps = tuple(step for step in path.split("/") if step not in ("", "."))
    if ".." in steps:
        raise PathRefused("a path with .. is not followed")
    if len(steps) > MAX_PATH_DEPTH or any(len(step.encode()) > LONGEST_NAME for step in steps):
        raise PathRefused("the path is too long")
    return steps


def _name(place: RootPlace) -> str:
    if not place.steps:
        raise PathRefused("that is the folder itself, not something in it")
    return place.steps[-1]


def _into(folder: int, step: str, *, make: bool) -> int:
    if make:
        with suppress(FileExistsError):
            os.mkdir(step, FOLDER_MODE, dir_fd=folder)
    return _opening(lambda: os.open(step, FOLDER, dir_fd=folder), step)


def _opening(attempt: Callable[[], int], name: str) -> int:
    try:
        return attempt()
    except FileNotFoundError:
        raise
    except OSError as error:
        raise PathRefused(f"{name} is a link, or no folder or file of yours") from error


def _open_plain_file(parent: int, name: str) -> int:
    """A plain file with one name: a hard link may be the name of a file outside."""
    file = _opening(lambda: os.open(name, READ_FLAGS, dir_fd=parent), name)
    known = os.fstat(file)
    if not stat.S_ISREG(known.st_mode) or known.st_nlink != 1:
        os.close(file)
        raise PathRefused(f"{name} is not a plain file, or has more than one name")
    return file


def _all_of(file: int, most: int) -> bytes:
    with os.fdopen(os.dup(file), "rb") as stream:
        return stream.read(most)


def _content(parent: int, name: str, most: int) -> bytes | None:
    try:
        file = _open_plain_file(parent, name)
    except FileNotFoundError:
        return None
    try:
        return _all_of(file, most)
    finally:
        os.close(file)


def _replace(parent: int, name: str, content: bytes) -> None:
    beside = f".{uuid4().hex}.part"
    file = os.open(beside, NEW, MODE, dir_fd=parent)
    try:
        with os.fdopen(file, "wb") as stream:
            stream.write(content)
            stream.flush()
            os.fsync(stream.fileno())
        os.rename(beside, name, src_dir_fd=parent, dst_dir_fd=parent)
    except BaseException:
        with suppress(OSError):
            os.unlink(beside, dir_fd=parent)
        raise


def _require_plain(parent: int, name: str) -> bool:
    """Whether it is a folder; raises PathRefused for what is neither that nor a plain file of one name."""
    known = os.stat(name, dir_fd=parent, follow_symlinks=False)
    if stat.S_ISDIR(known.st_mode):
        return True
    if not stat.S_ISREG(known.st_mode) or known.st_nlink != 1:
        raise PathRefused(f"{name} is a link, a device, or has more than one name")
    return False


def _require_free(parent: int, name: str, path: str) -> None:
    with suppress(FileNotFoundError):
        os.stat(name, dir_fd=parent, follow_symlinks=False)
        raise PathRefused(f"{path} is there already")


def _walk(folder: int, path: str, depth: int) -> Iterator[Entry]:
    with os.scandir(folder) as found:
        names = sorted(entry.name for entry in found)
    for name in names:
        known = os.stat(name, dir_fd=folder, follow_symlinks=False)
        inside = f"{path}/{name}" if path else name
        if stat.S_ISREG(known.st_mode) and known.st_nlink == 1:
            yield Entry(inside, folder=False, size=known.st_size)
        elif stat.S_ISDIR(known.st_mode):
            yield Entry(inside, folder=True, size=0)
            if depth:
                below = os.open(name, FOLDER, dir_fd=folder)
                try:
                    yield from _walk(below, inside, depth - 1)
                finally:
                    os.close(below)
