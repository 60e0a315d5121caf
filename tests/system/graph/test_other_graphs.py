"""The graphs of runs and of work on projects as Studio opens them: with its own checkpointer and plain contexts."""

from __future__ import annotations

import json
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
from blockbuster import blockbuster_ctx
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.types import Command

from app.settings import Settings
from app.work.projects.git import git
from app.work.studio import open_projects, open_runs
from tests.support.runs.desk import Script, call, finish
from tests.support.runs.yard import agent_program, repository

ROOT = Path(__file__).parents[3]


def opened(graph: Any) -> Any:
    """A graph as Studio puts its checkpointer into it."""
    return graph.copy(update={"checkpointer": InMemorySaver()})


def on(thread: str) -> Any:
    return {"configurable": {"thread_id": thread}}


def settings_for(folder: Path, **values: Any) -> Settings:
    return Settings(_env_file=None, data_dir=folder, **values)


def sheds(folder: Path) -> list[str]:
    return [path.read_text() for path in folder.rglob("shed.txt")]


async def test_a_run_acts_asks_and_goes_on(tmp_path: Path) -> None:
    acts = [call("write_file", path="shed.txt", content="green"), call("delete_file", path="shed.txt")]
    model = Script(*acts, finish("It was green."), *acts)
    graph = opened(open_runs(settings_for(tmp_path), model))
    context = {"planner": "react"}
    paused = await graph.ainvoke({"goal": "look after the shed"}, on("1"), context=context)
    [asked] = paused["__interrupt__"]
    assert asked.value["call"]["name"] == "delete_file"
    assert sheds(tmp_path) == ["green"]
    done = await graph.ainvoke(Command(resume={"status": "approved"}), on("1"), context=context)
    assert (done["stop"], done["result"]["answer"]) == ("goal_achieved", "It was green.")
    assert sheds(tmp_path) == []
    with blockbuster_ctx(["app", "agents", "graph"]):  # as Studio has it, by now without late imports
        again = await graph.ainvoke({"goal": "look after the shed"}, on("1"), context=context)
    assert sheds(tmp_path) == ["green"]
    assert again["__interrupt__"]


async def test_what_a_run_lacks_is_said(tmp_path: Path) -> None:
    lame = opened(open_runs(settings_for(tmp_path)))
    with pytest.raises(ValueError, match="SUMMIT_LLM_MODEL"):
        await lame.ainvoke({"goal": "x"}, on("1"))
    with pytest.raises(ValueError, match="Give a `goal`"):
        await opened(open_runs(settings_for(tmp_path), Script())).ainvoke({}, on("1"))
    with pytest.raises(ValueError, match="root"):
        await opened(open_projects(settings_for(tmp_path))).ainvoke({"goal": "x"}, on("1"))


async def test_agents_work_on_a_folder_that_the_context_names(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "bin").mkdir()
    monkeypatch.setenv("PATH", agent_program(tmp_path / "bin"))
    garden = repository(tmp_path / "garden", quick=True)
    settings = settings_for(tmp_path / "data", project_folders=[tmp_path], agents_unconfined=True)
    graph = opened(open_projects(settings))
    context = {"root": str(garden)}
    asked: Any = await graph.ainvoke({"goal": "mend the roof"}, on("1"), context=context)
    names = []
    while "__interrupt__" in asked:
        names.append(asked["__interrupt__"][0].value["call"]["name"])
        asked = await graph.ainvoke(Command(resume={"status": "approved"}), on("1"), context=context)
    assert names == ["start_work", "publish_work"]
    assert asked["result"]["done"] == ["Mend the roof", "Measure the roof"]
    assert "summit/mend-the-roof" in git(garden, "branch", "--format=%(refname:short)")


async def test_every_graph_that_is_named_opens_without_settings() -> None:
    graphs = json.loads((ROOT / "langgraph.json").read_text())["graphs"]
    assert list(graphs) == ["summit", "runs", "projects"]
    for target in graphs.values():
        module, _, factory = target.partition(":")
        graph = await getattr(import_module(module), factory)()
        assert graph.get_context_jsonschema()["properties"]
        assert graph.get_input_jsonschema()["properties"]
        assert graph.get_graph().nodes
