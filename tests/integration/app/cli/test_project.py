"""``summit project`` against a real server."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from app.cli import main
from tests.support.servers.api import PROJECTS
from tests.support.servers.live_server import live_server, settings_for


@pytest.fixture
def url(database_url: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with live_server(settings_for(database_url, tmp_path_factory.mktemp("code"), project_folders=[PROJECTS])) as found:
        yield found


def test_a_project_from_the_terminal(url: str, capsys: pytest.CaptureFixture[str]) -> None:
    def said(*arguments: str) -> str:
        status = main(["project", *arguments, "--url", url])
        out, err = capsys.readouterr()
        return out if status == 0 else err

    assert said("list") == "There are no projects. Register one: summit project add FOLDER\n"
    added = said("add", str(PROJECTS / "turns"), "--name", "turns")
    assert added.startswith(f"turns  {PROJECTS / 'turns'}\n  Languages: Python 100 %\n")
    assert said("add", str(PROJECTS), "--name", "all").splitlines()[1].startswith("  Languages: Python ")
    assert said("remove", "all").startswith("all is forgotten")
    assert said("list") == f"turns  {PROJECTS / 'turns'}  Python 100 %\n"
    assert said("show", "turns") == said("scan", "turns") == added
    assert said("show", "other") == "summit: there is no project “other”. The projects are: turns.\n"
    assert "SUMMIT_PROJECT_FOLDERS" in said("add", "/usr")
    assert said("remove", "turns") == "turns is forgotten. Its folder is as it was.\n"
