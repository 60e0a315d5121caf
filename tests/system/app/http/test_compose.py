"""The proxy of docker-compose.yml, as the real nginx: what a browser does passes through it to the API."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

import httpx
import pytest
import yaml

from tests.support.peers.mailservers import free_port
from tests.support.servers.live import answers, key_of, open_socket, until_done, whole_stream
from tests.support.servers.plain import plain_client
from tests.support.waiting import HANG_SECONDS, wait_until

COMPOSE = yaml.safe_load((Path(__file__).parents[4] / "docker-compose.yml").read_text())
AROUND = """
daemon off;
pid {folder}/nginx.pid;
error_log stderr;
events {{}}
http {{
    access_log off;
    client_body_temp_path {folder}/body;
    proxy_temp_path {folder}/proxy;
    fastcgi_temp_path {folder}/fastcgi;
    uwsgi_temp_path {folder}/uwsgi;
    scgi_temp_path {folder}/scgi;
    {proxy}
}}
"""


def test_one_port_is_open_and_every_api_is_reached_through_it() -> None:
    services = COMPOSE["services"]
    assert [name for name, service in services.items() if service.get("ports")] == ["proxy"]
    assert services["proxy"]["ports"] == ["127.0.0.1:8000:8000"]
    assert services["api"]["environment"]["SUMMIT_PORT"] == "8000"


@pytest.fixture
def through(base_url: str, tmp_path: Path) -> Iterator[str]:
    """The address of an nginx with the settings of the file, before a server of this machine."""
    nginx = shutil.which("nginx") or shutil.which("nginx", path="/usr/sbin")
    if nginx is None:
        pytest.skip("nginx is not installed")
    port = free_port()
    proxy = COMPOSE["configs"]["proxy"]["content"].replace("$$", "$")
    for written, here in (("listen 8000", f"listen 127.0.0.1:{port}"), ("api:8000", urlsplit(base_url).netloc)):
        assert proxy.count(written) == 1
        proxy = proxy.replace(written, here)
    settings = tmp_path / "nginx.conf"
    settings.write_text(AROUND.format(folder=tmp_path, proxy=proxy))
    process = subprocess.Popen([nginx, "-p", str(tmp_path), "-e", "stderr", "-c", str(settings)])
    try:
        yield _answering(f"http://127.0.0.1:{port}", process)
    finally:
        process.terminate()
        process.wait(HANG_SECONDS)


def _answering(url: str, process: subprocess.Popen[bytes]) -> str:
    """The address, once something listens there."""

    def is_there() -> bool:
        try:
            return bool(httpx.get(f"{url}/livez", timeout=HANG_SECONDS))
        except httpx.TransportError:
            return False

    wait_until(lambda: process.poll() is not None or is_there())
    assert process.poll() is None, "nginx did not start"
    return url


def test_messages_events_sockets_and_large_recordings_pass(through: str, alice: httpx.Client) -> None:
    with plain_client(through, alice.headers) as browser:
        with whole_stream(browser) as events:
            assert browser.post("/v1/turns", json={"text": "add task buy milk"}).json()["status"] == "done"
            assert until_done(events)[-1]["type"] == "turn.done"
        with open_socket(through, key_of(alice)) as socket:
            assert answers(socket)
        # Above the 1 MiB that nginx would take by itself, and below what the API takes: refused by it, in its own form.
        clip = browser.post("/v1/memos", files={"file": ("clip.wav", b"RIFF" + b"0" * 1_500_000)})
        assert clip.headers["content-type"] == "application/problem+json", clip.text
