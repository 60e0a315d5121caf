"""Agents that work, hang, ask and fail: each gets the right verdict, and none is left behind."""

from __future__ import annotations

import asyncio
import json
import os
import sys
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

import psutil
import pytest

from app.work.projects.agents import AGENTS, AgentCli, Claude, Plain
from app.work.projects.children import ChildSurroundings
from app.work.projects.detect import AgentPrograms
from app.work.projects.events import AgentEvent
from app.work.projects.heartbeat import Observed, Verdict, Windows
from app.work.projects.supervise import Ending, Job, supervise
from tests.support.waiting import HANG_SECONDS, until_true

PLAYER = Path(__file__).parents[4] / "support" / "runs" / "agent.py"
PATIENT = Windows(silence=HANG_SECONDS, grace=HANG_SECONDS, repeats=20)
NO_SILENCE, NO_GRACE = replace(PATIENT, silence=0.3), replace(PATIENT, grace=0.2)
RUNNING_OUT = {"silent": NO_SILENCE, "stubborn": NO_SILENCE, "hangs": NO_GRACE}
"""The windows of scripts that are about the end of one: any other script is never too slow."""
LOOK = 0.1


@dataclass(frozen=True)
class Played:
    """A script in the format of an agent."""

    script: str = "healthy"
    cli: AgentCli = Claude()  # noqa: RUF009 - frozen
    programs: tuple[str, ...] = ()
    login: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        return self.cli.name

    @property
    def variables(self) -> tuple[str, ...]:
        return self.cli.variables

    def arguments(self, session: str = "", model: str = "") -> list[str]:
        return [str(PLAYER), self.script, self.cli.name]

    def parse(self, line: str) -> AgentEvent:
        return self.cli.parse(line)


@dataclass
class Stage:
    folder: Path

    async def play(
        self,
        script: str,
        seconds: float = HANG_SECONDS,
        resumed: int = 0,
        cli: AgentCli = Claude(),  # noqa: B008 - frozen
        windows: Windows | None = None,
        tell_seconds: float = 0.0,
    ) -> tuple[Ending, list[AgentEvent]]:
        events: list[AgentEvent] = []

        async def tell(event: AgentEvent) -> None:
            await asyncio.sleep(tell_seconds)
            events.append(event)

        job = Job(Played(script, cli), sys.executable, "Mend the roof.", self.folder, resumed=resumed)
        windows = windows or RUNNING_OUT.get(script, PATIENT)
        async with asyncio.timeout(seconds):
            ending = await supervise(
                job, tell, around=ChildSurroundings(os.environ), windows=windows, look_seconds=LOOK
            )
        return ending, events


async def test_what_an_agent_prints_for_people_is_kept_and_its_end_is_what_counts(tmp_path: Path) -> None:
    said = {
        0: ("echo reading; echo All done.", "done"),
        1: ("echo 'API Error: 401 Unauthorized'; exit 1", "ask"),
        2: ("echo 'Claude AI usage limit reached|1900000000'; exit 1", "park"),
        3: ("echo 'I fixed the 401 Unauthorized error'; exit 0", "done"),
        4: ("exit 3", "failed"),
    }
    for name, (line, action) in said.items():
        ending, events, log = await printed(tmp_path, str(name), line)
        assert ending.verdict.action == action, line
        assert [one.kind for one in events if one.kind != "log"] == ["verdict"]
        assert log == "".join(f"{one.text}\n" for one in events if one.kind == "log")
        assert ending.verdict.until == (1_900_000_000 if action == "park" else None)


READY = 'case "$*" in --version) echo 1.0; exit 0;; status|"login status") exit 0;; esac'
"""What a program says to those who look whether it is installed and logged in."""


@pytest.mark.parametrize("agent", AGENTS, ids=lambda agent: agent.name)
@pytest.mark.parametrize(
    ("words", "status", "action", "why"),
    [
        ("Please choose an Auth method: set GARDEN_API_KEY", 52, "ask", "login"),
        ("The rake is broken", 7, "failed", "status 7"),
        ('{"type": "error", "message": "The rake is broken", "error": "The rake is broken"}', 7, "failed", "status 7"),
    ],
)
async def test_an_agent_that_ends_at_once_is_quoted(
    tmp_path: Path, agent: AgentCli, words: str, status: int, action: str, why: str
) -> None:
    program = tmp_path / agent.programs[0]
    program.write_text(f"#!/bin/sh\n{READY}\necho '{words}' >&2\nexit {status}\n")
    program.chmod(0o755)
    trial = await AgentPrograms(ChildSurroundings({"PATH": f"{tmp_path}:/usr/bin:/bin"})).trial(agent.name)
    assert trial is not None
    assert not trial.ok
    assert why in trial.detail
    assert ("rake is broken" if status == 7 else "set GARDEN_API_KEY") in trial.detail
    ending, _, _ = await printed(tmp_path, agent.name, f"echo '{words}' >&2; exit {status}")
    assert (ending.verdict.action, why in ending.verdict.why) == (action, True)


