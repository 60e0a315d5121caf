"""What a run of the tests says at its end: the longest, the skipped, those in quarantine."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.reporting import DURATIONS, LONGEST

pytest_plugins = ["pytester"]

TESTS = """
import pytest

@pytest.mark.parametrize("at", range(60))
def test_many(at):
    pass

@pytest.mark.skipif(True, reason="no Chromium: install it")
@pytest.mark.parametrize("at", range(3))
def test_page(at):
    pass
"""
CLIENTS = """
import pytest

def test_client():
    pytest.skip("make test-clients")
"""
QUARANTINED = """
import pytest

@pytest.mark.quarantine("it fails on Mondays")
def test_failing():
    assert "ink" == "paper"

@pytest.mark.quarantine(reason="it failed once")
def test_passing():
    pass

@pytest.fixture
def torn():
    yield
    raise RuntimeError("torn down")

@pytest.mark.quarantine("its end fails")
def test_ending(torn):
    pass

@pytest.mark.quarantine("it needs a moon")
def test_skipping():
    pytest.skip("no moon")
"""
SKIPPED = (
    "skipped: 3 tests of the page (no Chromium: install it), 1 of clients (make test-clients), 1 of the tests (no moon)"
)
LISTED = [
    "test_three.py::test_ending: failed, in quarantine: its end fails",
    "test_three.py::test_failing: failed, in quarantine: it fails on Mondays",
    "test_three.py::test_passing: passed, in quarantine: it failed once",
    "test_three.py::test_skipping: skipped, in quarantine: it needs a moon",
]
ROOT = Path(__file__).parents[2]
PLUGINS = ("xdist", "tests.support.reporting")


@pytest.fixture
def project(pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch) -> pytest.Pytester:
    """A project with nothing but the plugin, which each process finds by a path."""
    monkeypatch.setenv("PYTEST_DISABLE_PLUGIN_AUTOLOAD", "1")
    monkeypatch.setenv(DURATIONS, str(pytester.path / "longest.txt"))
    pytester.makeini("[pytest]\nmarkers = quarantine(reason)\n")
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    return pytester


def ran(project: pytest.Pytester, *arguments: str) -> pytest.RunResult:
    named = [argument for plugin in PLUGINS for argument in ("-p", plugin)]
    return project.runpytest_subprocess(*named, "--strict-markers", *arguments)


def put(project: pytest.Pytester, path: str, text: str) -> None:
    file = project.path / path
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text)


@pytest.mark.parametrize("processes", ["-n0", "-n2"])
def test_the_end_names_the_skipped_the_longest_and_those_in_quarantine(
    project: pytest.Pytester, processes: str
) -> None:
    put(project, "web/test_one.py", TESTS)
    put(project, "clients/test_two.py", CLIENTS)
    put(project, "test_three.py", QUARANTINED)
    result = ran(project, processes, "--maxfail=1")
    assert result.ret == pytest.ExitCode.OK
    assert result.outlines[-2] == SKIPPED
    assert [line for line in result.outlines if ", in quarantine: " in line] == LISTED
    assert any("assert 'ink' == 'paper'" in line for line in result.outlines)
    rows = [line.split("\t") for line in (project.path / "longest.txt").read_text().splitlines()]
    assert len(rows) == LONGEST
    seconds = [float(took) for took, _, _ in rows]
    assert seconds == sorted(seconds, reverse=True)
    assert {phase for _, phase, _ in rows} <= {"setup", "call", "teardown"}
    assert all("::test_" in name for _, _, name in rows)


def test_where_there_is_nothing_to_say_nothing_is_said(project: pytest.Pytester) -> None:
    put(project, "test_one.py", "def test_it(): pass")
    lines = ran(project, "-n0").outlines
    assert [line for line in lines if line.startswith("skipped: ") or "in quarantine" in line] == []


def test_beside_a_quarantine_a_failure_fails_the_run(project: pytest.Pytester) -> None:
    put(project, "test_one.py", f"{QUARANTINED}\ndef test_other():\n    assert False\n")
    result = ran(project, "-n0")
    assert result.ret == pytest.ExitCode.TESTS_FAILED
    assert result.parseoutcomes()["failed"] == 1


def test_a_quarantine_without_a_reason_fails(project: pytest.Pytester) -> None:
    put(project, "test_one.py", "import pytest\n@pytest.mark.quarantine\ndef test_it(): pass")
    result = ran(project, "-n0")
    assert result.ret == pytest.ExitCode.TESTS_FAILED
    assert "quarantine(reason) needs its reason" in result.stdout.str()
