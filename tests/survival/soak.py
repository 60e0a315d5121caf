"""Every campaign of kills, cuts and hostile words, with a seed each and one table at the end.

    python -m tests.survival.soak [SECTION ...] [--seed N] [--share 0.1] [--lanes 2]

Each section has servers and a database of its own, so that one runs beside another in every lane; those that measure
how long something takes run by themselves, at first. ``--share`` runs that part of each campaign. The exit status is
1 when anything is broken or takes longer than it may. What a campaign printed stands above the table where it failed.
"""

from __future__ import annotations

import argparse
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

LANES = 2
FAREWELL_SECONDS = 60
PYTEST = ("pytest", "-q", "-p", "no:cacheprovider", "-n0")


@dataclass(frozen=True)
class Section:
    """One campaign: its module with arguments, of which ``rounds`` are cut by the share; ``minutes`` it may take.

    One that ``measures`` needs the machine for itself.
    """

    what: str
    module: tuple[str, ...]
    rounds: tuple[tuple[str, int], ...] = ()
    minutes: float = 12
    seeded: bool = True
    measures: bool = False
    env: tuple[tuple[str, str], ...] = ()

    def command(self, seed: int, share: float) -> list[str]:
        """The command line of a run."""
        counts = [word for name, count in self.rounds for word in (name, str(max(1, round(count * share))))]
        return [sys.executable, "-m", *self.module, *counts, *(["--seed", str(seed)] if self.seeded else [])]


def _campaign(what: str, name: str, minutes: int, **rounds: int) -> Section:
    counts = tuple((f"--{option.replace('_', '-')}", count) for option, count in rounds.items())
    return Section(what, (f"tests.survival.{name}",), counts, minutes)


SECTIONS: Mapping[str, Section] = {
    "crash": Section(
        "kill -9 at every boundary of seven flows",
        ("tests.survival.flow_rounds",),
        (("--percent", 100),),
        60,
        seeded=False,
    ),
    "access": Section(
        "every route by every kind of caller, and every id with another user's",
        (*PYTEST, "tests/integration/app/http/access"),
        minutes=6,
        seeded=False,
        env=(("SUMMIT_TEST_EVERY_CALLER", "1"),),
    ),
    "kills": _campaign("kill -9 at random, every fourth with the database", "kill_rounds", 20, rounds=60),
    "backends": _campaign("connections to the database cut under load", "backend_rounds", 8, kills=60),
    "cuts": _campaign("turns cancelled, streams cut and resumed", "cut_rounds", 8, cancels=200, streams=100),
    "faults": _campaign("the database restarts, is gone, only reads, loses answers", "fault_rounds", 14, rounds=4),
    "machines": _campaign("machines of a fleet cut off from each other", "machine_rounds", 8, cuts=10),
    "clips": _campaign("kill -9 of server and speech engine under clips", "clip_rounds", 10, kills=40, clips=30),
    "credits": _campaign("kill -9 under turns that cost credits", "credit_rounds", 6, turns=200, kills=6),
    "runs": _campaign("kill -9 of server, worker and database in runs", "run_rounds", 12, kills=50),
    "workflows": _campaign("kill -9 of server, worker and database in workflows", "workflow_rounds", 8, kills=30),
    "projects": _campaign("kill -9 under coding agents", "project_rounds", 12, kills=30),
    "parallel": Section(
        "ten whole projects at once", ("tests.survival.project_rounds", "--kills", "0"), (("--projects", 10),), 20
    ),
    "offline": Section(
        "a browser that is offline for a whole minute",
        (*PYTEST, "tests/system/web/test_connection.py", "-k", "offline"),
        minutes=6,
        seeded=False,
        env=(("SUMMIT_TEST_WHOLE_MINUTE", "1"),),
    ),
    "calendars": _campaign(
        "kill -9 of either side and the database under calendars in step", "calendar_rounds", 12, edits=300, cuts=8
    ),
    "hostile": Section("hostile messages", ("tests.fuzz.hostile_turns", "500"), minutes=12, seeded=False),
    "frames": Section("frames that no client should send", ("tests.fuzz.frames",), (("--frames", 5000),)),
    "records": Section(
        "tasks, events, notes and undo against a model", ("tests.fuzz.records_machine",), (("--examples", 2000),), 45
    ),
    "schema": Section(
        "requests made from the API's description", ("tests.fuzz.schema_cases",), (("--examples", 160),), 40
    ),
    "slow": Section(
        "connections that send a byte a second",
        ("tests.survival.slow_rounds",),
        (("--connections", 400),),
        4,
        seeded=False,
        measures=True,
    ),
    "long": Section(
        "10,000 turns of one server", ("tests.survival.long_rounds",), (("--turns", 10_000),), 20, seeded=False
    ),
    "broken": Section("builds that are broken on purpose", ("tests.survival.broken_builds",), minutes=8, seeded=False),
}


