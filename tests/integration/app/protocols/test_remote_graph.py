"""LangGraph's RemoteGraph, unmodified, against a real server: alone, as a node of another graph, and what is kept."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Any
from uuid import uuid4

import httpx
import pytest
from langchain_core.messages import AnyMessage, HumanMessage
from langchain_core.runnables import RunnableConfig
from langgraph.graph import END, START, StateGraph
from langgraph.graph.message import add_messages
from langgraph.pregel.remote import RemoteGraph
from langgraph.types import Command
from langgraph_sdk.client import SyncLangGraphClient
from typing_extensions import TypedDict

from tests.integration.app.protocols.test_langgraph import contents, said, tasks
from tests.support.servers.api import problem

ADDED = "Added “buy sandpaper” to your tasks."


class Talk(TypedDict, total=False):
    """The state of a graph around Summit; it has more than messages."""

    messages: Annotated[list[AnyMessage], add_messages]
    steps: int


@pytest.fixture
def remote(sdk: SyncLangGraphClient) -> RemoteGraph:
    return RemoteGraph("summit", sync_client=sdk)


@pytest.fixture
def around(remote: RemoteGraph) -> Any:
    """A graph of somebody else's in which Summit is a node."""
    graph = StateGraph(Talk)
    graph.add_node("count", lambda state: {"steps": state.get("steps", 0) + 1})
    graph.add_node("assistant", remote)
    graph.add_edge(START, "count")
    graph.add_edge("count", "assistant")
    graph.add_edge("assistant", END)
    return graph.compile()


def in_thread(thread: str, **more: Any) -> RunnableConfig:
    return {"configurable": {"thread_id": thread, **more}}


def test_alone_it_talks_and_shows_its_state(remote: RemoteGraph, alice: httpx.Client) -> None:
    here = in_thread(str(uuid4()), tone="brief")
    how: RunnableConfig = {"tags": ["home"], "metadata": {"shift": "night"}, "recursion_limit": 7, **here}
    values: Any = remote.invoke({"messages": [{"role": "user", "content": "buy sandpaper"}]}, how)
    assert contents(values) == [("human", "buy sandpaper"), ("ai", ADDED)]
    state = remote.get_state(here)
    assert (state.values, state.next) == (values, ())
    again = remote.get_state(state.config)
    assert again.values == values
    assert next(iter(remote.get_state_history(here))).values == values
    assert tasks(alice) == ["buy sandpaper"]


def test_every_stream_mode_of_a_graph_around_it_is_taken(remote: RemoteGraph, alice: httpx.Client) -> None:
    modes: Any = ["values", "updates", "messages", "custom", "debug", "tasks", "checkpoints"]
    told = list(remote.stream(said("buy sandpaper"), in_thread(str(uuid4())), stream_mode=modes))
    assert {mode for mode, *_ in told} >= {"values", "updates", "messages"}
    assert tasks(alice) == ["buy sandpaper"]


def test_a_question_interrupts_and_its_yes_resumes(remote: RemoteGraph, careful: httpx.Client) -> None:
    here = in_thread(str(uuid4()))
    asked: Any = list(remote.stream(said("add buy sandpaper"), here))
    assert asked[-1]["__interrupt__"][0]["value"]["question"].endswith("Add “buy sandpaper”?")
    [interrupt] = remote.get_state(here).interrupts
    assert interrupt.value["changes"][0]["title"] == "buy sandpaper"
    remote.invoke(Command(resume=True), here)
    assert tasks(careful) == ["buy sandpaper"]
    assert remote.get_state(here).interrupts == ()


def test_the_yes_to_an_offered_time_books_it(remote: RemoteGraph, alice: httpx.Client) -> None:
    here = in_thread(str(uuid4()))
    asked: Any = remote.invoke(said("do I have time to oil the gate tomorrow?"), here)
    assert asked["__interrupt__"][0]["value"]["question"].endswith("Shall I book it?")
    remote.invoke(Command(resume=True), here)
    assert len(alice.get("/v1/events").json()["items"]) == 1


