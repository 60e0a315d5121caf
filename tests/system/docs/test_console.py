"""Every console example of the pages does what the page says, against a real server."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import dataclass
from io import StringIO
from pathlib import Path

import httpx
import pytest

from app.cli import main
from app.settings import Settings
from tests.support.pages import ROOT, Example, blocks, examples, name_of, pages
from tests.support.servers.live_server import ADMIN_KEY, serve
from tests.support.servers.running import RunningServer
from tests.support.speech.sounds import RATE, encode, voice
from tests.support.waiting import HANG_SECONDS
from tests.system.docs.door import door

SECONDS = 300
"""When an example hangs for certain."""
CLIP_SECONDS = 2.2
ADDRESS = re.compile(r"(?:http://)?(?:localhost|127\.0\.0\.1):8000")
MONTH = "January|February|March|April|May|June|July|August|September|October|November|December"
DAY = re.compile(rf"\b\d{{1,2}} (?:{MONTH})(?: \d{{4}})?|\b\d{{4}}-\d\d-\d\d")
ANYTHING = "..."
# Where the newest thing of a kind is found, for a page that writes TODO_ID.
NEWEST = {
    "CHANGE_ID": "/v1/changes?limit=200",
    "TODO_ID": "/v1/todos",
    "THREAD_ID": "/v1/threads",
    "MEMO_ID": "/v1/memos",
}
LANGUAGES = {"console", "text", "json", "html", "python", "bash", "yaml"}
# Words of the commands that no test can run, each with the reason; the others are in console blocks and are run.
NOT_RUN = {
    "make run": "serves until it is stopped",
    "summit serve": "serves until it is stopped",
    "langgraph dev": "serves until it is stopped; tests/system/graph/test_studio.py runs it",
    "docker compose": "needs Docker",
    "ollama pull": "needs Ollama",
    "ntfy.sh": "calls a server on the internet",
    "calendar.google.com": "calls a server on the internet",
    "summit calendars choose Personal both --holds": "needs a calendar of tasks on a server on the internet",
    "summit calendars google": "asks Google in a browser",
    "summit calendars connect": "enters an account on a server on the internet",
    "export SUMMIT_": "settings for a server that starts afterwards",
    "summit setup speech": "calls a server on the internet",
    "summit setup model": "needs a model on this machine",
    "talk.": "needs a recording of yours",
    "aplay": "needs a loudspeaker",
}
TEN = 10
NOT_UNDERSTOOD = ("did not understand", "can't help", "found nothing", "left everything", "hear you")
SAY = re.compile(r"summit say ([^|;&>$]+)")


@dataclass(frozen=True)
class Terminal:
    """A shell in a folder of its own, before a server of which it knows the usual address alone."""

    url: str
    folder: Path
    environment: dict[str, str]
    server: str

    def run(self, command: str) -> str:
        """What the command prints."""
        filled = self._filled(command)
        if said := SAY.fullmatch(filled):
            return self._say(shlex.split(said[1]))
        done = subprocess.run(
            ["bash", "-c", filled],
            cwd=self.folder,
            env=self.environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            timeout=SECONDS,
            check=False,
        )
        assert done.returncode == 0, f"{command}\n{done.stdout}"
        return done.stdout

    def _say(self, words: list[str]) -> str:
        """``summit say`` in this process: a new one takes a second to load what it needs."""
        with redirect_stdout(StringIO()) as printed, redirect_stderr(printed):
            status = main(["say", "--url", self.url, *words])
        assert status == 0, printed.getvalue()
        return printed.getvalue()

    def _filled(self, command: str) -> str:
        """The command with this test's address and with ids that exist."""
        filled = ADDRESS.sub(self.url, command).replace(".venv/bin/summit", "summit")
        filled = filled.replace("summit chat", f"summit chat --url {self.server}")
        for word, path in NEWEST.items():
            if re.search(rf"\b{word}\b", filled):
                filled = re.sub(rf"\b{word}\b", self._newest(path), filled)
        return filled

    def _newest(self, path: str) -> str:
        items = httpx.get(f"{self.url}{path}", timeout=HANG_SECONDS).json()["items"]
        return str(max(items, key=lambda item: str(item["created_at"]))["id"])


@pytest.fixture(scope="module")
def clip() -> bytes:
    """A short sentence, as a recorder on a phone writes it."""
    return encode(voice()[: int(CLIP_SECONDS * RATE)], "ogg")


