"""Sections run beside each other; what measures time has the machine for itself."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from threading import Event, Lock

from tests.support.waiting import HANG_SECONDS, wait_until
from tests.survival.soak import SECTIONS, Outcome, Section, _ended, in_lanes, let_interrupts_through, run

NAMES = ["long", "slow", "kills", "runs"]


class Machine:
    """Notes how many sections ran at once, at most, while each ran; one may end only ``after`` another has begun."""

    def __init__(self, after: Mapping[str, str] | None = None) -> None:
        self._lock, self._running = Lock(), set[str]()
        self._after, self._begun = after or {}, {name: Event() for name in [*NAMES, "credits"]}
        self.beside: dict[str, int] = {}
        self.begun: list[str] = []

    def run(self, name: str) -> Outcome:
        with self._lock:
            self.begun.append(name)
            self._running.add(name)
            for one in self._running:
                self.beside[one] = max(self.beside.get(one, 0), len(self._running))
        self._begun[name].set()
        assert name not in self._after or self._begun[self._after[name]].wait(HANG_SECONDS)
        with self._lock:
            self._running.discard(name)
        return Outcome(name, 1, "held", 0.1, "")


def test_as_many_run_at_once_as_there_are_lanes_and_what_measures_runs_alone() -> None:
    machine = Machine(after={"long": "kills", "kills": "runs"})
    outcomes = in_lanes(NAMES, machine.run, 2)
    assert [one.name for one in outcomes] == NAMES
    assert machine.begun[0] == "slow"
    assert machine.beside == {"slow": 1, "long": 2, "kills": 2, "runs": 2}


def test_one_lane_runs_them_one_by_one() -> None:
    machine = Machine()
    in_lanes(NAMES, machine.run, 1)
    assert set(machine.beside.values()) == {1}


def test_the_longest_begins_first() -> None:
    machine = Machine()
    in_lanes(["credits", "long"], machine.run, 1)
    assert SECTIONS["long"].minutes > SECTIONS["credits"].minutes
    assert machine.begun == ["long", "credits"]


def test_a_section_that_takes_too_long_is_ended() -> None:
    let_interrupts_through()
    program = "import time; time.sleep(600)"
    outcome = run("long", Section("sleeps", ("timeit", "-n1", "-r1", program), minutes=0.001, seeded=False), 1, 1.0)
    assert outcome.status == "TOO LONG"


def test_a_section_that_is_ended_clears_away_what_it_began(tmp_path: Path) -> None:
    (begun := tmp_path / "begun").mkdir()
    program = f"""
import pathlib, time
pathlib.Path({str(begun)!r}, "here").touch()
try:
    time.sleep(600)
finally:
    pathlib.Path({str(begun)!r}, "here").rename({str(tmp_path / "cleared")!r})"""
    let_interrupts_through()
    with subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE, text=True) as process:
        wait_until((begun / "here").exists)
        _ended(process)
    assert (tmp_path / "cleared").exists()