def test_as_a_node_it_adds_its_reply_to_the_messages_once(around: Any, alice: httpx.Client) -> None:
    here = in_thread(str(uuid4()))
    said_first = HumanMessage("buy sandpaper", id="mine")
    state = around.invoke({"messages": [said_first]}, {**here, "metadata": {"shift": "day"}})
    assert [(one.type, one.content) for one in state["messages"]] == [("human", "buy sandpaper"), ("ai", ADDED)]
    assert (state["messages"][0].id, state["steps"]) == ("mine", 1)
    later = around.invoke({"messages": [*state["messages"], HumanMessage("mark it as done")]}, here)
    assert [one.type for one in later["messages"]] == ["human", "ai"] * 2
    assert [task["status"] for task in alice.get("/v1/todos").json()["items"]] == ["done"]


def test_as_a_node_its_question_interrupts_the_graph_around_it(around: Any, careful: httpx.Client) -> None:
    state = around.invoke({"messages": [HumanMessage("add buy sandpaper")]}, in_thread(str(uuid4())))
    assert state["__interrupt__"][0].value["changes"][0]["title"] == "buy sandpaper"
    assert tasks(careful) == []


def test_what_a_client_says_of_a_run_is_kept_with_it(sdk: SyncLangGraphClient, thread: str) -> None:
    config: Any = {"tags": ["home"], "recursion_limit": 9, "configurable": {"tone": "brief"}, "metadata": {"a": 1}}
    sdk.runs.wait(thread, "summit", input=said("buy sandpaper"), config=config, metadata={"ticket": "T-7"})
    run: Any
    [run] = sdk.runs.list(thread)
    assert (run["metadata"]["ticket"], run["metadata"]["graph_id"]) == ("T-7", "summit")
    assert run["kwargs"]["config"] == config
    assert sdk.runs.get(thread, run["run_id"])["metadata"] == run["metadata"]


def test_a_config_with_nothing_in_it_is_taken(alice: httpx.Client, thread: str) -> None:
    nothing = {"tags": None, "metadata": None, "recursion_limit": None, "configurable": None, "run_name": "mine"}
    body = {"assistant_id": "summit", "input": said("buy sandpaper"), "config": nothing}
    assert alice.post(f"/lg/threads/{thread}/runs/wait", json=body).status_code == 200
    assert tasks(alice) == ["buy sandpaper"]


def test_what_a_client_says_of_a_thread_is_kept_found_and_changed(
    sdk: SyncLangGraphClient, alice: httpx.Client
) -> None:
    mine = sdk.threads.create(metadata={"customer": "ada", "graph_id": "summit"})
    sdk.threads.create(metadata={"customer": "eve"})
    kept: Callable[[Any], dict[str, Any]] = lambda thread: thread["metadata"]  # noqa: E731
    assert kept(sdk.threads.get(mine["thread_id"]))["customer"] == "ada"
    [found] = sdk.threads.search(metadata={"customer": "ada"})
    assert found["thread_id"] == mine["thread_id"]
    assert sdk.threads.search(metadata={"customer": "nobody"}) == []
    assert len(sdk.threads.search(metadata={"graph_id": "summit"})) == 3  # and the main one
    changed = sdk.threads.update(mine["thread_id"], metadata={"stage": 2})
    assert (kept(changed)["customer"], kept(changed)["stage"]) == ("ada", 2)
    copied: Any = sdk.http.post(f"/threads/{mine['thread_id']}/copy", json=None)
    assert copied["metadata"]["customer"] == "ada"
    titled = alice.patch(f"/v1/threads/{mine['thread_id']}", json={"title": "Bench"})
    assert titled.status_code == 200
    assert kept(sdk.threads.get(mine["thread_id"])) == {**kept(changed), "title": "Bench"}


@pytest.mark.parametrize(
    "wish",
    [{"config": "fast"}, {"config": {"configurable": []}}, {"config": {"tags": "home"}}, {"metadata": ["a"]}],
)
def test_what_is_no_config_is_refused_by_name(alice: httpx.Client, thread: str, wish: dict[str, Any]) -> None:
    body = {"assistant_id": "summit", "input": said("buy sandpaper"), **wish}
    assert min(wish) in str(problem(alice.post(f"/lg/threads/{thread}/runs/wait", json=body), 422))
    assert tasks(alice) == []
