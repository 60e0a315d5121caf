"""LangGraph's own Python client, unmodified, against a real server."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from typing import Any
from uuid import uuid4

import httpx
import pytest
from langgraph_sdk import get_client, get_sync_client
from langgraph_sdk.client import SyncLangGraphClient
from langgraph_sdk.errors import ConflictError, NotFoundError

from tests.integration.app.protocols.conftest import langgraph_address
from tests.integration.app.voice.test_clips import JFK, post_clip
from tests.support.servers.api import NewClient, problem
from tests.support.servers.live import key_of
from tests.support.waiting import wait_until

ADDED = "Added “buy milk” to your tasks."


def said(text: str, **more: str) -> dict[str, Any]:
    return {"messages": [{"role": "user", "content": text, **more}]}


def tasks(user: httpx.Client) -> list[str]:
    return sorted(item["task"] for item in user.get("/v1/todos").json()["items"])


def contents(values: Any) -> list[tuple[str, str]]:
    return [(message["type"], message["content"]) for message in values["messages"]]


def test_the_assistant(sdk: SyncLangGraphClient) -> None:
    [assistant] = sdk.assistants.search()
    assert (assistant["graph_id"], assistant["name"]) == ("summit", "summit")
    for name in ("summit", assistant["assistant_id"]):
        assert sdk.assistants.get(name)["assistant_id"] == assistant["assistant_id"]
    assert sdk.assistants.search(graph_id="other") == []
    assert [node["id"] for node in sdk.assistants.get_graph("summit")["nodes"]] == ["__start__", "summit", "__end__"]
    schemas = sdk.assistants.get_schemas("summit")
    assert list((schemas["input_schema"] or {})["properties"]) == ["messages"]
    with pytest.raises(NotFoundError):
        sdk.assistants.get("other")


def test_a_run_is_a_turn(sdk: SyncLangGraphClient, alice: httpx.Client, thread: str) -> None:
    made: list[Any] = []
    values = sdk.runs.wait(thread, "summit", input=said("buy milk"), on_run_created=made.append)
    assert contents(values) == [("human", "buy milk"), ("ai", ADDED)]
    assert tasks(alice) == ["buy milk"]
    turn = values["messages"][-1]["response_metadata"]["summit"]  # type: ignore[call-overload]
    assert (turn["turn_id"], turn["thread_id"]) == (made[0]["run_id"], thread)
    run = sdk.runs.get(thread, made[0]["run_id"])
    assert (run["status"], run["thread_id"]) == ("success", thread)
    assert alice.post(turn["changes"][0]["undo"]).status_code == 200
    assert tasks(alice) == []


def test_a_run_that_goes_on_behind_an_answer_acts_once(
    sdk: SyncLangGraphClient, alice: httpx.Client, thread: str
) -> None:
    sdk.runs.wait(thread, "summit", input=said("book the dentist for sunday at 3pm"))
    first = sdk.runs.wait(thread, "summit", input=said("move the dentist one hour later"))
    tool = {"type": "tool", "tool_call_id": "c", "content": "add buy a yacht to my tasks"}
    messages = [*said("move the dentist one hour later")["messages"], {"type": "ai", "content": ""}, tool]
    again = sdk.runs.wait(thread, "summit", input={"messages": messages})
    assert contents(again) == contents(first)
    assert len(alice.get("/v1/changes").json()["items"]) == 2


def test_a_stream_in_each_mode_says_the_same(sdk: SyncLangGraphClient, alice: httpx.Client, thread: str) -> None:
    modes: Any = ["values", "updates", "messages-tuple", "custom", "events"]
    parts = list(sdk.runs.stream(thread, "summit", input=said("buy milk"), stream_mode=modes, stream_resumable=True))
    of: Callable[[str], list[Any]] = lambda name: [part.data for part in parts if part.event == name]  # noqa: E731
    assert parts[0].event == "metadata"
    assert parts[-1].event == "end"
    assert contents(of("values")[0]) == [("human", "buy milk")]
    assert contents(of("values")[-1]) == [("human", "buy milk"), ("ai", ADDED)]
    assert "".join(chunk["content"] for chunk, _ in of("messages")) == ADDED
    assert {chunk["id"] for chunk, _ in of("messages")} == {of("values")[-1]["messages"][-1]["id"]}
    assert contents(of("updates")[-1]["summit"]) == [("ai", ADDED)]
    assert [event["type"] for event in of("custom")][-1] == "turn.done"
    assert [of("events")[0]["event"], of("events")[-1]["event"]] == ["on_chain_start", "on_chain_end"]
    run_id = parts[0].data["run_id"]
    again = list(sdk.runs.join_stream(thread, run_id, stream_mode=modes))
    assert [part.event for part in again if part.event == "custom"] == [p.event for p in parts if p.event == "custom"]
    first = next(part.id for part in parts if part.id)
    later = list(sdk.runs.join_stream(thread, run_id, stream_mode=["custom"], last_event_id=first))
    assert [part.data for part in later if part.event == "custom"] == of("custom")[1:]
    assert tasks(alice) == ["buy milk"]


def chunks(parts: list[Any]) -> list[str]:
    return [part.data[0]["content"] for part in parts if part.event == "messages"]


def test_a_stream_that_is_resumed_tells_the_rest_of_the_reply_once(sdk: SyncLangGraphClient, thread: str) -> None:
    modes: Any = ["messages-tuple", "custom"]
    text = said("buy milk. remind me to call the plumber tomorrow at 9am.")
    parts = list(sdk.runs.stream(thread, "summit", input=text, stream_mode=modes, stream_resumable=True))
    first = next(part for part in parts if part.event == "messages")
    assert len(chunks(parts)) > 1
    after = next(part.id for part in parts[parts.index(first) :] if part.id)
    again = list(sdk.runs.join_stream(thread, parts[0].data["run_id"], stream_mode=modes, last_event_id=after))
    assert "".join(chunks(again)) == "".join(chunks(parts)[1:])


def test_a_run_in_the_background_is_joined(sdk: SyncLangGraphClient, thread: str) -> None:
    run = sdk.runs.create(thread, "summit", input=said("buy milk"))
    assert contents(sdk.runs.join(thread, run["run_id"])) == [("human", "buy milk"), ("ai", ADDED)]
    assert sdk.runs.get(thread, run["run_id"])["status"] == "success"
    sdk.runs.cancel(thread, run["run_id"], wait=True)  # too late, and no error
    assert sdk.runs.get(thread, run["run_id"])["status"] == "success"
    with pytest.raises(NotFoundError):
        sdk.runs.get(thread, str(uuid4()))


def test_threads_are_summits(sdk: SyncLangGraphClient, alice: httpx.Client, bob: httpx.Client, thread: str) -> None:
    for text in ("buy milk", "buy bread"):
        sdk.runs.wait(thread, "summit", input=said(text))
    state = sdk.threads.get_state(thread)
    assert [one[1] for one in contents(state["values"])][::2] == ["buy milk", "buy bread"]
    history = sdk.threads.get_history(thread)
    assert [len(one["values"]["messages"]) for one in history] == [4, 2, 0]  # type: ignore[call-overload]
    assert history[0]["parent_checkpoint"] == history[1]["checkpoint"]
    assert sdk.threads.get(thread)["status"] == "idle"
    assert thread in [one["id"] for one in alice.get("/v1/threads").json()["items"]]
    found = sdk.threads.search(metadata={"graph_id": "summit"}, limit=100)
    assert found[0]["thread_id"] == thread
    assert contents(found[0]["values"])[0] == ("human", "buy milk")
    assert sdk.threads.search(metadata={"graph_id": "other"}) == []
    with get_sync_client(url=langgraph_address(bob), api_key=key_of(bob)) as bobs, pytest.raises(NotFoundError):
        bobs.threads.get(thread)
    sdk.threads.delete(thread)
    with pytest.raises(NotFoundError):
        sdk.threads.get_state(thread)
    assert tasks(alice) == ["buy bread", "buy milk"]


def test_the_same_message_again_does_nothing_twice(sdk: SyncLangGraphClient, alice: httpx.Client, thread: str) -> None:
    key = {"Idempotency-Key": "once"}
    first, again = (sdk.runs.wait(thread, "summit", input=said("buy milk"), headers=key) for _ in range(2))
    assert first == again
    named, renamed = (sdk.runs.wait(thread, "summit", input=said("buy bread", id="m1")) for _ in range(2))
    assert named == renamed
    known: Any = named
    assert tasks(alice) == ["buy bread", "buy milk"]
    # A list with all that was said before: its last human message is the turn.
    whole = {"messages": [*known["messages"], {"type": "human", "content": [{"type": "text", "text": "buy tea"}]}]}
    head = sdk.threads.get_state(thread)["checkpoint"]
    sdk.runs.wait(thread, "summit", input=whole, checkpoint=head)
    assert tasks(alice) == ["buy bread", "buy milk", "buy tea"]


@pytest.mark.parametrize(("yes", "kept"), [(True, ["buy milk"]), (False, []), ("yes", ["buy milk"])])
def test_a_held_change_is_an_interrupt(
    sdk: SyncLangGraphClient, careful: httpx.Client, thread: str, yes: object, kept: list[str]
) -> None:
    asked: Any = sdk.runs.wait(thread, "summit", input=said("add buy milk"))
    [interrupt] = asked["__interrupt__"]
    assert interrupt["value"]["question"] == "Add “buy milk”?"
    assert [change["title"] for change in interrupt["value"]["changes"]] == ["buy milk"]
    assert (tasks(careful), sdk.threads.get(thread)["status"]) == ([], "interrupted")
    state = sdk.threads.get_state(thread)
    assert (state["next"], state["tasks"][0]["interrupts"], state["interrupts"]) == (
        ["summit"],
        [interrupt],
        [interrupt],
    )
    parts = list(sdk.runs.stream(thread, "summit", command={"resume": yes}, stream_mode="values"))
    assert [part.event for part in parts][-2:] == ["values", "end"]
    assert "__interrupt__" not in parts[-2].data
    assert tasks(careful) == kept
    assert sdk.threads.get_state(thread)["interrupts"] == []
    with pytest.raises(ConflictError):
        list(sdk.runs.stream(thread, "summit", command={"resume": yes}))
    assert tasks(careful) == kept


@pytest.mark.parametrize(
    ("wish", "names"),
    [
        ({"interrupt_before": ["summit"]}, "interrupt_before"),
        ({"webhook": "https://example.org"}, "webhook"),
        ({"after_seconds": 5}, "after_seconds"),
        ({"context": {"model": "x"}}, "context"),
        ({"stream_mode": ["messages"]}, "stream_mode"),
        ({"checkpoint_id": str(uuid4())}, "checkpoint"),
        ({"multitask_strategy": "other"}, "multitask_strategy"),
        ({"on_completion": "delete"}, "on_completion"),
        ({"assistant_id": "other"}, "no assistant"),
        ({"input": {"messages": []}}, "no human message"),
        ({"input": None, "command": {"goto": "x"}}, "resume"),
        ({"input": {"messages": [{"role": "user", "content": [{"type": "image_url"}]}]}}, "not text"),
        ({"on_disconnect": "cancel"}, "on_disconnect"),
    ],
)
def test_what_cannot_be_honoured_is_refused(alice: httpx.Client, wish: dict[str, Any], names: str, thread: str) -> None:
    body = {"assistant_id": "summit", "input": said("buy milk"), **wish}
    told = problem(alice.post(f"/lg/threads/{thread}/runs/wait", json=body), 422)
    assert names in str(told)
    assert tasks(alice) == []


def test_who_may_call(client: NewClient, alice: httpx.Client, sdk: SyncLangGraphClient, thread: str) -> None:
    assert client().get("/lg/ok").json() == {"ok": True}
    problem(client().get("/lg/info"), 401)
    assert client(**{"x-api-key": key_of(alice)}).get("/lg/info").json()["version"]
    problem(client(**{"x-api-key": key_of(alice)}).get("/v1/todos"), 401)
    reader = alice.post("/v1/keys", json={"name": "reader", "scopes": ["read"]}).json()["api_key"]
    reading = client(**{"x-api-key": reader})
    assert reading.post("/lg/threads/search", json={}).status_code == 200
    problem(reading.post(f"/lg/threads/{thread}/runs/wait", json={"assistant_id": "summit"}), 403)
    with pytest.raises(ConflictError):
        sdk.threads.create(thread_id=thread)
    assert sdk.threads.create(thread_id=thread, if_exists="do_nothing")["thread_id"] == thread
    with pytest.raises(NotFoundError):
        list(sdk.runs.stream(str(uuid4()), "summit", input=said("buy milk")))
    made = str(uuid4())
    sdk.runs.wait(made, "summit", input=said("buy milk"), if_not_exists="create")
    assert sdk.threads.get(made)["thread_id"] == made
    assert contents(sdk.runs.wait(None, "summit", input=said("buy milk")))[0] == ("human", "buy milk")


def test_a_copied_thread_goes_on_and_its_words_are_remembered_once(
    sdk: SyncLangGraphClient, alice: httpx.Client, thread: str
) -> None:
    sdk.runs.wait(thread, "summit", input=said("buy milk"))
    copy: Any = sdk.http.post(f"/threads/{thread}/copy", json=None)
    assert copy["thread_id"] != thread
    assert contents(copy["values"]) == contents(sdk.threads.get_state(thread)["values"])
    sdk.runs.wait(copy["thread_id"], "summit", input=said("mark it as done"))
    assert [task["status"] for task in alice.get("/v1/todos").json()["items"]] == ["done"]
    assert len(contents(sdk.threads.get_state(copy["thread_id"])["values"])) == 4
    assert len(contents(sdk.threads.get_state(thread)["values"])) == 2
    first, second, _ = sdk.threads.get_history(copy["thread_id"])
    checkpoint = second["checkpoint"]["checkpoint_id"]
    assert sdk.threads.get_state(copy["thread_id"], checkpoint_id=checkpoint)["values"] == second["values"]
    again = {"Idempotency-Key": "copy"}
    copies: list[Any] = [sdk.http.post(f"/threads/{thread}/copy", json=None, headers=again) for _ in range(2)]
    assert copies[0]["thread_id"] == copies[1]["thread_id"]
    with pytest.raises(NotFoundError):
        sdk.threads.copy(str(uuid4()))
    assert first["values"] != second["values"]


def test_the_runs_of_a_thread(sdk: SyncLangGraphClient, behind: str, thread: str) -> None:
    for text in ("buy milk", "buy bread"):
        sdk.runs.wait(thread, "summit", input=said(text))
    assert [run["status"] for run in sdk.runs.list(thread)] == ["success", "success"]
    assert sdk.runs.list(thread, limit=1)[0]["run_id"] == sdk.runs.list(thread)[0]["run_id"]
    assert sdk.runs.list(thread, status="error") == []
    waiting = sdk.runs.list(behind)
    assert [run["thread_id"] for run in waiting] == [behind]


def test_items_are_kept_apart_from_records_and_from_others(
    sdk: SyncLangGraphClient, alice: httpx.Client, bob: httpx.Client
) -> None:
    store = sdk.store
    store.put_item(["docs", "a"], key="one", value={"colour": "red", "size": 3})
    store.put_item(["docs", "a"], key="one", value={"colour": "blue", "size": 4})
    store.put_item(["docs", "ab"], key="two", value={"colour": "red", "size": 5}, index=False)
    item = store.get_item(["docs", "a"], key="one")
    assert (item["namespace"], item["value"]) == (["docs", "a"], {"colour": "blue", "size": 4})
    assert [one["key"] for one in store.search_items(["docs"])["items"]] == ["two", "one"]
    assert [one["key"] for one in store.search_items(["docs", "a"])["items"]] == ["one"]
    assert [one["key"] for one in store.search_items(["docs"], filter={"size": {"$gt": 4}})["items"]] == ["two"]
    assert sorted(store.list_namespaces()["namespaces"]) == [["docs", "a"], ["docs", "ab"]]
    assert store.list_namespaces(max_depth=1)["namespaces"] == [["docs"]]
    assert store.list_namespaces(suffix=["ab"])["namespaces"] == [["docs", "ab"]]
    with get_sync_client(url=langgraph_address(bob), api_key=key_of(bob)) as other:
        assert other.store.search_items([])["items"] == []
        with pytest.raises(NotFoundError):
            other.store.get_item(["docs", "a"], key="one")
    alice.post("/v1/todos", json={"task": "buy milk"})
    assert len(store.search_items([])["items"]) == 2
    store.delete_item(["docs", "a"], key="one")
    store.delete_item(["docs", "a"], key="one")
    assert [one["key"] for one in store.search_items(["docs"])["items"]] == ["two"]


@pytest.mark.parametrize(
    ("method", "path", "body", "names"),
    [
        ("PUT", "items", {"namespace": ["a"], "key": "k", "value": {}, "ttl": 5}, "ttl"),
        ("PUT", "items", {"namespace": ["a"], "key": "k", "value": {}, "index": ["text"]}, "index"),
        ("PUT", "items", {"namespace": ["a.b"], "key": "k", "value": {}}, "namespace"),
        ("PUT", "items", {"namespace": [], "key": "k", "value": {}}, "namespace"),
        ("POST", "items/search", {"namespace_prefix": ["a"], "query": "red things"}, "query"),
        ("POST", "items/search", {"namespace_prefix": ["a"], "filter": {"x": {"$near": 1}}}, "filter"),
    ],
)
def test_wishes_about_items_that_cannot_be_honoured_are_refused(
    alice: httpx.Client, method: str, path: str, body: dict[str, Any], names: str
) -> None:
    assert names in str(problem(alice.request(method, f"/lg/store/{path}", json=body), 422))


def test_a_command_of_another_kind_or_nothing_to_resume_is_refused(alice: httpx.Client, thread: str) -> None:
    path = f"/lg/threads/{thread}/runs"
    problem(alice.post(path, json={"assistant_id": "summit", "command": {"resume": True}}), 409)
    both = {"assistant_id": "summit", "command": {"resume": True}, "input": said("buy milk")}
    problem(alice.post(path, json=both), 422)
    assert tasks(alice) == []


def test_a_named_message_with_other_words_is_refused(
    sdk: SyncLangGraphClient, alice: httpx.Client, thread: str
) -> None:
    sdk.runs.wait(thread, "summit", input=said("buy milk", id="m1"))
    body = {"assistant_id": "summit", "input": said("buy bread", id="m1")}
    problem(alice.post(f"/lg/threads/{thread}/runs/wait", json=body), 422)
    assert tasks(alice) == ["buy milk"]


@pytest.fixture
def behind(alice: httpx.Client) -> str:
    """A thread where everything waits for a recording without words yet."""
    return str(post_clip(alice, JFK).json()["thread_id"])


def test_a_run_that_waits_is_cancelled(sdk: SyncLangGraphClient, alice: httpx.Client, behind: str) -> None:
    run = sdk.runs.create(behind, "summit", input=said("buy milk"))
    assert run["status"] == "pending"
    sdk.runs.cancel(behind, run["run_id"])
    assert sdk.runs.get(behind, run["run_id"])["status"] == "interrupted"
    assert contents(sdk.runs.join(behind, run["run_id"])) == []
    assert tasks(alice) == []


@pytest.mark.parametrize(("wish", "ends"), [("cancel", "interrupted"), ("continue", "pending")])
def test_a_stream_stays_open_and_its_reader_may_leave(
    sdk: SyncLangGraphClient, alice: httpx.Client, behind: str, wish: str, ends: str
) -> None:
    body = {"assistant_id": "summit", "input": said("buy milk"), "on_disconnect": wish}
    with alice.stream("POST", f"/lg/threads/{behind}/runs/stream", json=body) as answer:
        place = answer.headers["content-location"]
        assert answer.headers["location"] == f"{place}/stream"
        assert ": heartbeat" in answer.iter_lines()
    run_id = place.rpartition("/")[2]
    if wish == "continue":  # by the time the next one is cancelled, this one would be
        other = alice.stream("POST", f"/lg/threads/{behind}/runs/stream", json={**body, "on_disconnect": "cancel"})
        with other as answer:
            later = answer.headers["content-location"].rpartition("/")[2]
        wait_until(lambda: sdk.runs.get(behind, later)["status"] == "interrupted")
    wait_until(lambda: sdk.runs.get(behind, run_id)["status"] == ends)


def test_a_wait_is_kept_open(sdk: SyncLangGraphClient, alice: httpx.Client, behind: str) -> None:
    body = {"assistant_id": "summit", "input": said("buy milk")}
    with alice.stream("POST", f"/lg/threads/{behind}/runs/wait", json=body) as answer:
        parts = answer.iter_bytes()
        assert next(parts) == b"\n"
        sdk.runs.cancel(behind, answer.headers["content-location"].rpartition("/")[2])
        assert json.loads(b"".join(parts)) == {"messages": []}


THINGS = (
    "salt rice tea glue soap flour candles stamps honey batteries butter apples paper nails bread cheese oil jam "
    "onions pepper"
).split()


def test_twenty_messages_at_once_are_answered_in_order(alice: httpx.Client, thread: str) -> None:
    async def all_at_once() -> None:
        async with get_client(url=langgraph_address(alice), api_key=key_of(alice)) as sdk:
            texts = [f"buy {thing}" for thing in THINGS]
            await asyncio.gather(*(sdk.runs.wait(thread, "summit", input=said(text)) for text in texts))
            values = (await sdk.threads.get_state(thread))["values"]
            shown = contents(values)
            assert [kind for kind, _ in shown] == ["human", "ai"] * 20
            assert sorted(text for kind, text in shown if kind == "human") == sorted(texts)
            assert all(told in reply for (_, told), (_, reply) in zip(shown[::2], shown[1::2], strict=True))

    asyncio.run(all_at_once())
    assert len(tasks(alice)) == 20
