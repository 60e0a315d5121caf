"""Workflows over HTTP, as tests write, run and look at them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import httpx

from tests.support.waiting import wait_until


def written(user: httpx.Client, slug: str, *steps: dict[str, Any], **more: Any) -> dict[str, Any]:
    body = {"slug": slug, "name": slug.replace("-", " ").capitalize(), "steps": list(steps), **more}
    answer = user.put(f"/v1/workflows/{slug}", json=body)
    assert answer.status_code == 200, answer.text
    return dict(answer.json())


def starter(user: httpx.Client, slug: str) -> None:
    known = {one["slug"]: one for one in user.get("/v1/workflow-starters").json()["items"]}
    assert user.put(f"/v1/workflows/{slug}", json=known[slug]).status_code == 200


def run(user: httpx.Client, slug: str, **inputs: str) -> dict[str, Any]:
    answer = user.post(f"/v1/workflows/{slug}/runs", json={"inputs": inputs})
    assert answer.status_code == 202, answer.text
    assert answer.headers["location"] == f"/v1/workflows/{slug}/runs/{answer.json()['id']}"
    return ended(user, answer.headers["location"])


def ended(user: httpx.Client, path: str) -> dict[str, Any]:
    found: dict[str, Any] = until(lambda: user.get(path).json(), lambda one: one["status"] not in ("queued", "running"))
    return found


def until(read: Callable[[], Any], enough: Callable[[Any], Any]) -> Any:
    """What is read once it is enough."""
    [found] = wait_until(lambda: [found] if enough(found := read()) else [])
    return found


def latest(user: httpx.Client, slug: str) -> dict[str, Any]:
    """The one run of a workflow that something else than this test has started, when it has ended."""
    [one] = until(lambda: user.get(f"/v1/workflows/{slug}/runs").json()["items"], lambda found: found)
    return ended(user, f"/v1/workflows/{slug}/runs/{one['id']}")


def outputs(run: dict[str, Any]) -> list[str]:
    return [step["output"] for step in run["steps"]]


def tasks(user: httpx.Client) -> list[str]:
    return sorted(item["task"] for item in user.get("/v1/todos").json()["items"])


def told(user: httpx.Client) -> list[tuple[str, str, str]]:
    found = user.get("/v1/notifications").json()["items"]
    return [(one["kind"], one["title"], one["text"]) for one in found]
