"""The pages agree with what they are about: settings, operations, events, dependencies, commands, links."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Collection
from pathlib import Path
from typing import Any, get_args

from app.cli.main import _parser
from app.records.model.events import EventType
from app.settings import Settings
from scripts.reference_pages import openapi, variable
from scripts.reference_pages import pages as generated
from tests.support.pages import ROOT, blocks, name_of, pages, prose

LONGEST_README = 200
README = ROOT / "README.md"
OTHER_VARIABLES = {"SUMMIT_API_KEY"}
HEADING = re.compile(r"^#+ (.+)$", re.MULTILINE)
LINK = re.compile(r"\]\(([^)\s]+)\)")
PARAMETER = re.compile(r"\{\w+\}")
# A path that a page names: with its method before it, or alone.
NAMED_PATH = re.compile(r"(?:\b(GET|POST|PUT|PATCH|DELETE|WS) )?(?:https?://[\w.:]+|localhost:8000)?(/v1/[\w/{}.-]*)")
WEBSOCKET = "/v1/ws"
# Protocols of others, described by those who made them and by pages of ours; the OpenAPI document leaves them out.
OTHERS_PROTOCOLS = {
    ("GET", "/v1/models"),
    ("POST", "/v1/chat/completions"),
    ("POST", "/v1/audio/transcriptions"),
    ("POST", "/v1/audio/speech"),
    ("POST", "/v1/embeddings"),
    ("POST", "/mcp"),
}


def project() -> dict[str, Any]:
    return tomllib.loads((ROOT / "pyproject.toml").read_text())


def bare(requirement: str) -> str:
    return re.split(r"[\s\[<>=!~;]", requirement)[0].lower().replace("_", "-")


def test_the_readme_is_no_longer_than_a_screen_or_four() -> None:
    assert len(README.read_text().splitlines()) <= LONGEST_README


def test_generated_pages_are_as_the_code_says() -> None:
    old = [path for path, text in generated().items() if (ROOT / "docs" / path).read_text() != text]
    assert old == [], "run: python -m scripts.reference_pages"


def test_every_setting_has_one_row() -> None:
    rows = re.findall(r"^\| `(\w+)` \|", (ROOT / "docs/operate/settings.md").read_text(), re.MULTILINE)
    assert sorted(rows) == sorted(variable(name, field) for name, field in Settings.model_fields.items())


def test_every_operation_has_one_row_and_no_other_has() -> None:
    rows = re.findall(r"^\| `(\w+ \S+)` \|", (ROOT / "docs/api/operations.md").read_text(), re.MULTILINE)
    paths = openapi()["paths"]
    assert sorted(rows) == sorted(f"{method.upper()} {path}" for path, methods in paths.items() for method in methods)


def test_every_event_has_one_row() -> None:
    names = (ROOT / "docs/api/events.md").read_text().partition("## Names")[2]
    assert sorted(re.findall(r"^\| `([\w.]+)` \|", names, re.MULTILINE)) == sorted(get_args(EventType))


def test_every_dependency_has_one_row_and_no_other_has() -> None:
    rows = re.findall(r"^\| `([\w-]+)` \| \S", (ROOT / "docs/dependencies.md").read_text(), re.MULTILINE)
    found = project()
    groups = [*found["project"]["optional-dependencies"].values(), found["project"]["dependencies"]]
    declared = {bare(name) for group in [*groups, found["build-system"]["requires"]] for name in group}
    assert sorted(rows) == sorted(declared)


def test_pages_name_only_paths_that_exist() -> None:
    known = {(method.upper(), _shape(path)) for path, methods in openapi()["paths"].items() for method in methods}
    known |= OTHERS_PROTOCOLS
    known |= {("WS", WEBSOCKET), ("", WEBSOCKET)} | {("", path) for _, path in known}

    def unknown(page: Path) -> set[tuple[str, str]]:
        text = prose(page) + "".join(block.text for block in blocks(page) if block.language != "console")
        named = {(method, _shape(path.rstrip("./"))) for method, path in NAMED_PATH.findall(text)}
        return {pair for pair in named if pair not in known and pair[1] != ""}

    assert faults(unknown) == {}


def test_pages_name_only_settings_that_exist() -> None:
    known = {variable(name, field) for name, field in Settings.model_fields.items()} | OTHER_VARIABLES

    def unknown(page: Path) -> set[str]:
        named = set(re.findall(r"\bSUMMIT_[A-Z][A-Z_]*[A-Z]\b", page.read_text()))
        return {name for name in named - known if not any(other.startswith(f"{name}_") for other in known)}

    assert faults(unknown) == {}


def test_pages_name_only_commands_that_exist() -> None:
    known = set(_parser()._subparsers._group_actions[0].choices)  # type: ignore[union-attr, arg-type]
    command = re.compile(r"(?:`|\$ |\.venv/bin/|\| )summit ([a-z]+)")
    assert faults(lambda page: set(command.findall(page.read_text())) - known) == {}


def test_links_lead_somewhere() -> None:
    """The strict build checks the pages of docs/; these lie beside it."""

    def broken(page: Path) -> list[str]:
        return [link for link in LINK.findall(prose(page)) if page.parent == ROOT and not leads_somewhere(page, link)]

    assert faults(broken) == {}


def faults(found: Callable[[Path], Collection[Any]]) -> dict[str, Collection[Any]]:
    """Return what is wrong with each page, without those that are right."""
    return {name_of(page): wrong for page in pages() if (wrong := found(page))}


def leads_somewhere(page: Path, link: str) -> bool:
    if link.startswith(("http:", "https:")):
        return True
    path, _, anchor = link.partition("#")
    target = page.parent / path if path else page
    anchors = {_slug(heading) for heading in HEADING.findall(target.read_text())} if target.is_file() else set()
    return target.is_file() and (not anchor or anchor in anchors)


def _shape(path: str) -> str:
    return PARAMETER.sub("{}", path)


def _slug(heading: str) -> str:
    return re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-")