async def printed(folder: Path, name: str, line: str) -> tuple[Ending, list[AgentEvent], str]:
    """How an agent of which only the output is kept ends, what is told, and what is kept."""
    program = folder / f"agent{name}"
    program.write_text(f"#!/bin/sh\ncat > /dev/null\n{line}\n")
    program.chmod(0o755)
    events: list[AgentEvent] = []

    async def tell(event: AgentEvent) -> None:
        events.append(event)

    log = folder / f"{name}.log"
    job = Job(Plain(Claude()), str(program), "Mend the roof.", folder, log=log)
    async with asyncio.timeout(HANG_SECONDS):
        ending = await supervise(job, tell, around=ChildSurroundings(os.environ), windows=PATIENT, look_seconds=LOOK)
    return ending, events, log.read_text()


async def test_the_last_lines_of_an_agent_that_has_ended_are_waited_for(tmp_path: Path) -> None:
    ending, events = await Stage(tmp_path).play("healthy", tell_seconds=0.3)
    assert ending.verdict.action == "done"
    assert [one.kind for one in events[-2:]] == ["result", "verdict"]


async def test_what_an_agent_leaves_running_does_not_hold_its_end(tmp_path: Path) -> None:
    ending, _, _ = await printed(tmp_path, "daemon", f"sleep {10 * HANG_SECONDS} & echo All done.")
    assert ending.verdict.action == "done"


@pytest.fixture
def stage(tmp_path: Path) -> Stage:
    return Stage(tmp_path)


def left(folder: Path) -> list[psutil.Process]:
    """Processes that still work in a folder."""
    return [one for one in psutil.process_iter(["cwd"]) if one.info["cwd"] == str(folder)]


async def none_is_left(stage: Stage) -> None:
    """Return once all are gone: one that was killed may take a moment."""
    await until_true(lambda: not left(stage.folder))


async def test_a_healthy_agent_is_done_and_was_told_what_to_do(stage: Stage) -> None:
    ending, events = await stage.play("healthy")
    assert (ending.verdict.action, ending.result, ending.session) == ("done", "All done.", "s-1")
    assert [event.kind for event in events] == ["started", "said", "result", "verdict"]
    assert events[1].text == "I read the prompt: Mend the roof."
    await none_is_left(stage)


@pytest.mark.parametrize(
    ("script", "action"),
    [
        ("slow", "done"),
        ("hangs", "done"),
        ("wrong_login", "ask"),
        ("usage", "park"),
        ("memory", "resume"),
        ("asks", "ask"),
        ("garbage", "failed"),
        ("silent", "ask"),
        ("endless", "ask"),
        ("stubborn", "ask"),
    ],
)
async def test_each_state_has_its_verdict_and_nothing_is_left(stage: Stage, script: str, action: str) -> None:
    ending, _ = await stage.play(script)
    assert ending.verdict.action == action, ending
    await none_is_left(stage)


@pytest.mark.parametrize("cli", AGENTS, ids=lambda cli: cli.name)
@pytest.mark.parametrize(
    ("script", "action"),
    [("healthy", "done"), ("hangs", "done"), ("wrong_login", "ask"), ("usage", "park"), ("memory", "resume")],
)
async def test_every_format_has_the_same_verdicts(stage: Stage, cli: AgentCli, script: str, action: str) -> None:
    ending, _ = await stage.play(script, cli=cli)
    assert (ending.verdict.action, ending.session) == (action, "s-1"), ending


