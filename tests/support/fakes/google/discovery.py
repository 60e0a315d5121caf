"""What Google's own description of an API says of a request: its path, its parameters, its scopes and its body."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from functools import cache
from pathlib import Path
from typing import Any
from urllib.parse import unquote

KINDS: Mapping[str, type] = {"string": str, "boolean": bool, "integer": int, "array": list, "object": dict}
ANYTHING: Mapping[str, Any] = {}


@dataclass(frozen=True)
class Method:
    """A method of an API, and the names in its path."""

    about: Mapping[str, Any]
    named: Mapping[str, str]

    @property
    def id(self) -> str:
        return str(self.about["id"])


class Discovery:
    """One API by its excerpt beside this file."""

    def __init__(self, document: Mapping[str, Any]) -> None:
        self._document = document
        self._methods = [
            (one["httpMethod"], _pattern(document["servicePath"] + one["path"]), one)
            for resource in document["resources"].values()
            for one in resource["methods"].values()
        ]

    def method(self, verb: str, path: str) -> Method | None:
        """The method behind a path; None where the API has none."""
        for known, pattern, about in self._methods:
            if known == verb and (found := pattern.fullmatch(path)):
                return Method(about, {name: unquote(value) for name, value in found.groupdict().items()})
        return None

    def faults(self, method: Method, query: Sequence[tuple[str, str]], body: Any) -> list[str]:
        """What is wrong with a request."""
        return [*self._query(method, query), *self._body(method, body)]

    def _query(self, method: Method, query: Sequence[tuple[str, str]]) -> Iterator[str]:
        known = {**self._document["parameters"], **method.about["parameters"]}
        names = [name for name, _ in query]
        for name, value in query:
            about = known.get(name, {})
            if about.get("location") != "query":
                yield f"there is no parameter {name}"
            elif names.count(name) > 1 and not about.get("repeated"):
                yield f"{name} is given twice"
            elif "enum" in about and value not in about["enum"]:
                yield f"{name} cannot be {value}"
            elif about["type"] == "boolean" and value not in ("true", "false"):
                yield f"{name} is no boolean"
            elif about["type"] == "integer" and not value.isdigit():
                yield f"{name} is no number"

    def _body(self, method: Method, body: Any) -> Iterator[str]:
        if "request" not in method.about:
            if body is not None:
                yield "this method takes no body"
            return
        if not isinstance(body, dict):
            yield "the body is no object"
            return
        schema = self._document["schemas"][method.about["request"]["$ref"]]
        for name, about in schema["properties"].items():
            if method.id in about.get("annotations", {}).get("required", []) and body.get(name) is None:
                yield f"{name} is missing"
        yield from self._wrong(schema, body, "", empties=method.about["httpMethod"] == "PATCH")

    def _wrong(self, schema: Mapping[str, Any], value: Any, place: str, *, empties: bool) -> Iterator[str]:
        if "$ref" in schema:
            # Parts of the API that the excerpt leaves out are not looked into.
            schema = self._document["schemas"].get(schema["$ref"], {"type": "object", "additionalProperties": ANYTHING})
        if schema is ANYTHING or (value is None and empties):
            return
        if not isinstance(value, KINDS[schema["type"]]):
            yield f"{place} is no {schema['type']}"
        elif not _is_formed(schema.get("format"), value):
            yield f"{place} is no {schema['format']}"
        for name, one in _inside(value):
            about = schema.get("properties", {}).get(name, schema.get("additionalProperties", schema.get("items")))
            if about is None:
                yield f"there is no {place}.{name}"
            else:
                yield from self._wrong(about, one, f"{place}.{name}", empties=empties)


def _inside(value: Any) -> Iterator[tuple[str, Any]]:
    if isinstance(value, dict):
        yield from value.items()
    elif isinstance(value, list):
        yield from ((str(place), one) for place, one in enumerate(value))


@cache
def discovery(name: str) -> Discovery:
    """The excerpt of that name."""
    return Discovery(json.loads((Path(__file__).parent / f"{name}.json").read_text()))


def _pattern(path: str) -> re.Pattern[str]:
    parts = re.split(r"\{(\w+)\}", f"/{path}")
    return re.compile("".join(f"(?P<{one}>[^/]+)" if place % 2 else re.escape(one) for place, one in enumerate(parts)))


def _is_formed(form: str | None, value: Any) -> bool:
    try:
        if form == "date":
            date.fromisoformat(value)
        elif form == "date-time":
            return datetime.fromisoformat(value).tzinfo is not None
    except ValueError:
        return False
    return True
