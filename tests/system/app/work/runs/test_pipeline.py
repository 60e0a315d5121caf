"""Coding agents on a project: what they do is checked and reviewed, the main tree stays, and nothing happens twice."""

from __future__ import annotations

import asyncio
import json
from datetime import UTC, datetime
from pathlib import Path

import psutil
import pytest

from app.work.projects.folders import AllowedFolders
from app.work.projects.git import git
from app.work.projects.model.projects import ProjectFacts
from app.work.projects.store import Projects
from tests.support.runs.desk import Desk
from tests.support.runs.yard import Yard, commit, repository
from tests.support.waiting import until, until_true

FACTS = ProjectFacts({}, [], 0, complete=True)
PROJECTS = 4


async def yard_at(desk: Desk, folder: Path) -> Yard:
    project = await Projects(desk.database, most=5).add(
        desk.user, folder.name, str(folder), "A shed with a roof.", FACTS
    )
    return Yard(desk, folder, project.id)


@pytest.fixture
async def yard(desk: Desk, tmp_path: Path) -> Yard:
    return await yard_at(desk, repository(tmp_path / "garden", quick=True))


async def test_the_whole_way_from_a_wish_to_a_patch(desk: Desk, tmp_path: Path) -> None:
    yard = await yard_at(desk, repository(tmp_path / "garden"))
    run = await yard.start("mend the roof\nand measure it")
    await yard.go_on()
    asked = await yard.asked(run)
    assert (asked.kind, asked.call["name"]) == ("approval", "start_work")
    assert "mend the roof" in asked.call["arguments"]["requirements"]
    assert (await yard.answer(run, "approved")).status == "waiting"
    offer = (await yard.asked(run)).call
    assert offer["name"] == "publish_work"
    assert "area.py" in offer["arguments"]["changes"]
    assert offer["arguments"]["checks"] == "python3 -m pytest -q"
    done = await yard.answer(run, "approved")
    assert (done.stop_reason, done.result and done.result["done"]) == (
        "goal_achieved",
        ["Mend the roof", "Measure the roof"],
    )
    assert done.result
    assert done.result["lesson"] == "look at the roof first."
    assert yard.log() == ["Mend the roof", "Mend the roof", "Measure the roof", "Measure the roof"]
    printed = yard.tree().with_name(f"{yard.tree().name}.log").read_text()
    assert printed.count('"subtype": "init"') == len(yard.calls())
    patch = yard.tree().with_name(f"{yard.tree().name}.patch")
    assert str(patch) in done.result["answer"]
    assert "def area" in patch.read_text()
    assert git(yard.folder, "status", "--porcelain") == ""
    assert "return True" in (yard.folder / "roof.py").read_text()
    nodes = await yard.nodes(run)
    assert [node for node in nodes if node in ("check", "verdict")] == ["check", "check", "verdict"] * 2


LEAVING_CHECK = """
import os, pathlib, runpy
for folder in (".cache", "__pycache__"):
    pathlib.Path(folder).mkdir(exist_ok=True)
    pathlib.Path(folder, "kept.bin").write_text(str(os.getpid()))
pathlib.Path("report.xml").write_text(os.environ["PYTHONDONTWRITEBYTECODE"])
runpy.run_path("check.py")
"""


async def test_what_checks_leave_is_no_work(desk: Desk, tmp_path: Path) -> None:
    folder = repository(tmp_path / "garden", quick=True)
    (folder / ".gitignore").unlink()
    (folder / "leaving.py").write_text(LEAVING_CHECK)
    (folder / ".summit" / "config.toml").write_text('checks = ["python3 -S leaving.py"]\n')
    commit(folder, "checks that leave something")
    yard = await yard_at(desk, folder)
    run = await yard.start()
    await yard.go_on()
    await yard.answer(run, "approved")
    shown = (await yard.asked(run)).call["arguments"]
    made = {".cache/kept.bin", "__pycache__/kept.bin", "report.xml"}
    assert all(name in shown["left_out"] and name not in shown["changes"] for name in made)
    await yard.answer(run, "approved")
    assert git(yard.tree(), "diff", "--name-only", "main..HEAD").split() == [
        "area.py",
        "roof.py",
        "test_area.py",
        "test_roof.py",
    ]
    assert set(git(yard.tree(), "ls-files", "--others", "--exclude-standard").split()) == made
    [tree] = await AllowedFolders([tmp_path]).trees(str(folder))
    assert (tree.clean, tree.merged) == (True, False)


