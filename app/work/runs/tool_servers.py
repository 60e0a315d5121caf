"""Servers of the Model Context Protocol through its official library: named in a file, connected with for each run.

The library wants a connection to be entered and left by one task, so each has a task of its own.
"""

from __future__ import annotations

import asyncio
import importlib
import json
import logging
from collections.abc import AsyncGenerator, Awaitable, Callable, Mapping, Sequence
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from fnmatch import fnmatchcase
from functools import partial
from pathlib import Path
from typing import Any, Literal
from uuid import UUID

from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from app.errors import InvalidInput
from app.work.runs.model.tool_servers import ServedTool, ServerFailed, ServerState

log = logging.getLogger(__name__)
# A program that prints anything else would fill the log with it, a traceback for each line; who asked it is told.
logging.getLogger("mcp.client.stdio").setLevel(logging.CRITICAL)

MOST_TOOLS, MOST_PAGES = 200, 10
LONGEST_DESCRIPTION = 1_000
LONGEST_SCHEMA = 20_000
Work = Callable[[Any], Awaitable[Any]]


class ServerConfig(BaseModel):
    """One server: a program that is started, or an address. Patterns such as ``get_*`` name tools and users."""

    model_config = ConfigDict(extra="forbid")

    command: str = ""
    args: list[str] = Field(default_factory=list)
    env: dict[str, str] = Field(default_factory=dict)
    cwd: Path | None = None
    url: str = Field("", pattern=r"^(https?://\S+)?$")
    headers: dict[str, str] = Field(default_factory=dict)
    type: Literal["stdio", "http", "streamable-http"] | None = None
    tools: list[str] = Field(default_factory=list)
    reads: list[str] = Field(default_factory=list)
    users: list[str] = Field(default_factory=lambda: ["*"])

    @model_validator(mode="after")
    def _one_way(self) -> ServerConfig:
        if bool(self.command) == bool(self.url):
            raise ValueError("a server has either a command or a url")
        return self

    @property
    def transport(self) -> Literal["stdio", "http"]:
        """How it is spoken to."""
        return "stdio" if self.command else "http"

    def admits(self, user_id: UUID, name: str) -> bool:
        """Whether a user's runs may use it."""
        return _matches(str(user_id), self.users) or _matches(name, self.users)


class ServersFile(BaseModel):
    """The file, in the form that other programs use as well."""

    model_config = ConfigDict(extra="forbid")

    servers: dict[str, ServerConfig] = Field(alias="mcpServers")


class NamedServers:
    """All of them. The file is read anew each time: what changes there counts at once."""

    def __init__(self, file: Path | None, *, seconds: float) -> None:
        self._file = file
        self._seconds = seconds

    @asynccontextmanager
    async def open(self, user_id: UUID, name: str, only: str | None = None) -> AsyncGenerator[Connected]:
        """Connect with those that a user may use, or with that one of them, until the end of the context."""
        try:
            known = await asyncio.to_thread(self._read)
        except InvalidInput as problem:
            log.warning("no tool servers: %s", problem.detail)
            yield Connected({}, {only: problem.detail} if only else {})
            return
        admitted = {server: config for server, config in known.items() if config.admits(user_id, name)}
        wanted = admitted if only is None else {server: admitted[server] for server in {only} & admitted.keys()}
        async with self._connect(wanted) as connected:
            yield connected

    async def states(self) -> Sequence[ServerState]:
        """Connect with each; raises InvalidInput where the file that names them cannot be read."""
        known = await asyncio.to_thread(self._read)
        async with self._connect(known) as connected:
            return [
                ServerState(name, config.transport, connected.of(name), connected.missing.get(name, ""))
                for name, config in known.items()
            ]

    def _read(self) -> dict[str, ServerConfig]:
        if self._file is None:
            return {}
        try:
            return ServersFile.model_validate_json(self._file.read_bytes()).servers
        except OSError as error:
            raise InvalidInput(f"SUMMIT_MCP_SERVERS: {self._file.name} cannot be read: {error.strerror}.") from None
        except ValidationError as error:
            first = error.errors(include_url=False, include_input=False)[0]
            place = ".".join(map(str, first["loc"])) or "the file"
            raise InvalidInput(f"SUMMIT_MCP_SERVERS: {place}: {first['msg']}.") from None

    @asynccontextmanager
    async def _connect(self, configs: Mapping[str, ServerConfig]) -> AsyncGenerator[Connected]:
        async with AsyncExitStack() as stack:
            connections = {name: Connection(config, self._seconds) for name, config in configs.items()}
            for connection in connections.values():
                stack.push_async_callback(connection.close)
            found = await asyncio.gather(*(_list_tools(name, one) for name, one in connections.items()))
            yield Connected(connections, dict(zip(connections, found, strict=True)))


