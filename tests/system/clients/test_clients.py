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
ASKED = "Add “buy bread”?"
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
    assert tasks(user) == [("buy bread", "not started")]
    assert [content for kind, content in told["edited"] if kind == "human"][2:] == ["note: the hall is warm"]
    assert told["refreshed"] == told["edited"]
    assert told["shown"] == len(told["refreshed"]) == 6
    assert [note["content"] for note in user.get("/v1/notes").json()["items"]] == ["the hall is warm"]


def test_remote_graph(run: Callable[..., Any], user: httpx.Client) -> None:
    told = run("remote_graph.mjs")
    assert told["alone"] == told["state"] == told["again"] == [["human", "buy oat milk"], ["ai", ADDED]]
    assert (told["around"], told["first"]) == ([["human", "mark oat milk as done"], ["ai", DONE]], "mine")
    assert told["asked"] == [ASKED]
    assert tasks(user) == [("buy bread", "not started"), ("buy oat milk", "done")]


def test_a_generated_client(run: Callable[..., Any], user: httpx.Client, tmp_path: Path) -> None:
    told = run("generated.mjs", FOLDER=str(tmp_path))
    assert (told["status"], told["reply"]) == (200, ADDED)
    assert told["operations"] > 100
    assert tasks(user) == [("buy oat milk", "not started")]


def test_the_description_has_no_fault_that_redocly_finds(server: RunningServer, tmp_path: Path) -> None:
    document = tmp_path / "openapi.json"
    document.write_text(httpx.get(f"{server.url}/openapi.json", timeout=HANG_SECONDS).text)
    done = subprocess.run(
        ["npx", "redocly", "lint", "--format", "json", str(document)],
        cwd=HERE,
        env={**os.environ, "REDOCLY_TELEMETRY": "off"},
        capture_output=True,
        text=True,
        timeout=HANG_SECONDS,
        check=False,
    )
    found = json.loads(done.stdout)["problems"]
    assert [one["message"] for one in found if one["severity"] == "error"] == []


def test_the_description_is_valid(server: RunningServer) -> None:
    validators = pytest.importorskip("openapi_spec_validator")
    document = httpx.get(f"{server.url}/openapi.json", timeout=HANG_SECONDS).json()
    assert [fault.message for fault in validators.OpenAPIV31SpecValidator(document).iter_errors()] == []


CHAT = ["book the sailing trip on friday at 10", "Done.", "cancel the dentist and add buy rope"]


def test_copilotkits_suggestions_change_nothing(run: Callable[..., Any], user: httpx.Client) -> None:
    told = run("copilotkit.mjs", CHAT=json.dumps(CHAT))
    assert told["choice"] == {"type": "function", "function": {"name": "copilotkitSuggest"}}
    assert "Remind me tomorrow to follow up." in told["last"]
    assert told["got"] == {"suggestions": [], "isLoading": False}
    assert user.get("/v1/changes").json()["items"] == []
    assert user.get("/v1/threads").json()["items"][1:] == []


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
