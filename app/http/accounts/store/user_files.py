"""A user's files on this machine: recordings, files of runs, archives. What has to happen to them can be done twice."""

from __future__ import annotations

import os
from collections.abc import Collection, Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from uuid import UUID

from app.http.accounts.store.archives import AUDIO, FILES, PRIVATE

UNKNOWN_SECONDS = 3600.0
"""After so long a recording that no memo was ever made of belongs to nobody: no clip takes so long to come in."""


@dataclass(frozen=True)
class Folders:
    """Where archives, recordings and files of runs lie; in each a folder for each user."""

    exports: Path
    clips: Path
    files: Path

    def count_files(self, user_id: UUID) -> tuple[int, int]:
        """How many recordings and files of runs a user has."""
        clips, files = recordings_in(self.clips / str(user_id)), plain_files(self.files / str(user_id))
        return sum(1 for _ in clips), sum(1 for _ in files)

    def take_in(self, user_id: UUID, laid_out: Path) -> None:
        """Put what an archive held into its place, durably."""
        _move(laid_out / AUDIO, self.clips / str(user_id))
        _move(laid_out / FILES, self.files / str(user_id))

    def erase(self, user_id: UUID, memos: Collection[str], began: float) -> None:
        """Remove the recordings of those memos, and what else was there when the erasure began.

        What came since is of a life after it: a clip of which the memo is about to be made, a file of a new run.
        """
        for path in _everything(self.clips / str(user_id)):
            changed, memo = path.lstat().st_ctime, path.name.lstrip(".").partition(".")[0]
            if memo in memos or changed < began - UNKNOWN_SECONDS:
                path.unlink(missing_ok=True)
        for folder in (self.files, self.exports):
            for path in _everything(folder / str(user_id)):
                if path.lstat().st_ctime < began:
                    path.unlink(missing_ok=True)
        for folder in (self.clips, self.files, self.exports):
            _drop_empty(folder / str(user_id))


def plain_files(folder: Path) -> Iterator[Path]:
    """Plain files below a folder, without links and those that are still being written."""
    for path in sorted(folder.rglob("*")) if folder.is_dir() else []:
        if path.is_file() and not path.is_symlink() and not path.name.endswith(".part"):
            yield path


def recordings_in(folder: Path) -> Iterator[Path]:
    """The recordings that are whole: the names of others begin with a dot."""
    return (path for path in plain_files(folder) if not path.name.startswith("."))


def _everything(folder: Path) -> list[Path]:
    """All that is no folder, links as themselves."""
    return [Path(place) / name for place, names, files in os.walk(folder) for name in (*files, *_links(place, names))]


def _links(place: str, names: Collection[str]) -> list[str]:
    return [name for name in names if (Path(place) / name).is_symlink()]


def _drop_empty(folder: Path) -> None:
    for place, _, _ in os.walk(folder, topdown=False):
        with suppress(OSError):  # something is in it
            Path(place).rmdir()


def _move(source: Path, target: Path) -> None:
    for path in plain_files(source):
        final = target / path.relative_to(source)
        final.parent.mkdir(parents=True, exist_ok=True, mode=PRIVATE)
        with suppress(FileNotFoundError):  # whoever does the same was faster
            path.replace(final)
    for place, _, _ in os.walk(target):
        _flush(Path(place))


def _flush(folder: Path) -> None:
    """A rename lasts only when the folder is on the disk as well."""
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
