"""Projects at their door: who may register which folder, and what is told of it."""

from __future__ import annotations

from pathlib import Path
from uuid import uuid4

import httpx
import psycopg

from tests.support.servers.api import PROJECTS, NewClient, problem

RUN_OF_BEFORE = """
insert into summit.runs (user_id, id, goal, planner, status, limits, project)
select user_id, %s, 'mend it', 'auto', 'waiting',
  '{"steps": 1, "seconds": 1, "credits": 1, "tokens": 1, "output_chars": 1}',
  jsonb_build_object('project_id', id, 'agent', '', 'kind', 'build')
from summit.projects where id = %s
"""


def registered(user: httpx.Client, name: str, folder: str) -> httpx.Response:
    return user.post("/v1/projects", json={"name": name, "root": f"{PROJECTS}/{folder}"})


def test_a_folder_is_registered_scanned_shown_and_forgotten(alice: httpx.Client) -> None:
    made = registered(alice, "door", "http")
    assert made.status_code == 201
    document = made.json()
    assert document["facts"]["languages"] == {"Python": 1.0}
    assert "problems.py" in document["facts"]["tree"]
    assert alice.get(made.headers["Location"]).json() == document
    assert [one["name"] for one in alice.get("/v1/projects").json()["items"]] == ["door"]
    again = alice.post(f"/v1/projects/{document['id']}/scan").json()
    assert again["facts"] == document["facts"]
    assert again["scanned_at"] > document["scanned_at"]
    assert alice.delete(f"/v1/projects/{document['id']}").status_code == 204
    problem(alice.get(made.headers["Location"]), 404)
    assert (PROJECTS / "http" / "problems.py").is_file()


def test_name_and_folder_are_taken_once(alice: httpx.Client, bob: httpx.Client) -> None:
    registered(alice, "door", "http")
    problem(registered(alice, "door", "cli"), 409)
    problem(registered(alice, "other", "http"), 409)
    assert registered(bob, "door", "http").status_code == 201


def test_other_folders_are_refused_with_the_setting_to_change(alice: httpx.Client, tmp_path: Path) -> None:
    for root in (str(tmp_path), "/", "relative", f"{PROJECTS}/..", f"{PROJECTS}/missing", "~"):
        refused = problem(alice.post("/v1/projects", json={"name": "x", "root": root}), 422)
        assert "SUMMIT_PROJECT_FOLDERS" in refused["hint"]


def test_a_key_without_the_scope_admin_sees_no_project(alice: httpx.Client, client: NewClient) -> None:
    made = registered(alice, "door", "http").json()
    key = alice.post("/v1/keys", json={"name": "phone", "scopes": ["read", "write"]}).json()["api_key"]
    phone = client(key)
    for answer in (
        phone.get("/v1/projects"),
        phone.get(f"/v1/projects/{made['id']}"),
        phone.post(f"/v1/projects/{made['id']}/scan"),
        phone.delete(f"/v1/projects/{made['id']}"),
        registered(phone, "other", "cli"),
        phone.get(f"/v1/projects/{made['id']}/trees"),
        phone.get(f"/v1/projects/{made['id']}/diff", params={"branch": "summit/roof"}),
        phone.get("/v1/agents"),
        phone.post("/v1/agents/claude/test"),
        phone.post("/v1/runs", json={"goal": "mend it", "project": {"project_id": made["id"]}}),
    ):
        problem(answer, 403)


def test_nobody_sees_anothers_project(alice: httpx.Client, bob: httpx.Client) -> None:
    made = registered(alice, "door", "http").json()
    assert bob.get("/v1/projects").json()["items"] == []
    problem(bob.get(f"/v1/projects/{made['id']}"), 404)
    problem(bob.post(f"/v1/projects/{made['id']}/scan"), 404)
    problem(bob.delete(f"/v1/projects/{made['id']}"), 404)


def test_work_trees_and_what_they_change(alice: httpx.Client, bob: httpx.Client) -> None:
    made = registered(alice, "door", "http").json()
    path = f"/v1/projects/{made['id']}"
    assert alice.get(f"{path}/trees").json()["items"] == []
    assert "trees" in problem(alice.get(f"{path}/diff", params={"branch": "summit/roof"}), 404)["hint"]
    problem(alice.get(f"{path}/diff", params={"branch": "main"}), 422)
    problem(bob.get(f"{path}/trees"), 404)
    problem(bob.get(f"{path}/diff", params={"branch": "summit/roof"}), 404)


def test_a_run_on_a_project_says_what_stands_in_its_way(alice: httpx.Client, bob: httpx.Client) -> None:
    made = registered(alice, "door", "http").json()
    body = {"goal": "mend it", "project": {"project_id": made["id"]}}
    refused = problem(alice.post("/v1/runs", json=body), 409)
    assert "SUMMIT_AGENT_ACCOUNT" in refused["detail"]
    assert "SUMMIT_AGENTS_UNCONFINED" in refused["detail"]
    assert "no such project" in problem(bob.post("/v1/runs", json=body), 422)["detail"]
    assert alice.get("/v1/runs").json()["items"] == []


def test_an_agent_that_is_not_here_or_unknown_is_told(alice: httpx.Client) -> None:
    tested = alice.post("/v1/agents/codex/test").json()
    assert tested == {"ok": False, "detail": "`codex` is not on the server's PATH."}
    problem(alice.post("/v1/agents/nobody/test"), 404)


def test_what_agents_ask_is_answered_with_the_scope_admin_alone(
    alice: httpx.Client, client: NewClient, doors_database: str
) -> None:
    made, run = registered(alice, "door", "http").json(), uuid4()
    with psycopg.connect(doors_database) as conn:
        conn.execute(RUN_OF_BEFORE, (run, made["id"]))
    key = alice.post("/v1/keys", json={"name": "phone", "scopes": ["read", "write"]}).json()["api_key"]
    decision = {"approval_id": str(uuid4()), "action": "approve"}
    problem(client(key).post(f"/v1/runs/{run}/approvals", json=decision), 403)
    assert "asks no such thing" in problem(alice.post(f"/v1/runs/{run}/approvals", json=decision), 404)["detail"]
