"""A whole server into a file and back, with the programs as people start them."""

from __future__ import annotations

import os
import subprocess
import tarfile
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Self

import httpx
import pytest

from app.database.backup import BackupError, check_backup
from app.database.migration_steps import known_names
from app.settings import Settings
from tests.support.errands import errands
from tests.support.servers import forked
from tests.support.servers.plain import plain_client
from tests.support.servers.running import RunningServer, running
from tests.support.waiting import wait_until

ROOT = Path(__file__).parents[4]
CLIP = ROOT / "tests" / "data" / "jfk.flac"
KNOWN = known_names()
ALL = errands(700)
ADMIN = "the administrator's key of the backup's tests"


def summit(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run a command on a data folder."""
    environment = {
        "PATH": os.environ["PATH"],
        "HOME": str(folder.parent),
        "SUMMIT_DATA_DIR": str(folder),
        "SUMMIT_WEIGHTS_DIR": str(Settings().weights_dir),
    }
    return forked.summit(*arguments, environment=environment)


def lived_in(server: RunningServer) -> dict[str, Any]:
    """A user with a key, tasks, a recording and the key of a provider."""
    bearer = {"Authorization": f"Bearer {ADMIN}"}
    user = httpx.post(f"{server.url}/v1/users", json={"name": "Ada"}, headers=bearer).json()
    with plain_client(server.url, {"Authorization": f"Bearer {user['api_key']}"}) as api:
        api.post("/v1/turns", json={"text": "call mom tomorrow at 5"}).raise_for_status()
        memo = api.post("/v1/memos", files={"audio": CLIP.read_bytes()}).json()
        api.post("/v1/providers", json={"slug": "openai", "api_key": "sk-backup-0001"}).raise_for_status()
        return {**user, "memo": memo["id"]}


class Talking:
    """Somebody who goes on talking until told to stop; ``acknowledged`` counts what was accepted."""

    def __init__(self, url: str, key: str) -> None:
        self._client = plain_client(url, {"Authorization": f"Bearer {key}"})
        self._stop = threading.Event()
        self.acknowledged = 0
        self._thread = threading.Thread(target=self._talk)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._stop.set()
        self._thread.join()
        self._client.close()

    def _talk(self) -> None:
        while not self._stop.is_set():
            self._client.post("/v1/turns", json={"text": f"add a task: {ALL[self.acknowledged]}"}).raise_for_status()
            self.acknowledged += 1


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, Any]]:
    """A backup that was made while its server worked."""
    place = tmp_path_factory.mktemp("backup")
    with running(place / "data", SUMMIT_ADMIN_KEY=ADMIN) as server:
        user = lived_in(server)
        with Talking(server.url, user["api_key"]) as talking:
            wait_until(lambda: talking.acknowledged >= 3)
            before = talking.acknowledged
            done = summit(place / "data", "backup", str(place / "all.summit"))
            assert talking.acknowledged > before
        assert done.returncode == 0, done.stderr
        assert summit(place / "data", "backup", str(place / "all.summit")).returncode == 1
        yield {**user, "file": place / "all.summit", "before": before}


def test_everything_is_there_again(made: dict[str, Any], tmp_path: Path) -> None:
    assert made["file"].stat().st_mode & 0o777 == 0o600
    folder = tmp_path / "data"
    done = summit(folder, "restore", str(made["file"]))
    assert done.returncode == 0, done.stderr
    assert "1 recordings" in done.stdout
    with (
        running(folder, SUMMIT_ADMIN_KEY=ADMIN) as server,
        plain_client(server.url, {"Authorization": f"Bearer {made['api_key']}"}) as api,
    ):
        tasks = [one["task"] for one in api.get("/v1/todos", params={"limit": 200}).json()["items"]]
        assert {"call mom", *ALL[: made["before"]]} <= set(tasks)
        assert len(set(tasks)) == len(tasks)
        assert api.get(f"/v1/memos/{made['memo']}/audio").content == CLIP.read_bytes()
        assert api.get("/readyz").status_code == 200, "row-level security binds it"
        assert "0001" in api.get("/v1/providers").text
        assert (folder / "master.key").read_bytes() == (made["file"].parent / "data" / "master.key").read_bytes()
        undone = api.post("/v1/turns", json={"text": "undo that"}).json()
        assert undone["changes"][0]["status"] == "applied"
        later = api.post("/v1/turns", json={"text": "call dad tomorrow at 6"}).json()
        assert later["changes"][0]["status"] == "applied"
    again = summit(folder, "restore", str(made["file"]))
    assert (again.returncode, "is not empty" in again.stderr) == (1, True)


def damaged(file: Path, into: Path, at: float) -> Path:
    content = bytearray(file.read_bytes())
    content[int(len(content) * at)] ^= 0xFF
    into.write_bytes(content)
    return into


def strange(into: Path) -> Path:
    with tarfile.open(into, "w") as archive:
        info = tarfile.TarInfo("../../evil")
        archive.addfile(info)
    return into


def test_what_is_no_whole_backup_is_refused_and_nothing_is_written(made: dict[str, Any], tmp_path: Path) -> None:
    cut = tmp_path / "cut"
    cut.write_bytes(made["file"].read_bytes()[:-20_000])
    flipped = damaged(made["file"], tmp_path / "flipped", 0.5)
    for file in (flipped, cut, strange(tmp_path / "strange"), CLIP, tmp_path / "no"):
        with pytest.raises(BackupError):
            check_backup(file, KNOWN)
    with pytest.raises(BackupError, match="newer"):
        check_backup(made["file"], KNOWN - {"langgraph/store"})
    done = summit(tmp_path / "data", "restore", str(flipped))
    assert (done.returncode, "Traceback" in done.stderr) == (1, False)
    assert not (tmp_path / "data").exists()
    assert sorted(path.name for path in tmp_path.iterdir() if path.name.startswith(".")) == []