async def test_of_healthy_runs_at_once_none_is_stopped(stage: Stage) -> None:
    """Every script in every format; what each says between its thoughts comes well within the window."""
    windows = Windows(silence=30.0, grace=30.0)
    scripts = [(script, cli) for script in ("thinks", "healthy", "slow") for cli in AGENTS]
    ran = await asyncio.gather(*(stage.play(script, cli=cli, windows=windows) for script, cli in scripts))
    assert {(ending.verdict.action, ending.status) for ending, _ in ran} == {("done", 0)}
    assert all([event.kind for event in events].count("verdict") == 1 for _, events in ran)


async def test_a_verdict_is_told_with_its_evidence(stage: Stage) -> None:
    _, events = await stage.play("usage")
    told = events[-1]
    assert (told.kind, told.text) == ("verdict", "Its usage limit is reached.")
    assert told.evidence
    assert (told.evidence["action"], told.evidence["trouble"], told.evidence["exit_status"]) == (
        "park",
        "usage_limit",
        None,
    )
    assert told.evidence["lines"][-1] == "Claude AI usage limit reached|1893456000"


@pytest.mark.parametrize("cli", AGENTS, ids=lambda cli: cli.name)
async def test_a_real_agent_answers_where_it_is_named(cli: AgentCli) -> None:
    """``TEST_AGENTS=claude,codex`` names those of this machine that are logged in; each is asked for one word."""
    if cli.name not in os.environ.get("TEST_AGENTS", "").split(","):
        pytest.skip(f"{cli.name} is not named in TEST_AGENTS, so it was not asked")
    tried = await AgentPrograms(ChildSurroundings(os.environ), agents=[cli]).trial(cli.name)
    assert tried
    assert tried.ok, tried.detail


async def test_a_limit_says_until_when(stage: Stage) -> None:
    ending, _ = await stage.play("usage")
    assert ending.verdict.until == 1893456000


async def test_a_second_time_out_of_memory_is_a_failure(stage: Stage) -> None:
    ending, _ = await stage.play("memory", resumed=1)
    assert ending.verdict.action == "failed"


async def test_who_is_silent_but_works_goes_on(stage: Stage) -> None:
    windows = replace(PATIENT, silence=1.5)

    async def goes_on(script: str) -> None:
        (folder := stage.folder / script).mkdir()
        with pytest.raises(TimeoutError):
            await Stage(folder).play(script, seconds=2.5 * windows.silence, windows=windows)
        await none_is_left(Stage(folder))

    await asyncio.gather(*map(goes_on, ("busy", "writing", "deep")))


async def test_a_diagnosis_comes_once_a_window(stage: Stage) -> None:
    asked: list[tuple[Observed, list[str]]] = []

    async def diagnose(seen: Observed, lines: list[str]) -> Verdict:
        if lines:  # a slow machine has not begun yet
            asked.append((seen, lines))
        return Verdict("continue" if len(asked) < 2 else "kill", "It waits for a slow test.")

    async def tell(_event: AgentEvent) -> None:
        return None

    job = Job(Played(script="silent"), sys.executable, "", stage.folder)
    ending = await supervise(
        job, tell, around=ChildSurroundings(os.environ), windows=NO_SILENCE, diagnose=diagnose, look_seconds=LOOK
    )
    assert (ending.verdict.action, len(asked)) == ("kill", 2)
    assert all(seen.quiet >= NO_SILENCE.silence for seen, _ in asked)
    assert json.loads(asked[0][1][0])["subtype"] == "init"


async def test_nothing_of_the_servers_environment_reaches_a_child(
    stage: Stage, secret_environment: Callable[[], dict[str, str]]
) -> None:
    events: list[AgentEvent] = []

    async def tell(event: AgentEvent) -> None:
        events.append(event)

    job = Job(Played(script="environment"), sys.executable, "", stage.folder)
    ending = await supervise(
        job, tell, around=ChildSurroundings(secret_environment()), windows=PATIENT, look_seconds=LOOK
    )
    seen = json.loads(ending.result)
    assert not [name for name in seen if name.startswith(("SUMMIT", "DATABASE", "OPENAI"))]
    assert (seen["GIT_TERMINAL_PROMPT"], seen["GIT_CONFIG_VALUE_0"]) == ("0", "/dev/null")


@pytest.fixture
def secret_environment() -> Callable[[], dict[str, str]]:
    secrets = {"SUMMIT_ADMIN_KEY": "a", "DATABASE_URL": "b", "OPENAI_API_KEY": "c", "SUMMIT_DATA_DIR": "d"}
    return lambda: {"PATH": os.environ["PATH"], **secrets}
