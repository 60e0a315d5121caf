"""`langgraph dev` opens the graph with no key and no network, and a turn runs there through the SDK."""

from __future__ import annotations

import json
import os
import shutil
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from uuid import uuid4

import httpx
import pytest
from langgraph_sdk import get_sync_client
from langgraph_sdk.client import SyncLangGraphClient

from tests.support.fakes import Call, RecordedRequest, Reply, ScriptedModelServer, chat, tools_of
from tests.support.minds import message_of
from tests.support.servers.running import running
from tests.support.waiting import HANG_SECONDS, wait_until

ROOT = Path(__file__).parents[3]
VAGUE = "get the gate sorted one of these days maybe"
"""Words that the built-in understanding is not sure of."""


@contextmanager
def developing(folder: Path, *flags: str, **settings: str) -> Iterator[SyncLangGraphClient]:
    """The development server in a folder of its own, as it keeps its state beside langgraph.json."""
    shutil.copy(ROOT / "langgraph.json", folder)
    for package in ("agents", "graph", "app", "pyproject.toml"):
        (folder / package).symlink_to(ROOT / package)
    port = _free_port()
    langgraph = Path(sys.executable).parent / "langgraph"
    command = [str(langgraph), "dev", "--no-browser", "--no-reload", "--port", str(port), *flags]
    environment = {"PATH": os.environ["PATH"], "HOME": str(folder), **settings}
    with (folder / "log").open("w") as log:
        process = subprocess.Popen(command, cwd=folder, env=environment, stdout=log, stderr=subprocess.STDOUT)
    try:
        _wait(f"http://127.0.0.1:{port}/ok", process, folder / "log")
        with get_sync_client(url=f"http://127.0.0.1:{port}") as client:
            yield client
    finally:
        process.terminate()
        process.wait(timeout=HANG_SECONDS)


@pytest.fixture(scope="module")
def studio(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SyncLangGraphClient]:
    """Studio with a checkpointer that reads back no type that it does not know."""
    with developing(tmp_path_factory.mktemp("studio"), LANGGRAPH_STRICT_MSGPACK="true") as client:
        yield client


@pytest.fixture
def models() -> Iterator[ScriptedModelServer]:
    """A model that makes one task of every message that it is asked about, and ends every run at once."""

    def answer(request: RecordedRequest) -> Reply:
        if "finish" in tools_of(request):
            return chat(Call("finish", {"answer": "It was tidy already."}))(request)
        return chat(Call("create_task", {"title": message_of(request)}))(request)

    with ScriptedModelServer() as server:
        server.script("/chat/completions", answer)
        yield server


def say(studio: SyncLangGraphClient, text: str) -> Any:
    """What came of one message in a thread of its own."""
    where = studio.threads.create()["thread_id"]
    asked: Any = {"messages": [{"role": "user", "content": text}]}
    context = {"timezone": "Europe/London", "at": "2026-11-18T10:30:00+00:00"}
    state = studio.runs.wait(where, "summit", input=asked, context=context)
    assert isinstance(state, dict)
    return state["outcome"]


def test_with_a_database_a_turn_is_in_the_real_ledger(
    database_url: str, models: ScriptedModelServer, tmp_path: Path
) -> None:
    folder = tmp_path / "studio"
    folder.mkdir()
    chosen = {"SUMMIT_LLM_BASE_URL": models.base_url, "SUMMIT_LLM_MODEL": "m", "DATABASE_URL": database_url}
    with developing(folder, SUMMIT_DATA_DIR=str(tmp_path / "own"), **chosen) as studio:
        outcome = say(studio, VAGUE)
        run: Any = studio.runs.wait(None, "runs", input={"goal": "tidy up"})
    assert run["result"]["answer"] == "It was tidy already."
    assert outcome["understanding"] == "model"
    assert VAGUE in outcome["reply"]
    assert models.to("/chat/completions")
    with running(tmp_path / "data", DATABASE_URL=database_url) as server, server.client() as client:
        [change] = client.get("/v1/changes").json()["items"]
        assert (change["op"], change["kind"], change["title"], change["status"]) == ("create", "todo", VAGUE, "applied")
        assert client.post(change["undo"]).status_code == 200
        assert client.get("/v1/todos").json()["items"] == []


