"""The OpenAPI document: what a stranger needs to know, and errors as they really are."""

from __future__ import annotations

import json
from threading import Lock
from typing import Any

from fastapi import FastAPI
from fastapi.openapi.utils import get_openapi

from app.http.problems import MEDIA_TYPE, ProblemDocument
from app.http.websocket_protocol import WEBSOCKET

INTRODUCTION = """
Say something, in words or as a recording, and Summit acts on it, answers, or asks back.

* **One message is one turn**: `POST /v1/turns`. It is durable before it is acknowledged.
* **Every change is a row of a ledger** and can be undone on its own, now or much later: `POST /v1/changes/{id}/undo`.
  Edits through these doors are changes too.
* **Errors** are `application/problem+json` (RFC 9457) with a `hint` that says what to do next.
* **Keys**: send `Authorization: Bearer sk_summit_...`. A server on loopback without any key needs none.
* **Retries**: send an `Idempotency-Key` with any POST; sent again, it does nothing twice.
* **Events**: `Accept: text/event-stream` on a turn, `GET /v1/turns/{id}/events` for one turn, `GET /v1/stream` for all
  of them, and the websocket below, which takes messages too. All send the same envelopes and resume by `seq`.
* **Times** are RFC 3339 with an offset; a deadline that is only a day is `YYYY-MM-DD`.
"""
TAGS = [
    {"name": "turns", "description": "Messages and what became of them."},
    {"name": "stream", "description": "Everything that happens, as it happens."},
    {"name": "todos", "description": "Tasks, reminders and habits."},
    {"name": "events", "description": "The calendar."},
    {"name": "calendar", "description": "Your calendar in other programs."},
    {"name": "notes", "description": "Notes, ideas, lists, questions and thoughts."},
    {"name": "instructions", "description": "Standing wishes on how Summit should work."},
    {"name": "profile", "description": "Who you are."},
    {"name": "providers", "description": "Where language models are, and which are used."},
    {"name": "credits", "description": "What language models cost."},
    {"name": "changes", "description": "The ledger: what was done, and undoing it."},
    {"name": "threads", "description": "Conversations and their full history."},
    {"name": "memos", "description": "Recordings and their transcripts."},
    {"name": "memory", "description": "What you said or kept, searched and quoted."},
    {"name": "notifications", "description": "Reminders and briefings: what Summit told you by itself."},
    {"name": "everything", "description": "Everything of yours: out as one archive, in again, and gone for good."},
    {"name": "projects", "description": "Folders of code on the server's machine, and what they are made of."},
    {"name": "webhooks", "description": "Addresses that are told of reminders."},
    {"name": "runs", "description": "Long work on a goal: it plans, acts, asks and stops."},
    {
        "name": "workflows",
        "description": "Steps that are done one after the other, by name, in a rhythm, or at a memo.",
    },
    {"name": "mail", "description": "Mail accounts of workflows, and mail that waits for your yes."},
    {"name": "settings", "description": "How Summit understands you."},
    {"name": "keys", "description": "API keys of a user. Needs the scope `admin`."},
    {"name": "users", "description": "Tenants. Needs the administrator's key."},
    {"name": "audit", "description": "Who did what to accounts, keys, models and switches."},
    {"name": "health", "description": "For operators."},
]
PROBLEM_REFERENCE = {"$ref": "#/components/schemas/Problem"}
COMMON_PROBLEMS = {
    "401": "No valid API key.",
    "403": "The key lacks a scope, or the request comes from a foreign web page.",
    "404": "Nothing here with that id, for this user.",
    "422": "The request is not valid; `errors` names the fields.",
    "429": "Too many requests of this user or key; `Retry-After` says when to try again.",
    "503": "The database or the disk cannot be used now; `Retry-After` says when to try again.",
}
WRITE_PROBLEMS = {
    "400": "The body could not be read.",
    "408": "The body did not arrive in time.",
    "409": "Not possible in the current state.",
    "413": "The body is too large.",
    "415": "Not a content type that is accepted here.",
}
BOUNDS = {"ge": "minimum", "le": "maximum", "gt": "exclusiveMinimum", "lt": "exclusiveMaximum"}
"""What pydantic writes of a bound behind a check of ours, and what JSON Schema calls it."""
REPLACED = ("HTTPValidationError", "ValidationError")
LASTING_NAMES = {
    "app__calendars__routes__calendar_accounts__": "app__api__calendar_accounts__",
    "app__models__routes__spending__": "app__api__spending__",
    "app__work__runs__routes__runs__": "app__api__runs__",
}
"""Schemas of the same name are told apart by modules; the code of clients has them as these were first called."""


