"""Tools of other servers as tools of runs: what they say is foreign, and they send unless they are said to read."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from jsonschema import Draft202012Validator
from jsonschema.exceptions import SchemaError
from jsonschema.exceptions import ValidationError as WrongArguments
from pydantic import ConfigDict
from referencing import Registry as Schemas
from referencing.exceptions import Unresolvable

from app.work.runs.model.tool_servers import ServedTool, ServerFailed
from app.work.runs.tool_servers import Connected
from app.work.runs.tools.tool import Form, Tool, ToolContext, ToolOutcome, failed_outcome

LONGEST_NAME = 64
UNSAFE = re.compile(r"[^A-Za-z0-9_-]+")
NO_SCHEMAS: Schemas[Any] = Schemas()
"""Of a schema, only itself may be referred to: none is fetched."""


class AnyForm(Form):
    """Arguments of which only their server knows the form."""

    model_config = ConfigDict(extra="allow")


@dataclass(frozen=True)
class TheirTool(Tool):
    """A tool with the schema that its server gave it."""

    parameters: Mapping[str, Any] = field(default_factory=dict)

    def schema(self) -> dict[str, Any]:
        """As a model is shown it."""
        told = {"name": self.name, "description": self.description, "parameters": dict(self.parameters)}
        return {"type": "function", "function": told}

    def read(self, arguments: Mapping[str, Any]) -> Form | ToolOutcome:
        """The arguments, if the schema takes them."""
        try:
            Draft202012Validator(dict(self.parameters), registry=NO_SCHEMAS).validate(dict(arguments))
        except WrongArguments as error:
            place = ".".join(map(str, error.absolute_path)) or "all"
            return failed_outcome(
                "invalid", f"The arguments of {self.name} are not valid: {place}: {error.message[:300]}"
            )
        except (SchemaError, Unresolvable) as error:
            return failed_outcome("broken", f"The server's form of {self.name} is not valid: {type(error).__name__}.")
        return AnyForm.model_validate(dict(arguments))


def tools_of(servers: Connected, seconds: float) -> dict[str, Tool]:
    """The tools that connected servers offer, by the names that a model calls; of two with one name, the first."""
    found: dict[str, Tool] = {}
    for served in servers.tools:
        made = _make_tool(servers, served, seconds)
        found.setdefault(made.name, made)
    return found


def _make_tool(servers: Connected, served: ServedTool, seconds: float) -> Tool:
    async def act(_context: ToolContext, form: AnyForm) -> ToolOutcome:
        try:
            ok, text = await servers.call(served, form.model_dump())
        except ServerFailed as failure:
            return failed_outcome("unreachable", f"The server {served.server} failed: {failure}.")
        return ToolOutcome(text, changed=not served.reads) if ok else failed_outcome("refused", text, foreign=True)

    return TheirTool(
        name=UNSAFE.sub("_", f"{served.server}_{served.name}")[:LONGEST_NAME],
        description=f"A tool of the server {served.server}. {served.description}",
        form=AnyForm,
        risk="read" if served.reads else "send",
        act=act,
        idempotent=served.reads,
        seconds=seconds,
        taints=True,
        parameters=served.schema,
    )
