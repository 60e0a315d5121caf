"""``summit users`` and ``summit keys``: on the database that the server has, or not at all."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from tests.support.servers import forked
from tests.support.servers.live_server import ADMIN_KEY, live_server, settings_for
from tests.support.servers.running import running

ROOT = Path(__file__).parents[4]
NOBODY = "1"
"""A port on which nothing answers."""


def summit(home: Path, *arguments: str, **settings: str) -> subprocess.CompletedProcess[str]:
    """A command as somebody at home runs it, with nothing set but what is named."""
    environment = {"PATH": os.environ["PATH"], "HOME": str(home), "SUMMIT_PORT": NOBODY, **settings}
    return forked.summit(*arguments, environment=environment)


def databases(home: Path) -> list[str]:
    """The embedded databases below a folder."""
    return sorted(str(found.relative_to(home)) for found in home.rglob("PG_VERSION") if found.parent.name == "data")


@pytest.fixture
def home(tmp_path: Path) -> Path:
    return tmp_path / "home"


@pytest.fixture
def url(database_url: str, tmp_path: Path) -> Iterator[str]:
    with live_server(settings_for(database_url, tmp_path / "served")) as found:
        yield found


@pytest.mark.parametrize(
    "command",
    [
        ("users", "create", "ada"),
        ("users", "list"),
        ("keys", "create"),
        ("keys", "list"),
        ("keys", "revoke", "00000000-0000-0000-0000-000000000000"),
        ("keys", "rotate-master"),
        ("setup", "--provider", "ollama", "--model", "m"),
    ],
    ids=" ".join,
)
def test_no_second_database_is_made_beside_a_server(url: str, home: Path, command: tuple[str, ...]) -> None:
    refused = summit(home, *command, SUMMIT_PORT=url.rpartition(":")[2])
    assert refused.returncode == 1
    folder = home / ".local" / "share" / "summit"
    assert f"the server at {url} works on another database than the one in {folder}" in refused.stderr
    assert "SUMMIT_DATA_DIR" in refused.stderr
    assert "DATABASE_URL" in refused.stderr
    assert "API key" not in refused.stdout
    assert databases(home) == []


def test_the_servers_own_database_is_used_and_named(url: str, home: Path, database_url: str) -> None:
    port = url.rpartition(":")[2]
    made = summit(home, "users", "create", "ada", SUMMIT_PORT=port, DATABASE_URL=database_url)
    assert made.returncode == 0, made.stderr
    assert f"The database at DATABASE_URL, which the server at {url} works on." in made.stderr
    key = made.stdout.split("API key: ")[1].split()[0]
    assert httpx.get(f"{url}/v1/todos", headers={"Authorization": f"Bearer {key}"}).status_code == 200


@pytest.mark.parametrize("name", ["", "  ", "\u200b", "x" * 201])
def test_a_user_has_a_name(home: Path, database_url: str, name: str) -> None:
    refused = summit(home, "users", "create", name, DATABASE_URL=database_url)
    assert refused.returncode == 1
    assert refused.stderr.startswith("summit: the name: ")
    assert refused.stdout == ""
    assert "Traceback" not in refused.stderr


def test_a_key_has_a_name(home: Path, database_url: str) -> None:
    refused = summit(home, "keys", "create", "--name", "", DATABASE_URL=database_url)
    assert (refused.returncode, refused.stdout) == (1, "")


def test_a_wrong_setting_is_one_line_here_as_well(home: Path) -> None:
    wrong = summit(home, "users", "list", SUMMIT_PORT="abc")
    assert wrong.returncode == 1
    assert wrong.stderr.startswith("summit: SUMMIT_PORT: Input should be a valid integer")
    assert len(wrong.stderr.splitlines()) == 1


def test_the_version_is_told(home: Path, url: str) -> None:
    told = summit(home, "--version")
    assert (told.returncode, told.stdout) == (0, f"summit {httpx.get(f'{url}/v1/version').json()['version']}\n")


def test_who_sends_no_key_is_led_to_the_servers_own_database(url: str) -> None:
    httpx.post(f"{url}/v1/users", json={"name": "Ada"}, headers={"Authorization": f"Bearer {ADMIN_KEY}"})
    hint = httpx.get(f"{url}/v1/todos").json()["hint"]
    assert "`summit users create NAME`" in hint
    assert "SUMMIT_DATA_DIR" in hint


def test_a_server_on_another_port_is_found_and_a_folder_of_ones_own_is_taken(home: Path, tmp_path: Path) -> None:
    served, own = tmp_path / "served", tmp_path / "own"
    with running(served, HOME=str(home)) as server:
        refused = summit(home, "users", "create", "ada")
        assert f"the server at {server.url} works on another database" in refused.stderr
        assert databases(home) == []
        there = summit(home, "users", "create", "ada", SUMMIT_DATA_DIR=str(served))
        assert there.returncode == 0, there.stderr
        assert f"The database in {served}, which the server at {server.url} works on." in there.stderr
        apart = summit(home, "users", "create", "ada", SUMMIT_DATA_DIR=str(own))
        assert apart.returncode == 0, apart.stderr
        assert f"The database in {own}. The server at {server.url} works on another one." in apart.stderr
    after = summit(home, "users", "create", "ada")
    assert after.returncode == 0, after.stderr
    assert f"The database in {home / '.local' / 'share' / 'summit'}, on which no server runs here." in after.stderr
