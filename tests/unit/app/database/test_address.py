"""Limits on a silent line to the database."""

from __future__ import annotations

import pytest
from psycopg.conninfo import conninfo_to_dict

from app.database.address import LIMITS, within_limits

LIMITED = {name: str(value) for name, value in LIMITS.items()}


@pytest.mark.parametrize(
    ("url", "own"),
    [
        ("postgresql://me:pa%20ss@db.example:5433/summit", {}),
        (
            "postgresql://db.example/summit?connect_timeout=3&sslmode=require",
            {"connect_timeout": "3", "sslmode": "require"},
        ),
        ("host=db.example dbname=summit keepalives_idle=60", {"keepalives_idle": "60"}),
    ],
)
def test_an_address_keeps_its_own_limits_and_gets_the_others(url: str, own: dict[str, str]) -> None:
    assert conninfo_to_dict(within_limits(url)) == {**conninfo_to_dict(url), **LIMITED, **own}
