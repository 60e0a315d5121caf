"""``summit migrate``: bring the database to this version and end, as a step of its own before servers start."""

from __future__ import annotations

import argparse
import asyncio

from app.cli.output import note, say
from app.database.build import open_database
from app.settings import Settings, load_settings


def migrate(_options: argparse.Namespace) -> int:
    """Bring the database up; exit status 1, with what to do, when that does not work."""
    asyncio.run(_bring_up(load_settings()))
    say("The database is at this version.")
    return 0


async def _bring_up(settings: Settings) -> None:
    async with open_database(settings, note):
        pass