async def test_a_build_whose_tests_fail_comes_back_with_their_words(yard: Yard) -> None:
    run = await yard.start()
    await yard.go_on()
    await yard.answer(run, "approved")
    events = await yard.desk.runs.events(yard.desk.user, run, 0, 500)
    checks = [one.data for one in events if one.data.get("node") == "check"]
    assert [check["ok"] for check in checks] == [False, True, False, True], checks
    assert "test_it_holds" in checks[0]["text"]


async def test_a_phase_that_never_holds_ends_the_run_with_what_there_is(yard: Yard) -> None:
    yard.script = "hopeless"
    run = await yard.start()
    await yard.go_on()
    done = await yard.answer(run, "approved")
    assert done.stop_reason == "no_progress"
    assert done.result
    assert "The project's checks fail" in done.result["answer"]
    assert done.result["not_done"] == ["Mend the roof", "Measure the roof"]
    assert yard.log() == ["Mend the roof"]


async def test_what_the_review_sends_back_is_built_again(yard: Yard) -> None:
    yard.script = "strict"
    run = await yard.start()
    await yard.go_on()
    await yard.answer(run, "approved")
    done = await yard.answer(run, "approved")
    assert done.stop_reason == "goal_achieved"
    assert sum("Build phase 2" in call or "You are an engineer" in call for call in yard.calls()) == 5


async def test_requirements_that_are_not_meant_are_written_again(yard: Yard) -> None:
    run = await yard.start()
    await yard.go_on()
    await yard.answer(run, "rejected", text="It needs a gutter, too")
    assert "With a gutter." in (await yard.asked(run)).call["arguments"]["requirements"]
    done = await yard.answer(run, "rejected")
    assert (done.stop_reason, yard.log()) == ("cancelled", [])


async def test_requirements_can_be_edited(yard: Yard) -> None:
    run = await yard.start()
    await yard.go_on()
    await yard.answer(run, "edited", arguments={"requirements": "# Mine\n"})
    assert (yard.tree() / ".summit" / "work" / "prd.md").read_text() == "# Mine\n"


@pytest.mark.parametrize("script", ["forgetful", "sloppy"])
async def test_a_document_that_is_not_as_it_has_to_be_is_asked_for_again(yard: Yard, script: str) -> None:
    yard.script = script
    run = await yard.start()
    await yard.go_on()
    assert (await yard.answer(run, "approved")).status == "waiting"


async def test_a_no_at_the_end_with_words_is_one_more_phase(yard: Yard) -> None:
    run = await yard.start()
    await yard.go_on()
    await yard.answer(run, "approved")
    await yard.answer(run, "rejected", text="Write it into the README")
    assert (yard.tree() / "README.md").read_text() == "Write it into the README\n"
    done = await yard.answer(run, "rejected")
    assert done.stop_reason == "goal_achieved"
    assert done.result
    assert "Nothing was published." in done.result["answer"]
    assert not yard.tree().with_name(f"{yard.tree().name}.patch").exists()


async def test_an_agent_without_a_login_asks_a_person_and_goes_on(yard: Yard) -> None:
    yard.script = "logged-out"
    run = await yard.start()
    await yard.go_on()
    asked = await yard.asked(run)
    assert (asked.kind, "auth" in asked.reason) == ("question", True)
    (yard.tree().parent / "login").touch()
    assert (await yard.answer(run, "responded", text="logged in")).status == "waiting"
    assert (await yard.asked(run)).call["name"] == "start_work"


async def test_what_was_begun_by_words_asks_before_any_agent_starts(yard: Yard) -> None:
    run = await yard.start(confirm=True)
    await yard.go_on()
    assert (await yard.asked(run)).call["name"] == "begin_work"
    assert not (yard.folder.parent / ".summit-trees").exists()
    await yard.answer(run, "approved")
    assert (await yard.asked(run)).call["name"] == "start_work"
    other = await yard.start(confirm=True)
    await yard.go_on()
    assert (await yard.answer(other, "rejected")).stop_reason == "cancelled"


