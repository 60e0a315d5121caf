"""Every query parameter and every field of a JSON body takes what the OpenAPI document declares, and nothing else."""

from __future__ import annotations

import re
from collections.abc import Iterator
from http import HTTPStatus
from typing import Any, NamedTuple

import httpx
import pytest
from fastapi import FastAPI

from app.main import create_app
from app.settings import Settings

Schema = dict[str, Any]
SOME_ID = "00000000-0000-4000-8000-000000000000"
PATH_VALUES = {"capability": "chat", "slug": "openai", "token": "none"}
WRONG_TEXTS: dict[str, tuple[str, ...]] = {
    "integer": ("", "1.0", "true", "1_0", "1e1", " 7"),
    "boolean": ("", "2", "null"),
    "date": ("", "0", "1700000000", "20261118", "2026-1-1", "2026-11-18T00:00:00Z"),
    "moment": ("", "0", "1700000000", "20261118", "2026-11-18T00:00:00"),
    "enum": ("", "null"),
}
WRONG_VALUES: dict[str, tuple[Any, ...]] = {
    "integer": ("7", True, 7.5),
    "boolean": (0, "true"),
    "date": (0, "0", "20261118", True),
    "moment": (0, "0", "20261118", True),
    "enum": (0, ""),
    "string": (0, True),
    "array": (0, "a", {}),
    "object": (0, "a", []),
}


class Case(NamedTuple):
    """One input with one wrong value; ``field`` is its path inside the query or the body."""

    method: str
    path: str
    place: str
    field: tuple[str, ...]
    value: Any

    @property
    def name(self) -> str:
        return f"{self.method} {self.path} {'.'.join(self.field)}={self.value!r}"


def document() -> dict[str, Any]:
    app: FastAPI = create_app(Settings(_env_file=None), lambda _: pytest.fail("nothing is served"))
    return app.openapi()


def resolved(schema: Schema, known: Schema) -> Schema:
    return known[schema["$ref"].rsplit("/", 1)[1]] if "$ref" in schema else schema


def alternatives(schema: Schema, known: Schema) -> list[Schema]:
    """The forms that a value may have, null aside."""
    schema = resolved(schema, known)
    forms = schema["anyOf"] if "anyOf" in schema and "type" not in schema else [schema]
    return [resolved(form, known) for form in forms if form.get("type") != "null"]


def takes_null(schema: Schema, known: Schema) -> bool:
    schema = resolved(schema, known)
    return any(form.get("type") == "null" for form in schema.get("anyOf", [schema])) or not schema


def type_of(form: Schema) -> str:
    formats = {form.get("format"), *(one.get("format") for one in form.get("anyOf", ()))}
    if formats & {"date", "date-time"}:
        return "moment" if "date-time" in formats else "date"
    return "enum" if "enum" in form or "const" in form else str(form.get("type"))


def wrong_queries(parameter: Schema, known: Schema) -> Iterator[str]:
    for form in alternatives(parameter["schema"], known):
        yield from WRONG_TEXTS.get(type_of(form), ())
        yield from (str(form[bound] + step) for bound, step in (("minimum", -1), ("maximum", 1)) if bound in form)


def fields_of(schema: Schema, known: Schema, above: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], Schema]]:
    """Each property of a body, those of the objects in it too."""
    known = known | schema.get("$defs", {})
    for form in alternatives(schema, known):
        for name, inner in parts_of(form):
            yield (*above, name), {**inner, "$known": known}
            yield from fields_of(inner, known, (*above, name))


def parts_of(form: Schema) -> Iterator[tuple[str, Schema]]:
    """What a value is made of, by the step that leads there; of a list its first item, of a map any entry."""
    yield from form.get("properties", {}).items()
    inner = {"0": form.get("items"), "entry": form.get("additionalProperties")}
    yield from ((step, schema) for step, schema in inner.items() if isinstance(schema, dict))


def wrong_values(schema: Schema, known: Schema) -> Iterator[Any]:
    known = schema.pop("$known", known)
    types = {type_of(form) for form in alternatives(schema, known)}
    if len(types) == 1:
        yield from WRONG_VALUES.get(types.pop(), ())
    if not takes_null(schema, known):
        yield None


def cases() -> Iterator[Case]:
    found = document()
    known = found["components"]["schemas"]
    for path, methods in found["paths"].items():
        for method, operation in methods.items():
            for parameter in operation.get("parameters", []):
                if parameter["in"] == "query":
                    for text in wrong_queries(parameter, known):
                        yield Case(method, path, "query", (parameter["name"],), text)
            content = operation.get("requestBody", {}).get("content", {})
            if body := content.get("application/json", {}).get("schema"):
                for field, schema in fields_of(body, known):
                    for value in wrong_values(schema, known):
                        yield Case(method, path, "body", field, value)


CASES = list(cases())


def nested(field: tuple[str, ...], value: Any) -> Any:
    for name in reversed(field):
        value = [value] if name == "0" else {name: value}
    return value


def refused(client: httpx.Client, case: Case) -> tuple[int, list[str]]:
    """The status, and the fields that the refusal names; what is accepted may be a stream without an end."""
    path = re.sub(r"{(\w+)}", lambda name: PATH_VALUES.get(name[1], SOME_ID), case.path)
    sent = (
        {"params": {case.field[0]: case.value}} if case.place == "query" else {"json": nested(case.field, case.value)}
    )
    with client.stream(case.method, path, **sent) as answer:
        if answer.status_code != HTTPStatus.UNPROCESSABLE_ENTITY:
            return answer.status_code, []
        answer.read()
        return answer.status_code, [error["field"] for error in answer.json().get("errors", [])]


def test_the_document_has_inputs_of_every_type() -> None:
    assert len(CASES) > 500
    assert {case.place for case in CASES} == {"query", "body"}
    assert {("get", "/v1/usage", "to"), ("patch", "/v1/settings", "conventions.working_days")} <= {
        (case.method, case.path, ".".join(case.field)) for case in CASES
    }


@pytest.mark.parametrize("path", sorted({case.path for case in CASES}))
def test_a_value_of_another_type_is_refused_by_name(alice: httpx.Client, admin: httpx.Client, path: str) -> None:
    client, wrong = admin if path == "/v1/users" else alice, []
    for case in CASES:
        if case.path != path:
            continue
        status, named = refused(client, case)
        if not any(name.startswith(".".join(case.field)) for name in named):
            wrong.append((case.name, status, named))
    assert wrong == [], "\n" + "\n".join(map(str, wrong))
