"""A plan is worked on by what the model says is finished, replaced where it does not hold, and told in the trace."""

from __future__ import annotations

from typing import Any

from app.models.model.thinking import Thought, ToolCall
from tests.support.runs.desk import Desk, Script, call, finish
from tests.support.runs.plans import plan, planned, several

READING = ["look what there is", "read the letters", "write them up", "say what came of it"]


def letters(desk: Desk) -> None:
    desk.files.mkdir()
    for name in ("anna", "bela", "cleo"):
        (desk.files / f"{name}.txt").write_text(f"from {name}")


def read(name: str) -> Thought:
    return call("read_file", path=f"{name}.txt")


async def test_only_steps_that_the_model_names_are_done(desk: Desk) -> None:
    letters(desk)
    desk.script = Script(
        planned(plan("by hand", READING)),
        call("list_files", path=""),
        several(("step_done", {"steps": [1]}), ("read_file", {"path": "anna.txt"})),
        read("bela"),
        read("cleo"),
        several(("step_done", {"steps": [2]}), ("finish", {"answer": "I cannot write.", "achieved": False})),
    )
    run = await desk.done("Read the letters and write them up", planner="plan_first")
    assert run.stop_reason == "no_progress"
    assert (run.result or {})["not_done"] == READING[2:]
    assert "[x] 1. look what there is" in desk.script.asked[-1][0]["content"]
    assert "[ ] 2. read the letters" in desk.script.asked[-1][0]["content"]
    assert "step_done" in desk.script.offered


async def test_calls_that_work_finish_no_step_by_themselves(desk: Desk) -> None:
    letters(desk)
    desk.script = Script(planned(plan("by hand", READING)), *map(read, ("anna", "bela", "cleo")), read("anna"))
    run = await desk.done("Read the letters and write them up", planner="plan_first", steps=4)
    assert run.stop_reason == "max_steps"
    assert (run.result or {})["not_done"] == READING


async def test_a_step_that_is_named_alone_or_wrongly(desk: Desk) -> None:
    desk.script = Script(
        planned(plan("by hand", ["one", "two"])),
        call("step_done", steps=[2]),
        call("step_done", steps=[3, 1]),
        call("step_done", steps="all"),
        finish("No.", achieved=False),
    )
    run = await desk.done(planner="plan_first")
    assert (run.result or {})["not_done"] == ["do it"]
    noted, wrong, unread = (asked[-1]["content"] for asked in desk.script.asked[2:])
    assert "noted" in noted
    assert "its steps are 1 to 2" in wrong
    assert "its steps are 1 to 2" in unread


async def test_without_a_plan_no_step_can_be_named(desk: Desk) -> None:
    desk.script = Script(call("step_done", steps=[1]), finish())
    run = await desk.done()
    assert "step_done" not in desk.script.offered
    assert run.stop_reason == "goal_achieved"
    assert "There is no tool step_done" in str(desk.script.asked[-1])


def missing(number: int) -> Thought:
    return call("read_file", path=f"missing-{number}.txt")


async def test_a_plan_without_a_reserve_is_made_anew(desk: Desk) -> None:
    desk.files.mkdir()
    desk.script = Script(
        planned(plan("by name", ["guess the name"])),
        *map(missing, range(3)),
        planned(plan("by listing", ["list", "read"])),
        call("list_files", path=""),
        finish("Nothing is there.", achieved=False),
    )
    run = await desk.done("Find it", planner="plan_first")
    assert desk.script.asked[4][-1]["content"] == "The plan does not hold. Make another one, in view of what failed."
    assert "The plan: by listing" in desk.script.asked[5][0]["content"]
    assert (run.result or {})["not_done"] == ["list", "read"]
    told = [one.data for one in await desk.trace(run.id) if "plan" in one.data]
    assert [(one["node"], (one["plan"] or {}).get("title")) for one in told] == [
        ("plan", "by name"),
        ("reflect", None),
        ("plan", "by listing"),
    ]


async def test_the_trace_has_reserves_and_the_plans_that_were_rejected(desk: Desk) -> None:
    desk.files.mkdir()
    risky: Any = plan("by force", ["delete all"], priority=5, tool="delete_file")
    desk.script = Script(
        planned(risky, plan("by hand", ["look"], priority=4), plan("by ear", ["listen"], priority=1)),
        Thought("", [ToolCall("look_back", {"causes": [{"cause": "c", "prevention": "p"}], "verdict": "give_up"})]),
        *map(missing, range(3)),
        finish("No.", achieved=False),
    )
    run = await desk.done("Tidy up", planner="plan_first")
    first, replaced = [one.data for one in await desk.trace(run.id) if "plan" in one.data]
    assert first["plan"]["title"] == "by hand"
    assert [one["title"] for one in first["reserve"]] == ["by ear"]
    assert [(one["title"], one["premortem"][0]["cause"]) for one in first["rejected"]] == [("by force", "c")]
    assert [one["title"] for one in replaced["rejected"]] == ["by hand"]
    assert (replaced["plan"]["title"], replaced["reserve"]) == ("by ear", [])
