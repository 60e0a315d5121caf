"""Everything of one user, out, in and gone."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any
from uuid import UUID


class NotImportable(Exception):  # noqa: N818 - a refusal is an outcome
    """The archive cannot be taken in; the message says why, for people."""


@dataclass(frozen=True)
class Checks:
    """What an archive says of a user, looked at before it is taken in; each raises NotImportable.

    What could not be read again would fail every request to come.
    """

    settings: Callable[[Mapping[str, Any]], None]
    workflow: Callable[[Any], None]


@dataclass(frozen=True)
class Exported:
    """An archive on this machine: a tar of JSON lines by table, recordings and files of runs."""

    id: UUID
    path: Path
    size_bytes: int
    rows: Mapping[str, int]
    recordings: int
    files: int
    made_at: datetime
    expires_at: datetime


@dataclass(frozen=True)
class Counted:
    """How many rows of each table, recordings and files were taken in or removed."""

    rows: Mapping[str, int]
    recordings: int
    files: int


@dataclass(frozen=True)
class Receipt:
    """What was erased, what is left by a second look, and what is kept on purpose, with the reasons."""

    erased: Counted
    left: int
    kept: Mapping[str, str]
    at: datetime
