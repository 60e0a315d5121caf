"""Where databases go on that were made before version 0.1.0, by 64 files that ten have taken the place of.

What the ten make is what the 64 made, so a database that has all of the 64 only gets a mark for each of the ten.
"""

from __future__ import annotations

from collections.abc import Collection
from pathlib import Path

FILES = Path(__file__).parent / "migrations"
REPLACED = FILES / "replaced.txt"
LAST_OF_BASELINE = "10_administration.sql"
LAST_COMMIT_WITH_THEM = "f99f0213"


class MigrationError(RuntimeError):
    """The database cannot be brought to this version; the message says what to do."""


def replaced_files() -> frozenset[str]:
    """Names of the files that the ten have taken the place of."""
    return frozenset(REPLACED.read_text("utf-8").split())


def stands_at_baseline(applied: Collection[str]) -> bool:
    """Whether a database was made by the replaced files; raises MigrationError where some of them are missing."""
    replaced = replaced_files()
    found = replaced.intersection(applied)
    if found and found != replaced:
        raise MigrationError(
            f"This database was made before Summit 0.1.0 and lacks {min(replaced - found)}, which this version cannot "
            f"apply. Start the server of commit {LAST_COMMIT_WITH_THEM} on it once, then this one."
        )
    return bool(found)
