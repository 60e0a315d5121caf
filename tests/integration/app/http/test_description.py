"""The OpenAPI document is true: what it lists answers, what is sent fits it, and errors are problems."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import httpx
import pytest

from tests.support.servers.api import NewClient

Operation = tuple[str, str, dict[str, Any]]


@pytest.fixture
def document(client: NewClient) -> dict[str, Any]:
    found: dict[str, Any] = client().get("/openapi.json").json()
    return found


def operations(document: dict[str, Any]) -> Iterator[Operation]:
    for path, methods in document["paths"].items():
        for method, operation in methods.items():
            yield path, method, operation


def test_every_operation_is_explained(document: dict[str, Any]) -> None:
    ids = [operation["operationId"] for _, _, operation in operations(document)]
    assert len(ids) == len(set(ids))
    tags = {tag["name"] for tag in document["tags"]}
    for path, method, operation in operations(document):
        assert operation["summary"], (path, method)
        assert operation["description"], (path, method)
        assert set(operation["tags"]) <= tags, (path, method)


def test_every_bound_is_one_of_json_schema(document: dict[str, Any]) -> None:
    limits = [name for name, value in walk(document) if isinstance(value, int)]
    assert not {"ge", "le", "gt", "lt"} & set(limits)
    assert limits.count("minimum") > 20
    assert limits.count("maximum") > 20


def test_generators_find_the_server_and_the_key(document: dict[str, Any]) -> None:
    assert [server["url"] for server in document["servers"]] == ["/"]
    [scheme] = document["components"]["securitySchemes"]
    assert re.fullmatch(r"[\w.-]+", scheme)
    needs = {tuple(way) for _, _, operation in operations(document) for way in operation["security"]}
    assert needs == {(scheme,)}
    for path, method, operation in operations(document):
        assert bool(operation["security"]) == ("401" in operation["responses"]), (path, method)


def walk(part: Any) -> Iterator[tuple[str, Any]]:
    """Yield every member of a document with its name."""
    if isinstance(part, dict):
        yield from part.items()
    for item in part.values() if isinstance(part, dict) else part if isinstance(part, list) else ():
        yield from walk(item)


def test_every_post_takes_an_idempotency_key(document: dict[str, Any]) -> None:
    for path, method, operation in operations(document):
        names = {parameter["name"] for parameter in operation.get("parameters", [])}
        assert ("Idempotency-Key" in names) == (method == "post"), (path, method)


def test_every_error_is_a_problem_document(document: dict[str, Any]) -> None:
    for path, method, operation in operations(document):
        for status, response in operation["responses"].items():
            if status >= "400":
                assert list(response["content"]) == ["application/problem+json"], (path, method, status)
    assert "HTTPValidationError" not in document["components"]["schemas"]


def test_a_turn_is_answered_as_json_or_as_a_stream_and_each_has_a_type_of_its_own(document: dict[str, Any]) -> None:
    """Generators type by media type: a schema for both together would make every answer a union."""
    responses = document["paths"]["/v1/turns"]["post"]["responses"]
    turn = {"schema": {"$ref": "#/components/schemas/TurnView"}}
    assert responses["200"]["content"] == {
        "application/json": turn,
        "text/event-stream": {"schema": {"type": "string"}},
    }
    assert responses["202"]["content"] == {"application/json": turn}


def test_what_a_client_negotiates_is_no_parameter(document: dict[str, Any]) -> None:
    """OpenAPI ignores these names, and the media types of the answers say the same."""
    ignored = {"accept", "content-type", "authorization"}
    for path, method, operation in operations(document):
        names = {one["name"].lower() for one in operation.get("parameters", []) if one["in"] == "header"}
        assert not names & ignored, (path, method)


def test_every_reference_leads_somewhere(document: dict[str, Any]) -> None:
    found: list[str] = []

    def collect(value: Any) -> None:
        if isinstance(value, dict):
            found.extend([value["$ref"]] if isinstance(value.get("$ref"), str) else [])
            for item in value.values():
                collect(item)
        elif isinstance(value, list):
            for item in value:
                collect(item)

    collect(document)
    assert {name.rsplit("/", 1)[1] for name in found} <= set(document["components"]["schemas"])


def test_what_is_sent_has_exactly_the_documented_fields(alice: httpx.Client, document: dict[str, Any]) -> None:
    alice.post("/v1/todos", json={"task": "buy milk"})
    alice.post("/v1/turns", json={"text": "buy bread"})
    for path in ("todos", "changes", "threads", "keys"):
        response = document["paths"][f"/v1/{path}"]["get"]["responses"]["200"]["content"]["application/json"]["schema"]
        page = _named(document, response)
        item = _named(document, page["properties"]["items"]["items"])
        for sent in alice.get(f"/v1/{path}").json()["items"]:
            assert set(sent) == set(item["properties"]), path


def test_every_path_answers_without_a_key_only_where_it_says_so(
    alice: httpx.Client, client: NewClient, document: dict[str, Any]
) -> None:
    stranger = client()
    for path, method, operation in operations(document):
        answer = stranger.request(method, path.replace("{", "").replace("}", ""))
        assert (answer.status_code == 401) == ("401" in operation["responses"]), (path, method, answer.status_code)


def _named(document: dict[str, Any], schema: dict[str, Any]) -> dict[str, Any]:
    found: dict[str, Any] = document["components"]["schemas"][schema["$ref"].rsplit("/", 1)[1]]
    return found
