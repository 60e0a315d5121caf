"""Logs for operators: one line each, with ids and never with contents."""

from __future__ import annotations

import logging
from types import TracebackType

from app.errors import stack_of

FORMAT = "%(asctime)s %(levelname)s %(name)s: %(message)s"
NOISY = ("httpx", "httpcore", "procrastinate", "asyncio", "psycopg.pool", "uvicorn.error")


class WithoutContents(logging.Formatter):
    """Tells of an error where it came from, and not its message, which may quote what a user wrote."""

    def formatException(  # noqa: N802 - the standard library's name
        self,
        ei: tuple[type[BaseException], BaseException, TracebackType | None] | tuple[None, None, None],
    ) -> str:
        """The stack of the error, its causes first."""
        return stack_of(ei[1]).rstrip() if ei[1] else ""


def configure_logs(level: str) -> None:
    """Log to standard error from ``level`` on; libraries speak from warnings on."""
    handler = logging.StreamHandler()
    handler.setFormatter(WithoutContents(FORMAT))
    logging.basicConfig(level=level.upper(), handlers=[handler])
    for name in NOISY:
        logging.getLogger(name).setLevel(logging.WARNING)
