"""``summit serve --tls``: an own certificate, made once, known by its fingerprint."""

from __future__ import annotations

import hashlib
import ssl
import stat
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path
from typing import Any

import httpx
import pytest

from app.cli import main
from app.cli.server.tls import RENEWED_BEFORE, address_for_phones, certificate_for, qr_code
from app.settings import Settings
from tests.support.servers.running import RunningServer


class TlsServer(RunningServer):
    """The same with --tls."""

    def program(self, command: str) -> Callable[[], int]:
        return partial(main, [command, "--tls"])


def settings(folder: Path, **values: Any) -> Settings:
    return Settings(_env_file=None, data_dir=folder, **values)


def test_it_is_made_once_and_for_nobody_else_to_read(tmp_path: Path) -> None:
    first = certificate_for(settings(tmp_path))
    assert certificate_for(settings(tmp_path)) == first
    assert stat.S_IMODE(first.key.stat().st_mode) == 0o600
    shown = hashlib.sha256(ssl.PEM_cert_to_DER_cert(first.path.read_text())).hexdigest().upper()
    assert first.fingerprint.replace(":", "") == shown


def test_a_file_that_is_no_certificate_is_named(tmp_path: Path) -> None:
    (tmp_path / "c.pem").write_text("nothing")
    with pytest.raises(OSError, match=r"c\.pem holds no certificate"):
        certificate_for(settings(tmp_path, tls_certificate=tmp_path / "c.pem", tls_key=tmp_path / "c.pem"))


def test_another_name_makes_another_one(tmp_path: Path) -> None:
    first = certificate_for(settings(tmp_path))
    assert certificate_for(settings(tmp_path, allowed_hosts=["summit.lan"])) != first


def test_a_broken_one_is_made_anew(tmp_path: Path) -> None:
    first = certificate_for(settings(tmp_path))
    first.path.write_text("half a certifi")
    assert certificate_for(settings(tmp_path)).fingerprint != first.fingerprint


def test_it_lasts_longer_than_it_is_renewed_before(tmp_path: Path) -> None:
    made = ssl._ssl._test_decode_cert(str(certificate_for(settings(tmp_path)).path))  # type: ignore[attr-defined]
    ends = datetime.fromtimestamp(ssl.cert_time_to_seconds(made["notAfter"]), UTC)
    assert RENEWED_BEFORE < ends - datetime.now(UTC) < timedelta(days=398)


def test_given_files_are_used(tmp_path: Path) -> None:
    own = certificate_for(settings(tmp_path / "one"))
    given = certificate_for(settings(tmp_path / "two", tls_certificate=own.path, tls_key=own.key))
    assert given == own


@pytest.mark.parametrize(("host", "address"), [("127.0.0.1", None), ("::1", None), ("192.168.1.5", "192.168.1.5")])
def test_a_phone_needs_an_address_of_the_network(host: str, address: str | None) -> None:
    assert address_for_phones(host) == address


def test_the_code_is_drawn() -> None:
    assert len(qr_code("https://192.168.1.5:8000").splitlines()) > 10


def test_the_page_and_its_cookie_go_over_tls(tmp_path: Path, database_url: str) -> None:
    server = TlsServer(tmp_path / "data", DATABASE_URL=database_url, SUMMIT_ADMIN_KEY="an administrator's key")
    try:
        trusted = ssl.create_default_context(cafile=str(tmp_path / "data" / "tls" / "certificate.pem"))
        with httpx.Client(base_url=server.url, verify=trusted) as client:
            assert client.get("/").text.startswith("<!doctype html>")
            bearer = {"Authorization": "Bearer an administrator's key"}
            key = client.post("/v1/users", json={"name": "Ada"}, headers=bearer).json()["api_key"]
            answer = client.post("/session", json={"api_key": key}, headers={"Origin": server.url})
            assert "secure" in answer.headers["set-cookie"].lower()
        assert "fingerprint" in server.log.read_text()
    finally:
        server.stop()
