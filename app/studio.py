"""LangGraph Studio's graph: with the configured model and database where there are some, else with neither.

Studio asks for the graph at each request, and puts its own store and checkpointer into it. With DATABASE_URL the
records are in that database, so its store is kept out; threads stay Studio's.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator, Callable
from contextlib import AsyncExitStack, aclosing
from typing import Any, Self, cast
from uuid import UUID
from weakref import WeakKeyDictionary

from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.base import BaseCheckpointSaver
from langgraph.graph.state import CompiledStateGraph

from agents.context import Context, user_of
from app.lifespan import open_graph
from app.principal import Principal, acting_as
from app.settings import Settings, load_settings
from app.work.studio import open_projects, open_runs
from graph.builder import TurnGraph
from graph.builder import make_graph as make_plain_graph
from graph.state import State, TurnInput, TurnOutput, own_types

_opening: WeakKeyDictionary[asyncio.AbstractEventLoop, asyncio.Task[TurnGraph]] = WeakKeyDictionary()
"""The graph of each event loop: connections belong to one."""
_others: WeakKeyDictionary[asyncio.AbstractEventLoop, dict[Callable[[Settings], Any], Any]] = WeakKeyDictionary()
_open: list[AsyncExitStack] = []
"""What stays open until the process ends: Studio does not say when it is done with a graph."""


async def make_graph() -> TurnGraph:
    """The graph as the settings compose it."""
    loop = asyncio.get_running_loop()
    if loop not in _opening or (_opening[loop].done() and _opening[loop].exception()):
        _opening[loop] = loop.create_task(_open_studio())
    return await asyncio.shield(_opening[loop])


async def make_runs_graph() -> Any:
    """The graph of runs: what a goal goes through."""
    return await _once(open_runs)


async def make_projects_graph() -> Any:
    """The graph of work on a project."""
    return await _once(open_projects)


async def _once(opening: Callable[[Settings], Any]) -> Any:
    """The same graph each time on one event loop, as what calls did is remembered in it."""
    graphs = _others.setdefault(asyncio.get_running_loop(), {})
    if opening not in graphs:
        opened = await asyncio.to_thread(lambda: opening(load_settings()))
        graphs.setdefault(opening, opened)
    return graphs[opening]


async def _open_studio() -> TurnGraph:
    settings = await asyncio.to_thread(load_settings)
    if not (settings.database_url or settings.llm_model):
        return InStudio(**vars(make_plain_graph()))
    return await _compose_graph(settings)


async def _compose_graph(settings: Settings) -> TurnGraph:
    stack = AsyncExitStack()
    _open.append(stack)
    graph = await stack.enter_async_context(open_graph(settings, print))
    return InStudio(**vars(graph)) if settings.database_url is None else OnOwnStore(**vars(graph))


class InStudio(CompiledStateGraph[State, Context, TurnInput, TurnOutput]):
    """A graph whose own types Studio's checkpointer may read back, for the user that either form names."""

    def copy(self, update: dict[str, Any] | None = None) -> Self:
        """A copy with other values; a checkpointer that is strict (LANGGRAPH_STRICT_MSGPACK) learns our types."""
        values = dict(update or {})
        if isinstance(values.get("checkpointer"), BaseCheckpointSaver):
            values["checkpointer"] = values["checkpointer"].with_allowlist(own_types())
        return super().copy(values)

    def astream(
        self,
        input: Any,  # noqa: A002 - the name that callers give
        config: RunnableConfig | None = None,
        *,
        context: Context | None = None,
        **options: Any,
    ) -> AsyncIterator[Any]:
        """As any graph; `configurable.user_id`, the older form, counts as the context's."""
        return super().astream(input, config, context=in_either_form(context, config), **options)


def in_either_form(context: Context | None, config: RunnableConfig | None) -> Context | None:
    """The context, with the user of `configurable` where it has none; raises ValueError where they differ."""
    named = ((config or {}).get("configurable") or {}).get("user_id")
    if named is None:
        return context
    given = (context or {}).get("user_id")
    if given and given != named:
        raise ValueError(f"`user_id` is {given} in the context and {named} in `configurable`: give one of them.")
    return Context({**(context or {}), "user_id": str(named)})


class OnOwnStore(InStudio):
    """A graph that keeps its store, and runs as the user of its context."""

    def copy(self, update: dict[str, Any] | None = None) -> Self:
        """A copy with other values, but with the same store."""
        return super().copy({name: value for name, value in (update or {}).items() if name != "store"})

    async def astream(
        self,
        input: Any,  # noqa: A002 - the name that callers give
        config: RunnableConfig | None = None,
        *,
        context: Context | None = None,
        **options: Any,
    ) -> AsyncIterator[Any]:
        """As any graph, in the name of the context's user: row-level security shows nobody else's rows."""
        context = in_either_form(context, config)
        user = Principal(_uuid_of(user_of(context)))
        stream = cast("AsyncGenerator[Any, None]", super().astream(input, config, context=context, **options))
        async with aclosing(stream) as pieces:
            while True:
                with acting_as(user):  # a server may step a stream from several contexts
                    piece = await anext(pieces, self)
                if piece is self:
                    return
                yield piece


def _uuid_of(user_id: str) -> UUID:
    try:
        return UUID(user_id)
    except ValueError:
        raise ValueError(f"`user_id` is the id of a user, a uuid; it is {user_id[:80]!r}.") from None
