"""``summit workflows``: steps under a name, through a running server."""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Callable
from functools import wraps
from pathlib import Path
from typing import Any

import yaml

from app.cli.client.api_client import CallRefused, call, part, usual_url
from app.cli.output import complain
from app.cli.output import say as print_line

Command = Callable[[argparse.Namespace], int]
LOOK_SECONDS = 0.3


def command(act: Command) -> Command:
    """Exit status 1 with a sentence where the server says no."""

    @wraps(act)
    def run(options: argparse.Namespace) -> int:
        try:
            return act(options)
        except CallRefused as refusal:
            return complain(str(refusal))

    return run


@command
def list_all(options: argparse.Namespace) -> int:
    """A line for each workflow, and for those to begin with."""
    kept = call(options, "GET", "/v1/workflows")["items"]
    for one in kept:
        print_line(f"{one['slug']}  {one['definition']['name']}  {_starts(one)}")
    known = {one["slug"] for one in kept}
    for one in call(options, "GET", "/v1/workflow-starters")["items"]:
        if one["slug"] not in known:
            print_line(f"{one['slug']}  {one['name']}  not yours yet: summit workflows add {one['slug']}")
    return 0


@command
def show(options: argparse.Namespace) -> int:
    """A workflow's definition as YAML."""
    found = call(options, "GET", f"/v1/workflows/{part(options.slug)}")
    print_line(yaml.safe_dump(found["definition"], sort_keys=False, allow_unicode=True).rstrip())
    return 0


@command
def add(options: argparse.Namespace) -> int:
    """Keep a workflow from a file, or one to begin with by its name."""
    starters = {one["slug"]: one for one in call(options, "GET", "/v1/workflow-starters")["items"]}
    definition = starters.get(options.what) or _read(options.what)
    if not isinstance(definition, dict) or "slug" not in definition:
        return complain(f"{options.what} is no workflow: it has no slug. docs/guide/workflows.md has examples.")
    kept = call(options, "PUT", f"/v1/workflows/{definition['slug']}", definition)
    print_line(f"{kept['slug']} is kept. Run it: summit workflows run {kept['slug']}")
    return 0


@command
def run(options: argparse.Namespace) -> int:
    """Run a workflow and print what its steps come to; 1 unless it runs to its end."""
    inputs = dict(pair.partition("=")[::2] for pair in options.inputs)
    started = call(options, "POST", f"/v1/workflows/{part(options.slug)}/runs", {"inputs": inputs})
    path = f"/v1/workflows/{part(options.slug)}/runs/{started['id']}"
    print_line(f"{options.url or usual_url()}{path}")
    while not (found := call(options, "GET", path))["finished_at"]:
        time.sleep(LOOK_SECONDS)
    _print(found)
    return 0 if found["status"] == "done" else 1


@command
def history(options: argparse.Namespace) -> int:
    """A line for each run, the latest first."""
    for one in call(options, "GET", f"/v1/workflows/{part(options.slug)}/runs")["items"]:
        print_line(f"{one['created_at']}  {one['status']}  {one['origin']}  {one['id']}  {one['message']}".rstrip())
    return 0


@command
def remove(options: argparse.Namespace) -> int:
    """Forget a workflow."""
    call(options, "DELETE", f"/v1/workflows/{part(options.slug)}")
    print_line(f"{options.slug} is forgotten.")
    return 0


def _read(name: str) -> Any:
    """The document in a file of YAML or JSON; `-` is standard input. Raises Refused."""
    try:
        text = sys.stdin.read() if name == "-" else Path(name).read_text("utf-8")
        return yaml.safe_load(text)
    except (OSError, UnicodeDecodeError) as error:
        raise CallRefused(f"{name} cannot be read, and no workflow to begin with has that name ({error}).") from error
    except yaml.YAMLError as error:
        raise CallRefused(f"{name} is neither YAML nor JSON: {error}") from error


def _starts(one: dict[str, Any]) -> str:
    trigger = one["definition"].get("trigger") or {}
    if trigger.get("kind") == "schedule":
        return f"next {one['next_at']}"
    return "at a memo" if trigger else "by name"


def _print(found: dict[str, Any]) -> None:
    for step in found["steps"]:
        print_line(f"{step['id']} {step['state']}: {step['output']}")
        for cited in step["details"].get("citations", []):
            print_line(f"  {json.dumps(cited['quote'], ensure_ascii=False)} ({cited['captured_at']})")
    if found["message"]:
        print_line(found["message"])
