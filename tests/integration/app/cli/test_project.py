"""``summit project`` against a real server."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from app.cli import main
from app.work.projects.git import git
from app.work.projects.worktrees import add
from tests.support.servers.api import PROJECTS
from tests.support.servers.live_server import live_server, settings_for

AUTHOR = ("-c", "user.name=Ada", "-c", "user.email=ada@example.org")


@pytest.fixture
def url(database_url: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with live_server(
        settings_for(
            database_url, tmp_path_factory.mktemp("code"), project_folders=[PROJECTS, tmp_path_factory.getbasetemp()]
        )
    ) as found:
        yield found


def test_work_trees_go_that_are_merged_and_clean(url: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    shed = tmp_path / "shed"
    shed.mkdir()
    git(shed, "init", "--quiet", "--initial-branch=main")
    git(shed, *AUTHOR, "commit", "--quiet", "--allow-empty", "--message", "begin")
    for slug in ("never-begun", "changed", "ahead"):
        made = add(shed, tmp_path / ".summit-trees" / "shed", slug)
        if slug != "never-begun":
            (made.path / "roof.txt").write_text("holds")
        if slug == "ahead":
            git(made.path, "add", "--all")
            git(made.path, *AUTHOR, "commit", "--quiet", "--message", "mend")

    def said(*arguments: str) -> str:
        assert main(["project", *arguments, "--url", url]) == 0
        return capsys.readouterr().out

    said("add", str(shed))
    listed = said("trees", "shed").splitlines()
    assert "clean, merged, nothing works in it" in next(line for line in listed if line.startswith("summit/never-"))
    assert listed[-1] == "1 of 3 can go: summit project trees shed --remove"
    assert sorted(said("trees", "shed", "--remove").splitlines()) == [
        "summit/ahead stays: Its commits are on no other branch.",
        "summit/changed stays: It has changes that are not committed.",
        "summit/never-begun is removed.",
    ]
    git(shed, *AUTHOR, "merge", "--quiet", "summit/ahead")
    assert "summit/ahead is removed." in said("trees", "shed", "--remove")
    assert "can go" not in said("trees", "shed")
    assert not (tmp_path / ".summit-trees" / "shed" / "ahead").exists()


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
