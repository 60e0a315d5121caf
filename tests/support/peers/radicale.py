"""A real CalDAV server (Radicale) in a process of its own, and a client as another program would be one."""

from __future__ import annotations

import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import httpx
from defusedxml.ElementTree import fromstring

from tests.support.servers.plain import plain_client
from tests.support.waiting import HANG_SECONDS, wait_until

USER, PASSWORD = "ada", "a password of Ada's"
MKCALENDAR = """<?xml version="1.0"?><c:mkcalendar xmlns="DAV:" xmlns:c="urn:ietf:params:xml:ns:caldav"><set><prop>
<displayname>{name}</displayname><c:supported-calendar-component-set>{components}
</c:supported-calendar-component-set></prop></set></c:mkcalendar>"""
CONFIG = """[server]
hosts = {host}:{port}
[auth]
type = htpasswd
htpasswd_filename = {folder}/users
htpasswd_encryption = plain
delay = 0
[storage]
filesystem_folder = {folder}/collections
[logging]
level = warning
"""


CLIENT = plain_client("")


class Radicale:
    """A server over a folder, which can be killed and started again at the same address."""

    def __init__(self, folder: Path, host: str = "127.0.0.1") -> None:
        folder.mkdir(parents=True, exist_ok=True)
        with socket.socket() as free:
            free.bind((host, 0))
            self.port = int(free.getsockname()[1])
        self._config = folder / "config"
        self._config.write_text(CONFIG.format(host=host, port=self.port, folder=folder))
        (folder / "users").write_text(f"{USER}:{PASSWORD}\n")
        self._log = (folder / "log").open("ab")
        self.url = f"http://{host}:{self.port}/"
        self.process: subprocess.Popen[bytes] | None = None
        self.start()

    def start(self) -> None:
        command = [sys.executable, "-m", "radicale", "--config", str(self._config)]
        self.process = subprocess.Popen(command, stdout=self._log, stderr=self._log)
        wait_until(self._answers, "for Radicale")

    def _answers(self) -> bool:
        try:
            CLIENT.get(self.url)
        except httpx.HTTPError:
            return False
        return True

    def kill(self) -> None:
        if self.process:
            self.process.kill()
            self.process.wait()
            self.process = None

    def close(self) -> None:
        self.kill()
        self._log.close()


@dataclass
class OtherProgram:
    """A calendar program on the other side; ``calendar`` is the collection's address."""

    server: Radicale
    name: str = "work"

    @property
    def calendar(self) -> str:
        return f"{self.server.url}{USER}/{self.name}/"

    def call(self, method: str, path: str = "", body: str = "", **headers: str) -> httpx.Response:
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        return CLIENT.request(
            method,
            f"{self.calendar}{path}",
            content=body.encode(),
            headers=named,
            auth=(USER, PASSWORD),
            timeout=HANG_SECONDS,
        )

    def make(self, shown: str = "Work", *components: str) -> None:
        named = "".join(f'<c:comp name="{one}"/>' for one in components or ("VEVENT",))
        assert self.call("MKCALENDAR", body=MKCALENDAR.format(name=shown, components=named)).status_code == 201

    def remove(self) -> None:
        assert self.call("DELETE").status_code == 200

    def put(self, name: str, text: str, etag: str = "") -> httpx.Response:
        condition = {"If-Match": etag} if etag else {}
        return self.call("PUT", name, text, Content_Type="text/calendar", **condition)

    def write(self, name: str, text: str) -> None:
        answer = self.put(name, text)
        assert answer.status_code in (201, 204), answer.text

    def delete(self, name: str, etag: str = "") -> httpx.Response:
        return self.call("DELETE", name, **({"If-Match": etag} if etag else {}))

    def get(self, name: str) -> httpx.Response:
        return self.call("GET", name)

    def text(self, name: str) -> str:
        """A file with its lines unfolded."""
        answer = self.get(name)
        assert answer.status_code == 200, answer.text
        return answer.text.replace("\r\n ", "").replace("\r\n", "\n")

    def names(self) -> list[str]:
        """The files of the calendar."""
        answer = self.call("PROPFIND", Depth="1")
        assert answer.status_code == 207, answer.text
        hrefs = [str(one.text) for one in fromstring(answer.text).iter("{DAV:}href")]
        return sorted(httpx.URL(href).path.rpartition("/")[2] for href in hrefs if href.endswith(".ics"))


@contextmanager
def radicale(folder: Path, host: str = "127.0.0.1") -> Iterator[Radicale]:
    """A server that is gone at the end."""
    server = Radicale(folder, host)
    try:
        yield server
    finally:
        server.close()


def event(uid: str, title: str, start: str = "20261201T100000Z", *more: str) -> str:
    """A file with an event of an hour."""
    lines = [
        "BEGIN:VCALENDAR",
        "VERSION:2.0",
        "PRODID:-//Other//Program//EN",
        "BEGIN:VEVENT",
        f"UID:{uid}",
        "DTSTAMP:20261101T000000Z",
        f"DTSTART:{start}" if not start.startswith(";") else f"DTSTART{start}",
        f"SUMMARY:{title}",
        *(more or ("DURATION:PT1H",)),
        "END:VEVENT",
        "END:VCALENDAR",
        "",
    ]
    return "\r\n".join(lines)


def task(uid: str, title: str, *more: str) -> str:
    """A file with a task."""
    lines = ["BEGIN:VTODO", f"UID:{uid}", "DTSTAMP:20261101T000000Z", f"SUMMARY:{title}", *more, "END:VTODO"]
    around = ["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//Other//Program//EN", *lines, "END:VCALENDAR", ""]
    return "\r\n".join(around)