async def test_two_whole_runs_on_one_project_at_once_do_not_meet(yard: Yard) -> None:
    runs = [await yard.start(goal) for goal in ("mend the roof", "measure the roof")]
    for expected in ("start_work", "publish_work"):
        while not yard.desk.jobs.empty():
            jobs = [yard.desk.jobs.get_nowait() for _ in range(yard.desk.jobs.qsize())]
            await asyncio.gather(*(yard.worker.run(yard.desk.user, job) for job in jobs))
        for run in runs:
            asked = await yard.asked(run)
            assert asked.call["name"] == expected
            await yard.desk.runs.decide(yard.desk.user, asked.id, "approved", None)
    await yard.go_on()
    assert [(await yard.run(run)).stop_reason for run in runs] == ["goal_achieved"] * 2
    branches = git(yard.folder, "branch", "--list", "summit/*", "--format=%(refname:short)").split()
    commits = [git(yard.folder, "log", "--reverse", "--format=%s", f"main..{one}").splitlines() for one in branches]
    assert commits == [["Mend the roof", "Mend the roof", "Measure the roof", "Measure the roof"]] * 2
    assert git(yard.folder, "status", "--porcelain") == ""


async def test_the_kill_switch_ends_the_whole_group(yard: Yard) -> None:
    yard.script = "stands"
    run = await yard.start()
    working = asyncio.create_task(yard.go_on())
    await until_true(lambda: working_in(yard.folder.parent))
    await yard.desk.runs.set_switch(yard.desk.user, engaged=True)
    await working  # the agent would stand still for much longer
    assert working_in(yard.folder.parent) == []
    assert (await yard.run(run)).stop_reason == "kill_switch"


async def test_the_kill_switch_ends_all_projects(desk: Desk, tmp_path: Path) -> None:
    projects = Projects(desk.database, most=20)
    yards = []
    for number in range(PROJECTS):
        folder = repository(tmp_path / f"p{number}", quick=True)
        made = await projects.add(desk.user, f"p{number}", str(folder), "", FACTS)
        yards.append(Yard(desk, folder, made.id, "stands"))
    runs = [await one.start() for one in yards]
    working = [asyncio.create_task(yards[0].worker.run(desk.user, run)) for run in runs]
    names = {f"p{number}" for number in range(PROJECTS)}
    await until_true(lambda: {Path(one.info["cwd"]).parent.name for one in working_in(tmp_path)} == names)
    await desk.runs.set_switch(desk.user, engaged=True)
    await asyncio.gather(*working)  # their agents would stand still for much longer
    assert working_in(tmp_path) == []
    assert {(await yards[0].run(run)).stop_reason for run in runs} == {"kill_switch"}


async def test_a_worker_that_died_leaves_no_agent_and_the_next_does_nothing_twice(yard: Yard) -> None:
    run = await yard.start()
    await yard.go_on()
    before = yard.calls()
    asked = await yard.asked(run)
    await yard.desk.runs.decide(yard.desk.user, asked.id, "approved", None)
    for _ in range(3):  # each is cut while an agent works, later and later
        working = asyncio.create_task(yard.worker.run(yard.desk.user, run))
        calls = len(yard.calls())
        await until_true(lambda: len(yard.calls()) > calls or working.done())  # noqa: B023 - waited for here
        working.cancel()
        await asyncio.gather(working, return_exceptions=True)
        assert working_in(yard.folder.parent) == []
    await yard.worker.run(yard.desk.user, run)
    assert (await yard.asked(run)).call["name"] == "publish_work"
    assert yard.log() == ["Mend the roof", "Mend the roof", "Measure the roof", "Measure the roof"]
    assert before == yard.calls()[: len(before)]


async def test_to_learn_a_project_is_one_phase(yard: Yard) -> None:
    run = await yard.start("What agents should know", kind="learn")
    await yard.go_on()
    assert (await yard.asked(run)).call["name"] == "publish_work"
    assert [node for node in await yard.nodes(run) if node in ("pm", "em")] == []


