"""``summit run``, ``answer`` and ``stop``: a goal for a running server, what it asks, and the switch that stops all."""

from __future__ import annotations

import argparse
import json
import os
from typing import Any

import httpx

from app.cli.address import base_url
from app.cli.output import complain, say
from app.settings import load_settings

SECONDS = 30.0
QUIET_SECONDS = 30.0
"""A stream says something every five seconds."""


def run(options: argparse.Namespace) -> int:
    """Start a run and print its address, or with ``--follow`` its steps and result; 1 unless the goal is achieved."""
    with _client(options) as client:
        try:
            return _started(client, {"goal": " ".join(options.goal)}, follow=options.follow)
        except httpx.HTTPError as error:
            return _unreachable(client, error)


def _started(client: httpx.Client, body: dict[str, Any], *, follow: bool) -> int:
    answer = client.post("/v1/runs", json=body)
    if answer.is_error:
        return _refused(answer)
    path = f"/v1/runs/{answer.json()['id']}"
    say(f"{str(client.base_url).rstrip('/')}{path}")
    return _follow(client, path) if follow else 0


def new(options: argparse.Namespace) -> int:
    """Start coding agents on a project; as ``run`` otherwise."""
    with _client(options) as client:
        try:
            projects = client.get("/v1/projects")
            if projects.is_error:
                return _refused(projects)
            known = {name: one["id"] for one in projects.json()["items"] for name in (one["id"], one["name"])}
            if options.project not in known:
                return complain(f"there is no project “{options.project}”. `summit project list` names them.")
            work = {"project_id": known[options.project], "agent": options.agent}
            return _started(client, {"goal": " ".join(options.goal), "project": work}, follow=options.follow)
        except httpx.HTTPError as error:
            return _unreachable(client, error)


def status(options: argparse.Namespace) -> int:
    """A line for each of the latest runs."""
    with _client(options) as client:
        try:
            answer = client.get("/v1/runs", params={"limit": 20})
        except httpx.HTTPError as error:
            return _unreachable(client, error)
    if answer.is_error:
        return _refused(answer)
    for one in answer.json()["items"]:
        say(f"{one['id']}  {one['stop_reason'] or one['status']}  {one['goal'][:80]}")
    return 0


def answer(options: argparse.Namespace) -> int:
    """Show what a run asks, or answer the oldest of it: yes, no with a reason, or words for a question."""
    with _client(options) as client:
        try:
            return _answered(client, options)
        except httpx.HTTPError as error:
            return _unreachable(client, error)
        except json.JSONDecodeError as error:
            return complain(f"--arguments is no JSON: {error}.")


def _answered(client: httpx.Client, options: argparse.Namespace) -> int:
    path = f"/v1/runs/{options.run_id}/approvals"
    found = client.get(path)
    if found.is_error:
        return _refused(found)
    asked = [one for one in found.json()["items"] if one["status"] == "pending"]
    if not asked:
        return complain("it asks nothing.")
    if not options.words and options.arguments is None:
        for one in asked:
            _show_asked(one, options.run_id)
        return 0
    decided = client.post(path, json=_decision(asked[0], " ".join(options.words), options.arguments))
    if decided.is_error:
        return _refused(decided)
    say(f"{decided.json()['call']['name']}: {decided.json()['status']}")
    return 0


def _decision(asked: dict[str, Any], words: str, arguments: str | None) -> dict[str, Any]:
    """The body of an answer; to a question, whatever is said is its answer."""
    first, _, rest = words.partition(" ")
    if arguments is not None:
        said: dict[str, Any] = {"action": "edit", "arguments": json.loads(arguments)}
    elif asked["kind"] == "question" or first not in ("yes", "no"):
        said = {"action": "respond", "text": words}
    else:
        said = {"action": "approve"} if first == "yes" else {"action": "reject", "text": rest or None}
    return {"approval_id": asked["id"], **said}


def stop(options: argparse.Namespace) -> int:
    """Stop all of the user's runs, or allow them again."""
    with _client(options) as client:
        try:
            answer = client.put("/v1/runs/switch", json={"engaged": not options.release})
        except httpx.HTTPError as error:
            return _unreachable(client, error)
    if answer.is_error:
        return _refused(answer)
    say("Runs are allowed again." if options.release else "All runs are stopped; `summit stop --release` allows them.")
    return 0


def _client(options: argparse.Namespace) -> httpx.Client:
    settings = load_settings()
    key = options.key or os.environ.get("SUMMIT_API_KEY")
    headers = {"Authorization": f"Bearer {key}"} if key else {}
    url = options.url or base_url(settings.host, settings.port)
    return httpx.Client(base_url=url, headers=headers, timeout=SECONDS)


def _follow(client: httpx.Client, path: str) -> int:
    """Print the trace until the run has ended; a stream that breaks is taken up where it was."""
    seen = "0"
    while True:
        with client.stream("GET", f"{path}/events", headers={"Last-Event-ID": seen}, timeout=QUIET_SECONDS) as stream:
            for line in stream.iter_lines():
                if line.startswith("data: "):
                    sent = json.loads(line.removeprefix("data: "))
                    seen = str(sent["seq"])
                    _show(sent)
        if (found := client.get(path).json())["status"] == "done":
            say(found["result"]["answer"])
            return 0 if found["result"]["achieved"] else 1


def _show(sent: dict[str, Any]) -> None:
    data = sent["data"]
    if sent["type"] == "approval.required":
        _show_asked(data, data["run_id"])
    elif data.get("node") == "plan":
        say(f"{data['step']}. {data['tool']} {json.dumps(data['arguments'])[:200]}")
    elif data.get("node") == "observe" and not data["ok"]:
        say(f"   {data['text'][:200]}")


def _show_asked(asked: dict[str, Any], run_id: str) -> None:
    say(f"? {asked['reason']}: {asked['call']['name']} {json.dumps(asked['call']['arguments'])}")
    wanted = "and your answer" if asked["kind"] == "question" else "yes, or no and why"
    say(f"  summit answer {run_id} {wanted}")


def _refused(answer: httpx.Response) -> int:
    if "json" not in answer.headers.get("content-type", ""):
        return complain(f"{answer.request.url} answers, but it is not Summit.")
    body = answer.json()
    return complain(f"{body['detail']} {body['hint']}")


def _unreachable(client: httpx.Client, error: httpx.HTTPError) -> int:
    return complain(f"no answer from {client.base_url} ({type(error).__name__}). Start the server with `summit serve`.")
