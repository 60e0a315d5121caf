"""What a scan tells of a folder: this project, an npm package and a Debian source package."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from app.work.projects.files import files_of
from app.work.projects.folders import AllowedFolders
from app.work.projects.model.projects import ProjectRefused
from app.work.projects.scan import FACTS, Marker, markers, scan

ROOT = Path(__file__).parents[5]
NPM = {
    "package.json": """{"name": "left", "dependencies": {"express": "^5"},
    "devDependencies": {"mocha": "1", "eslint": "9"},
    "scripts": {"test": "mocha", "unit": "node --test"}}""",
    "package-lock.json": "{}",
    "lib/left.js": "export const left = () => 1;\n" * 50,
    "lib/left.d.ts": "export function left(): number;\n",
    "node_modules/other/index.py": "x = 1\n" * 9000,
    ".github/workflows/ci.yml": "on: push\n",
    "Dockerfile": "FROM scratch\n",
}
DEBIAN = {
    "debian/control": "Source: hello\n",
    "debian/rules": "#!/usr/bin/make -f\n",
    "debian/salsa-ci.yml": "include: []\n",
    "configure.ac": "AC_INIT([hello], [1])\n",
    "Makefile.am": "bin_PROGRAMS = hello\n",
    "src/hello.c": "int main(void) { return 0; }\n" * 40,
    "tests/greeting-1": "#!/bin/sh\nexit 0\n",
}


def laid_out(folder: Path, files: dict[str, str]) -> Path:
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return folder


def test_this_project() -> None:
    facts = scan(ROOT)
    assert next(iter(facts.languages)) == "Python"
    assert {"FastAPI", "LangGraph"} <= set(facts.frameworks)
    assert "Django" not in facts.frameworks
    assert (facts.package_managers, facts.test_runners) == (["pip"], ["pytest"])
    assert {"Ruff", "mypy", "import-linter", "pre-commit"} == set(facts.linters)
    assert facts.formatters == ["Ruff"]
    assert set(facts.containers) == {"Docker", "Docker Compose", "Kubernetes"}
    assert {"app/", "app/turns/", "app/turns/service.py", "README.md"} <= set(facts.tree)
    assert not any(line.startswith((".venv", ".git/")) for line in facts.tree)
    assert facts.complete


def test_an_npm_package(tmp_path: Path) -> None:
    facts = scan(laid_out(tmp_path, NPM))
    assert list(facts.languages) == ["JavaScript", "TypeScript"]
    assert (facts.frameworks, facts.package_managers) == (["Express"], ["npm"])
    assert set(facts.test_runners) == {"Mocha", "Node's test runner"}
    assert (facts.linters, facts.ci, facts.containers) == (["ESLint"], ["GitHub Actions"], ["Docker"])


def test_a_debian_source_package(tmp_path: Path) -> None:
    facts = scan(laid_out(tmp_path, DEBIAN))
    assert list(facts.languages) == ["C", "Shell"]
    assert (facts.package_managers, facts.build, facts.test_runners) == (["dpkg"], ["Autotools"], ["make check"])
    assert facts.ci == ["GitLab CI"]


# Parts of real packages, and what a person lists who reads them: fastify, lua-cjson and fd, the last two from Debian.
FASTIFY = {
    "package.json": """{"name": "fastify", "scripts": {"unit": "borp", "lint:markdown": "markdownlint-cli2"},
    "devDependencies": {"borp": "1", "tstyche": "7", "eslint": "9", "markdownlint-cli2": "1"}}""",
}
CJSON = {"lua-cjson-2.1.0-1.rockspec": "", "CMakeLists.txt": "", "debian/control": "", "debian/tests/control": ""}
FD = {"Cargo.toml": '[package]\nname = "fd-find"\n[dependencies]\nclap = "4"\n', "clippy.toml": ""}


@pytest.mark.parametrize(
    ("package", "told"),
    [
        (
            FASTIFY,
            {
                "frameworks": [],
                "package_managers": ["npm"],
                "test_runners": ["borp", "TSTyche"],
                "linters": ["markdownlint", "ESLint"],
            },
        ),
        (CJSON, {"package_managers": ["LuaRocks", "dpkg"], "build": ["CMake"], "test_runners": ["autopkgtest"]}),
        (
            FD,
            {
                "frameworks": ["Clap"],
                "package_managers": ["Cargo"],
                "test_runners": ["cargo test"],
                "linters": ["Clippy"],
            },
        ),
    ],
    ids=["npm", "lua", "rust"],
)
def test_what_a_person_would_list(tmp_path: Path, package: dict[str, str], told: dict[str, list[str]]) -> None:
    facts = scan(laid_out(tmp_path, package))
    assert {name: getattr(facts, name) for name in told} == told


def test_an_empty_folder_and_broken_manifests_say_nothing(tmp_path: Path) -> None:
    assert scan(tmp_path).languages == {}
    broken = {"package.json": "{", "pyproject.toml": "[", "Cargo.toml": "\0", "composer.json": "[]", "go.mod": "module"}
    facts = scan(laid_out(tmp_path, broken))
    assert facts.frameworks == []
    assert set(facts.package_managers) == {"npm", "Cargo", "Composer", "Go modules"}


def test_a_link_or_a_pipe_is_not_read(tmp_path: Path) -> None:
    secret = tmp_path / "elsewhere.json"
    secret.write_text('{"dependencies": {"react": "1"}}')
    project = tmp_path / "project"
    project.mkdir()
    (project / "package.json").symlink_to(secret)
    (project / "loop").symlink_to(project)
    os.mkfifo(project / "setup.py")
    facts = scan(project)
    assert facts.frameworks == []
    assert facts.tree == ["package.json", "setup.py"]


def test_a_huge_folder_is_cut_and_said_to_be(tmp_path: Path) -> None:
    laid_out(tmp_path, {f"part{number}.py": "x = 1\n" for number in range(12)})
    assert not files_of(tmp_path, 10).complete
    assert files_of(tmp_path, 12).complete


@pytest.mark.parametrize("marker", markers(), ids=lambda marker: f"{marker.what}-{marker.name}")
def test_every_marker_fills_a_known_field_and_can_apply(marker: Marker) -> None:
    assert marker.what in FACTS
    assert marker.files or marker.dependency or marker.table or marker.command


def test_only_folders_below_the_allowed_ones_are_projects(tmp_path: Path) -> None:
    inside, outside = tmp_path / "code" / "one", tmp_path / "private"
    inside.mkdir(parents=True)
    outside.mkdir()
    (tmp_path / "code" / "way-out").symlink_to(outside)
    folders = AllowedFolders([tmp_path / "code"])
    assert folders.resolve(str(inside)) == inside
    for wrong in (outside, tmp_path / "code" / "way-out", inside / ".." / ".." / "private", inside / "missing", "one"):
        with pytest.raises(ProjectRefused):
            folders.resolve(str(wrong))
    with pytest.raises(ProjectRefused, match="SUMMIT_PROJECT_FOLDERS"):
        AllowedFolders([]).resolve(str(inside))
