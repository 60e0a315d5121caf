"""Write the pages of docs/ that repeat what the code knows: the settings and the operations of the API.

Run it as ``python -m scripts.reference_pages`` after a setting or a route has changed; a test compares.
"""

from __future__ import annotations

import inspect
import json
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any, Literal, NamedTuple, get_args, get_origin

from fastapi import FastAPI
from pydantic import AliasChoices
from pydantic.fields import FieldInfo
from pydantic_core import PydanticUndefined

from app.http.description import describe
from app.notice_settings import NoticeSettings
from app.routes import add_routes
from app.settings import Settings

DOCS = Path(__file__).resolve().parent.parent / "docs"
GENERATED = "<!-- Written by `python -m scripts.reference_pages`; a test compares. Do not edit by hand. -->"
HEAD = ["| Variable | Default | Allowed | What it is |", "|---|---|---|---|"]

SETTINGS_INTRODUCTION = """
Every setting is an environment variable. Summit also reads a file `.env` in the folder where it starts; the environment
wins. A list or a table is written as JSON. A wrong value stops the start with one sentence that names the variable and
the reason, and a misspelt name is pointed out (`summit doctor` shows it too).

The settings on this page belong to one process. What belongs to one user (time zone, language, quiet hours, the
meaning of "evening") is changed with `PATCH /v1/settings`; [Saying things](../guide/saying.md#what-your-words-mean)
explains it.
"""
OPERATIONS_INTRODUCTION = """
Every operation of the HTTP API, in the order of the OpenAPI document. A running server describes each one in full, with
its fields and errors, at `/docs` (a page that needs no network) and `/openapi.json`. The websocket has
[a page of its own](websocket.md).
"""


class Bounds(NamedTuple):
    """The numbers that a setting may be, as pydantic's annotations say it."""

    ge: float | None
    gt: float | None
    le: float | None


def main() -> None:
    """Write the pages."""
    for path, text in pages().items():
        (DOCS / path).write_text(text)


def pages() -> dict[str, str]:
    """The generated pages by their path in docs/."""
    return {"operate/settings.md": settings_page(), "api/operations.md": operations_page()}


def settings_page() -> str:
    """The page of settings: a table for each comment that heads a group of them in the code."""
    sections = [f"# Settings\n\n{GENERATED}\n{SETTINGS_INTRODUCTION}"]
    for heading, names in _groups().items():
        rows = [_row(name, Settings.model_fields[name]) for name in names]
        sections.append("\n".join([f"## {heading}\n", *HEAD, *rows]))
    return "\n\n".join(sections).replace("\n\n\n", "\n\n") + "\n"


def operations_page() -> str:
    """The page of operations: a table for each tag of the OpenAPI document."""
    document = openapi()
    sections = [f"# Operations\n\n{GENERATED}\n{OPERATIONS_INTRODUCTION}"]
    found = {tag["name"]: [f"## {tag['name'].capitalize()}\n", f"{tag['description']}\n"] for tag in document["tags"]}
    for lines in found.values():
        lines += ["| Operation | What it does |", "|---|---|"]
    for method, path, operation in _operations(document):
        found[operation["tags"][0]].append(f"| `{method} {path}` | {operation['summary']} |")
    sections += ["\n".join(lines) for lines in found.values()]
    return "\n\n".join(sections).replace("\n\n\n", "\n\n") + "\n"


def _groups() -> dict[str, list[str]]:
    """The names of the settings under the comments that head them."""
    found: dict[str, list[str]] = {}
    for source in (Settings, NoticeSettings):
        heading = ""
        for line in inspect.getsource(source).splitlines():
            if comment := re.fullmatch(r"    # (.+)", line):
                heading = comment[1]
            elif (field := re.match(r"    (\w+): ", line)) and field[1] in Settings.model_fields:
                found.setdefault(heading, []).append(field[1])
    return found


def _row(name: str, field: FieldInfo) -> str:
    return (
        f"| `{variable(name, field)}` | {_default(field)} | {_choices(field) or _range(field)} | {field.description} |"
    )


def variable(name: str, field: FieldInfo) -> str:
    """The environment variable that people are told to set."""
    if isinstance(field.validation_alias, AliasChoices):
        return str(field.validation_alias.choices[0])
    return f"SUMMIT_{name.upper()}"


def _default(field: FieldInfo) -> str:
    if field.default in (PydanticUndefined, None, ""):
        return ""
    return f"`{json.dumps(field.default)}`".replace('"', "")


def _choices(field: FieldInfo) -> str:
    if get_origin(field.annotation) is not Literal:
        return ""
    return ", ".join(f"`{choice}`" for choice in get_args(field.annotation))


def _range(field: FieldInfo) -> str:
    found = {name: getattr(bound, name) for name in Bounds._fields for bound in field.metadata if hasattr(bound, name)}
    bounds = Bounds(**{name: found.get(name) for name in Bounds._fields})
    if bounds.gt is not None:
        return f"above {bounds.gt}" + (f", up to {bounds.le}" if bounds.le is not None else "")
    if bounds.ge is not None:
        return f"{bounds.ge} to {bounds.le}" if bounds.le is not None else f"{bounds.ge} or more"
    return ""


@cache
def openapi() -> dict[str, Any]:
    """The OpenAPI document, without opening a database."""
    app = FastAPI(title="Summit")
    add_routes(app)
    describe(app)
    return app.openapi()


def _operations(document: dict[str, Any]) -> Iterator[tuple[str, str, dict[str, Any]]]:
    for path, methods in document["paths"].items():
        for method, operation in methods.items():
            yield method.upper(), path, operation


if __name__ == "__main__":
    main()