WITHOUT_STUDIO = """
import asyncio, json, os, sys
from importlib import import_module
from langgraph.store.memory import InMemoryStore

async def main(graphs, words):
    module, _, name = graphs["summit"].partition(":")
    graph = (await getattr(import_module(module), name)()).copy(update={"store": InMemoryStore()})
    asked = {"messages": [{"role": "user", "content": words}]}
    context = {"timezone": "Europe/London", "at": "2026-11-18T10:30:00+00:00"}
    told = (await graph.ainvoke(asked, context=context))["outcome"]
    print(json.dumps([told.understanding, told.reply]), flush=True)
    os._exit(0)  # Studio does not say either when it is done with a graph

asyncio.run(main(json.load(open("langgraph.json"))["graphs"], sys.argv[1]))
"""
"""What Studio does with langgraph.json, its own store among it, without the half minute that it takes to start."""


def test_with_a_model_alone_it_is_asked(models: ScriptedModelServer, tmp_path: Path) -> None:
    model = {"SUMMIT_LLM_BASE_URL": models.base_url, "SUMMIT_LLM_MODEL": "m"}
    around = {"PATH": os.environ["PATH"], "HOME": str(tmp_path), "PYTHONPATH": str(ROOT), **model}
    command = [sys.executable, "-c", WITHOUT_STUDIO, VAGUE]
    done = subprocess.run(command, cwd=ROOT, env=around, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    understanding, reply = json.loads(done.stdout.splitlines()[-1])
    assert (understanding, VAGUE in reply) == ("model", True)


def test_a_turn_runs_and_the_next_one_undoes_part_of_it(studio: SyncLangGraphClient) -> None:
    thread = studio.threads.create()["thread_id"]
    context = {"timezone": "Europe/London", "at": "2026-11-18T10:30:00+00:00"}
    replies = []
    for text in ("call mom tomorrow at 5 and book the dentist for Friday 3pm", "undo just the second one"):
        asked: Any = {"messages": [{"role": "user", "content": text}]}
        state = studio.runs.wait(thread, "summit", input=asked, context=context)
        assert isinstance(state, dict)
        replies.append(state["outcome"]["reply"])
    assert "call mom" in replies[0]
    assert "dentist" in replies[0]
    assert "dentist" in replies[1]
    assert "mom" not in replies[1]


def test_the_user_of_either_form_is_whose_records_are_seen(studio: SyncLangGraphClient) -> None:
    ana, ben = str(uuid4()), str(uuid4())

    def ask(text: str, **forms: Any) -> str:
        asked: Any = {"messages": [{"role": "user", "content": text}]}
        thread = studio.threads.create()["thread_id"]
        state = studio.runs.wait(thread, "summit", input=asked, **forms)
        assert isinstance(state, dict)
        return str(state["outcome"]["reply"])

    ask("add paint the fence to my tasks", config={"configurable": {"user_id": ana}})
    assert "fence" in ask("what are my tasks?", context={"user_id": ana})
    assert "fence" in ask("what are my tasks?", config={"configurable": {"user_id": ana}})
    assert "fence" not in ask("what are my tasks?", config={"configurable": {"user_id": ben}})
    assert "fence" not in ask("what are my tasks?")


def test_runs_and_projects_are_opened_too(studio: SyncLangGraphClient) -> None:
    found = {one["graph_id"]: one["assistant_id"] for one in studio.assistants.search()}
    assert set(found) == {"summit", "runs", "projects"}
    for graph_id, form in (("runs", "planner"), ("projects", "root")):
        schemas = studio.assistants.get_schemas(found[graph_id])
        assert form in (schemas["context_schema"] or {})["properties"]
        assert "goal" in (schemas["input_schema"] or {})["properties"]
        assert len(studio.assistants.get_graph(found[graph_id])["nodes"]) > 3
    with pytest.raises(Exception, match="SUMMIT_LLM_MODEL"):
        studio.runs.wait(None, "runs", input={"goal": "tidy up"})


def test_the_input_form_shows_messages_and_the_context_form_who_where_and_when(studio: SyncLangGraphClient) -> None:
    assistant = studio.assistants.search(graph_id="summit")[0]["assistant_id"]
    schemas = studio.assistants.get_schemas(assistant)
    assert "messages" in (schemas["input_schema"] or {})["properties"]
    assert set((schemas["context_schema"] or {})["properties"]) == {
        "user_id",
        "timezone",
        "at",
        "conventions",
        "language",
    }


def _free_port() -> int:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return int(listener.getsockname()[1])


def _wait(url: str, process: subprocess.Popen[bytes], log: Path) -> None:
    def answers() -> bool:
        try:
            return httpx.get(url, timeout=HANG_SECONDS).is_success
        except httpx.HTTPError:
            return False

    wait_until(lambda: process.poll() is not None or answers())
    assert process.poll() is None, f"langgraph dev did not start:\n{log.read_text()[-3000:]}"
