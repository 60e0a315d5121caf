"""What went wrong at start, in one line that names what to set; secrets in addresses are never repeated."""

from __future__ import annotations

import psycopg
from psycopg_pool import PoolTimeout
from pydantic import ValidationError
from pydantic_settings import SettingsError

from app.database.baseline import MigrationError


class OtherDatabase(RuntimeError):  # noqa: N818 - it names what is wrong
    """A command would work on another database than the servers that run here."""


EXPECTED = (OtherDatabase, MigrationError, ValidationError, SettingsError, psycopg.Error, PoolTimeout, OSError)
NO_DATABASE = (
    "the database at DATABASE_URL does not answer ({kind}). It should be postgresql://user:password@host:5432/name "
    "and be running; unset it to use the embedded one."
)


def startup_error_message(error: Exception) -> str:
    """The sentence for an error that ended a command."""
    if isinstance(error, ValidationError):
        return "; ".join(
            f"SUMMIT_{_name(item['loc'])}: {item['msg'].removeprefix('Value error, ')}"
            for item in error.errors(include_url=False)
        )
    if isinstance(error, SettingsError):
        return f"{error}: lists are written as JSON, such as SUMMIT_ALLOWED_HOSTS='[\"summit.example\"]'"
    if isinstance(error, psycopg.Error | PoolTimeout):
        return NO_DATABASE.format(kind=type(error).__name__)
    return f"{error}" or type(error).__name__


def _name(place: tuple[int | str, ...]) -> str:
    return str(place[0]).removeprefix("SUMMIT_").upper() if place else "?"
