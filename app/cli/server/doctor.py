"""``summit doctor``: what Summit needs here, what it found, and how to mend the rest."""

from __future__ import annotations

import argparse
import asyncio
import os
import platform
import sys

from app.cli.output import say
from app.cli.server.env_typos import find_typos
from app.cli.startup_errors import startup_error_message
from app.database.build import open_database, readiness, space
from app.database.model import ReadyCheck
from app.database.secrets import KeyRing
from app.models.store.providers import Providers
from app.settings import Settings, load_settings
from app.voice.engines.chosen_server import ChosenServers
from app.voice.speech.service import SpeechService

OLDEST_PYTHON = (3, 11)


def examine(_options: argparse.Namespace) -> int:
    """Print one line per check; exit status 1 when something keeps Summit from working."""
    settings = load_settings()
    checks = [*_machine(), *asyncio.run(_services(settings))]
    for check in checks:
        say(f"{'ok  ' if check.ok else 'FAIL'}  {check.name}: {check.detail}")
    return 0 if all(check.ok for check in checks) else 1


def _machine() -> list[ReadyCheck]:
    version = platform.python_version()
    wrong = find_typos(os.environ)
    return [
        ReadyCheck("settings", ok=not wrong, detail=" ".join(wrong) or "every SUMMIT_ variable is one"),
        ReadyCheck("python", ok=sys.version_info >= OLDEST_PYTHON, detail=version),
    ]


async def _services(settings: Settings) -> list[ReadyCheck]:
    try:
        async with open_database(settings, lambda _words: None) as database:
            providers = Providers(database, KeyRing(settings.master_key_path))
            speech = SpeechService(settings, ChosenServers(providers).active)
            try:
                return await readiness(settings, database, speech)
            finally:
                await speech.close()
    except Exception as error:  # noqa: BLE001 - the doctor reports whatever is wrong
        return [ReadyCheck("database", ok=False, detail=startup_error_message(error)), space(settings)]
