"""The baseline: FastAPI and a three-node LangGraph with the stock checkpointer over a pool, and nothing else.

    DATABASE_URL=postgresql://... python -m benchmarks.bare

It keeps no inbox, no ledger and no message twice; it loses turns that are sent to one thread at once.
"""

from __future__ import annotations

import asyncio
import os
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import uvicorn
from fastapi import FastAPI, Request
from langchain_core.messages import AIMessage, HumanMessage
from langgraph.checkpoint.postgres.aio import AsyncPostgresSaver
from langgraph.graph import START, MessagesState, StateGraph
from psycopg.rows import dict_row
from psycopg_pool import AsyncConnectionPool
from pydantic import BaseModel

READY = "The baseline is ready at {url}"


class Message(BaseModel):
    """What a client says in a thread."""

    thread_id: str
    text: str


class Reply(BaseModel):
    """What it is told."""

    reply: str


class State(MessagesState):
    """Messages, and what two nodes hand on."""

    intent: str
    done: str


async def route(state: State) -> dict[str, Any]:
    """Stands for the router."""
    return {"intent": str(state["messages"][-1].content)}


async def work(state: State) -> dict[str, Any]:
    """Stands for an agent."""
    return {"done": state["intent"]}


async def reply(state: State) -> dict[str, Any]:
    """Stands for the synthesizer."""
    return {"messages": [AIMessage(f"Done: {state['done']}")]}


def create_app(url: str) -> FastAPI:
    """The whole server."""

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        wants = {"autocommit": True, "prepare_threshold": 0, "row_factory": dict_row}
        async with AsyncConnectionPool(url, min_size=2, max_size=10, kwargs=wants, open=False) as pool:
            saver = AsyncPostgresSaver(pool)  # type: ignore[arg-type]
            await saver.setup()
            graph = StateGraph(State).add_sequence([route, work, reply]).add_edge(START, "route")
            app.state.graph = graph.compile(checkpointer=saver)
            yield

    app = FastAPI(lifespan=lifespan)

    @app.post("/turns")
    async def post_turn(message: Message, request: Request) -> Reply:
        config = {"configurable": {"thread_id": message.thread_id}}
        told = await request.app.state.graph.ainvoke({"messages": [HumanMessage(message.text)]}, config)
        return Reply(reply=str(told["messages"][-1].content))

    return app


def main() -> None:
    """Serve on a free port of loopback and say which."""
    with socket.socket(proto=socket.IPPROTO_TCP) as listener:
        listener.bind(("127.0.0.1", 0))
        listener.listen(1024)
        print(READY.format(url=f"http://127.0.0.1:{listener.getsockname()[1]}"), flush=True)
        app = create_app(os.environ["DATABASE_URL"])
        config = uvicorn.Config(app, log_level="warning", access_log=False, timeout_keep_alive=75)
        asyncio.run(uvicorn.Server(config).serve(sockets=[listener]))


if __name__ == "__main__":
    main()
