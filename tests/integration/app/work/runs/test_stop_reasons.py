"""Each way in which a run ends, and that none of them loses what was found."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from app.models.model.thinking import NoThought, Thought
from app.principal import EVERYBODY
from app.work.runs.tools.tool import Form, Tool, ToolContext, ToolOutcome
from tests.support.runs.desk import Desk, Script, call, counted, finish
from tests.support.waiting import HANG_SECONDS


def writing(number: int) -> Thought:
    return call("write_file", path=f"{number}.txt", content=str(number))


async def test_a_goal_is_achieved(desk: Desk) -> None:
    desk.script = Script(writing(1), finish("The file is there.", lesson="files are easy"))
    run = await desk.done()
    assert (run.status, run.stop_reason) == ("done", "goal_achieved")
    assert run.result == {
        "answer": "The file is there.",
        "achieved": True,
        "done": ["write_file: 1.txt is written."],
        "not_done": [],
        "unknown": [],
        "lesson": "files are easy",
        "tainted_by": "",
    }
    assert (desk.files / "1.txt").read_text() == "1"
    assert {name: run.usage[name] for name in ("step", "tokens", "credits")} == {"step": 2, "tokens": 20, "credits": 2}


async def test_the_limit_of_steps_keeps_what_was_done(desk: Desk) -> None:
    desk.script = Script(*[writing(number) for number in range(9)])
    run = await desk.done("number some files", steps=3)
    assert run.stop_reason == "max_steps"
    assert run.result is not None
    assert run.result["done"] == [f"write_file: {number}.txt is written." for number in range(3)]
    assert run.result["not_done"] == ["number some files"]
    assert "limit of steps" in run.result["answer"]


async def test_the_limit_of_time_ends_a_model_that_does_not_answer(desk: Desk) -> None:
    async def never(_: Any) -> Thought:
        await asyncio.Event().wait()
        raise AssertionError

    done, number, seconds = list[str](), 0, 0.3
    while not done:  # a busy machine may use up the time before the first step is done; then there is more
        number, seconds = number + 1, 3 * seconds
        assert seconds < HANG_SECONDS
        desk.script = Script(writing(number), never)
        run = await desk.done(seconds=seconds)
        assert run.stop_reason == "timeout"
        assert run.result is not None
        done = run.result["done"]
    assert done == [f"write_file: {number}.txt is written."]


async def test_the_limits_of_tokens_credits_and_output(desk: Desk) -> None:
    limited: list[tuple[int, dict[str, Any]]] = [(0, {"tokens": 20}), (10, {"credits": 2})]
    for first, limits in limited:
        desk.script = Script(*[writing(number) for number in range(first, first + 9)])
        run = await desk.done(**limits)
        assert run.stop_reason == "budget_exceeded", limits
        assert len((run.result or {})["done"]) == 2, limits
    (desk.files / "large").write_text("x" * 5000)
    desk.script = Script(call("read_file", path="large"), call("read_file", path="0.txt"), finish())
    assert (await desk.done(output_chars=1000)).stop_reason == "budget_exceeded"


async def test_an_account_that_is_empty(desk: Desk) -> None:
    desk.script = Script(writing(1), NoThought("out of credits"))
    assert (await desk.done()).stop_reason == "budget_exceeded"


async def test_a_loop_is_nudged_once_then_stopped(desk: Desk) -> None:
    desk.script = Script(call("list_files", path=""))
    run = await desk.done()
    assert run.stop_reason == "loop_detected"
    assert run.usage["step"] == 5
    nudges = [one for one in desk.script.asked[-1] if "repeat yourself" in one["content"]]
    assert len(nudges) == 1


async def test_a_loop_that_a_nudge_ends(desk: Desk) -> None:
    desk.script = Script(*[call("list_files", path="")] * 4, finish("Nothing is there."))
    assert (await desk.done()).stop_reason == "goal_achieved"


async def test_writes_that_change_nothing(desk: Desk) -> None:
    desk.files.mkdir()
    for number in range(12):
        (desk.files / f"{number}.txt").write_text(str(number))
    desk.script = Script(*[writing(number) for number in range(12)])
    assert (await desk.done()).stop_reason == "no_state_change"


async def test_errors_of_every_kind_in_a_row(desk: Desk) -> None:
    desk.script = Script(*[call("read_file", path=f"none/{number}") for number in range(12)])
    run = await desk.done()
    assert run.stop_reason == "no_progress"
    assert run.usage["step"] == 7


async def test_a_goal_that_cannot_be_reached(desk: Desk) -> None:
    desk.script = Script(finish("It is not possible.", achieved=False))
    run = await desk.done()
    assert (run.stop_reason, (run.result or {})["answer"]) == ("no_progress", "It is not possible.")


async def test_words_instead_of_calls_are_the_answer_in_the_end(desk: Desk) -> None:
    desk.script = Script(Thought("It is 42.", []))
    run = await desk.done()
    assert (run.stop_reason, (run.result or {})["answer"]) == ("goal_achieved", "It is 42.")


async def test_the_kill_switch_of_the_user_and_of_the_server(desk: Desk) -> None:
    for owner in (desk.user, EVERYBODY):
        made: list[str] = []

        async def engage(_: Any, owner: Any = owner) -> Thought:
            await desk.runs.set_switch(owner, engaged=True)
            return call("count")

        desk.more, desk.script = [counted("count", made)], Script(writing(1), engage)
        run = await desk.done()
        assert run.stop_reason == "kill_switch"
        assert made == []
        await desk.runs.set_switch(owner, engaged=False)


async def test_what_waits_ends_when_the_server_is_stopped(desk: Desk) -> None:
    desk.script = Script(call("ask_user", question="Which roof?"))
    run = await desk.start()
    await desk.work_off()
    await desk.runs.set_switch(EVERYBODY, engaged=True)
    await desk.work_off()
    await desk.runs.set_switch(EVERYBODY, engaged=False)
    ended = await desk.run(run)
    assert (ended.status, ended.stop_reason) == ("done", "kill_switch")
    assert [one.status for one in await desk.runs.approvals(desk.user, run)] == ["withdrawn"]


async def test_a_crash_behind_the_switch_is_made_up_for(desk: Desk) -> None:
    desk.script = Script(call("ask_user", question="Which roof?"))
    run = await desk.start()
    await desk.work_off()
    await desk.runs.end_stopped()
    assert (await desk.run(run)).status == "waiting"
    async with desk.database.tenant(EVERYBODY) as conn:
        await conn.execute("insert into kill_switches (user_id, engaged) values (%s, true)", (EVERYBODY,))
    await desk.runs.end_stopped()
    await desk.work_off()
    assert (await desk.run(run)).stop_reason == "kill_switch"
    await desk.runs.set_switch(EVERYBODY, engaged=False)


async def test_what_is_not_allowed_is_refused_then_ends_the_run(desk: Desk) -> None:
    made: list[str] = []

    async def act(_context: ToolContext, _form: Form) -> ToolOutcome:
        made.append("x")
        return ToolOutcome("")

    desk.more = [Tool("shell", "shell", Form, "execute", act, program="shell")]
    desk.script = Script(writing(1), call("shell"))
    run = await desk.done(allowed=["execute"])
    assert made == []
    assert "shell" not in desk.script.offered
    assert run.stop_reason == "unsafe_action_blocked"
    assert (run.result or {})["done"] == ["write_file: 1.txt is written."]


async def test_a_cancel_ends_a_tool_that_is_under_way(desk: Desk) -> None:
    begun = asyncio.Event()

    async def act(_context: ToolContext, _form: Form) -> ToolOutcome:
        begun.set()
        await asyncio.Event().wait()
        return ToolOutcome("")

    desk.more = [Tool("slow", "slow", Form, "write", act)]
    desk.script = Script(writing(1), call("slow"))
    run_id = await desk.start()
    working = asyncio.create_task(desk.work_off())
    await begun.wait()
    await desk.runs.cancel(desk.user, run_id)
    await working
    run = await desk.run(run_id)
    assert run.stop_reason == "cancelled"
    assert run.result is not None
    assert run.result["done"] == ["write_file: 1.txt is written."]
    assert len(run.result["unknown"]) == 1


async def test_a_question_that_nobody_answers(desk: Desk) -> None:
    desk.script = Script(writing(1), call("ask_user", question="Which colour?"))
    run_id = await desk.start()
    await desk.work_off()
    assert (await desk.run(run_id)).status == "waiting"
    run = await desk.decide(run_id, "expired")
    assert run.stop_reason == "needs_input"
    assert (run.result or {})["done"] == ["write_file: 1.txt is written."]


async def test_a_model_that_fails_for_good(desk: Desk) -> None:
    desk.script = Script(writing(1), NoThought("unreachable"))
    run = await desk.done()
    assert run.stop_reason == "failed"
    assert (run.result or {})["done"] == ["write_file: 1.txt is written."]


@pytest.mark.parametrize(
    ("kind", "words"),
    [
        ("server error", "the language model's server failed"),
        ("unreachable", "cannot be reached"),
        ("timeout", "did not answer in time"),
        ("denied", "refuses the key"),
        ("nonsense", "no form that can be read"),
        ("of a new kind", "the language model failed (of a new kind)"),
    ],
)
async def test_whose_fault_it_was_is_said(desk: Desk, kind: str, words: str) -> None:
    desk.script = Script(NoThought(kind))
    run = await desk.done()
    answer = (run.result or {})["answer"]
    assert words in answer
    assert "my side" not in answer
    assert [one.data["failure"] for one in await desk.trace(run.id) if "failure" in one.data] == [kind]


async def test_the_checkpoints_of_a_run_that_ended_are_gone(desk: Desk) -> None:
    run = await desk.done()
    async with desk.database.tenant(desk.user) as conn:
        left = await (
            await conn.execute("select count(*) as n from checkpoints where thread_id like %s", (f"%{run.id}",))
        ).fetchone()
    assert left == {"n": 0}


async def test_a_run_that_lost_its_job_gets_another_one(desk: Desk) -> None:
    run = await desk.start("work")
    while not desk.jobs.empty():
        desk.jobs.get_nowait()
    await desk.runs.defer_lost()
    assert desk.jobs.get_nowait() == run
    async with desk.database.tenant(desk.user) as conn:
        values = (f"run:{run}",)
        await conn.execute(
            "insert into procrastinate_jobs (queue_name, task_name, lock) values ('runs', 'summit:work_on_run', %s)",
            values,
        )
    await desk.runs.defer_lost()
    assert desk.jobs.empty()
