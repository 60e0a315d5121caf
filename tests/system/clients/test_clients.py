"""The clients for Node that people have, unmodified, against a real server; `make test-clients` installs them."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.support.pages import ROOT
from tests.support.servers.plain import plain_client
from tests.support.servers.running import RunningServer, running
from tests.support.speech.sounds import JFK, needs_model
from tests.support.waiting import HANG_SECONDS

HERE = Path(__file__).parent
ADMIN = "the administrator's key of the clients' tests"
ADDED = "Added “buy oat milk” to your tasks."
DONE = "Marked “buy oat milk” as done."
ASKED = "You want to be asked first: shall I add “buy bread”?"
NODE = shutil.which("node")

pytestmark = pytest.mark.skipif(
    NODE is None or not (HERE / "node_modules").is_dir(), reason="the clients are not installed: make test-clients"
)


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningServer]:
    """A server of its own: loopback with keys."""
    folder = tmp_path_factory.mktemp("clients") / "data"
    with running(folder, SUMMIT_ADMIN_KEY=ADMIN) as started:
        yield started


@pytest.fixture
def user(server: RunningServer) -> Iterator[httpx.Client]:
    bearer = {"Authorization": f"Bearer {ADMIN}"}
    made = httpx.post(f"{server.url}/v1/users", json={"name": "Ada"}, headers=bearer, timeout=HANG_SECONDS)
    key = made.json()["api_key"]
    with plain_client(server.url, {"Authorization": f"Bearer {key}"}, HANG_SECONDS) as client:
        yield client


@pytest.fixture
def run(server: RunningServer, user: httpx.Client) -> Callable[..., Any]:
    """Runs a program as that user; what it told."""

    def ran(program: str, **more: str) -> Any:
        key = user.headers["Authorization"].removeprefix("Bearer ")
        environment = {"PATH": os.environ["PATH"], "SUMMIT_URL": server.url, "SUMMIT_API_KEY": key, **more}
        done = subprocess.run(
            ["node", program],
            cwd=HERE,
            env=environment,
            capture_output=True,
            text=True,
            timeout=HANG_SECONDS,
            check=False,
        )
        assert done.returncode == 0, done.stderr
        return json.loads(done.stdout.strip().splitlines()[-1])

    return ran


def tasks(user: httpx.Client) -> list[tuple[str, str]]:
    return sorted((one["task"], one["status"]) for one in user.get("/v1/todos").json()["items"])


def test_ag_ui(run: Callable[..., Any], user: httpx.Client) -> None:
    told = run("agui.mjs")
    assert [one["role"] for one in told["first"]] == ["assistant", "tool", "assistant"]
    [asked] = told["asked"]
    assert asked["message"] == ASKED
    assert told["due"] == ["buy oat milk"]
    assert told["pending"] == []
    assert told["after"][0]["toolCallId"] == asked["toolCallId"]
    assert told["seen"].count("RUN_FINISHED") == 4
    assert tasks(user) == [("buy bread", "not started"), ("buy oat milk", "not started")]


@needs_model
def test_openai(run: Callable[..., Any], user: httpx.Client) -> None:
    told = run("openai.mjs", CLIP=str(JFK))
    assert told["models"] == ["summit", "summit-plain"]
    assert (told["whole"], told["streamed"]) == (ADDED, DONE)
    assert "ask not what your country can do for you" in told["heard"].replace(",", "")
    assert tasks(user) == [("buy oat milk", "done")]


def test_langgraph(run: Callable[..., Any], user: httpx.Client) -> None:
    told = run("langgraph.mjs")
    assert (told["waited"], told["streamed"], told["asked"]) == (ADDED, DONE, [ASKED])
    assert tasks(user) == [("buy bread", "not started"), ("buy oat milk", "done")]


def test_langgraph_in_react(run: Callable[..., Any], user: httpx.Client) -> None:
    assert run("use_stream.mjs")["words"] == [
        ["human", "buy oat milk"],
        ["ai", ADDED],
        ["human", "mark it as done"],
        ["ai", DONE],
    ]
    assert tasks(user) == [("buy oat milk", "done")]


def test_agent_chat_ui(run: Callable[..., Any], user: httpx.Client) -> None:
    told = run("agent_chat_ui.mjs")
    assert told["ok"] is True
    [action] = told["asked"]["action_requests"]
    assert (action["description"], action["args"]["changes"][0]["title"]) == (ASKED, "buy bread")
    assert told["asked"]["review_configs"][0]["allowed_decisions"] == ["approve", "reject"]
    assert [kind for kind, _ in told["words"]] == ["human", "ai"] * 2
    assert told["shown"] == 4
    assert tasks(user) == [("buy bread", "not started")]


def test_mcp(run: Callable[..., Any], user: httpx.Client) -> None:
    told = run("mcp.mjs")
    assert {"add_task", "list_tasks", "ask", "undo"} <= set(told["tools"])
    assert told["added"]["reply"] == ADDED
    assert [task["task"] for task in told["listed"]["items"]] == ["buy oat milk"]
    assert tasks(user) == [("buy oat milk", "not started")]


@pytest.fixture
def inspect(server: RunningServer, user: httpx.Client) -> Callable[..., Any]:
    """Asks the official inspector for one method, as that user; what it printed."""
    program = HERE / "node_modules" / "@modelcontextprotocol" / "inspector" / "cli" / "build" / "cli.js"
    over_http = (
        f"{server.url}/mcp",
        "--transport",
        "http",
        "--header",
        f"Authorization: {user.headers['Authorization']}",
    )
    key = user.headers["Authorization"].removeprefix("Bearer ")
    told = ("-e", f"SUMMIT_API_KEY={key}", "-e", f"SUMMIT_PORT={user.base_url.port}")
    over_stdio = (*told, str(Path(sys.executable).with_name("summit")), "mcp")

    def asked(door: str, method: str, *more: str) -> Any:
        target = over_http if door == "http" else over_stdio
        command = ["node", str(program), "--cli", *target, "--method", method, *more]
        done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=HANG_SECONDS, check=False)
        assert done.returncode == 0, done.stderr
        return json.loads(done.stdout)

    return asked


def test_the_mcp_inspector(inspect: Callable[..., Any], user: httpx.Client) -> None:
    tools = {tool["name"]: tool["annotations"] for tool in inspect("http", "tools/list")["tools"]}
    assert tools["undo"]["destructiveHint"] is True
    assert tools["list_tasks"]["readOnlyHint"] is True
    made = inspect("http", "tools/call", "--tool-name", "add_task", "--tool-arg", "task=buy oat milk")
    told = made["structuredContent"]
    assert (told["reply"], told["undo"]) == (ADDED, f"/v1/turns/{told['turn_id']}/undo")
    assert [one["uri"] for one in inspect("http", "resources/list")["resources"]] == ["summit://today"]
    named = inspect("http", "resources/templates/list")["resourceTemplates"]
    assert [one["uriTemplate"] for one in named] == ["summit://memo/{id}", "summit://list/{name}"]
    [day] = inspect("http", "resources/read", "--uri", "summit://today")["contents"]
    assert json.loads(day["text"])["timezone"]
    [asked] = inspect("http", "prompts/get", "--prompt-name", "plan_my_day")["messages"]
    assert "summit://today" in asked["content"]["text"]
    undone = inspect("stdio", "tools/call", "--tool-name", "undo", "--tool-arg", f"turn_id={told['turn_id']}")
    assert not undone.get("isError")
    assert tasks(user) == []
