"""``summit export``, ``import`` and ``erase`` against a real server."""

from __future__ import annotations

import io
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from app.cli import main
from tests.support.servers.live_server import ADMIN_KEY, live_server, settings_for


@pytest.fixture
def url(database_url: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with live_server(settings_for(database_url, tmp_path_factory.mktemp("portable"))) as found:
        yield found


def key(url: str, name: str) -> str:
    made = httpx.post(f"{url}/v1/users", json={"name": name}, headers={"Authorization": f"Bearer {ADMIN_KEY}"})
    return str(made.json()["api_key"])


def test_out_in_and_gone(
    url: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    ada, eve, archive = key(url, "ada"), key(url, "eve"), tmp_path / "mine.tar"
    httpx.post(f"{url}/v1/turns", json={"text": "add buy stamps"}, headers={"Authorization": f"Bearer {ada}"})

    def said(*arguments: str, by: str = ada) -> tuple[int, str]:
        status = main([*arguments, "--url", url, "--key", by])
        out, err = capsys.readouterr()
        return status, out if status == 0 else err

    status, told = said("export", str(archive))
    assert (status, told.startswith(f"{archive}: ")) == (0, True)
    assert "is there already" in said("export", str(archive))[1]
    assert said("import", str(archive), by=eve)[1].startswith("Taken in: ")
    assert "holds something already" in said("import", str(archive), by=eve)[1]
    assert "there is no file" in said("import", str(tmp_path / "none.tar"))[1]
    monkeypatch.setattr("sys.stdin", io.StringIO("no\n"))
    status, told = said("erase")
    assert (status, "nothing was erased" in told) == (1, True)
    monkeypatch.setattr("sys.stdin", io.StringIO("erase everything\n"))
    status, told = said("erase")
    assert status == 0
    assert "1  changes" in told
    assert "Left: 0." in told
    listed = httpx.get(f"{url}/v1/todos", headers={"Authorization": f"Bearer {eve}"}).json()["items"]
    assert [one["task"] for one in listed] == ["buy stamps"]
