"""kill -9 of a server and its worker while coding agents work on projects.

    python -m tests.survival.project_rounds [--kills 30] [--projects 3]

Without kills it lets as many projects as are named be built at once, each to its end.

The agents are scripts in Claude Code's format that really edit files; each first build really fails its test. Counts
agents that outlive their server, phases that were built twice, commits that are lost, and runs that do not end.
"""

from __future__ import annotations

import argparse
import random
import sys
import tempfile
import time
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx
import psutil

from app.work.projects.git import git
from tests.support.runs.coder import PHASES
from tests.support.runs.yard import agent_program, repository
from tests.support.servers.plain import plain_client
from tests.survival.clients import SETTINGS
from tests.survival.fleet import MortalServer, last_server, new_user

LIFE_SECONDS = (1.0, 7.0)
END_SECONDS = 180.0
GONE_SECONDS = 2.0
COMMITS = [phase["title"] for phase in PHASES for _ in range(2)]
"""Each phase is built twice: its first build fails the project's checks."""


@dataclass
class Found:
    """What a campaign came to."""

    ended: int = 0
    resumed: int = 0
    faults: list[str] = field(default_factory=list)


@dataclass
class Yards:
    """Projects, one run at a time on each."""

    folder: Path
    open: dict[str, str] = field(default_factory=dict)
    started: int = 0

    def settings(self) -> dict[str, str]:
        """What the server has to know; agents find their program on the PATH."""
        programs = self.folder / "bin"
        programs.mkdir(exist_ok=True)
        return {
            **SETTINGS,
            "PATH": agent_program(programs, "slowly"),
            "SUMMIT_PROJECT_FOLDERS": f'["{self.folder}"]',
            "SUMMIT_AGENTS_UNCONFINED": "true",
            "SUMMIT_RUN_CONCURRENCY": "10",
        }

    def start(self, client: httpx.Client, most: int) -> None:
        """Register projects and start runs until ``most`` are open."""
        with suppress(httpx.HTTPError):
            while len(self.open) < most:
                name = f"p{self.started}"
                root = self.folder / name
                if not root.exists():
                    repository(root)
                project = client.post(
                    "/v1/projects", json={"name": name, "root": str(root)}, headers={"Idempotency-Key": f"{name}-add"}
                ).json()
                body = {"goal": f"mend {name}", "project": {"project_id": project["id"]}}
                answer = client.post("/v1/runs", json=body, headers={"Idempotency-Key": f"{name}-run"})
                if answer.status_code != 202:
                    return
                self.open[name], self.started = answer.json()["id"], self.started + 1

    def look(self, client: httpx.Client, found: Found) -> None:
        """Say yes to what is asked, and take note of what has ended."""
        with suppress(httpx.HTTPError):
            for name, run_id in list(self.open.items()):
                run = client.get(f"/v1/runs/{run_id}").json()
                if run.get("status") == "waiting":
                    for asked in client.get(f"/v1/runs/{run_id}/approvals").json()["items"]:
                        if asked["status"] == "pending":
                            client.post(
                                f"/v1/runs/{run_id}/approvals", json={"approval_id": asked["id"], "action": "approve"}
                            )
                elif run.get("status") == "done":
                    del self.open[name]
                    found.ended += 1
                    found.faults += self._broken(name, run)

    def _broken(self, name: str, run: dict[str, Any]) -> list[str]:
        root = self.folder / name
        faults = [] if run["stop_reason"] == "goal_achieved" else [f"{name} ended as {run['stop_reason']}: {run}"]
        branches = git(root, "branch", "--list", "summit/*", "--format=%(refname:short)").split()
        commits = [git(root, "log", "--reverse", "--format=%s", f"main..{one}").splitlines() for one in branches]
        if commits != [COMMITS]:
            faults.append(f"{name} has the commits {commits}")
        if git(root, "status", "--porcelain"):
            faults.append(f"the main tree of {name} was touched")
        return faults


def campaign(folder: Path, kills: int, projects: int, seed: int) -> Found:
    """Kill the server ``kills`` times while agents work, then let the runs end, and check everything."""
    chance, found, yards = random.Random(seed), Found(), Yards(folder)
    data, settings = folder / "data", yards.settings()
    with last_server(data, **settings) as first:
        key = new_user(first.url, "builder")
    for _ in range(kills):
        server = MortalServer(data, **settings)
        until = time.monotonic() + chance.uniform(*LIFE_SECONDS)
        with _client(server.url, key) as client:
            while time.monotonic() < until:
                yards.start(client, projects)
                yards.look(client, found)
                time.sleep(0.1)
        server.kill()
        found.resumed += len(yards.open)
        found.faults += _left_behind(folder)
    with last_server(data, **settings) as survivor, _client(survivor.url, key) as client:
        if not kills:
            yards.start(client, projects)
        deadline = time.monotonic() + END_SECONDS * max(1, projects / 3)
        while yards.open and time.monotonic() < deadline:
            yards.look(client, found)
            time.sleep(0.2)
    found.faults += [f"the run on {name} has not ended" for name in yards.open]
    return found


def _left_behind(folder: Path) -> list[str]:
    """Agents that still work after their server was killed."""
    until = time.monotonic() + GONE_SECONDS
    while left := _working(folder):
        if time.monotonic() > until:
            return [f"{len(left)} agents outlived their server"]
        time.sleep(0.05)
    return []


def _working(folder: Path) -> list[int]:
    trees = str(folder / ".summit-trees")
    return [one.pid for one in psutil.process_iter(["cwd"]) if str(one.info["cwd"]).startswith(trees)]


def _client(url: str, key: str) -> httpx.Client:
    return plain_client(url, {"Authorization": f"Bearer {key}"}, seconds=20)


def main() -> int:
    """Run a campaign and print what came of it; exit status 1 when anything is broken."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--kills", type=int, default=30)
    parser.add_argument("--projects", type=int, default=3)
    parser.add_argument("--seed", type=int, default=int(time.time()))
    options = parser.parse_args()
    sys.stdout.write(f"seed {options.seed}\n")
    with tempfile.TemporaryDirectory(prefix="summit-projects-") as folder:
        found = campaign(Path(folder), options.kills, options.projects, options.seed)
    sys.stdout.write(
        f"{options.kills} kills, {found.resumed} runs cut by them, {found.ended} runs ended as they should\n"
    )
    for fault in found.faults:
        sys.stdout.write(f"BROKEN: {fault}\n")
    return 1 if found.faults else 0


if __name__ == "__main__":
    sys.exit(main())
