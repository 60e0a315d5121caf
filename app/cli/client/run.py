"""Runs of a running server: begin one, follow it, read what it did, answer what it asks, stop all."""

from __future__ import annotations

import argparse
import json
import os
from collections.abc import Iterator
from typing import Any

import httpx

from app.cli.address import base_url
from app.cli.main import LIMITS
from app.cli.output import complain, say
from app.settings import load_settings

RUN_CALL_SECONDS = 30.0
QUIET_SECONDS = 30.0
"""A stream says something every five seconds."""


def run(options: argparse.Namespace) -> int:
    """Start a run and print its address, or with ``--follow`` its steps and result; 1 unless the goal is achieved."""
    limits = {name: value for name in LIMITS if (value := getattr(options, name)) is not None}
    body = {"goal": " ".join(options.goal), "planner": options.planner, "allow": options.allow, "limits": limits}
    with _client(options) as client:
        try:
            return _start_run(client, body, follow=options.follow)
        except httpx.HTTPError as error:
            return _unreachable(client, error)


def _start_run(client: httpx.Client, body: dict[str, Any], *, follow: bool) -> int:
    answer = client.post("/v1/runs", json=body)
    if answer.is_error:
        return _report_refusal(answer)
    path = f"/v1/runs/{answer.json()['id']}"
    say(f"{str(client.base_url).rstrip('/')}{path}")
    return _follow(client, path) if follow else 0


def new(options: argparse.Namespace) -> int:
    """Start coding agents on a project; as ``run`` otherwise."""
    with _client(options) as client:
        try:
            projects = client.get("/v1/projects")
            if projects.is_error:
                return _report_refusal(projects)
            known = {name: one["id"] for one in projects.json()["items"] for name in (one["id"], one["name"])}
            if options.project not in known:
                return complain(f"there is no project “{options.project}”. `summit project list` names them.")
            work = {"project_id": known[options.project], "agent": options.agent}
            return _start_run(client, {"goal": " ".join(options.goal), "project": work}, follow=options.follow)
        except httpx.HTTPError as error:
            return _unreachable(client, error)


def status(options: argparse.Namespace) -> int:
    """A line for each of the latest runs."""
    with _client(options) as client:
        try:
            return _list_runs(client)
        except httpx.HTTPError as error:
            return _unreachable(client, error)


def runs(options: argparse.Namespace) -> int:
    """As ``status``; one run with what it came to so far, or with ``--follow`` with its steps."""
    with _client(options) as client:
        try:
            return _show_run(client, options) if options.run_id else _list_runs(client)
        except httpx.HTTPError as error:
            return _unreachable(client, error)


def _list_runs(client: httpx.Client) -> int:
    found = client.get("/v1/runs", params={"limit": 20})
    if found.is_error:
        return _report_refusal(found)
    for one in found.json()["items"]:
        say(f"{one['id']}  {one['stop_reason'] or one['status']}  {' '.join(one['goal'].split())[:80]}")
    return 0


def _show_run(client: httpx.Client, options: argparse.Namespace) -> int:
    path = f"/v1/runs/{options.run_id}"
    found = client.get(path)
    if found.is_error:
        return _report_refusal(found)
    run = found.json()
    say(f"{run['goal']}\n{run['stop_reason'] or run['status']}, step {run['usage'].get('step', 0):g}")
    if options.follow:
        return _follow(client, path)
    if run["result"]:
        return _show_result(run["result"])
    for one in client.get(f"{path}/approvals").json()["items"]:
        if one["status"] == "pending":
            _show_asked(one, options.run_id)
    return 0


def _show_result(result: dict[str, Any]) -> int:
    for title, name in (("Done", "done"), ("Not done", "not_done"), ("Unknown", "unknown")):
        for line in result[name]:
            say(f"{title}: {line}")
    say(result["answer"])
    return 0 if result["achieved"] else 1


