"""A run from an earlier checkpoint, as chat pages send it to say something again: rolled back, done once."""

from __future__ import annotations

from typing import Any
from uuid import uuid4

import httpx
import pytest
from langgraph_sdk.client import SyncLangGraphClient

from tests.integration.app.protocols.test_langgraph import contents, said, tasks
from tests.support.servers.api import problem


@pytest.fixture
def talk(sdk: SyncLangGraphClient, thread: str) -> str:
    """A thread in which two tasks were added."""
    for text in ("buy nails", "buy hot glue"):
        sdk.runs.wait(thread, "summit", input=said(text))
    return thread


def places(sdk: SyncLangGraphClient, thread: str) -> list[Any]:
    """The checkpoints of a thread, the one before its first message first."""
    return [state["checkpoint"] for state in reversed(sdk.threads.get_history(thread))]


def words(values: Any) -> list[str]:
    return [content for kind, content in contents(values) if kind == "human"]


def test_said_again_it_is_done_once(sdk: SyncLangGraphClient, alice: httpx.Client, talk: str) -> None:
    for _ in range(2):
        values = sdk.runs.wait(talk, "summit", input=None, checkpoint=places(sdk, talk)[1])
        assert words(values) == ["buy nails", "buy hot glue"]
        assert tasks(alice) == ["buy hot glue", "buy nails"]
    assert words(sdk.threads.get_state(talk)["values"]) == ["buy nails", "buy hot glue"]


def test_said_otherwise_it_replaces_what_followed(sdk: SyncLangGraphClient, alice: httpx.Client, talk: str) -> None:
    before = places(sdk, talk)[1]
    parts = list(sdk.runs.stream(talk, "summit", input=said("buy paint"), checkpoint=before, stream_mode="values"))
    seen = [words(part.data) for part in parts if part.event == "values"]
    assert seen == [["buy nails", "buy paint"]] * 2
    assert tasks(alice) == ["buy nails", "buy paint"]
    assert words(sdk.threads.get(talk)["values"]) == ["buy nails", "buy paint"]
    assert words(sdk.runs.wait(talk, "summit", input=said("buy tape"))) == ["buy nails", "buy paint", "buy tape"]


def test_the_first_message_can_be_said_otherwise(sdk: SyncLangGraphClient, alice: httpx.Client, talk: str) -> None:
    values = sdk.runs.wait(talk, "summit", input=said("buy paint"), checkpoint_id=places(sdk, talk)[0]["checkpoint_id"])
    assert words(values) == ["buy paint"]
    assert tasks(alice) == ["buy paint"]
    assert [len(one["values"]["messages"]) for one in sdk.threads.get_history(talk)] == [2, 0]  # type: ignore[call-overload]


def test_what_followed_is_taken_back_from_the_end(sdk: SyncLangGraphClient, alice: httpx.Client, talk: str) -> None:
    sdk.runs.wait(talk, "summit", input=said("rename buy nails to buy screws"))
    assert tasks(alice) == ["buy hot glue", "buy screws"]
    sdk.runs.wait(talk, "summit", input=said("buy paint"), checkpoint=places(sdk, talk)[0])
    assert tasks(alice) == ["buy paint"]


def test_sent_again_under_its_key_it_replaces_once(sdk: SyncLangGraphClient, alice: httpx.Client, talk: str) -> None:
    before, key = places(sdk, talk)[1], {"Idempotency-Key": "otherwise"}
    how: dict[str, Any] = {"input": said("buy paint"), "checkpoint": before, "headers": key}
    sdk.runs.wait(talk, "summit", **how)
    sdk.runs.wait(talk, "summit", input=said("buy tape"))
    assert words(sdk.runs.wait(talk, "summit", **how)) == ["buy nails", "buy paint"]
    assert tasks(alice) == ["buy nails", "buy paint", "buy tape"]


def test_what_waited_for_a_yes_is_declined(sdk: SyncLangGraphClient, careful: httpx.Client, thread: str) -> None:
    sdk.runs.wait(thread, "summit", input=said("add buy nails"))
    sdk.runs.wait(thread, "summit", input=said("note: the shed is damp"), checkpoint=places(sdk, thread)[0])
    changes = careful.get("/v1/changes").json()["items"]
    assert {change["status"] for change in changes if change["kind"] == "todo"} == {"failed"}
    values: Any = sdk.runs.wait(thread, "summit", input=said("yes"))
    assert words(values) == ["note: the shed is damp", "yes"]
    assert tasks(careful) == []


def test_what_was_changed_since_is_not_overwritten(sdk: SyncLangGraphClient, alice: httpx.Client, talk: str) -> None:
    [glue] = [one for one in alice.get("/v1/todos").json()["items"] if one["task"] == "buy hot glue"]
    assert alice.patch(f"/v1/todos/{glue['id']}", json={"priority": "high"}).status_code == 200
    place = places(sdk, talk)[1]["checkpoint_id"]
    asked = {"assistant_id": "summit", "input": said("buy paint"), "checkpoint_id": place}
    refused = problem(alice.post(f"/lg/threads/{talk}/runs/wait", json=asked), 409)
    assert "“buy hot glue” has changed since" in refused["detail"]
    assert tasks(alice) == ["buy hot glue", "buy nails"]


def test_a_place_that_is_none_is_refused(alice: httpx.Client, sdk: SyncLangGraphClient, talk: str) -> None:
    copy: Any = sdk.http.post(f"/threads/{talk}/copy", json=None)
    for thread, where, body, reason in (
        (talk, str(uuid4()), said("buy paint"), "no such state"),
        (talk, places(sdk, talk)[-1]["checkpoint_id"], None, "no human message"),
        (copy["thread_id"], places(sdk, copy["thread_id"])[1]["checkpoint_id"], None, "copied"),
    ):
        asked = {"assistant_id": "summit", "input": body, "checkpoint": {"checkpoint_id": where}}
        assert reason in problem(alice.post(f"/lg/threads/{thread}/runs/wait", json=asked), 422)["detail"]
    assert tasks(alice) == ["buy hot glue", "buy nails"]