class Connected:
    """The servers that one user's run is connected with."""

    def __init__(self, connections: Mapping[str, Connection], found: Mapping[str, list[ServedTool] | str]) -> None:
        self._connections = connections
        self._found = found

    @property
    def tools(self) -> Sequence[ServedTool]:
        """What is offered."""
        return [tool for name in self._found for tool in self.of(name) if tool.offered]

    @property
    def missing(self) -> Mapping[str, str]:
        """The servers that cannot be reached, and why."""
        return {name: found for name, found in self._found.items() if isinstance(found, str)}

    def of(self, name: str) -> Sequence[ServedTool]:
        """All tools of a server."""
        found = self._found[name]
        return [] if isinstance(found, str) else found

    async def call(self, tool: ServedTool, arguments: Mapping[str, Any]) -> tuple[bool, str]:
        """Whether it went well, and what it said; raises ServerFailed."""
        answer = await self._connections[tool.server].ask(lambda client: client.call_tool(tool.name, dict(arguments)))
        return not answer.is_error, _answer_text(answer)


class Connection:
    """One server, spoken to by a task of its own from the first question on."""

    def __init__(self, config: ServerConfig, seconds: float) -> None:
        self.config = config
        self._seconds = seconds
        self._asked: asyncio.Queue[tuple[Work, asyncio.Future[Any]]] = asyncio.Queue()
        self._task: asyncio.Task[None] | None = None

    async def ask(self, work: Work) -> Any:
        """What the server answers; raises ServerFailed."""
        self._task = self._task or asyncio.create_task(self._serve())
        answer: asyncio.Future[Any] = asyncio.get_running_loop().create_future()
        self._asked.put_nowait((work, answer))
        try:
            async with asyncio.timeout(self._seconds):
                await asyncio.wait({answer, self._task}, return_when=asyncio.FIRST_COMPLETED)
        except TimeoutError:
            raise ServerFailed(f"it gave no answer within {self._seconds:g} s") from None
        if not answer.done():
            raise ServerFailed(_why(self._task.exception()))
        if (error := answer.exception()) is not None:
            raise ServerFailed(_why(error))
        return answer.result()

    async def close(self) -> None:
        """Leave it."""
        if self._task:
            self._task.cancel()
            with suppress(asyncio.CancelledError, Exception):
                await self._task

    async def _serve(self) -> None:
        async with AsyncExitStack() as stack:
            client = await stack.enter_async_context(await _client(self.config, self._seconds, stack))
            while True:
                work, answer = await self._asked.get()
                if answer.cancelled():
                    continue
                try:
                    result = await work(client)
                except Exception as error:  # noqa: BLE001 - whoever asked is told, whatever it is
                    if not answer.done():
                        answer.set_exception(error)
                else:
                    if not answer.done():
                        answer.set_result(result)


async def _client(config: ServerConfig, seconds: float, stack: AsyncExitStack) -> Any:
    library = await asyncio.to_thread(importlib.import_module, "mcp")
    if config.command:
        program = library.StdioServerParameters(
            command=config.command, args=config.args, env=config.env or None, cwd=config.cwd
        )
        return library.Client(program, read_timeout_seconds=seconds)
    http = await asyncio.to_thread(importlib.import_module, "httpx2")
    over = await asyncio.to_thread(importlib.import_module, "mcp.client.streamable_http")
    speaking = await stack.enter_async_context(http.AsyncClient(headers=config.headers, timeout=seconds))
    transport = over.streamable_http_client(config.url, http_client=speaking)
    return library.Client(transport, read_timeout_seconds=seconds)


async def _list_tools(name: str, connection: Connection) -> list[ServedTool] | str:
    """The tools of a server, or why there are none."""
    try:
        tools, cursor = [], None
        for _ in range(MOST_PAGES):
            page = await connection.ask(partial(_page, cursor))
            tools += [_tool(name, connection.config, one) for one in page.tools]
            cursor = page.next_cursor
            if not cursor or len(tools) >= MOST_TOOLS:
                break
    except ServerFailed as failure:
        return str(failure)
    return [tool for tool in tools[:MOST_TOOLS] if len(json.dumps(tool.schema)) <= LONGEST_SCHEMA]


async def _page(cursor: str | None, client: Any) -> Any:
    return await client.list_tools(cursor=cursor)


def _tool(server: str, config: ServerConfig, told: Any) -> ServedTool:
    return ServedTool(
        server=server,
        name=told.name,
        description=(told.description or "")[:LONGEST_DESCRIPTION],
        schema=told.input_schema,
        offered=_matches(told.name, config.tools),
        reads=_matches(told.name, config.reads),
    )


def _matches(name: str, patterns: Sequence[str]) -> bool:
    return any(fnmatchcase(name, pattern) for pattern in patterns)


def _answer_text(answer: Any) -> str:
    """The words of an answer; what is no text is named."""
    told = [getattr(part, "text", None) or f"({part.type}, which cannot be read)" for part in answer.content]
    if not told and answer.structured_content is not None:
        return json.dumps(answer.structured_content, ensure_ascii=False)
    return "\n".join(told)


def _why(error: BaseException | None) -> str:
    """The first cause, in short."""
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    if error is None:
        return "it has left"
    if isinstance(error, FileNotFoundError):
        return "its program is not there"
    return f"{type(error).__name__}: {error}"[:300]
