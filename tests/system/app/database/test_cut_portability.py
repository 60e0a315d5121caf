"""kill -9 in the midst of an import or an erasure: rows and files are all there or all gone once somebody came by."""

from __future__ import annotations

import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any
from uuid import UUID, uuid5

import httpx
import psycopg
import pytest

from tests.support.archives import MANIFEST, manifest, packed, table
from tests.support.servers.plain import plain_client
from tests.support.servers.running import RunningServer
from tests.support.waiting import wait_until

ADMIN = "the administrator's key of cut archives"
MANY = 300
SOUND = b"RIFF" + b"\0" * 2000
MEMOS = [str(uuid5(UUID(int=3), str(number))) for number in range(MANY)]
ROW = {
    "user_id": MANIFEST["user_id"],
    "transcript": "the spare key is with Marta",
    "captured_at": "2026-11-20T09:30:00+00:00",
    "timezone": "Europe/Lisbon",
    "state": "indexed",
    "container": "wav",
    "size": len(SOUND),
    "sha256": "\\x00",
}
ARCHIVE = packed([manifest(), table("memos", *({**ROW, "id": one} for one in MEMOS)),
                  *((f"audio/{one}", SOUND) for one in MEMOS)])  # fmt: skip
Condition = Callable[["Account"], object]


class Account:
    """A user of a server that is killed and started again; ``files`` and ``rows`` are seen from beside."""

    def __init__(self, folder: Path, database_url: str) -> None:
        self.folder, self._database = folder, database_url
        self.server = self._start()
        bearer = {"Authorization": f"Bearer {ADMIN}"}
        made = httpx.post(f"{self.server.url}/v1/users", json={"name": "Ada"}, headers=bearer).json()
        self.id, self._key = made["id"], made["api_key"]

    def _start(self) -> RunningServer:
        return RunningServer(
            self.folder, DATABASE_URL=self._database, SUMMIT_ADMIN_KEY=ADMIN, SUMMIT_TRANSCRIBER="none"
        )

    def ask(self, method: str, path: str, **request: Any) -> httpx.Response:
        with plain_client(self.server.url, {"Authorization": f"Bearer {self._key}"}) as client:
            return client.request(method, path, **request)

    def take_in(self) -> httpx.Response:
        return self.ask("PUT", "/v1/import", content=ARCHIVE)

    def erase(self) -> httpx.Response:
        return self.ask("POST", "/v1/erase", json={"confirm": "erase everything"})

    def cut(self, act: Callable[[], httpx.Response], when: Condition) -> list[int]:
        """Begin something, kill the server at that moment, and start it again; the status if it was answered."""
        answers: list[int] = []

        def asked() -> None:
            try:
                answers.append(act().status_code)
            except httpx.TransportError:
                return

        asking = threading.Thread(target=asked)
        asking.start()
        wait_until(lambda: when(self) or answers)
        self.server.kill()
        asking.join()
        self.server = self._start()
        return answers

    def files(self) -> list[str]:
        folder = self.folder / "clips" / self.id
        return sorted(path.name for path in folder.iterdir()) if folder.is_dir() else []

    def rows(self) -> int:
        with psycopg.connect(self._database) as conn:
            found = conn.execute("select count(*) from summit.memos where user_id = %s", (self.id,)).fetchone()
        return found[0] if found else 0

    def left_over(self) -> list[str]:
        exports = self.folder / "exports"
        return [path.name for path in exports.iterdir() if path.name.startswith(".")] if exports.is_dir() else []


IMPORTED: dict[str, Condition] = {
    "as it comes in": lambda one: one.left_over(),
    "as it is laid out": lambda one: list((one.folder / "exports").glob(".taking-*/audio/*")),
    "when its rows are there": lambda one: one.rows(),
    "among its files": lambda one: one.files(),
}
ERASED: dict[str, Condition] = {
    "when its rows are gone": lambda one: one.rows() == 0,
    "among its files": lambda one: len(one.files()) < MANY,
}


@pytest.mark.parametrize("when", IMPORTED.values(), ids=IMPORTED)
def test_an_import_is_whole_or_can_be_sent_again(tmp_path: Path, database_url: str, when: Condition) -> None:
    account = Account(tmp_path / "data", database_url)
    try:
        answers = account.cut(account.take_in, when)
        assert len(account.files()) == account.rows() in (0, MANY)
        assert account.left_over() == []
        again = account.take_in()
        assert again.status_code == (409 if answers else 200), again.text
        assert account.files() == sorted(MEMOS)
        assert account.rows() == MANY
        assert account.ask("GET", f"/v1/memos/{MEMOS[7]}/audio").content == SOUND
    finally:
        account.server.stop()


@pytest.mark.parametrize("when", ERASED.values(), ids=ERASED)
def test_an_erasure_leaves_all_or_nothing(tmp_path: Path, database_url: str, when: Condition) -> None:
    account = Account(tmp_path / "data", database_url)
    try:
        assert account.take_in().status_code == 200
        account.cut(account.erase, when)
        assert len(account.files()) == account.rows() in (0, MANY)
        assert account.erase().json()["left"] == 0
        assert (account.files(), account.rows()) == ([], 0)
    finally:
        account.server.stop()
