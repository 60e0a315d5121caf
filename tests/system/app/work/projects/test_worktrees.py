"""Work trees: one a job, never the main one, and never lost."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from app.work.projects.folders import AllowedFolders
from app.work.projects.git import GitFailed, git
from app.work.projects.leftovers import begin_leaving_out, end_leaving_out, left_out, stage
from app.work.projects.model.projects import ProjectRefused
from app.work.projects.model.workshops import Bench
from app.work.projects.publishing import publish
from app.work.projects.worktrees import KeptBack, add, remove, slug_of, trees

AUTHOR = ("-c", "user.name=Ada", "-c", "user.email=ada@example.org")


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    folder = tmp_path / "code"
    folder.mkdir()
    git(folder, "init", "--quiet", "--initial-branch=main")
    (folder / "roof.txt").write_text("leaks\n")
    commit(folder, "begin")
    return folder


def commit(folder: Path, words: str) -> None:
    git(folder, "add", "--all")
    git(folder, *AUTHOR, "commit", "--quiet", "--message", words)


def test_a_tree_has_its_own_branch_and_the_main_tree_is_untouched(repository: Path, tmp_path: Path) -> None:
    made = add(repository, tmp_path / "trees", slug_of("Mend the roof!"))
    assert made.branch == "summit/mend-the-roof"
    (made.path / "roof.txt").write_text("holds\n")
    commit(made.path, "mend")
    assert (repository / "roof.txt").read_text() == "leaks\n"
    assert git(repository, "status", "--porcelain") == ""
    assert add(repository, tmp_path / "trees", "mend-the-roof").path == made.path


def test_odd_repositories_have_trees_too(repository: Path, tmp_path: Path) -> None:
    (repository / "roof.txt").write_text("changed and not committed\n")
    git(repository, "checkout", "--quiet", "--detach")
    odd = tmp_path / "an odd 'näme'"
    git(tmp_path, "clone", "--quiet", "--bare", str(repository), str(odd))
    for one in (repository, odd):
        made = add(one, tmp_path / "trees" / one.name, slug_of("\u5e93 -- ?"))
        assert (made.branch, made.clean, trees(one)) == ("summit/work", True, [made])
        assert (made.path / "roof.txt").read_text() == "leaks\n"
    assert (repository / "roof.txt").read_text() == "changed and not committed\n"


def test_a_repository_without_a_commit_is_told_what_it_lacks(tmp_path: Path) -> None:
    git(tmp_path, "init", "--quiet", "new")
    with pytest.raises(GitFailed, match="no commit yet"):
        add(tmp_path / "new", tmp_path / "trees", "roof")
    assert trees(tmp_path / "new") == []


def test_work_is_never_removed(repository: Path, tmp_path: Path) -> None:
    made = add(repository, tmp_path / "trees", "roof")
    (made.path / "new.txt").write_text("x")
    with pytest.raises(KeptBack, match="not committed"):
        remove(repository, made)
    commit(made.path, "mend")
    with pytest.raises(KeptBack, match="no other branch"):
        remove(repository, made)
    git(repository, *AUTHOR, "merge", "--quiet", made.branch)
    made.path.with_name("roof.log").write_text("what the agent said")
    remove(repository, made)
    assert trees(repository) == []
    assert git(repository, "branch", "--format=%(refname:short)") == "main"
    assert list(made.path.parent.iterdir()) == []
    assert (repository / "new.txt").exists()


def test_what_checks_left_keeps_no_tree(repository: Path, tmp_path: Path) -> None:
    made = add(repository, tmp_path / "trees", "roof")
    (made.path / "mine.txt").write_text("x")
    begin_leaving_out(made.path)
    (made.path / " odd 'n\u00e4me'.log").write_text("made by a check")
    begin_leaving_out(made.path)  # as after a crash in between
    end_leaving_out(made.path)
    assert left_out(made.path) == {" odd 'n\u00e4me'.log"}
    with pytest.raises(KeptBack, match="not committed"):
        remove(repository, made)
    assert stage(made.path)
    assert git(made.path, "diff", "--cached", "--name-only") == "mine.txt"
    git(made.path, "reset", "--quiet")
    (made.path / "mine.txt").unlink()
    assert not stage(made.path)
    assert [one.clean for one in trees(repository)] == [True]
    remove(repository, made)
    assert list(made.path.parent.iterdir()) == []


def test_a_tree_whose_folder_is_gone_is_made_again_with_its_commits(repository: Path, tmp_path: Path) -> None:
    made = add(repository, tmp_path / "trees", "roof")
    (made.path / "new.txt").write_text("x")
    commit(made.path, "mend")
    made.path.rename(tmp_path / "lost")
    again = add(repository, tmp_path / "trees", "roof")
    assert (again.path / "new.txt").read_text() == "x"


def test_ten_at_once_do_not_meet(repository: Path, tmp_path: Path) -> None:
    with ThreadPoolExecutor(10) as pool:
        made = list(pool.map(lambda number: add(repository, tmp_path / "trees", f"part-{number}"), range(10)))
    assert len({tree.path for tree in made}) == 10
    assert {tree.branch for tree in trees(repository)} == {f"summit/part-{number}" for number in range(10)}


def test_hooks_of_a_repository_are_not_run(repository: Path, tmp_path: Path) -> None:
    hook = repository / ".git" / "hooks" / "post-checkout"
    hook.parent.mkdir(exist_ok=True)
    hook.write_text(f"#!/bin/sh\ntouch {tmp_path}/ran\n")
    hook.chmod(0o755)
    add(repository, tmp_path / "trees", "roof")
    assert not (tmp_path / "ran").exists()


async def test_trees_and_what_they_change_are_told(repository: Path, tmp_path: Path) -> None:
    folders = AllowedFolders([tmp_path])
    made = add(repository, tmp_path / "trees", "roof")
    (made.path / "roof.txt").write_text("holds\n")
    [seen] = await folders.trees(str(repository))
    assert (seen.branch, seen.clean, seen.merged) == ("summit/roof", False, True)
    commit(made.path, "mend")
    [seen] = await folders.trees(str(repository))
    assert (seen.clean, seen.merged) == (True, False)
    found = await folders.diff(str(repository), "summit/roof")
    assert found
    assert "-leaks\n+holds" in found.text
    assert await folders.diff(str(repository), "summit/other") is None
    (made.path / ".git").write_text(f"gitdir: {tmp_path}\n")
    assert [one.clean for one in await folders.trees(str(repository))] == [False]
    (tmp_path / "plain").mkdir()
    with pytest.raises(ProjectRefused, match="no work trees"):
        await folders.trees(str(tmp_path / "plain"))


GH = """#!/bin/sh
echo "$@" >> {log}
cat >> {log}
echo https://github.example/ada/code/pull/7
"""


async def test_a_branch_goes_out_as_a_pull_request_or_as_a_patch(repository: Path, tmp_path: Path) -> None:
    made = add(repository, tmp_path / "trees", "roof")
    (made.path / "roof.txt").write_text("holds\n")
    commit(made.path, "mend")
    base = git(repository, "rev-parse", "main")
    bench = Bench(str(repository), str(made.path), made.branch, base, "claude")
    where = await publish(bench, "Mend it", "It leaks.", {"PATH": "/usr/bin:/bin"})
    assert f"The patch is {made.path}.patch" in where
    assert "+holds" in made.path.with_name("roof.patch").read_text()
    programs, log, origin = tmp_path / "bin", tmp_path / "gh.log", tmp_path / "origin.git"
    programs.mkdir()
    (programs / "gh").write_text(GH.format(log=log))
    (programs / "gh").chmod(0o755)
    git(tmp_path, "init", "--quiet", "--bare", str(origin))
    git(repository, "remote", "add", "origin", str(origin))
    known = {"PATH": f"{programs}:/usr/bin:/bin"}
    where = await publish(bench, "Mend it", "It leaks.", known)
    assert where == "The branch summit/roof is pushed; its pull request is https://github.example/ada/code/pull/7."
    assert git(origin, "log", "-1", "--format=%s", "summit/roof") == "mend"
    told = log.read_text()
    assert "pr create --head summit/roof --title Mend it --body-file -" in told
    assert "It leaks." in told
    assert await publish(bench, "Mend it", "It leaks.", known) == where