def trace(options: argparse.Namespace) -> int:
    """A line of JSON for each event of a run, in their order; without ``--follow`` those that there are by now."""
    with _client(options) as client:
        try:
            found = client.get(path := f"/v1/runs/{options.run_id}")
            if found.is_error:
                return _report_refusal(found)
            for event in _events(client, path, follow=options.follow):
                say(json.dumps(event, ensure_ascii=False))
        except httpx.HTTPError as error:
            return _unreachable(client, error)
    return 0


def grants(options: argparse.Namespace) -> int:
    """What the runs of a user were granted; set where a program, a folder or ``--none`` is given."""
    wanted = {"programs": options.program, "roots": options.root}
    path = f"/v1/runs/grants/{options.user_id}"
    with _client(options) as client:
        try:
            changes = options.none or options.program or options.root
            answer = client.put(path, json=wanted) if changes else client.get(path)
        except httpx.HTTPError as error:
            return _unreachable(client, error)
    if answer.is_error:
        return _report_refusal(answer)
    granted = answer.json()
    say(f"Programs: {', '.join(granted['programs']) or 'none'}")
    say(f"Further folders: {', '.join(granted['roots']) or 'none'}")
    if granted["unavailable"]:
        say(f"Programs cannot be executed here: {granted['unavailable']}")
    return 0


def answer(options: argparse.Namespace) -> int:
    """Show what a run asks, or answer the oldest of it: yes, no with a reason, or words for a question."""
    with _client(options) as client:
        try:
            return _answer_approval(client, options)
        except httpx.HTTPError as error:
            return _unreachable(client, error)
        except json.JSONDecodeError as error:
            return complain(f"--arguments is no JSON: {error}.")


def _answer_approval(client: httpx.Client, options: argparse.Namespace) -> int:
    path = f"/v1/runs/{options.run_id}/approvals"
    found = client.get(path)
    if found.is_error:
        return _report_refusal(found)
    asked = [one for one in found.json()["items"] if one["status"] == "pending"]
    if not asked:
        return complain("it asks nothing.")
    if not options.words and options.arguments is None:
        for one in asked:
            _show_asked(one, options.run_id)
        return 0
    decided = client.post(path, json=_decision(asked[0], " ".join(options.words), options.arguments))
    if decided.is_error:
        return _report_refusal(decided)
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
        return _report_refusal(answer)
    say("Runs are allowed again." if options.release else "All runs are stopped; `summit stop --release` allows them.")
    return 0


def _client(options: argparse.Namespace) -> httpx.Client:
    settings = load_settings()
    key = options.key or os.environ.get("SUMMIT_API_KEY")
    headers = {"Authorization": f"Bearer {key}"} if key else {}
    url = options.url or base_url(settings.host, settings.port)
    return httpx.Client(base_url=url, headers=headers, timeout=RUN_CALL_SECONDS)


def _follow(client: httpx.Client, path: str) -> int:
    """Print the trace until the run has ended."""
    for event in _events(client, path, follow=True):
        _show(event)
    result = client.get(path).json()["result"]
    say(result["answer"])
    return 0 if result["achieved"] else 1


def _events(client: httpx.Client, path: str, *, follow: bool) -> Iterator[dict[str, Any]]:
    """The trace from its beginning, to its end or until it is quiet; a stream that breaks is taken up where it was."""
    seen = "0"
    while True:
        with client.stream("GET", f"{path}/events", headers={"Last-Event-ID": seen}, timeout=QUIET_SECONDS) as stream:
            for line in stream.iter_lines():
                if line.startswith(":") and not follow:
                    return
                if line.startswith("data: "):
                    event: dict[str, Any] = json.loads(line.removeprefix("data: "))
                    seen = str(event["seq"])
                    yield event
                    if event["type"] == "run.done":
                        return


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


def _report_refusal(answer: httpx.Response) -> int:
    if "json" not in answer.headers.get("content-type", ""):
        return complain(f"{answer.request.url} answers, but it is not Summit.")
    body = answer.json()
    return complain(f"{body['detail']} {body['hint']}")


def _unreachable(client: httpx.Client, error: httpx.HTTPError) -> int:
    return complain(f"no answer from {client.base_url} ({type(error).__name__}). Start the server with `summit serve`.")