def describe(app: FastAPI) -> None:
    """Make the application describe itself truthfully."""
    once = Lock()

    def document() -> dict[str, Any]:
        with once:  # asked for in threads: it takes most of a second
            if app.openapi_schema is None:
                app.openapi_schema = _document(app)
            return app.openapi_schema

    app.openapi = document  # type: ignore[method-assign] # the framework's documented way


def _document(app: FastAPI) -> dict[str, Any]:
    found = get_openapi(
        title=app.title,
        version=app.version,
        description=INTRODUCTION + WEBSOCKET,
        routes=app.routes,
        tags=TAGS,
        license_info={"name": "MIT", "identifier": "MIT"},
        servers=[{"url": "/", "description": "This server."}],
    )
    found = _with_lasting_names(found)
    schemas = found["components"]["schemas"]
    for name in REPLACED:
        schemas.pop(name, None)
    problem = ProblemDocument.model_json_schema(ref_template="#/components/schemas/{model}")
    schemas.update(problem.pop("$defs"))
    schemas["Problem"] = {**problem, "title": "Problem"}
    for path, operations in found["paths"].items():
        for method, operation in operations.items():
            _add_problems(path, method, operation)
            operation.setdefault("security", [])
    described: dict[str, Any] = _with_bounds(found)
    return described


def _with_lasting_names(document: dict[str, Any]) -> dict[str, Any]:
    """Return the document with the names of schemas that stay, wherever their classes move."""
    text = json.dumps(document)
    for name, lasting in LASTING_NAMES.items():
        text = text.replace(name, lasting)
    renamed: dict[str, Any] = json.loads(text)
    renamed["components"]["schemas"] = dict(sorted(renamed["components"]["schemas"].items()))
    return renamed


def _with_bounds(part: Any) -> Any:
    """Name bounds of numbers as JSON Schema does."""
    if isinstance(part, list):
        return [_with_bounds(item) for item in part]
    if not isinstance(part, dict):
        return part
    return {
        BOUNDS.get(name, name) if isinstance(value, int | float) else name: _with_bounds(value)
        for name, value in part.items()
    }


def _add_problems(path: str, method: str, operation: dict[str, Any]) -> None:
    responses = operation["responses"]
    if not path.startswith("/v1/") or path == "/v1/version":
        responses.pop("422", None)
        if path == "/readyz":
            responses["503"] = _problem("Something is missing; `checks` says what.")
        return
    known = COMMON_PROBLEMS | (WRITE_PROBLEMS if method != "get" else {})
    if any(parameter["name"] == "If-Match" for parameter in operation.get("parameters", [])):
        known["412"] = "The item changed since it was read; `current` is how it is now."
    if operation["operationId"] == "post_turn":
        known["402"] = "The user is out of credits, and this server refuses messages then."
        known["429"] = "Too many messages wait in this thread, or too many recordings or requests came."
    if operation["operationId"] in ("post_memo", "begin_upload"):
        known["429"] = "Too many recordings of the user wait, or too many minutes were heard within 24 hours."
    if operation["operationId"] == "stream":
        known["429"] = "The user has too many streams open."
    if operation["operationId"] == "read_feed":  # its address is its key
        gone = "No feed has this address, or not any more."
        known = {"404": gone, **{status: COMMON_PROBLEMS[status] for status in ("422", "503")}}
    for status, description in known.items():
        responses[status] = _problem(description)


def _problem(description: str) -> dict[str, Any]:
    return {"description": description, "content": {MEDIA_TYPE: {"schema": PROBLEM_REFERENCE}}}