@pytest.fixture
def terminal(
    server: RunningServer, new_key: Callable[[], str], data_dir: Path, clip: bytes, tmp_path: Path
) -> Iterator[Terminal]:
    key = new_key()
    (tmp_path / "clip.ogg").write_bytes(clip)
    (tmp_path / "docs").symlink_to(ROOT / "docs")
    with serve(door(server.url, key)) as url:
        environment = {
            "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}",
            "HOME": str(tmp_path),
            "LANG": "C.UTF-8",
            "TZ": "Europe/London",
            "SUMMIT_DATA_DIR": str(data_dir),
            "SUMMIT_PORT": url.rsplit(":", 1)[1],
            "SUMMIT_ADMIN_KEY": ADMIN_KEY,
            "SUMMIT_WEIGHTS_DIR": str(Settings().weights_dir),
            "SUMMIT_API_KEY": key,
        }
        yield Terminal(url, tmp_path, environment, server.url)


def targets() -> set[str]:
    return set(re.findall(r"^(\w+): .*##", (ROOT / "Makefile").read_text(), re.MULTILINE))


def is_as_told(printed: str, told: str) -> bool:
    """Whether a command printed what the page shows: in any layout, on any date, and whatever stands for dots."""
    seen, shown = ("".join(DAY.sub("DAY", text).split()) for text in (printed, told))
    pattern = ".*".join(re.escape(part) for part in shown.split(ANYTHING))
    return re.fullmatch(pattern, seen) is not None


def check(terminal: Terminal, example: Example) -> None:
    if example.command.startswith("make "):  # it is what runs the tests
        assert example.command.split()[1] in targets(), example.command
        return
    printed = terminal.run(example.command)
    if example.output:
        assert is_as_told(printed, example.output), f"$ {example.command}\n{printed}"
    else:
        assert "urn:summit:problem:" not in printed, f"$ {example.command}\n{printed}"


@pytest.mark.skipif(shutil.which("curl") is None, reason="the examples use curl: install the package curl")
@pytest.mark.parametrize("page", [page for page in pages() if examples(page)], ids=name_of)
def test_each_example_does_what_the_page_says(page: Path, terminal: Terminal) -> None:
    for example in examples(page):
        check(terminal, example)


def test_each_of_the_ten_things_to_say_is_understood(terminal: Terminal) -> None:
    [ten] = [block.text for block in blocks(ROOT / "README.md") if "what should I do next?" in block.text]
    said = [re.split(r" {2,}", line)[0] for line in ten.splitlines()]
    assert len(said) == TEN
    replies = {words: terminal.run(f"summit say {shlex.quote(words)}") for words in said}
    assert {words: reply for words, reply in replies.items() if any(no in reply for no in NOT_UNDERSTOOD)} == {}


def test_each_command_is_run_or_says_why_not() -> None:
    assert {name_of(page): wrong for page in pages() if (wrong := neither_run_nor_excused(page))} == {}


def neither_run_nor_excused(page: Path) -> list[str]:
    found = blocks(page)
    return [
        *{block.language for block in found} - LANGUAGES,
        *(block.text for block in found if block.language == "text" and block.text.startswith("$ ")),
        *(text for text in not_run(page) if not any(word in text for word in NOT_RUN)),
    ]


def test_each_excuse_is_needed() -> None:
    used = "".join(text for page in pages() for text in not_run(page))
    assert [word for word in NOT_RUN if word not in used] == []


def not_run(page: Path) -> list[str]:
    return [block.text for block in blocks(page) if block.language == "bash"]


@pytest.mark.parametrize(
    ("printed", "told", "alike"),
    [
        ('{"id":"1","status":"done"}', '{"id":"...","status":"done"}', True),
        ('{"id":"1","status":"failed"}', '{"id":"...","status":"done"}', False),
        ("Booked for Friday 4 December at 15:00.", "Booked for Friday 27 November at\n15:00.", True),
        ("Booked for Friday 4 December at 16:00.", "Booked for Friday 27 November at 15:00.", False),
        ("Done. And more.", "Done.", False),
    ],
)
def test_what_is_printed_is_held_against_what_is_told(printed: str, told: str, alike: bool) -> None:  # noqa: FBT001
    assert is_as_told(printed, told) is alike
