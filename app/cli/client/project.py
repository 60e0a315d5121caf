"""``summit project``: folders of code, through a running server."""

from __future__ import annotations

import argparse
import os
import shutil
from collections.abc import Callable
from functools import wraps
from pathlib import Path
from typing import Any

from app.cli.client.api_client import CallRefused, call, usual_url
from app.cli.output import complain
from app.cli.output import say as print_line
from app.settings import load_settings

FACT_TITLES = {
    "frameworks": "Frameworks",
    "package_managers": "Packages by",
    "build": "Built by",
    "test_runners": "Tested by",
    "linters": "Checked by",
    "formatters": "Formatted by",
    "ci": "Continuous integration",
    "containers": "Containers",
}
Command = Callable[[argparse.Namespace], None]


def _command(act: Command) -> Callable[[argparse.Namespace], int]:
    """Exit status 1 with a sentence where the server says no."""

    @wraps(act)
    def run(options: argparse.Namespace) -> int:
        try:
            act(options)
        except CallRefused as refusal:
            return complain(str(refusal))
        return 0

    return run


@_command
def add(options: argparse.Namespace) -> None:
    """Register a folder and show what it is made of."""
    root = Path(options.root).expanduser().resolve()
    body = {"name": options.name or root.name, "root": str(root), "description": options.description}
    _print(call(options, "POST", "/v1/projects", body))


@_command
def list_all(options: argparse.Namespace) -> None:
    """A line for each project."""
    items = call(options, "GET", "/v1/projects")["items"]
    for one in items:
        print_line(f"{one['name']}  {one['root']}  {_languages(one)}")
    if not items:
        print_line("There are no projects. Register one: summit project add FOLDER")


@_command
def show(options: argparse.Namespace) -> None:
    """What a project is made of."""
    _print(_find_project(options))


@_command
def scan(options: argparse.Namespace) -> None:
    """What it is made of now."""
    _print(call(options, "POST", f"/v1/projects/{_find_project(options)['id']}/scan"))


@_command
def learn(options: argparse.Namespace) -> None:
    """A run that writes .summit/AGENTS.md and .summit/ARCHITECTURE.md on a branch."""
    body = {"goal": "What agents should know", "project": {"project_id": _find_project(options)["id"], "kind": "learn"}}
    print_line(f"{options.url or usual_url()}/v1/runs/{call(options, 'POST', '/v1/runs', body)['id']}")


@_command
def trees(options: argparse.Namespace) -> None:
    """A line for each work tree; with ``--remove`` those go that are merged and clean and in which nothing works."""
    path = f"/v1/projects/{_find_project(options)['id']}/trees"
    if options.remove:
        _print_removed(call(options, "DELETE", path))
        return
    items = call(options, "GET", path)["items"]
    for one in items:
        told = ["clean" if one["clean"] else "not committed", "merged" if one["merged"] else "not merged"]
        told += ["nothing works in it"] if one["orphan"] else [f"run {one['run_id']} works in it"]
        print_line(f"{one['branch']}  {one['path']}  {', '.join(told)}")
    done = sum(one["clean"] and one["merged"] and one["orphan"] for one in items)
    if done:
        print_line(f"{done} of {len(items)} can go: summit project trees {options.name} --remove")
    if not items:
        print_line("There are no work trees.")


def _print_removed(answer: dict[str, Any]) -> None:
    for branch in answer["removed"]:
        print_line(f"{branch} is removed.")
    for one in answer["kept"]:
        print_line(f"{one['branch']} stays: {one['why']}")
    if not answer["removed"] and not answer["kept"]:
        print_line("There are no work trees.")


@_command
def remove(options: argparse.Namespace) -> None:
    """Forget a project."""
    found = _find_project(options)
    call(options, "DELETE", f"/v1/projects/{found['id']}")
    print_line(f"{found['name']} is forgotten. Its folder is as it was.")


def agents(options: argparse.Namespace) -> int:
    """The agents of the server's machine; or one of this machine, in this terminal."""
    return _open_agent(options.open) if options.open else _agents(options)


def _open_agent(name: str) -> int:
    """The exit status of an agent that somebody worked with here, as whom the settings say."""
    from app.work.projects.agents import AGENTS
    from app.work.projects.children import ChildSurroundings
    from app.work.projects.terminal import attend

    around = ChildSurroundings(os.environ, load_settings().agent_account)
    cli = next((one for one in AGENTS if one.name == name), None)
    program = next(filter(None, map(shutil.which, cli.programs)), None) if cli else None
    if cli is None or program is None:
        return complain(
            f"no coding agent {name} is installed here. The agents are: {', '.join(a.name for a in AGENTS)}."
        )
    return attend([program], Path.cwd(), around, cli.variables)


@_command
def _agents(options: argparse.Namespace) -> None:
    """A line for each coding agent, or what came of asking one."""
    if options.test:
        print_line(call(options, "POST", f"/v1/agents/{options.test}/test")["detail"])
        return
    for one in call(options, "GET", "/v1/agents")["items"]:
        print_line(f"{one['name']}  {one['version'] or 'not installed'}  {one['detail']}")


def _find_project(options: argparse.Namespace) -> dict[str, Any]:
    items: list[dict[str, Any]] = call(options, "GET", "/v1/projects")["items"]
    for one in items:
        if options.name in (one["id"], one["name"]):
            return one
    names = ", ".join(one["name"] for one in items) or "none"
    raise CallRefused(f"there is no project “{options.name}”. The projects are: {names}.")


def _print(project: dict[str, Any]) -> None:
    print_line(f"{project['name']}  {project['root']}")
    facts = project["facts"]
    print_line(f"  Languages: {_languages(project)}")
    for name, title in FACT_TITLES.items():
        if facts[name]:
            print_line(f"  {title}: {', '.join(facts[name])}")
    more = "" if facts["complete"] else " and more"
    print_line(f"  {facts['file_count']} files{more}")


def _languages(project: dict[str, Any]) -> str:
    shares = (project["facts"] or {}).get("languages") or {}
    return ", ".join(f"{name} {round(100 * share)} %" for name, share in shares.items()) or "none that are known"