@dataclass(frozen=True)
class Outcome:
    """What a section came to; ``told`` is all that it printed."""

    name: str
    seed: int
    status: str
    seconds: float
    told: str


def run(name: str, section: Section, seed: int, share: float) -> Outcome:
    """One campaign in a process group of its own, which ends with all its servers when its time is up."""
    began = time.monotonic()
    env = os.environ | dict(section.env)
    command = section.command(seed, share)
    process = subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, env=env, start_new_session=True
    )
    try:
        told, _ = process.communicate(timeout=section.minutes * 60)
        status = "BROKEN" if process.returncode else "NOT RUN" if _all_skipped(told) else "held"
    except subprocess.TimeoutExpired:
        told, status = _ended(process), "TOO LONG"
    return Outcome(name, seed, status, time.monotonic() - began, told)


def _ended(process: subprocess.Popen[str]) -> str:
    """What a campaign printed that had to end. It is asked first: its database would outlive a kill, and its folder."""
    process.send_signal(signal.SIGINT)
    try:
        return process.communicate(timeout=FAREWELL_SECONDS)[0]
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        return process.communicate()[0]


def let_interrupts_through() -> None:
    """Undo what a shell does to a command in its background, whose children would not hear that they have to end."""
    signal.signal(signal.SIGINT, signal.default_int_handler)


def _all_skipped(told: str) -> bool:
    """Whether pytest ran nothing, because this machine lacks what the tests need."""
    summary = told.strip().rpartition("\n")[2]
    return " skipped" in summary and " passed" not in summary


def table(outcomes: list[Outcome]) -> str:
    """A line for each section: what it came to, its seed, its seconds, and the last words that it printed."""
    rows = []
    for one in outcomes:
        lines = [line for line in one.told.splitlines() if line.strip() and "nothing is broken" not in line]
        seed = str(one.seed) if SECTIONS[one.name].seeded else ""
        rows.append(f"{one.name:10} {one.status:9} {seed:>11} {one.seconds:6.0f} s  {lines[-1][:110] if lines else ''}")
    return "\n".join(rows)


def in_lanes(names: Sequence[str], each: Callable[[str], Outcome], lanes: int) -> list[Outcome]:
    """The outcomes in the order of the names: first those that measure, one by one, then the longest of the others."""
    begun = sorted(names, key=lambda name: (not SECTIONS[name].measures, -SECTIONS[name].minutes))
    alone = {name: each(name) for name in begun if SECTIONS[name].measures}
    with ThreadPoolExecutor(lanes) as pool:
        beside = {name: pool.submit(each, name) for name in begun if name not in alone}
    return [alone[name] if name in alone else beside[name].result() for name in names]


def told(name: str, seed: int, share: float) -> Outcome:
    """Run a section, and say so."""
    sys.stdout.write(f"{name}: {SECTIONS[name].what} ...\n")
    sys.stdout.flush()
    outcome = run(name, SECTIONS[name], seed, share)
    failed = "" if outcome.status == "held" else outcome.told
    sys.stdout.write(f"{name}: {outcome.status} after {outcome.seconds:.0f} s\n{failed}")
    sys.stdout.flush()
    return outcome


def main(arguments: list[str] | None = None) -> int:
    """Run the sections that are named, or all of them."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("sections", nargs="*", metavar="SECTION", help=", ".join(SECTIONS))
    parser.add_argument("--seed", type=int, default=int(time.time()))
    parser.add_argument("--share", type=float, default=1.0)
    parser.add_argument("--lanes", type=int, default=LANES, help="sections at once")
    options = parser.parse_args(arguments)
    if unknown := set(options.sections) - set(SECTIONS):
        parser.error(f"there is no section {', '.join(sorted(unknown))}; there are {', '.join(SECTIONS)}")
    let_interrupts_through()
    chosen = options.sections or list(SECTIONS)
    outcomes = in_lanes(chosen, lambda name: told(name, options.seed, options.share), options.lanes)
    sys.stdout.write(f"\n{table(outcomes)}\n")
    return int(any(one.status != "held" for one in outcomes))


if __name__ == "__main__":
    sys.exit(main())
