"""What the manifests of a project say: the packages it needs, by ecosystem, and the commands it is run by."""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from pathlib import PurePosixPath
from typing import Any

Read = Callable[[PurePosixPath], str]
PYTHON_NAME = re.compile(r"\s*([A-Za-z0-9][A-Za-z0-9._-]{0,100})")
GO_MODULE = re.compile(r"^[^\S\n]*(?:require\s+)?([\w.-]+\.[a-z]+/\S+)\s+v\d", re.MULTILINE)
GEM = re.compile(r"""^[^\S\n]*(?:gem|\w+\.add_(?:development_)?dependency)\s*\(?\s*['"]([\w-]+)['"]""", re.MULTILINE)
ARTIFACT = re.compile(r"<artifactId>\s*([\w.-]+)\s*</artifactId>|['\"][\w.-]+:([\w.-]+):[\w.-]+['\"]")
PYTHON_SETUP = re.compile(r"['\"]([A-Za-z][A-Za-z0-9._-]{1,60})\s*(?:[<>=!~\[;][^'\"]{0,80})?['\"]")
REQUIREMENTS = re.compile(r"requirements[\w.-]*\.txt")


@dataclass
class Manifests:
    """``packages`` are written "ecosystem:name"; ``tables`` are those of pyproject.toml; ``commands`` are texts."""

    packages: set[str] = field(default_factory=set)
    tables: set[str] = field(default_factory=set)
    commands: list[str] = field(default_factory=list)
    names: list[str] = field(default_factory=list)


def read_manifests(paths: Iterable[PurePosixPath], read: Read) -> Manifests:
    """Read every manifest among the paths; one that is broken says nothing."""
    found = Manifests()
    for path in paths:
        if reader := _reader(path.name):
            try:
                reader(read(path), found)
            except (ValueError, TypeError, AttributeError, KeyError, RecursionError):
                continue
    return found


def _reader(name: str) -> Callable[[str, Manifests], None] | None:
    if REQUIREMENTS.fullmatch(name):
        return _requirements
    return READERS.get(name.lower(), READERS.get(PurePosixPath(name).suffix))


def _pyproject(text: str, found: Manifests) -> None:
    document = tomllib.loads(text)
    project, tools = document.get("project", {}), document.get("tool", {})
    found.tables |= set(document) | {f"tool.{name}" for name in tools}
    found.names += [project["name"]] if "name" in project else []
    groups = [project.get("dependencies", []), *project.get("optional-dependencies", {}).values()]
    groups += list(document.get("dependency-groups", {}).values())
    poetry = tools.get("poetry", {})
    groups += [list(poetry.get("dependencies", {}))]
    groups += [list(one.get("dependencies", {})) for one in poetry.get("group", {}).values()]
    for line in (line for group in groups for line in group if isinstance(line, str)):
        _python(line, found)


def _python(line: str, found: Manifests) -> None:
    if match := PYTHON_NAME.match(line):
        found.packages.add(f"python:{re.sub(r'[-_.]+', '-', match[1]).lower()}")


def _requirements(text: str, found: Manifests) -> None:
    for line in text.splitlines():
        if not line.lstrip().startswith(("#", "-", "http")):
            _python(line, found)


def _setup(text: str, found: Manifests) -> None:
    for match in PYTHON_SETUP.finditer(text):
        _python(match[1], found)


def _setup_cfg(text: str, found: Manifests) -> None:
    for line in text.splitlines():
        if line.startswith((" ", "\t")):
            _python(line, found)


def _package_json(text: str, found: Manifests) -> None:
    document = json.loads(text)
    found.names += [document["name"]] if isinstance(document.get("name"), str) else []
    for group in ("dependencies", "devDependencies", "peerDependencies", "optionalDependencies"):
        found.packages |= {f"npm:{name}" for name in document.get(group) or {}}
    found.commands += [str(command) for command in (document.get("scripts") or {}).values()]


def _cargo(text: str, found: Manifests) -> None:
    document = tomllib.loads(text)
    tables: list[dict[str, Any]] = [document, document.get("workspace", {})]
    for table in tables:
        for group in ("dependencies", "dev-dependencies", "build-dependencies"):
            found.packages |= {f"rust:{name}" for name in table.get(group, {})}
    found.names += [document["package"]["name"]] if "package" in document else []


def _composer(text: str, found: Manifests) -> None:
    document = json.loads(text)
    for group in ("require", "require-dev"):
        found.packages |= {f"php:{name}" for name in document.get(group) or {}}


def _go(text: str, found: Manifests) -> None:
    found.packages |= {f"go:{name}" for name in GO_MODULE.findall(text)}


def _gems(text: str, found: Manifests) -> None:
    found.packages |= {f"ruby:{name}" for name in GEM.findall(text)}


def _java(text: str, found: Manifests) -> None:
    found.packages |= {f"java:{one or other}" for one, other in ARTIFACT.findall(text)}


def _script(text: str, found: Manifests) -> None:
    found.commands.append(text)


READERS: dict[str, Callable[[str, Manifests], None]] = {
    "pyproject.toml": _pyproject,
    "setup.py": _setup,
    "setup.cfg": _setup_cfg,
    "package.json": _package_json,
    "cargo.toml": _cargo,
    "composer.json": _composer,
    "go.mod": _go,
    "gemfile": _gems,
    ".gemspec": _gems,
    "pom.xml": _java,
    "build.gradle": _java,
    "build.gradle.kts": _java,
    "makefile": _script,
    "gnumakefile": _script,
    "cmakelists.txt": _script,
    "rules": _script,
}
