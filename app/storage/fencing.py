"""Turns the database's refusal of a stale lease into the exception that turns know."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import psycopg

from app.principal import StaleLease

STALE_LEASE = "SM001"


@contextmanager
def stale_lease_refused() -> Iterator[None]:
    """Raise StaleLease instead of the driver's error."""
    try:
        yield
    except psycopg.Error as error:
        if error.sqlstate == STALE_LEASE:
            raise StaleLease from error
        raise
