"""`langgraph dev` opens the graph with no key and no network, and a turn runs there through the SDK."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest
from langgraph_sdk import get_sync_client
from langgraph_sdk.client import SyncLangGraphClient

from tests.support.fakes import Call, RecordedRequest, Reply, ScriptedModelServer, chat
from tests.support.minds import agent_of, message_of, route
from tests.support.servers.running import running

ROOT = Path(__file__).parents[3]
VAGUE = "get the gate sorted one of these days maybe"
"""Words that the built-in understanding is not sure of."""
START_SECONDS = 60.0


@contextmanager
def developing(folder: Path, **settings: str) -> Iterator[SyncLangGraphClient]:
    """The development server in a folder of its own, as it keeps its state beside langgraph.json."""
    shutil.copy(ROOT / "langgraph.json", folder)
    for package in ("agents", "graph", "app", "pyproject.toml"):
        (folder / package).symlink_to(ROOT / package)
    port = _free_port()
    langgraph = Path(sys.executable).parent / "langgraph"
    command = [str(langgraph), "dev", "--no-browser", "--no-reload", "--port", str(port)]
    environment = {"PATH": os.environ["PATH"], "HOME": str(folder), **settings}
    with (folder / "log").open("w") as log:
        process = subprocess.Popen(command, cwd=folder, env=environment, stdout=log, stderr=subprocess.STDOUT)
    try:
        _wait(f"http://127.0.0.1:{port}/ok", process, folder / "log")
        with get_sync_client(url=f"http://127.0.0.1:{port}") as client:
            yield client
    finally:
        process.terminate()
        process.wait(timeout=20)


@pytest.fixture(scope="module")
def studio(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SyncLangGraphClient]:
    with developing(tmp_path_factory.mktemp("studio")) as client:
        yield client


@pytest.fixture
def models() -> Iterator[ScriptedModelServer]:
    """A model that makes one task of every message that it is asked about."""

    def answer(request: RecordedRequest) -> Reply:
        if agent_of(request) == "route":
            return chat(route("update_todos", words=message_of(request)))(request)
        return chat(Call("Task", {"task": message_of(request)}))(request)

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
    assert outcome["understanding"] == "model"
    assert VAGUE in outcome["reply"]
    assert models.to("/chat/completions")
    with running(tmp_path / "data", DATABASE_URL=database_url) as server, server.client() as client:
        [change] = client.get("/v1/changes").json()["items"]
        assert (change["op"], change["kind"], change["title"], change["status"]) == ("create", "todo", VAGUE, "applied")
        assert client.post(change["undo"]).status_code == 200
        assert client.get("/v1/todos").json()["items"] == []


def test_with_a_model_alone_it_is_asked(models: ScriptedModelServer, tmp_path: Path) -> None:
    with developing(tmp_path, SUMMIT_LLM_BASE_URL=models.base_url, SUMMIT_LLM_MODEL="m") as studio:
        outcome = say(studio, VAGUE)
    assert (outcome["understanding"], VAGUE in outcome["reply"]) == ("model", True)


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


def test_the_input_form_shows_messages_and_the_context_form_who_where_and_when(studio: SyncLangGraphClient) -> None:
    assistant = studio.assistants.search()[0]["assistant_id"]
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
    deadline = time.monotonic() + START_SECONDS
    while time.monotonic() < deadline and process.poll() is None:
        try:
            if httpx.get(url, timeout=1).is_success:
                return
        except httpx.HTTPError:
            time.sleep(0.2)
    raise AssertionError(f"langgraph dev did not start:\n{log.read_text()[-3000:]}")
