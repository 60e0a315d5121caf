"""Agents that work, hang, ask and fail: each gets the right verdict, and none is left behind."""

from __future__ import annotations

import asyncio
import json
import os
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import psutil
import pytest

from app.projects.agents import AGENTS, AgentCli, Claude, Plain
from app.projects.children import Surroundings
from app.projects.detect import AgentPrograms
from app.projects.events import AgentEvent
from app.projects.heartbeat import Observed, Verdict, Windows
from app.projects.supervise import LAST_LINE_SECONDS, Ending, Job, supervise

PLAYER = Path(__file__).with_name("agent.py")
WINDOWS = Windows(silence=1.0, grace=0.5, repeats=20)
LOOK = 0.1
GONE_SECONDS = 2.0


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
        seconds: float = 20.0,
        resumed: int = 0,
        cli: AgentCli = Claude(),  # noqa: B008 - frozen
        windows: Windows = WINDOWS,
        tell_seconds: float = 0.0,
    ) -> tuple[Ending, list[AgentEvent]]:
        events: list[AgentEvent] = []

        async def tell(event: AgentEvent) -> None:
            await asyncio.sleep(tell_seconds)
            events.append(event)

        job = Job(Played(script, cli), sys.executable, "Mend the roof.", self.folder, resumed=resumed)
        async with asyncio.timeout(seconds):
            ending = await supervise(job, tell, around=Surroundings(os.environ), windows=windows, look_seconds=LOOK)
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
    async with asyncio.timeout(60):
        ending = await supervise(job, tell, around=Surroundings(os.environ), windows=WINDOWS, look_seconds=LOOK)
    return ending, events, log.read_text()


async def test_the_last_lines_of_an_agent_that_has_ended_are_waited_for(tmp_path: Path) -> None:
    ending, events = await Stage(tmp_path).play("healthy", tell_seconds=0.3)
    assert ending.verdict.action == "done"
    assert [one.kind for one in events[-2:]] == ["result", "verdict"]


async def test_what_an_agent_leaves_running_does_not_hold_its_end(tmp_path: Path) -> None:
    began = time.monotonic()
    ending, _, _ = await printed(tmp_path, "daemon", "sleep 60 & echo All done.")
    assert ending.verdict.action == "done"
    assert time.monotonic() - began < LAST_LINE_SECONDS + 10


@pytest.fixture
def stage(tmp_path: Path) -> Stage:
    return Stage(tmp_path)


def left(folder: Path) -> list[psutil.Process]:
    """Processes that still work in a folder; one that was killed may take a moment to go."""
    end = time.monotonic() + GONE_SECONDS
    while True:
        found = [one for one in psutil.process_iter(["cwd"]) if one.info["cwd"] == str(folder)]
        if not found or time.monotonic() > end:
            return found
        time.sleep(0.05)


async def test_a_healthy_agent_is_done_and_was_told_what_to_do(stage: Stage) -> None:
    ending, events = await stage.play("healthy")
    assert (ending.verdict.action, ending.result, ending.session) == ("done", "All done.", "s-1")
    assert [event.kind for event in events] == ["started", "said", "result", "verdict"]
    assert events[1].text == "I read the prompt: Mend the roof."
    assert left(stage.folder) == []


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
    assert left(stage.folder) == []


@pytest.mark.parametrize("cli", AGENTS, ids=lambda cli: cli.name)
@pytest.mark.parametrize(
    ("script", "action"),
    [("healthy", "done"), ("hangs", "done"), ("wrong_login", "ask"), ("usage", "park"), ("memory", "resume")],
)
async def test_every_format_has_the_same_verdicts(stage: Stage, cli: AgentCli, script: str, action: str) -> None:
    ending, _ = await stage.play(script, cli=cli)
    assert (ending.verdict.action, ending.session) == (action, "s-1"), ending


async def test_of_fifty_healthy_runs_none_is_stopped(stage: Stage) -> None:
    """Ten at once, in every format; what each says between its thoughts comes well within the window."""
    windows, limit = Windows(silence=4.0, grace=2.0), asyncio.Semaphore(10)

    async def one(number: int) -> tuple[Ending, list[AgentEvent]]:
        script = ("thinks", "healthy", "slow")[number % 3]
        async with limit:
            return await stage.play(script, seconds=60, cli=AGENTS[number % len(AGENTS)], windows=windows)

    ran = await asyncio.gather(*map(one, range(50)))
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
    tried = await AgentPrograms(Surroundings(os.environ), agents=[cli]).trial(cli.name)
    assert tried
    assert tried.ok, tried.detail


async def test_a_limit_says_until_when(stage: Stage) -> None:
    ending, _ = await stage.play("usage")
    assert ending.verdict.until == 1893456000


async def test_a_second_time_out_of_memory_is_a_failure(stage: Stage) -> None:
    ending, _ = await stage.play("memory", resumed=1)
    assert ending.verdict.action == "failed"


@pytest.mark.parametrize("script", ["busy", "writing", "deep"])
async def test_who_is_silent_but_works_goes_on(stage: Stage, script: str) -> None:
    began = time.monotonic()
    with pytest.raises(TimeoutError):
        await stage.play(script, seconds=3 * WINDOWS.silence)
    assert time.monotonic() - began >= 3 * WINDOWS.silence
    assert left(stage.folder) == []


async def test_a_diagnosis_comes_once_a_window(stage: Stage) -> None:
    asked: list[list[str]] = []

    async def diagnose(_seen: Observed, lines: list[str]) -> Verdict:
        asked.append(lines)
        return Verdict("continue" if len(asked) < 2 else "kill", "It waits for a slow test.")

    async def tell(_event: AgentEvent) -> None:
        return None

    job = Job(Played(script="silent"), sys.executable, "", stage.folder)
    began = time.monotonic()
    ending = await supervise(
        job, tell, around=Surroundings(os.environ), windows=WINDOWS, diagnose=diagnose, look_seconds=LOOK
    )
    assert (ending.verdict.action, len(asked)) == ("kill", 2)
    assert time.monotonic() - began >= 2 * WINDOWS.silence
    assert json.loads(asked[0][0])["subtype"] == "init"


async def test_nothing_of_the_servers_environment_reaches_a_child(
    stage: Stage, secret_environment: Callable[[], dict[str, str]]
) -> None:
    events: list[AgentEvent] = []

    async def tell(event: AgentEvent) -> None:
        events.append(event)

    job = Job(Played(script="environment"), sys.executable, "", stage.folder)
    ending = await supervise(job, tell, around=Surroundings(secret_environment()), windows=WINDOWS, look_seconds=LOOK)
    seen = json.loads(ending.result)
    assert not [name for name in seen if name.startswith(("SUMMIT", "DATABASE", "OPENAI"))]
    assert (seen["GIT_TERMINAL_PROMPT"], seen["GIT_CONFIG_VALUE_0"]) == ("0", "/dev/null")


@pytest.fixture
def secret_environment() -> Callable[[], dict[str, str]]:
    secrets = {"SUMMIT_ADMIN_KEY": "a", "DATABASE_URL": "b", "OPENAI_API_KEY": "c", "SUMMIT_DATA_DIR": "d"}
    return lambda: {"PATH": os.environ["PATH"], **secrets}