async def test_to_learn_overwrites_nothing_that_is_there(yard: Yard) -> None:
    known = yard.folder / ".summit" / "AGENTS.md"
    known.parent.mkdir(exist_ok=True)
    known.write_text("Mine.\n")
    commit(yard.folder, "what agents should know")
    yard.script = "overwrites"
    await yard.start("What agents should know", kind="learn")
    await yard.go_on()
    assert (yard.tree() / ".summit" / "AGENTS.md").read_text() == "Mine.\n"
    assert (yard.tree() / ".summit" / "BELIEFS.md").read_text() == "Tests first.\n"
    assert ".summit/AGENTS.md" not in git(yard.tree(), "diff", "--name-only", "main..HEAD")


async def test_agents_are_told_of_the_project_and_of_what_was_learned(yard: Yard) -> None:
    run = await yard.start("mend the roof")
    await yard.go_on()
    await yard.answer(run, "approved")
    done = await yard.answer(run, "approved")
    assert done.result
    assert [(one["title"], one["end"], one["rounds"], one["dollars"]) for one in done.result["phases"]] == [
        ("Mend the roof", "approved", 2, 0.75),
        ("Measure the roof", "approved", 2, 0.75),
    ]
    lessons = {one.kind: one for one in (await yard.lessons.list(yard.desk.user, 10, None, None)).items}
    assert lessons["experience"].text == "“garden: mend the roof” was built in 2 phases and 4 rounds."
    assert (lessons["knowledge"].text, lessons["knowledge"].foreign) == ("garden: look at the roof first.", True)
    again = await yard.start("mend the roof of the shed")
    await yard.go_on()
    events = await yard.desk.runs.events(yard.desk.user, again, 0, 500)
    told = next(one.data for one in events if one.data.get("node") == "retrieve")
    assert "garden: look at the roof first." in [one["text"] for one in told["lessons"]]
    prompts = "".join(path.read_text() for path in yard.prompts())
    assert "garden: look at the roof first." in prompts
    assert "garden: A shed with a roof" in prompts


async def test_a_phase_that_costs_too_much_ends_the_run_and_says_which(yard: Yard) -> None:
    yard.phase_dollars = 0.5
    run = await yard.start()
    await yard.go_on()
    done = await yard.answer(run, "approved")
    assert done.stop_reason == "budget_exceeded"
    assert done.result
    [phase] = done.result["phases"]
    assert (phase["title"], phase["end"], phase["rounds"], phase["dollars"]) == (
        "Mend the roof",
        "budget_exceeded",
        2,
        0.5,
    )
    assert "Phase “Mend the roof” ended after 2 rounds, $0.50" in done.result["answer"]


async def test_a_usage_limit_is_waited_for_longer_than_a_step_is_tried(yard: Yard) -> None:
    yard.script = "limited"
    run = await yard.start()
    await yard.go_on()
    while (await yard.run(run)).parked_until:
        await yard.desk.runs.take_up_parked()
        await yard.go_on()
    assert (await yard.asked(run)).call["name"] == "start_work"
    told = [one.data for one in await yard.desk.runs.events(yard.desk.user, run, 0, 500)]
    assert [one["end"] for one in told if "end" in one] == ["park"] * 4 + ["done"]
    heard = [one["agent"] for one in told if isinstance(one.get("agent"), dict)]
    assert [one["evidence"]["action"] for one in heard if one["kind"] == "verdict"] == ["park"] * 4 + ["done"]


async def test_a_run_is_parked_until_its_limit_ends_without_a_worker_or_its_time(yard: Yard) -> None:
    yard.script = "parked"
    run = await yard.start()
    await yard.go_on()
    parked = await yard.run(run)
    assert (parked.status, yard.desk.jobs.empty()) == ("waiting", True)
    assert parked.parked_until
    assert int((yard.tree().parent / "ends").read_text()) == parked.parked_until.timestamp()

    async def taken_up() -> bool:
        await yard.desk.runs.take_up_parked()  # as the job of every minute does, on whichever server runs then
        return not yard.desk.jobs.empty()

    await until(taken_up)
    assert datetime.now(UTC) >= parked.parked_until
    assert (await yard.run(run)).usage == parked.usage
    await yard.go_on()
    assert (await yard.asked(run)).call["name"] == "start_work"
    assert (await yard.run(run)).parked_until is None


async def test_a_parked_run_is_stopped_at_once(yard: Yard) -> None:
    yard.script = "parked"
    run = await yard.start()
    await yard.go_on()
    await yard.desk.runs.cancel(yard.desk.user, run)
    await yard.go_on()
    assert (await yard.run(run)).stop_reason == "cancelled"


