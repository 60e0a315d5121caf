"""A database folder as a server leaves it after its first start, made once and copied."""

from __future__ import annotations

import asyncio
import atexit
import shutil
import subprocess
import tempfile
from functools import cache
from pathlib import Path

from app.database.embedded import EmbeddedServer
from app.database.migrate import migrate
from tests.support.memory import MEMORY

DATABASE_FOLDER = "postgres"
CLUSTER = "cluster"


def furnish(data_dir: Path) -> None:
    """Put an empty migrated database into a data folder that has none."""
    folder = data_dir / DATABASE_FOLDER
    if not folder.exists():
        folder.mkdir(mode=0o700, parents=True)
        subprocess.run(["cp", "-a", _template(), folder / CLUSTER], check=True)  # keeps the account that owns it


@cache
def _template() -> Path:
    folder = Path(tempfile.mkdtemp(prefix="summit-test-", dir=MEMORY))
    atexit.register(shutil.rmtree, folder)
    server = EmbeddedServer.start(folder, lambda _: None, durable=False)
    asyncio.run(migrate(server.url, lambda _: None))
    server.stop()
    return folder / CLUSTER
