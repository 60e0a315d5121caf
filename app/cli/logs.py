"""Logs for operators: one line each, with ids and never with contents."""

from __future__ import annotations

import logging

FORMAT = "%(asctime)s %(levelname)s %(name)s: %(message)s"
NOISY = ("httpx", "httpcore", "procrastinate", "asyncio", "psycopg.pool", "uvicorn.error")


def configure_logs(level: str) -> None:
    """Log to standard error from ``level`` on; libraries speak from warnings on."""
    logging.basicConfig(level=level.upper(), format=FORMAT)
    for name in NOISY:
        logging.getLogger(name).setLevel(logging.WARNING)
