"""Calls that are asked about: decided once, made once, whatever crashes in between; and frozen workers."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from app.models.model.thinking import Thought
from app.work.runs.model.runs import NewApproval, Run, Verdict
from app.work.runs.store.run_work import PostgresRunWork
from app.work.runs.tools.tool import Form, Tool, ToolContext, ToolOutcome
from tests.support.runs.desk import Desk, Script, call, counted, finish


def sending(desk: Desk, made: list[str]) -> None:
    desk.more = [counted("send_mail", made, risk="send")]
    desk.script = Script(call("send_mail", text="hello"), finish())


async def test_a_send_waits_for_a_yes_and_the_job_ends_meanwhile(desk: Desk) -> None:
    made: list[str] = []
    sending(desk, made)
    run_id = await desk.start()
    await desk.work_off()
    assert (await desk.run(run_id)).status == "waiting"
    assert made == []
    asked = await desk.pending(run_id)
    assert (asked.kind, asked.call["name"], asked.reason) == ("approval", "send_mail", "it sends something")
    assert (await desk.decide(run_id, "approved")).stop_reason == "goal_achieved"
    assert made == ["hello"]


async def test_a_no_an_edit_and_an_answer(desk: Desk) -> None:
    answers: list[tuple[Verdict, dict[str, Any], list[str]]] = [
        ("rejected", {"text": "too early"}, []),
        ("edited", {"arguments": {"text": "good morning"}}, ["good morning"]),
        ("responded", {"text": "first ask mom"}, []),
    ]
    for verdict, answer, expected in answers:
        made: list[str] = []
        sending(desk, made)
        run_id = await desk.start()
        await desk.work_off()
        await desk.decide(run_id, verdict, **answer)
        assert made == expected, verdict
        if words := answer.get("text"):
            assert words in str(desk.script.asked[-1][-1 if verdict == "responded" else -2]["content"])


async def test_what_the_user_allowed_beforehand_is_not_asked(desk: Desk) -> None:
    made: list[str] = []
    sending(desk, made)
    assert (await desk.done(allowed=["send"])).stop_reason == "goal_achieved"
    assert made == ["hello"]


async def test_after_foreign_words_it_is_asked_all_the_same(desk: Desk) -> None:
    made: list[str] = []
    sending(desk, made)
    desk.script.answers.insert(0, call("list_files", path=""))
    run_id = await desk.start(allowed=["send"])
    await desk.work_off()
    assert "not yours" in (await desk.pending(run_id)).reason
    assert made == []


async def test_a_question_and_its_answer(desk: Desk) -> None:
    desk.script = Script(call("ask_user", question="Which colour?"), finish("Blue it is."))
    run_id = await desk.start()
    await desk.work_off()
    assert (await desk.pending(run_id)).reason == "Which colour?"
    run = await desk.decide(run_id, "responded", text="blue")
    assert run.stop_reason == "goal_achieved"
    assert "The user says: blue" in desk.script.asked[-1][-1]["content"]
    assert (run.result or {})["tainted_by"] == ""


async def test_words_to_a_run_are_seen_at_its_next_step(desk: Desk) -> None:
    async def meanwhile(_: Any) -> Thought:
        [run] = (await desk.runs.list(desk.user, 1, None)).items
        await desk.runs.add_message(desk.user, run.id, "and in red")
        return call("list_files", path="")

    desk.script = Script(meanwhile, finish())
    await desk.done()
    assert desk.script.asked[-1][-1]["content"] == "The user says: and in red"


class Crash(Exception):  # noqa: N818 - it stands for the end of a process
    """The process ended here."""


class CrashingWork(PostgresRunWork):
    """Ends the process once, before or after a write."""

    at = ""

    async def begin_effect(self, *values: Any) -> Any:
        return await self._crash("begin_effect", super().begin_effect(*values))

    async def end_effect(self, *values: Any) -> None:
        await self._crash("end_effect", super().end_effect(*values))

    async def record(self, *values: Any) -> None:
        await self._crash("record", super().record(*values))

    async def ask_once(self, run: Run, asked: NewApproval, usage: Any) -> Any:
        return await self._crash("ask_once", super().ask_once(run, asked, usage))

    async def delegate(self, *values: Any) -> Any:
        return await self._crash("delegate", super().delegate(*values))

    async def finish(self, *values: Any) -> None:
        await self._crash("finish", super().finish(*values))

    async def _crash(self, name: str, write: Any) -> Any:
        when, _, which = type(self).at.partition(" ")
        if which == name and when == "before":
            write.close()
            self._once()
        made = await write
        if which == name and when == "after":
            self._once()
        return made

    def _once(self) -> None:
        type(self).at = ""
        raise Crash


class CrashingDesk(Desk):
    """A desk whose worker crashes."""

    @property
    def work(self) -> PostgresRunWork:
        return CrashingWork(self.database, super().work._signals, self.defer, patience=self.patience)

    async def work_off(self) -> None:
        while not self.jobs.empty():
            run_id = self.jobs.get_nowait()
            try:
                await self.worker.run(self.user, run_id)
            except Crash:
                self.jobs.put_nowait(run_id)


POINTS = [
    f"{when} {name}"
    for when in ("before", "after")
    for name in ("begin_effect", "end_effect", "record", "ask_once", "finish")
]


@pytest.mark.parametrize("point", POINTS)
@pytest.mark.parametrize("idempotent", [True, False])
async def test_a_crash_at_any_write_makes_no_call_twice(desk: Desk, point: str, *, idempotent: bool) -> None:
    crashing, made = CrashingDesk(**vars(desk)), list[str]()
    sending(crashing, made)
    crashing.more = [counted("send_mail", made, risk="send", idempotent=idempotent)]
    crashing.script = Script(
        lambda messages: finish() if "<observation tool" in str(messages) else call("send_mail", text="x")
    )
    CrashingWork.at = point
    run_id = await crashing.start()
    await crashing.work_off()
    run = await crashing.decide(run_id, "approved")
    if run.status == "waiting":  # nobody knows whether it was made
        assert not idempotent
        assert (await crashing.pending(run_id)).kind == "unknown"
        run = await crashing.decide(run_id, "rejected")
        assert len((run.result or {})["unknown"]) == 1
        assert len(made) <= 1
    else:
        assert len(made) == (2 if idempotent and point == "before end_effect" else 1)
    assert CrashingWork.at == ""
    assert run.stop_reason == "goal_achieved"
    await crashing.trace(run_id)


async def test_what_nobody_knows_is_done_again_on_a_yes_alone(desk: Desk) -> None:
    crashing, made = CrashingDesk(**vars(desk)), list[str]()
    sending(crashing, made)
    crashing.script = Script(
        lambda messages: finish() if "<observation tool" in str(messages) else call("send_mail", text="x")
    )
    CrashingWork.at = "before end_effect"
    run_id = await crashing.start(allowed=["send"])
    await crashing.work_off()
    assert made == ["x"]
    run = await crashing.decide(run_id, "approved")
    assert made == ["x", "x"]
    assert run.stop_reason == "goal_achieved"


async def test_a_worker_that_was_frozen_keeps_nothing(desk: Desk) -> None:
    frozen, thawed = asyncio.Event(), asyncio.Event()

    async def act(_context: ToolContext, _form: Form) -> ToolOutcome:
        if not frozen.is_set():
            frozen.set()
            await thawed.wait()
        return ToolOutcome("done", changed=True)

    desk.pulse_seconds = 3600  # nor does its supervisor notice
    desk.more = [Tool("slow", "slow", Form, "write", act, idempotent=True)]
    desk.script = Script(lambda messages: finish() if "<observation tool" in str(messages) else call("slow"))
    run_id = await desk.start()
    first = asyncio.create_task(desk.worker.run(desk.user, desk.jobs.get_nowait()))
    await frozen.wait()
    await desk.worker.run(desk.user, run_id)
    run, trace = await desk.run(run_id), await desk.trace(run_id)
    assert run.stop_reason == "goal_achieved"
    thawed.set()
    await first
    assert await desk.run(run_id) == run
    assert await desk.trace(run_id) == trace


async def test_a_frozen_workers_changes_to_records_are_refused(desk: Desk) -> None:
    """The ledger checks the claim of a run as it does that of a turn."""
    taken: list[str] = []

    async def steal(_: Any) -> Thought:
        if not taken:
            taken.append("x")
            [run] = (await desk.runs.list(desk.user, 1, None)).items
            assert await desk.work.claim(desk.user, run.id)
        return call("change_record", op="create", kind="todo", fields={"task": "x"})

    desk.script = Script(steal)
    await desk.start()
    await desk.work_off()
    assert await desk.stored("todo") == []
