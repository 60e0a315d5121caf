"""Programs as tools of a run: granted by an administrator, asked about, and absent where the kernel refuses."""

from __future__ import annotations

import pytest

from app.boundary.confinement.programs import SandboxedPrograms
from app.boundary.programs import Executed
from app.work.runs.model.runs import Grant
from app.work.runs.tools.programs import ProgramTools
from tests.support.runs.desk import Desk, Script, call, finish
from tests.support.waiting import HANG_SECONDS


async def test_a_run_executes_what_was_granted_and_asks_before(desk: Desk) -> None:
    cages = SandboxedPrograms(seconds=HANG_SECONDS, memory_bytes=1 << 29, output_chars=2000, hidden=[])
    if objection := await cages.objection():
        pytest.skip(objection)
    desk.more, desk.programs = ProgramTools(cages, 20).tools(), cages
    desk.script = Script(call("run_shell", script="echo 1"), finish())
    assert (await desk.done()).stop_reason == "goal_achieved"
    assert "run_shell" not in desk.script.offered
    await desk.runs.set_grant(desk.user, Grant(programs=["python"]))
    desk.script = Script(call("run_python", code="open('made.txt', 'w').write('by a program')"), finish())
    run = await desk.start()
    await desk.work_off()
    assert (await desk.pending(run)).reason == "it runs a program"
    assert not (desk.files / "made.txt").exists()
    assert (await desk.decide(run, "approved")).stop_reason == "goal_achieved"
    assert (desk.files / "made.txt").read_text() == "by a program"
    assert ("run_python" in desk.script.offered, "run_shell" in desk.script.offered) == (True, False)


class NoCages:
    """A machine whose kernel refuses."""

    async def objection(self) -> str:
        return "the kernel refuses namespaces"

    async def shell(self, script: str, folders: object) -> Executed:
        raise AssertionError

    python = shell


async def test_a_run_without_cages_is_offered_no_program_and_says_why(desk: Desk) -> None:
    desk.more, desk.programs = ProgramTools(NoCages(), 20).tools(), NoCages()
    await desk.runs.set_grant(desk.user, Grant(programs=["shell"]))
    desk.script = Script(finish())
    run = await desk.done()
    assert "run_shell" not in desk.script.offered
    told = [one.data for one in await desk.trace(run.id) if one.data.get("node") == "retrieve"]
    assert told[0]["absent"]["shell"] == "the kernel refuses namespaces"
