"""Where the database is, and how long a line to it that is cut may stay unnoticed."""

from __future__ import annotations

from psycopg.conninfo import conninfo_to_dict, make_conninfo

LIMITS = {
    "connect_timeout": 10,
    "tcp_user_timeout": 10_000,
    "keepalives_idle": 10,
    "keepalives_interval": 5,
    "keepalives_count": 3,
}
"""Seconds, and milliseconds that sent data may stay unacknowledged, as libpq names them."""


def within_limits(url: str) -> str:
    """The address with these limits, each unless it sets its own: a quarter of an hour is the system's default.

    They count for lines over TCP; a Unix socket has no far end that could go away in silence.
    """
    given = conninfo_to_dict(url)
    return make_conninfo(url, **{name: value for name, value in LIMITS.items() if name not in given})