async def test_a_project_names_its_agent_its_model_and_its_checks(yard: Yard) -> None:
    config = yard.folder / ".summit" / "config.toml"
    config.write_text('checks = ["python3 -c pass"]\nagent = "claude"\nmodel = "small-1"\n')
    run = await yard.start()
    await yard.go_on()
    (yard.tree() / ".summit" / "config.toml").write_text('checks = ["true"]\n')  # as an agent might
    await yard.answer(run, "approved")
    assert (await yard.asked(run)).call["arguments"]["checks"] == "python3 -c pass"
    assert {path.name for path in yard.prompts("small-1")} != set()


async def test_without_an_account_or_an_acceptance_nothing_starts(yard: Yard) -> None:
    yard.accepted = False
    run = await yard.start()
    await yard.go_on()
    done = await yard.run(run)
    assert done.stop_reason == "failed"
    assert done.result
    assert "SUMMIT_AGENT_ACCOUNT" in done.result["answer"]


async def test_an_agent_that_moves_the_repository_is_not_followed(yard: Yard) -> None:
    run = await yard.start()
    await yard.go_on()
    elsewhere = repository(yard.folder.parent / "elsewhere")
    (yard.tree() / ".git").write_text(f"gitdir: {elsewhere / '.git'}\n")
    done = await yard.answer(run, "approved")
    assert done.status != "done" or done.stop_reason == "failed"
    assert git(elsewhere, "log", "--format=%s") == "begin"


async def test_documents_are_not_written_through_a_link_of_an_agent(yard: Yard) -> None:
    run = await yard.start()
    await yard.go_on()
    work, elsewhere = yard.tree() / ".summit" / "work", yard.folder.parent / "elsewhere"
    work.rename(elsewhere)
    work.symlink_to(elsewhere)
    before = sorted(path.name for path in elsewhere.iterdir())
    await yard.answer(run, "edited", arguments={"requirements": "# Mine\n"})
    assert (await yard.run(run)).stop_reason == "failed"
    assert sorted(path.name for path in elsewhere.iterdir()) == before
    assert "Mine" not in (elsewhere / "prd.md").read_text()


async def test_progress_is_on_the_disk(yard: Yard) -> None:
    run = await yard.start()
    await yard.go_on()
    await yard.answer(run, "approved")
    progress = json.loads((yard.tree() / ".summit" / "work" / "progress.json").read_text())
    assert (progress["stage"], progress["phase"], len(progress["phases"])) == ("offer", 2, 2)


def working_in(folder: Path) -> list[psutil.Process]:
    """Processes that work below a folder."""
    return [one for one in psutil.process_iter(["cwd"]) if str(one.info["cwd"]).startswith(str(folder / ".summit"))]


async def test_a_main_tree_that_is_dirty_and_on_no_branch_stays_so(yard: Yard) -> None:
    git(yard.folder, "checkout", "--quiet", "--detach")
    (yard.folder / "roof.py").write_text("half a thought")
    (yard.folder / "-rf notes").write_text("mine")
    run = await yard.start("--force; rm -rf / && mend the roof")
    await yard.go_on()
    await yard.answer(run, "approved")
    assert (await yard.answer(run, "approved")).stop_reason == "goal_achieved"
    assert (yard.folder / "roof.py").read_text() == "half a thought"
    assert (yard.folder / "-rf notes").read_text() == "mine"
    assert git(yard.folder, "rev-parse", "--abbrev-ref", "HEAD") == "HEAD"


@pytest.mark.parametrize("within", ["shed", "-shed"])
async def test_a_folder_without_a_repository_of_its_own_says_what_to_do(
    desk: Desk, tmp_path: Path, within: str
) -> None:
    folder = repository(tmp_path / "garden") / within
    folder.mkdir()
    added = await Projects(desk.database, most=5).add(desk.user, "shed", str(folder), "", FACTS)
    yard = Yard(desk, folder, added.id)
    run = await yard.start()
    await yard.go_on()
    ended = await yard.run(run)
    assert ended.result
    assert "holds no repository of its own" in str(ended.result), ended
    assert git(folder, "worktree", "list").count("\n") == 0, "no tree is left behind"
