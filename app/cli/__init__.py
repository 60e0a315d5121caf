"""The command line: ``summit serve`` and what surrounds it."""

from app.cli.main import main

__all__ = ["main"]
