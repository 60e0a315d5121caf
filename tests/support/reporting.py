"""What a run of the tests says at its end: which tests took longest, what was skipped, what is in quarantine."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path, PurePosixPath

import pytest
from pytest import CallInfo, Item, TerminalReporter, TestReport  # noqa: PT013 - the names of every hook below

LONGEST = 50
DURATIONS = "SUMMIT_TEST_DURATIONS"
"""Names a file: the longest tests are written there, one a line, with their seconds and their phase."""
QUARANTINED = "quarantined"
_FAILED = "failed in quarantine"
_PLACES = {"web": "the page"}
_SKIPPED = "Skipped: "


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item: Item) -> None:
    if marker := item.get_closest_marker("quarantine"):
        reason = marker.kwargs.get("reason", next(iter(marker.args), None))
        assert reason, "quarantine(reason) needs its reason"
        item.user_properties.append((QUARANTINED, reason))


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtest_makereport(item: Item, call: CallInfo[None]) -> Iterator[None]:
    """Let a failure in quarantine not fail the run; a process of its own (xdist) tells the others by properties."""
    report: TestReport = yield  # type: ignore[assignment] # what pytest sends in
    if report.failed and (reason := _property(report, QUARANTINED)):
        report.user_properties.append((_FAILED, report.when))
        report.outcome = "skipped"
        report.wasxfail = str(reason)
    return report  # type: ignore[return-value]


@pytest.hookimpl(tryfirst=True)
def pytest_report_teststatus(report: object) -> tuple[str, str, str] | None:
    if isinstance(report, TestReport) and (_property(report, _FAILED) or _is_call_in_quarantine(report)):
        return QUARANTINED, "q", f"QUARANTINED {_result(report)}"
    return None


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_terminal_summary(terminalreporter: TerminalReporter) -> Iterator[None]:
    """Come last: the lines stand below the list of what failed."""
    yield
    reports = [one for found in terminalreporter.stats.values() for one in found if isinstance(one, TestReport)]
    if told := os.environ.get(DURATIONS):
        Path(told).parent.mkdir(parents=True, exist_ok=True)
        Path(told).write_text("".join(f"{line}\n" for line in longest(reports)))
    if lines := list(quarantined(reports)):
        terminalreporter.section("in quarantine")
        terminalreporter.write("".join(f"{line}\n" for line in lines))
    if line := skipped(terminalreporter.stats.get("skipped", [])):
        terminalreporter.write_line(line)


def longest(reports: Iterable[TestReport]) -> list[str]:
    """Return one line for each of the longest phases of tests: seconds, phase, id."""
    ordered = sorted(reports, key=lambda report: -report.duration)
    return [f"{report.duration:.2f}\t{report.when}\t{report.nodeid}" for report in ordered[:LONGEST]]


def skipped(reports: Iterable[pytest.CollectReport | TestReport]) -> str:
    """Return the line that names how many tests of what were skipped, and why; nothing where none was."""
    counted = Counter((_place(report), _why(report)) for report in reports)
    parts = [f"{count} of {place} ({why})" for (place, why), count in counted.most_common()]
    return "skipped: " + ", ".join(parts).replace(" of ", " tests of ", 1) if parts else ""


def quarantined(reports: Iterable[TestReport]) -> Iterator[str]:
    """Return a line for each test in quarantine: its result and its reason; and below it how it failed."""
    phases: dict[str, list[TestReport]] = {}
    for report in reports:
        if _property(report, QUARANTINED):
            phases.setdefault(report.nodeid, []).append(report)
    for name, found in sorted(phases.items()):
        failed = [report for report in found if _property(report, _FAILED)]
        results = {_result(report) for report in found}
        result = next(one for one in ("failed", "skipped", "passed") if one in results)
        yield f"{name}: {result}, in quarantine: {_property(found[0], QUARANTINED)}"
        yield from (report.longreprtext for report in failed)


def _property(report: TestReport, wanted: str) -> object:
    return next((value for name, value in report.user_properties if name == wanted), None)


def _is_call_in_quarantine(report: TestReport) -> bool:
    return report.when == "call" and report.passed and bool(_property(report, QUARANTINED))


def _result(report: TestReport) -> str:
    return "failed" if _property(report, _FAILED) else report.outcome


def _place(report: pytest.CollectReport | TestReport) -> str:
    folder = PurePosixPath(report.nodeid.partition("::")[0]).parent.name or "the tests"
    return _PLACES.get(folder, folder)


def _why(report: pytest.CollectReport | TestReport) -> str:
    said = report.longrepr[2] if isinstance(report.longrepr, tuple | list) else report.longreprtext
    return str(said).removeprefix(_SKIPPED)
