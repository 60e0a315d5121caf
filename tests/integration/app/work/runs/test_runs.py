"""Runs over HTTP, with a scripted OpenAI-compatible model and the real tools."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, get_args
from uuid import uuid4

import httpx
import pytest

from agents.context import LOCAL_USER
from app.cli.main import ALLOWANCES, LIMITS, PLANNERS, PROGRAMS, main
from app.work.runs.model.runs import Allowance, PlannerName, Program
from app.work.runs.routes.runs import Limits
from tests.support.databases import temporary_database
from tests.support.fakes import Call, ScriptedModelServer, chat, tools_of
from tests.support.runs.following import following
from tests.support.servers.api import NewClient, problem
from tests.support.servers.live_server import ADMIN_KEY, live_server, settings_for
from tests.support.servers.plain import plain_client
from tests.support.waiting import wait_until


@pytest.fixture(scope="module")
def models() -> Iterator[ScriptedModelServer]:
    with ScriptedModelServer() as server:
        yield server


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("runs")


@pytest.fixture(scope="module")
def house(
    postgres_url: str, migrated_template: str, folder: Path, models: ScriptedModelServer
) -> Iterator[httpx.Client]:
    """A keyless server with its jobs beside it, and the model."""
    for url in temporary_database(postgres_url, migrated_template):
        settings = settings_for(
            url, folder, workers_in_process=True, llm_base_url=models.base_url, llm_model="scripted", llm_api_key="x"
        )
        with live_server(settings) as base, plain_client(base) as client:
            yield client


def until(house: httpx.Client, run_id: str, *statuses: str) -> dict[str, Any]:
    def one_that_is() -> dict[str, Any] | None:
        run: dict[str, Any] = house.get(f"/v1/runs/{run_id}").json()
        return run if run["status"] in statuses else None

    return wait_until(one_that_is, f"for a run that is {statuses}") or {}


def started(house: httpx.Client, goal: str, **values: Any) -> str:
    answer = house.post("/v1/runs", json={"goal": goal, "planner": "react", **values})
    assert answer.status_code == 202, answer.text
    assert answer.headers["location"] == f"/v1/runs/{answer.json()['id']}"
    return str(answer.json()["id"])


def events_of(house: httpx.Client, run_id: str, **headers: str) -> list[dict[str, Any]]:
    with house.stream("GET", f"/v1/runs/{run_id}/events", headers=headers) as stream:
        return [json.loads(line[6:]) for line in stream.iter_lines() if line.startswith("data: ")]


def test_a_run_from_its_goal_to_its_result(house: httpx.Client, models: ScriptedModelServer) -> None:
    task = {"op": "create", "kind": "todo", "fields": {"task": "call the roofer"}}
    note = {"path": "roof.txt", "content": "three offers"}
    models.script(
        "/chat/completions",
        following(Call("write_file", note), Call("change_record", task), Call("finish", {"answer": "Both are there."})),
    )
    run = until(house, started(house, "note the offers and remind me"), "done")
    assert (run["stop_reason"], run["result"]["answer"]) == ("goal_achieved", "Both are there.")
    assert len(run["result"]["done"]) == 2
    assert [todo["task"] for todo in house.get("/v1/todos").json()["items"]] == ["call the roofer"]
    told = events_of(house, run["id"])
    assert [event["seq"] for event in told] == list(range(1, len(told) + 1))
    assert (told[0]["type"], told[-1]["type"]) == ("run.started", "run.done")
    later = events_of(house, run["id"], **{"Last-Event-ID": "3"})
    assert later == told[3:]
    assert run["id"] in [one["id"] for one in house.get("/v1/runs").json()["items"]]


def test_the_command_line(house: httpx.Client, models: ScriptedModelServer, capsys: pytest.CaptureFixture[str]) -> None:
    models.script(
        "/chat/completions",
        following(Call("read_file", {"path": "none"}), Call("finish", {"answer": "There is none."})),
    )
    address = ["--url", str(house.base_url)]
    assert main(["run", "find", "it", "--follow", *address]) == 0
    told = capsys.readouterr().out.splitlines()
    assert "/v1/runs/" in told[0]
    assert told[1:] == [
        '1. read_file {"path": "none"}',
        "   There is nothing with that path.",
        '2. finish {"answer": "There is none."}',
        "There is none.",
    ]
    assert main(["stop", *address]) == 0
    assert main(["run", "more", *address]) == 1
    assert "stopped all runs" in capsys.readouterr().err
    assert main(["stop", "--release", *address]) == 0


def test_a_run_is_bounded_read_and_traced_by_the_command_line(
    house: httpx.Client, models: ScriptedModelServer, capsys: pytest.CaptureFixture[str]
) -> None:
    acts = following(Call("list_files", {"path": ""}), Call("list_files", {"path": "x"}))
    plan = chat(Call("make_plan", {"candidates": [{"title": "by hand", "steps": [{"intent": "look"}]}]}))
    models.script("/chat/completions", lambda asked: (plan if tools_of(asked) == ["make_plan"] else acts)(asked))
    address = ["--url", str(house.base_url)]

    def said(*arguments: str, status: int = 0) -> list[str]:
        assert main([*arguments, *address]) == status
        return capsys.readouterr().out.splitlines()

    bounds = ["--planner", "plan_first", "--allow", "delete", "--allow", "send", "--steps", "2", "--tokens", "90000"]
    [where] = said("run", "look", "around", *bounds)
    run_id = where.rpartition("/")[2]
    run = until(house, run_id, "done")
    assert (run["planner"], run["allowed"]) == ("plan_first", ["delete", "send"])
    assert (run["limits"]["steps"], run["limits"]["tokens"]) == (2, 90000)
    assert f"{run_id}  max_steps  look around" in said("runs")
    assert said("runs") == said("status")
    shown = said("runs", run_id, status=1)
    assert shown[:3] == ["look around", "max_steps, step 2", "Not done: look"]
    assert said("runs", run_id, "--follow", status=1)[2] == '1. list_files {"path": ""}'
    events = [json.loads(line) for line in said("trace", run_id)]
    assert [event["seq"] for event in events] == list(range(1, len(events) + 1))
    assert [events[0]["type"], events[-1]["type"]] == ["run.started", "run.done"]
    [planned] = [event["data"] for event in events if "plan" in event["data"]]
    assert (planned["plan"]["title"], planned["reserve"], planned["rejected"]) == ("by hand", [], [])
    for command in ("runs", "trace"):
        assert main([command, str(uuid4()), *address]) == 1
        assert "no such run" in capsys.readouterr().err


def test_a_run_that_waits_is_traced_so_far(
    house: httpx.Client, models: ScriptedModelServer, capsys: pytest.CaptureFixture[str]
) -> None:
    models.script("/chat/completions", following(Call("ask_user", {"question": "Which shed?"})))
    run_id = started(house, "paint the shed")
    until(house, run_id, "waiting")
    address = ["--url", str(house.base_url)]
    assert main(["runs", run_id, *address]) == 0
    assert "? Which shed?" in capsys.readouterr().out
    assert main(["trace", run_id, *address]) == 0
    told = [json.loads(line)["type"] for line in capsys.readouterr().out.splitlines()]
    assert told[-1] == "approval.required"
    house.post(f"/v1/runs/{run_id}/cancel")
    until(house, run_id, "done")


def test_what_is_granted_is_set_by_the_command_line(
    house: httpx.Client, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    def said(*arguments: str) -> list[str]:
        assert main(["grants", LOCAL_USER, *arguments, "--url", str(house.base_url), "--key", ADMIN_KEY]) == 0
        return capsys.readouterr().out.splitlines()

    nothing = ["Programs: none", "Further folders: none"]
    assert said() == nothing
    assert said("--program", "python", "--root", str(tmp_path))[:2] == [
        "Programs: python",
        f"Further folders: {tmp_path}",
    ]
    assert said()[0] == "Programs: python"
    assert said("--none") == nothing


def test_the_command_line_knows_what_the_api_takes() -> None:
    assert get_args(PlannerName) == PLANNERS
    assert get_args(Allowance) == ALLOWANCES
    assert get_args(Program) == PROGRAMS
    assert set(Limits.model_fields) == set(LIMITS)


def test_an_approval_over_http_is_decided_once(house: httpx.Client, models: ScriptedModelServer, folder: Path) -> None:
    models.script(
        "/chat/completions",
        following(
            Call("write_file", {"path": "old.txt", "content": "x"}),
            Call("delete_file", {"path": "old.txt"}),
            Call("finish", {"answer": "It is gone."}),
        ),
    )
    run_id = started(house, "delete old.txt")
    until(house, run_id, "waiting")
    [asked] = house.get(f"/v1/runs/{run_id}/approvals").json()["items"]
    assert (asked["kind"], asked["status"], asked["call"]["name"]) == ("approval", "pending", "delete_file")
    assert [path.name for path in folder.rglob("old.txt")] == ["old.txt"]
    decision = {"approval_id": asked["id"], "action": "approve"}
    assert house.post(f"/v1/runs/{run_id}/approvals", json=decision).json()["status"] == "approved"
    problem(house.post(f"/v1/runs/{run_id}/approvals", json=decision), 409)
    assert until(house, run_id, "done")["stop_reason"] == "goal_achieved"
    assert list(folder.rglob("old.txt")) == []


def test_what_a_run_asks_is_answered_by_the_command_line(
    house: httpx.Client, models: ScriptedModelServer, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    models.script(
        "/chat/completions",
        following(
            Call("write_file", {"path": "a.txt", "content": "x"}),
            Call("write_file", {"path": "b.txt", "content": "x"}),
            Call("delete_file", {"path": "a.txt"}),
            Call("delete_file", {"path": "a.txt"}),
            Call("ask_user", {"question": "What now?"}),
            Call("finish", {"answer": "It is done."}),
        ),
    )
    run_id = started(house, "tidy up")
    address = ["--url", str(house.base_url)]

    def answered(*words: str) -> str:
        until(house, run_id, "waiting")
        assert main(["answer", run_id, *words, *address]) == 0
        return capsys.readouterr().out.strip()

    shown = answered().splitlines()
    assert shown[0].endswith('delete_file {"path": "a.txt"}')
    assert shown[1] == f"  summit answer {run_id} yes, or no and why"
    assert answered("no", "not", "that", "one") == "delete_file: rejected"
    until(house, run_id, "waiting")
    assert main(["answer", run_id, "--arguments", "{", *address]) == 1
    assert "--arguments is no JSON" in capsys.readouterr().err
    assert answered("--arguments", '{"path": "b.txt"}') == "delete_file: edited"
    assert answered().splitlines()[1] == f"  summit answer {run_id} and your answer"
    assert answered("yes", "it", "is", "fine") == "ask_user: responded"
    assert until(house, run_id, "done")["stop_reason"] == "goal_achieved"
    kept = house.get(f"/v1/runs/{run_id}/approvals").json()["items"]
    assert [one["answer"] for one in kept] == [
        {"text": "not that one"},
        {"arguments": {"path": "b.txt"}},
        {"text": "yes it is fine"},
    ]
    assert [path.name for path in folder.rglob("?.txt")] == ["a.txt"]
    assert main(["answer", run_id, *address]) == 1
    assert "it asks nothing" in capsys.readouterr().err
    assert main(["answer", "7", *address]) == 1


def test_words_cancel_and_the_switch(house: httpx.Client, models: ScriptedModelServer) -> None:
    models.script("/chat/completions", following(Call("ask_user", {"question": "Which one?"})))
    first, second = started(house, "choose one"), started(house, "choose another")
    for run_id in (first, second):
        until(house, run_id, "waiting")
    assert house.post(f"/v1/runs/{first}/message", json={"text": "the red one"}).status_code == 200
    assert house.post(f"/v1/runs/{first}/cancel").status_code == 200
    assert until(house, first, "done")["stop_reason"] == "cancelled"
    problem(house.post(f"/v1/runs/{first}/message", json={"text": "too late"}), 409)
    engaged = house.put("/v1/runs/switch", json={"engaged": True, "reason": "enough"})
    assert engaged.json() == {"engaged": True, "reason": "enough", "server": False}
    assert until(house, second, "done")["stop_reason"] == "kill_switch"
    refused = problem(house.post("/v1/runs", json={"goal": "one more"}), 409)
    assert "enough" in refused["detail"]
    assert house.put("/v1/runs/switch", json={"engaged": False}).json()["engaged"] is False


def test_the_administrator_stops_the_server_and_grants(house: httpx.Client, folder: Path) -> None:
    admin = {"Authorization": f"Bearer {ADMIN_KEY}"}
    stopped = house.put("/v1/runs/switch", json={"engaged": True}, headers=admin)
    assert stopped.json().get("server") is True, stopped.text
    assert house.get("/v1/runs/switch").json()["server"] is True
    problem(house.post("/v1/runs", json={"goal": "anything"}), 409)
    assert house.put("/v1/runs/switch", json={"engaged": False}, headers=admin).json()["engaged"] is False
    user = house.get("/v1/users", headers=admin).json()["items"][0]["id"]
    grant = {"programs": [], "roots": ["/srv/shared"]}
    granted = {**grant, "unavailable": ""}
    assert house.put(f"/v1/runs/grants/{user}", json=grant, headers=admin).json() == granted
    assert house.get(f"/v1/runs/grants/{user}", headers=admin).json() == granted
    for root in ("/", str(folder), str(folder / "files"), str(folder.parent)):
        refused = problem(house.put(f"/v1/runs/grants/{user}", json={"roots": [root]}, headers=admin), 422)
        assert "data of this server" in refused["detail"]
    programs = house.put(f"/v1/runs/grants/{user}", json={"programs": ["shell"]}, headers=admin).json()
    assert (programs["programs"], isinstance(programs["unavailable"], str)) == (["shell"], True)
    assert house.put(f"/v1/runs/grants/{user}", json=grant, headers=admin).json() == granted
    problem(house.put(f"/v1/runs/grants/{user}", json={"roots": ["/srv/../etc"]}, headers=admin), 422)
    problem(house.put(f"/v1/runs/grants/{user}", json=grant), 403)


def test_without_a_model_a_run_is_refused(alice: httpx.Client) -> None:
    refused = problem(alice.post("/v1/runs", json={"goal": "research roofs"}), 503)
    assert "language model" in refused["detail"]
    assert alice.get("/v1/runs").json()["items"] == []


def test_another_users_run_is_not_there(house: httpx.Client, models: ScriptedModelServer, alice: httpx.Client) -> None:
    models.script("/chat/completions", following(Call("finish", {"answer": "x"})))
    run_id = started(house, "anything")
    for path in ("", "/events", "/approvals"):
        problem(alice.get(f"/v1/runs/{run_id}{path}"), 404)
    problem(alice.post(f"/v1/runs/{run_id}/cancel"), 404)
    until(house, run_id, "done")  # or it would ask the next test's model


@pytest.mark.parametrize(
    "body",
    [
        {},
        {"goal": " "},
        {"goal": "x", "planner": "both"},
        {"goal": "x", "allow": ["everything"]},
        {"goal": "x", "limits": {"steps": 0}},
        {"goal": "x", "more": 1},
    ],
)
def test_a_run_asked_for_wrongly(alice: httpx.Client, body: dict[str, Any]) -> None:
    problem(alice.post("/v1/runs", json=body), 422)


def test_tool_servers_are_the_administrators_to_see(alice: httpx.Client, client: NewClient) -> None:
    assert alice.get("/v1/tool-servers").json() == {"items": [], "next": None}
    key = alice.post("/v1/keys", json={"name": "phone", "scopes": ["read", "write"]}).json()["api_key"]
    problem(client(key).get("/v1/tool-servers"), 403)


def test_lessons_are_shown_put_right_and_forgotten(house: httpx.Client, models: ScriptedModelServer) -> None:
    end = {"answer": "Done.", "learned": ["The roofer comes on Mondays."]}
    models.script("/chat/completions", following(Call("finish", end)))
    until(house, started(house, "when does the roofer come?"), "done")
    [one] = house.get("/v1/lessons", params={"kind": "knowledge"}).json()["items"]
    assert (one["text"], one["foreign"], one["times"]) == ("The roofer comes on Mondays.", False, 1)
    path = f"/v1/lessons/{one['id']}"
    assert house.patch(path, json={"text": "The roofer comes on Tuesdays."}).json()["text"].endswith("Tuesdays.")
    problem(house.patch(path, json={"text": ""}), 422)
    assert house.delete(path).status_code == 204
    problem(house.delete(path), 404)
    problem(house.patch(path, json={"text": "again"}), 404)
    assert house.get("/v1/lessons", params={"kind": "knowledge"}).json()["items"] == []
