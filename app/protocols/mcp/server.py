"""Summit as a server of the Model Context Protocol, over the calls of one user. A large library: import it late."""

from __future__ import annotations

import json
import re
from typing import Any

import mcp_types as types
from mcp.server.lowlevel import Server
from mcp.shared.exceptions import MCPError
from pydantic import ValidationError

from app.errors import InvalidInput
from app.http.problems import invalid
from app.protocols.mcp.calls import Calls, ToolRefused
from app.protocols.mcp.resources import PROMPTS, TEMPLATES, TODAY, read
from app.protocols.mcp.times import with_offsets
from app.protocols.mcp.tools import TOOLS, Effect, Tool
from app.version import summit_version

INSTRUCTIONS = (
    "Summit keeps one user's tasks, calendar, notes and memory. Every change is in a ledger and can be undone: results "
    "name the change and its undo. A result with status `waiting` has asked a question and changed nothing yet."
)
JSON = "application/json"
IN_READING = re.compile(r"\breading\.0(?:\.|: )")
"""Where a tool's arguments stand in the turn that it makes: its caller knows them by their own names."""


def build_server(calls: Calls) -> Server[Any]:
    """A server that acts for whoever ``calls`` acts for."""

    async def list_tools(_context: Any, _params: Any) -> types.ListToolsResult:
        return types.ListToolsResult(tools=[_describe_tool(tool) for tool in TOOLS])

    async def call_tool(_context: Any, params: types.CallToolRequestParams) -> types.CallToolResult:
        tool = next((one for one in TOOLS if one.name == params.name), None)
        if tool is None:
            raise MCPError(types.INVALID_PARAMS, f"There is no tool {params.name[:50]}.")
        return await _run_tool(calls, tool, params.arguments or {})

    async def read_resource(_context: Any, params: types.ReadResourceRequestParams) -> types.ReadResourceResult:
        try:
            document = await read(calls, str(params.uri))
        except ToolRefused as refusal:
            raise MCPError(types.INVALID_PARAMS, str(refusal)) from refusal
        text = json.dumps(document, ensure_ascii=False)
        return types.ReadResourceResult(
            contents=[types.TextResourceContents(uri=params.uri, mime_type=JSON, text=text)]
        )

    return Server(
        "summit",
        version=summit_version(),
        instructions=INSTRUCTIONS,
        on_list_tools=list_tools,
        on_call_tool=call_tool,
        on_list_resources=_list_resources,
        on_list_resource_templates=_list_templates,
        on_read_resource=read_resource,
        on_list_prompts=_list_prompts,
        on_get_prompt=_get_prompt,
    )


async def _run_tool(calls: Calls, tool: Tool, arguments: dict[str, Any]) -> types.CallToolResult:
    try:
        result = await tool.act(calls, tool.takes.model_validate(await with_offsets(calls, arguments)))
    except (ToolRefused, ValidationError, ValueError) as error:
        return types.CallToolResult(content=[types.TextContent(text=_reason(error))], is_error=True)
    text = result.get("reply") or result.get("answer") or json.dumps(result, ensure_ascii=False)
    return types.CallToolResult(content=[types.TextContent(text=text)], structured_content=result)


def _reason(error: Exception) -> str:
    if isinstance(error, ValidationError):
        return str(invalid([{**one, "loc": ("body", *one["loc"])} for one in error.errors()]))
    return IN_READING.sub("", str(error)).removesuffix(f" {InvalidInput.hint}")


def _describe_tool(tool: Tool) -> types.Tool:
    return types.Tool(
        name=tool.name,
        description=tool.description,
        input_schema=tool.takes.model_json_schema(),
        annotations=_annotations(tool.effect),
    )


def _annotations(effect: Effect) -> types.ToolAnnotations:
    return types.ToolAnnotations(
        read_only_hint=effect == "reads",
        destructive_hint=effect == "changes",
        idempotent_hint=False,
        open_world_hint=False,
    )


async def _list_resources(_context: Any, _params: Any) -> types.ListResourcesResult:
    day = types.Resource(uri=TODAY, name="today", description="Appointments of today and what is due.", mime_type=JSON)
    return types.ListResourcesResult(resources=[day])


async def _list_templates(_context: Any, _params: Any) -> types.ListResourceTemplatesResult:
    found = [
        types.ResourceTemplate(uri_template=uri, name=name, description=words, mime_type=JSON)
        for name, (uri, words) in TEMPLATES.items()
    ]
    return types.ListResourceTemplatesResult(resource_templates=found)


async def _list_prompts(_context: Any, _params: Any) -> types.ListPromptsResult:
    found = [types.Prompt(name=name, description=words) for name, (words, _) in PROMPTS.items()]
    return types.ListPromptsResult(prompts=found)


async def _get_prompt(_context: Any, params: types.GetPromptRequestParams) -> types.GetPromptResult:
    if params.name not in PROMPTS:
        raise MCPError(types.INVALID_PARAMS, f"There is no prompt {params.name[:50]}.")
    words, text = PROMPTS[params.name]
    message = types.PromptMessage(role="user", content=types.TextContent(text=text))
    return types.GetPromptResult(description=words, messages=[message])
